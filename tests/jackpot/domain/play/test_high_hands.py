"""High hands: the best hand of a period wins, at the period's end and in the order of the system.

One tier, reset 100.00, payable unit 1.00, 0.50 a round from the operator, floor a full house,
periods of 30 minutes.
"""

from typing import Any

import pytest
from hypothesis import given, settings

from jackpot.domain.payout.payout_bounds import bounds_of
from jackpot.terms.money import MICROS
from jackpot.terms.posted_terms import parse
from tests.support.play.books import royal_terms
from tests.support.play.high_hands import HOUSE, NINES, NOTHING, STEEL, Evening, high_terms
from tests.support.play.models.plain_high_hands import Reference, timelines


def test_the_best_hand_of_a_period_holds_the_pool_at_its_end() -> None:
    evening = Evening()
    evening.play(10)
    assert evening.show("t3", HOUSE) == 1
    assert evening.show("t7", NINES) == 2
    assert evening.in_pool() == 106.00  # nothing is held before the end: 12 rounds
    assert evening.stands() == [(1, "held", 0), (2, "held", 0)]
    outcome = evening.end()
    assert outcome["candidates"] == [[1, 0], [2, 106 * MICROS]]
    assert outcome["value"] == 106 * MICROS
    assert evening.in_pool() == 100.00  # reset by the operator
    # The next period begins with the reset: 9 rounds and that of the hand, 105.00.
    evening.play(9)
    assert evening.show("t3", STEEL) == 3
    evening.end()
    assert evening.stands()[2] == (3, "held", 105.00)


def test_what_nobody_wins_rolls_over() -> None:
    evening = Evening()
    evening.play(20)
    assert evening.end()["candidates"] == []
    assert evening.in_pool() == 110.00
    evening.show("t3", HOUSE)
    evening.end()
    assert evening.stands() == [(1, "held", 111.00)]  # 110.50 rounded up
    assert evening.books.balances["rounding"] == -MICROS // 2


def test_a_rejected_best_hand_passes_the_prize_to_the_next_best_of_its_period() -> None:
    evening = Evening()
    evening.play(10)
    evening.show("t3", HOUSE)
    evening.show("t7", NINES)
    evening.end()
    evening.play(9)
    evening.show("t3", STEEL)
    evening.end()
    evening.reject(2)
    assert evening.stands() == [
        (1, "held", 106.00),
        (2, "rejected", 0),
        (3, "held", 105.00),  # the period after it is as it was
    ]
    # Without the first as well the period had no winner: 106.00 roll over, 111.00 in the next.
    evening.reject(1)
    assert evening.stands() == [(1, "rejected", 0), (2, "rejected", 0), (3, "held", 111.00)]
    assert evening.in_pool() == 100.00
    assert sum(evening.books.balances.values()) == 0


def test_equal_hands_share_in_payable_units_and_the_odd_one_is_of_the_first() -> None:
    evening = Evening()
    evening.play(9)
    evening.show("t3", NINES)
    evening.show("t7", ("9h 9d", "9s 9c Kd 7c 2c"))
    evening.play(2)  # 13 rounds: 106.50, held 107.00
    evening.end()
    assert evening.stands() == [(1, "held", 54.00), (2, "held", 53.00)]
    evening.reject(1)
    assert evening.stands() == [(1, "rejected", 0), (2, "held", 107.00)]


def test_of_equal_hands_the_first_wins_where_that_is_posted() -> None:
    evening = Evening(high_terms(requirements={"ties": "first"}))
    evening.show("t3", NINES)
    evening.show("t7", ("9h 9d", "9s 9c Kd 7c 2c"))
    evening.end()
    assert evening.stands() == [(1, "held", 101.00), (2, "held", 0)]


def test_the_time_of_recording_decides_the_period() -> None:
    """A round that began before the boundary, its hand recorded after: the next period."""
    evening = Evening()
    evening.press("t7")
    evening.show("t3", HOUSE)
    evening.end()
    assert evening.report("t7", *NINES)["hit"] == 2
    assert evening.stands() == [(1, "held", 101.00), (2, "held", 0)]
    evening.end()
    assert evening.stands() == [(1, "held", 101.00), (2, "held", 100.00)]


def test_a_hand_that_was_called_before_the_end_and_reported_after_acts_in_its_period() -> None:
    evening = Evening()
    evening.show("t3", HOUSE)
    evening.press("t7")
    evening.call("t7", tier="high")
    evening.end()
    assert evening.stands() == [(1, "held", 101.00), (2, "held", 0)]
    # Nobody knows the cards of the second: nothing is safe for the first.
    assert bounds_of(evening.books, evening.books.hits[1]).due == 0
    evening.report("t7", *NINES)
    assert evening.stands() == [(1, "held", 0), (2, "held", 101.00)]


def test_an_amended_report_is_compared_anew_at_its_place() -> None:
    evening = Evening()
    evening.show("t3", HOUSE)
    evening.show("t7", NINES)
    evening.end()
    report = dict(evening.books.hits[2].report or {})
    report["hands"] = [{**report["hands"][0], "hole": ["Kh", "Kd"]}]  # nines full of kings
    evening.decide("amend_hand", second=None, hit=2, report=report)
    assert evening.stands() == [(1, "held", 101.00), (2, "held", 0)]


def test_a_hand_below_the_floor_opens_a_claim_and_is_for_no_prize() -> None:
    evening = Evening()
    evening.show("t3", NOTHING)
    assert evening.end()["candidates"] == []
    assert evening.books.hits[1].tier is None


def test_a_confirmed_hand_outranks_the_others_of_its_period() -> None:
    evening = Evening()
    evening.show("t3", HOUSE)
    evening.show("t7", NINES)
    payees = [{"seat": 3, "amount": MICROS, "role": "winner"}]
    early = evening.decide("confirm_claim", hit=2, amount=MICROS, payees=payees)
    assert "has not ended" in early["refused"]
    evening.end()
    late = evening.decide("confirm_claim", hit=1, amount=MICROS, payees=payees)
    assert "Nothing is safe" in late["refused"]  # the better hand may still be rejected
    assert "refused" not in evening.confirm(2)
    assert evening.stands() == [(1, "outranked", 0), (2, "confirmed", 101.00)]
    assert "better hand" in evening.reject(1)["refused"]


def test_the_amount_that_is_safe_while_an_earlier_period_is_open() -> None:
    """The prize of the first period passes on only if all its hands are rejected."""
    evening = Evening()
    evening.show("t3", HOUSE)
    evening.show("t7", NINES)
    evening.end()
    evening.show("t3", STEEL)
    evening.end()
    payout_bounds = bounds_of(evening.books, evening.books.hits[3])
    assert (payout_bounds.safe, payout_bounds.most) == (
        101 * MICROS,
        102 * MICROS,
    )  # 100.50; 101.50
    assert payout_bounds.waits_for == (1, 2)
    evening.confirm(3)
    evening.reject(2)
    evening.reject(1)
    assert evening.stands()[2] == (3, "confirmed", 102.00)
    assert bounds_of(evening.books, evening.books.hits[3]).due == MICROS


def test_a_hand_that_was_read_wrong_keeps_the_best_of_its_period_from_being_paid() -> None:
    evening = Evening()
    evening.show("t3", HOUSE)
    evening.press("t7")
    evening.report("t7", *NOTHING)
    evening.end()
    report = dict(evening.books.hits[2].report or {})
    report["hands"] = [{**report["hands"][0], "hole": ["6s", "6d"]}]
    report["boards"] = [["6h", "6c", "Kd", "Qs", "2c"]]
    assert evening.books.hits[2].tier is None
    assert bounds_of(evening.books, evening.books.hits[1]).due == 0  # it may turn out higher
    evening.decide("amend_hand", second=None, hit=2, report=report)
    assert evening.stands() == [(1, "held", 0), (2, "held", 101.00)]


def test_an_amendment_that_would_lower_what_is_confirmed_acts_in_the_present_period() -> None:
    """A hand typed as a royal flush was four of a kind. Its period had no other hand, and rolled
    over to one that is confirmed meanwhile."""
    terms = high_terms(rank=2)
    terms["tiers"] = [*royal_terms()["tiers"], *terms["tiers"]]
    evening = Evening(terms)
    evening.play(50)
    evening.show("t7", ("Js Ts", "As Ks Qs 2d 2c"))
    evening.end()
    evening.show("t3", HOUSE)
    evening.end()
    assert bounds_of(evening.books, evening.books.hits[2]).safe == 126 * MICROS
    evening.confirm(2)
    evening.report("t7", *NINES)
    assert evening.stands() == [(1, "held", 0), (2, "confirmed", 126.00)]
    assert evening.books.hits[1].acts_at == evening.books.seq  # its place stays evidence
    evening.end()
    assert evening.stands() == [(1, "held", 100.00), (2, "confirmed", 126.00)]


def test_a_reversed_prize_enters_the_present_pool() -> None:
    evening = Evening()
    evening.show("t3", HOUSE)
    evening.end()
    evening.confirm(1)
    evening.decide("reverse_claim", hit=1, reason="R11", evidence="camera 1")
    assert evening.in_pool() == 201.00
    evening.show("t7", NINES)
    evening.end()
    assert evening.stands()[1] == (2, "held", 202.00)


def test_the_display_that_stood_higher_at_the_end_counts() -> None:
    evening = Evening()
    evening.show("t3", HOUSE)
    evening.books.displayed, evening.books.displayed_seq = {"high": 120 * MICROS}, 3
    evening.end()
    assert evening.stands() == [(1, "held", 120.00)]
    # It is from before that end, and does not count for the next period.
    evening.show("t7", NINES)
    evening.end()
    assert evening.stands()[1] == (2, "held", 101.00)


def test_terms_that_cannot_be_kept_are_refused() -> None:
    for changes, message in (
        ({"requirements": {"unclaimed": "added"}}, "only a fixed prize"),
        ({"requirements": {"period_minutes": 1441}}, "gaming day"),
    ):
        with pytest.raises(Exception, match=message):
            parse(high_terms(**changes))
    evening = Evening()
    plain = royal_terms(code="high", name="High Hand")
    assert "another code" in evening.decide("put_terms", terms=plain)["refused"]


@settings(derandomize=True, max_examples=80, deadline=None)
@given(timelines(most_rounds=9))
def test_whatever_is_rejected_each_period_comes_to_what_it_is_made_of(timeline: list[Any]) -> None:
    evening, plain = Evening(), Reference(reset=100.0, by_round=0.5)
    for act in timeline:
        plain.follow(evening, act)
        held, pool, _ = plain.comes_to(len(evening.books.hits))
        assert [amount for _, _, amount in evening.stands()] == held
        assert evening.in_pool() == pool
        assert sum(evening.books.balances.values()) == 0
