"""High hands with a fixed prize a period: 500.00 for the best hand of half an hour.

Reset 600.00, payable unit 1.00, 10.00 a round, floor a full house. The prize comes from the pool
first and the rest from the operator, as any fixed prize. Of a prize that nobody wins the terms say
whether it is added to the next one (`ADDED`), or stays in the pool.
"""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jackpot.domain.payout.payout_bounds import bounds_of
from jackpot.terms.money import MICROS
from jackpot.terms.posted_terms import notices, parse
from rules.weakest import TermsError
from tests.support.play.fixed_high_hands import ADDED, SAME_NINES, fixed_terms
from tests.support.play.high_hands import HOUSE, NINES, NOTHING, Evening
from tests.support.play.models.plain_high_hands import Reference, timelines


def test_the_best_hand_of_a_period_has_the_posted_prize() -> None:
    evening = Evening(fixed_terms())
    evening.play(48)
    evening.show("t3", HOUSE)
    evening.show("t7", NINES)
    outcome = evening.end()
    assert outcome["value"] == 500 * MICROS  # what displays show
    assert outcome["candidates"] == [[1, 0], [2, 500 * MICROS]]
    assert evening.in_pool() == 600.00  # 50 rounds made it 1,100.00
    evening.reject(2)
    assert evening.stands() == [(1, "held", 500.00), (2, "rejected", 0)]


def test_the_operator_makes_good_what_the_pool_is_short_of() -> None:
    """Never less than was posted (rule 7): no reserve is touched for it, but for the reset."""
    evening = Evening(fixed_terms(reset=100 * MICROS))
    evening.play(4)
    operator = evening.books.balances["operator"]
    evening.show("t3", HOUSE)
    evening.end()
    assert evening.stands() == [(1, "held", 500.00)]
    # 10.00 for the round; 150.00 were there, 350.00 make the prize good, 100.00 are the reset.
    assert operator - evening.books.balances["operator"] == (10 + 350 + 100) * MICROS
    assert evening.in_pool() == 100.00


def test_equal_hands_share_the_posted_prize() -> None:
    evening = Evening(fixed_terms(prize=501 * MICROS))
    evening.show("t3", NINES)
    evening.show("t7", SAME_NINES)
    evening.end()
    assert evening.stands() == [(1, "held", 251.00), (2, "held", 250.00)]
    evening.reject(1)
    assert evening.stands() == [(1, "rejected", 0), (2, "held", 501.00)]


def test_what_nobody_wins_is_added_to_the_prize_of_the_next_period() -> None:
    evening = Evening(fixed_terms(requirements=ADDED))
    evening.end()
    evening.show("t7", NOTHING)  # below the floor
    assert evening.books.value("high") == 1000 * MICROS
    assert evening.end()["value"] == 1000 * MICROS
    evening.play(9)
    evening.show("t3", NINES)
    evening.show("t7", SAME_NINES)
    assert evening.end()["value"] == 1500 * MICROS
    # The pool held 710.00: all of it, 790.00 of the operator, and 600.00 for the reset.
    assert evening.stands()[1:] == [(2, "held", 750.00), (3, "held", 750.00)]
    assert evening.in_pool() == 600.00
    evening.show("t3", HOUSE)
    assert evening.end()["value"] == 500 * MICROS
    assert evening.stands()[3] == (4, "held", 500.00)


def test_or_it_stays_in_the_pool_and_the_prize_is_the_same() -> None:
    evening = Evening(fixed_terms())
    evening.play(20)
    evening.end()
    evening.show("t3", HOUSE)
    evening.end()
    assert evening.stands() == [(1, "held", 500.00)]
    assert evening.in_pool() == 600.00  # 810.00 less 500.00, filled up


def test_a_rejection_lets_the_prize_go_on_and_an_amendment_takes_it_back() -> None:
    """The second period is won while the first one's only hand is open."""
    evening = Evening(fixed_terms(requirements=ADDED))
    evening.show("t3", HOUSE)
    evening.end()
    evening.show("t7", NINES)
    evening.end()
    coming = bounds_of(evening.books, evening.books.hits[2])
    assert (coming.safe, coming.most) == (500 * MICROS, 1000 * MICROS)
    evening.confirm(2)
    evening.reject(1)
    assert evening.stands() == [(1, "rejected", 0), (2, "confirmed", 1000.00)]
    assert bounds_of(evening.books, evening.books.hits[2]).due == 500 * MICROS
    evening.end()
    assert evening.books.value("high") == 1000 * MICROS
    evening.press("t3")
    evening.report("t3", *NOTHING)
    evening.end()
    report = dict(evening.books.hits[3].report or {})
    report["hands"] = [{**report["hands"][0], "hole": ["6s", "6d"]}]
    report["boards"] = [["6h", "6c", "Kd", "Qs", "2c"]]
    assert evening.books.value("high") == 1500 * MICROS
    evening.decide("amend_hand", second=None, hit=3, report=report)
    assert evening.stands()[2] == (3, "held", 1000.00)  # of its period and the one before
    assert evening.books.value("high") == 500 * MICROS


def test_what_is_added_was_posted_at_its_time() -> None:
    """400.00 instead of 500.00 from the third period on: two of 500.00, then one of 400.00."""
    evening = Evening(fixed_terms(requirements=ADDED))
    evening.end()
    evening.end()
    evening.decide("put_terms", terms=fixed_terms(requirements=ADDED, prize=400 * MICROS))
    assert evening.books.value("high") == 1400 * MICROS
    evening.show("t3", HOUSE)
    evening.end()
    assert evening.stands() == [(1, "held", 1400.00)]


def test_while_it_is_not_in_play_no_prize_is_added() -> None:
    evening = Evening(fixed_terms(requirements=ADDED))
    evening.end()
    evening.decide("suspend", second=None, jackpot="house", tier="high", reason="Night")
    evening.end()
    evening.end()
    evening.decide("resume", second=None, jackpot="house", tier="high", reason="Morning")
    evening.show("t3", HOUSE)
    evening.end()
    assert evening.stands() == [(1, "held", 1000.00)]


def test_a_display_that_stood_higher_counts() -> None:
    """Two prizes were shown; then the hand of the first period turned out to be one after all."""
    evening = Evening(fixed_terms(requirements=ADDED))
    evening.show("t7", NOTHING)
    evening.end()
    evening.books.displayed = {"high": 1000 * MICROS}
    evening.books.displayed_seq = evening.books.seq
    evening.show("t3", HOUSE)
    evening.end()
    report = dict(evening.books.hits[1].report or {})
    report["hands"] = [{**report["hands"][0], "hole": ["6s", "6d"]}]
    report["boards"] = [["6h", "6c", "Kd", "Qs", "2c"]]
    evening.decide("amend_hand", second=None, hit=1, report=report)
    assert evening.stands() == [(1, "held", 500.00), (2, "held", 1000.00)]
    assert evening.books.balances["rounding"] == -500 * MICROS


def test_terms_and_their_notice() -> None:
    for changes, message in (
        ({"prize": None, "requirements": ADDED}, "fixed prize"),
        ({"requirements": {"unclaimed": "lost"}}, "unclaimed must be"),
        ({"prize": 500 * MICROS + 1}, "whole payable units"),
        ({"share": 5000}, "not both"),
    ):
        with pytest.raises(TermsError, match=message):
            parse(fixed_terms(**changes))
    message = " ".join(notices(parse(fixed_terms(requirements=ADDED)), 2, "NZD"))
    assert "pays NZD 500.00 for each period, from its pool first and the rest from the" in message
    assert "a prize that nobody wins is added to that of the next period" in message.lower()
    message = " ".join(notices(parse(fixed_terms()), 2, "NZD"))
    assert "is added to that" not in message
    assert "the prize of the next period is the same" in message


@settings(derandomize=True, max_examples=80, deadline=None)
@given(st.booleans(), timelines(most_rounds=60))
def test_whatever_is_rejected_each_period_comes_to_what_it_is_made_of(
    is_added: bool, timeline: list[Any]
) -> None:
    evening = Evening(fixed_terms(requirements=ADDED if is_added else {}))
    plain = Reference(reset=600.0, by_round=10.0, prize=500.0, is_added=is_added)
    for act in timeline:
        plain.follow(evening, act)
        held, pool, prize = plain.comes_to(len(evening.books.hits))
        assert [amount for _, _, amount in evening.stands()] == held
        assert evening.in_pool() == pool
        assert prize is not None
        assert evening.books.value("high") == prize * MICROS
        assert sum(evening.books.balances.values()) == 0
