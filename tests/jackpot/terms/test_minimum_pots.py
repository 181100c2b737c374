"""A hand whose minimum is not known to be met counts for the lower prize too (rules 5 and 10).

Royal flush: reset 1,000.00, 0.50 a round; straight flush: reset 200.00, 5.00 a round. The higher
prize of a hand alone is won; the royal flush asks for a pot of 20.00.
"""

from typing import Any

import pytest

from jackpot.domain.payout.payout_bounds import bounds_of
from jackpot.terms.money import MICROS
from tables.protocol import messages
from tests.support.cases.claims.several_prizes import (
    BOARD,
    QUEEN_HIGH,
    ROYAL,
    each_terms,
    money,
    stands,
)
from tests.support.play.books import Floor, royal_terms
from tests.support.play.high_hands import STEEL, Evening, high_terms
from tests.support.proof.verified_books import Witnessed


def house(**qualifying: Any) -> Witnessed:
    terms = each_terms(hand_wins="highest")
    royal = terms["tiers"][0]
    royal["qualifying"] = {**royal["qualifying"], **(qualifying or {"pot_min_minor": 2000})}
    floor = Witnessed(terms)
    floor.open("t3")
    floor.open("t7")
    floor.press("t3")
    return floor


def bounds(floor: Floor, hit: int) -> tuple[int | None, int, tuple[int, ...]]:
    payout_bounds = bounds_of(floor.books, floor.books.hits[hit])
    return payout_bounds.safe, payout_bounds.most, payout_bounds.waits_for


@pytest.mark.parametrize(
    ("pot", "first", "second"),
    [(1999, ("steel", money(205)), money(215)), (2000, ("royal", money(1001)), money(220))],
)
def test_a_royal_flush_that_waits_for_its_pot_is_before_a_straight_flush(
    pot: int, first: tuple[str, int], second: int
) -> None:
    floor = house()
    floor.call("t3", "royal")
    for _ in range(3):
        floor.press("t7")
    floor.report("t7", QUEEN_HIGH, BOARD, seats_dealt=[1, 2, 3])
    # 220.00; or 215.00, if table 3 takes 205.00 before.
    assert bounds(floor, 2) == (money(215), money(220), (1,))
    floor.report("t3", ROYAL, BOARD, seats_dealt=[1, 2, 3])
    assert bounds(floor, 2) == (money(215), money(220), (1,))
    floor.complete("t3", pot=pot)
    assert stands(floor) == {
        1: (first[0], "held", first[1]),
        2: ("steel", "held", second),
    }
    assert bounds(floor, 2)[0] == second


def called_too_low() -> Witnessed:
    """Table 3 calls a straight flush that nobody has read; table 7 shows a royal flush: of
    1,002.50 it holds 1,003.00. No prize asks for a minimum."""
    floor = Witnessed(each_terms(hand_wins="highest"))
    floor.open("t3")
    floor.open("t7")
    for table in ("t3", "t3", "t3", "t7", "t7"):
        floor.press(table)
    floor.call("t3", "steel")
    floor.report("t7", ROYAL, BOARD, seats_dealt=[1, 2, 3])
    return floor


def test_a_call_that_its_report_corrects_upwards_counts_as_an_amendment() -> None:
    """The exception of rule 5: the hand moves to the higher prize at its own place (rule 9)."""
    floor = called_too_low()
    assert bounds(floor, 2) == (money(1003), money(1003), ())
    floor.report("t3", ROYAL, BOARD, seats_dealt=[1, 2, 3])
    assert stands(floor) == {
        1: ("royal", "held", money(1003)),
        2: ("royal", "held", money(1000)),
    }
    assert bounds(floor, 2) == (money(1000), money(1003), (1,))


def test_but_what_is_confirmed_is_not_lowered_by_it() -> None:
    """Confirmed before the report came: the corrected hand acts where it is read (0006)."""
    floor = called_too_low()
    payees = [{"seat": 3, "amount": money(1003)}]
    assert "refused" not in floor.decide("confirm_claim", hit=2, amount=money(1003), payees=payees)
    floor.press("t7")
    floor.report("t3", ROYAL, BOARD, seats_dealt=[1, 2, 3])
    assert stands(floor) == {
        1: ("royal", "held", money(1001)),  # 1,000.50 at the report
        2: ("royal", "confirmed", money(1003)),
    }


def test_what_was_paid_before_the_pot_was_known_is_the_safe_amount() -> None:
    floor = house()
    floor.report("t3", ROYAL, BOARD, seats_dealt=[1, 2, 3])
    for _ in range(3):
        floor.press("t7")
    floor.report("t7", QUEEN_HIGH, BOARD, seats_dealt=[1, 2, 3])
    assert bounds_of(floor.books, floor.books.hits[2]).due == money(215)
    payees = [{"seat": 3, "amount": money(215)}]
    floor.decide("confirm_claim", hit=2, amount=money(215), payees=payees)
    floor.complete("t3", pot=2000)
    assert bounds_of(floor.books, floor.books.hits[2]).due == money(5)  # a supplement


def test_the_completion_may_say_more_than_the_pot_of_the_report() -> None:
    floor = house()
    floor.report("t3", ROYAL, BOARD, pot=1999, seats_dealt=[1, 2, 3])
    assert stands(floor) == {1: ("steel", "held", money(205))}
    floor.press("t7")
    floor.press("t7")
    floor.call("t7", "royal")
    # 1,001.50, up to 1,002.00; or 1,001.00, if table 3 takes 1,000.50 before.
    assert bounds(floor, 2) == (money(1001), money(1002), (1,))
    floor.complete("t3", pot=2000)
    assert stands(floor)[1] == ("royal", "held", money(1001))
    assert bounds(floor, 2) == (money(1001), money(1002), (1,))


def test_a_minimum_of_players_waits_for_the_completion_where_the_report_counts_nobody() -> None:
    floor = house(players_dealt_min=4)
    floor.report("t3", ROYAL, BOARD)
    assert stands(floor) == {1: ("royal", "held", money(1001))}
    for _ in range(3):
        floor.press("t7")
    floor.call("t7", "steel")
    assert bounds(floor, 2) == (money(215), money(220), (1,))
    floor.complete("t3", pot=2000, seats_dealt=[1, 2, 3])
    assert stands(floor)[1] == ("steel", "held", money(205))
    assert bounds(floor, 2)[0] == money(215)


def test_cards_that_are_for_no_other_prize_wait_for_nothing() -> None:
    """A straight flush is no royal flush, whatever its pot."""
    floor = house()
    floor.report("t3", QUEEN_HIGH, BOARD, seats_dealt=[1, 2, 3])
    floor.press("t7")
    floor.call("t7", "royal")
    assert bounds(floor, 2) == (money(1001), money(1001), ())


def test_of_each_prize_a_hand_has_one_claim_that_counts() -> None:
    """Both prizes are claimed: the royal flush counts for no second straight flush."""
    terms = each_terms()
    royal = terms["tiers"][0]
    royal["qualifying"] = {**royal["qualifying"], "pot_min_minor": 2000}
    floor = Witnessed(terms)
    floor.open("t3")
    floor.open("t7")
    floor.press("t3")
    floor.report("t3", ROYAL, BOARD, seats_dealt=[1, 2, 3])
    floor.press("t7")
    floor.call("t7", "steel")
    assert bounds(floor, 3) == (money(205), money(210), (2,))


def test_a_candidate_for_a_high_hand_may_be_for_a_prize_at_its_own_place() -> None:
    """Its period ends behind a later straight flush: it would act before that."""
    high = high_terms(requirements={"pot_min_minor": 2000})
    qualifying = {"weakest": {"category": "straight_flush"}, "games": ["holdem"]}
    steel = royal_terms(code="steel", rank=2, qualifying=qualifying)
    evening = Evening({**high, "tiers": [*high["tiers"], *steel["tiers"]]})
    evening.show("t3", STEEL)
    evening.press("t7")
    evening.press("t7")
    evening.call("t7", "steel")
    # 1,001.50, up to 1,002.00; or 1,001.00, if table 3 takes 1,000.50 before.
    for end in (False, True):
        if end:
            evening.end()
        assert bounds(evening, 2) == (money(1001), money(1002), (1,))
    evening.complete("t3", pot=1999)
    assert stands(evening) == {
        1: ("steel", "held", money(1001)),
        2: ("steel", "held", money(1001)),
    }
    assert evening.pool("high") == 101_500_000  # three rounds and no hand


def test_hands_of_several_missed_rounds_are_judged_one_by_one() -> None:
    """Two of them would act at one place."""
    floor = house(players_dealt_min=4)
    for _ in range(2):
        floor.rounds["t3"] += 1
        floor.report("t3", ROYAL, BOARD)
    body: dict[str, Any] = {"players": 3, "evidence": "camera 4"}
    refused = floor.decide("missed_rounds", table="t3", count=2, rounds=[2, 3], **body)
    assert "apart" in refused["refused"]
    for number in (2, 3):
        outcome = floor.decide("missed_rounds", table="t3", count=1, rounds=[number], **body)
        assert [judged["tier"] for judged in outcome["judged"]] == ["steel"]


def test_a_correction_at_the_place_where_a_hand_acts_comes_before_it() -> None:
    """Table 3's round was credited by a pot of 100.00, and was one of 19.99: 8.001 go back."""
    terms = each_terms(hand_wins="highest", funding="players")
    royal, steel = terms["tiers"]
    royal["qualifying"] = {**royal["qualifying"], "pot_min_minor": 2000}
    steel["increments"] = [*steel["increments"], {"source": "pot", "basis_points": 1000}]
    floor = Witnessed(terms)
    for table in ("t3", "t5", "t7"):
        floor.open(table)
    floor.rounds["t3"] = 1
    floor.report("t3", ROYAL, BOARD, seats_dealt=[1, 2, 3])
    floor.decide(
        "missed_rounds", table="t3", count=1, rounds=[1], pot=money(100), evidence="camera 4"
    )
    floor.press("t7")
    floor.report("t7", QUEEN_HIGH, BOARD, seats_dealt=[1, 2, 3])  # 200.00, 15.00 and 5.00
    payees = [{"seat": 3, "amount": money(220)}]
    assert floor.decide("confirm_claim", hit=2, amount=money(220), payees=payees)["confirmed"]
    floor.complete("t3", pot=1999)
    assert stands(floor)[1] == ("steel", "held", money(192))  # 191.999, behind what was confirmed
    assert floor.books.hits[1].acts_at == floor.books.seq
    floor.press("t5")
    floor.report("t5", QUEEN_HIGH, BOARD, seats_dealt=[1, 2, 3])
    assert stands(floor)[3] == ("steel", "held", money(205))
    assert bounds(floor, 3) == (money(197), money(205), (1,))
    assert floor.pool("steel") == 200 * MICROS


@pytest.mark.parametrize(
    ("seats", "tier"), [([1, 3, 5], "steel"), ([1, 3, 5, 7], "royal")], ids=["three", "four"]
)
def test_a_start_that_comes_behind_the_hand_says_how_many_were_dealt_in(
    seats: list[int], tier: str
) -> None:
    """Writer and verifier judge the hand again by it."""
    terms = each_terms(hand_wins="highest")
    royal = terms["tiers"][0]
    royal["qualifying"] = {**royal["qualifying"], "players_dealt_min": 4}
    floor = Witnessed(terms)
    floor.open("t3")
    floor.rounds["t3"] = 1
    floor.call("t3", "royal")
    floor.report("t3", ROYAL, BOARD)
    floor.say("t3", messages.RoundStarted, round=1, seats_dealt=seats)
    assert [floor.books.hits[1].tier, floor.witness.hits[1].tier] == [tier, tier]
