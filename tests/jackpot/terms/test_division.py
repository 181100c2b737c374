"""A prize divided by its posted share plan (19.13), and what a confirmation accepts."""

from typing import Any

import pytest

from jackpot.domain.payout.division import supplement
from jackpot.terms.money import MICROS
from jackpot.terms.posted_terms import notices, parse
from rules.terms import TermsError
from tests.support.play.books import Floor, royal_terms
from tests.support.play.rules.division import hand

BOARD = "Ad Ac Kd 2d 3c"
ACES_FULL = {"weakest": {"category": "full_house", "ranks": ["A"]}, "hole_cards_playing": 2}
WINNER_AND_TABLE = {"winner": 7_000, "table": 3_000}


def report(*hands: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"boards": [BOARD.split()], "hands": [*hands], **fields}


def floor(**changes: Any) -> Floor:
    """A hand is reported on a pool of 1,000.50: it holds 1,001."""
    gaming_floor = Floor(
        royal_terms(**{"qualifying": {**ACES_FULL, "games": ["holdem"]}, **changes})
    )
    gaming_floor.open("t3")
    gaming_floor.press("t3")
    gaming_floor.call("t3")
    return gaming_floor


def confirm(gaming_floor: Floor, amount: int, *parts: tuple[int, str, int]) -> Any:
    payees = [{"seat": s, "role": role, "amount": part * MICROS} for s, role, part in parts]
    return gaming_floor.decide("confirm_claim", hit=1, amount=amount * MICROS, payees=payees)


def test_16_5_e_two_equal_hands_share_and_the_highest_card_has_what_is_over() -> None:
    gaming_floor = floor()
    gaming_floor.decide("amend_hand", hit=1, report=report(hand(3, "Ah Kh"), hand(5, "As Ks")))
    refused = confirm(gaming_floor, 1001, (3, "winner", 501), (5, "winner", 500))
    assert refused["refused"].startswith("The payees are not those of the reported hand")
    assert "refused" in confirm(gaming_floor, 1001, (5, "winner", 1001))
    assert "refused" not in confirm(gaming_floor, 1001, (3, "winner", 500), (5, "winner", 501))


def test_the_table_has_its_part_from_the_button_who_takes_no_part_has_none() -> None:
    """1,001: 300 to the table (300.30 rounded down), 701 to the winner. 300 among four."""
    gaming_floor = floor(plan=WINNER_AND_TABLE)
    hands = [hand(3, "As Ks"), hand(6, folded=True, participating=False)]
    fields = {"seats_dealt": [1, 2, 3, 4, 5, 6], "button_seat": 4}
    gaming_floor.decide("amend_hand", hit=1, report=report(*hands, **fields))
    table = [(seat, "table", 75) for seat in (1, 2, 4, 5)]
    assert "refused" not in confirm(gaming_floor, 1001, (3, "winner", 701), *table)
    assert [line["role"] for line in gaming_floor.books.hits[1].payees] == [
        "winner",
        *["table"] * 4,
    ]


def test_odd_units_of_the_table_go_clockwise_from_the_button() -> None:
    """300 among seven: 42 each, six of them 43; the button is last."""
    gaming_floor = floor(plan=WINNER_AND_TABLE)
    fields = {"seats_dealt": [1, 2, 3, 4, 5, 6, 7, 8], "button_seat": 4}
    gaming_floor.decide("amend_hand", hit=1, report=report(hand(3, "As Ks"), **fields))
    table = [(seat, "table", 42 if seat == 4 else 43) for seat in (1, 2, 4, 5, 6, 7, 8)]
    assert "refused" not in confirm(gaming_floor, 1001, (3, "winner", 701), *table)


@pytest.mark.parametrize(
    ("fields", "advice"),
    [
        ({}, "enter the seats dealt in"),
        ({"seats_dealt": [1, 2, 3]}, "Name the seat of the button"),
    ],
)
def test_nobody_is_paid_before_the_table_is_known(fields: dict[str, Any], advice: str) -> None:
    gaming_floor = floor(plan=WINNER_AND_TABLE)
    gaming_floor.decide("amend_hand", hit=1, report=report(hand(3, "As Ks"), **fields))
    assert advice in confirm(gaming_floor, 1001, (3, "winner", 1001))["refused"]


def test_a_winner_who_takes_part_alone_has_all() -> None:
    gaming_floor = floor(plan=WINNER_AND_TABLE)
    other = hand(5, "", folded=True, participating=False, won_pot=False)
    final_report = report(hand(3, "As Ks"), other, seats_dealt=[3, 5])
    gaming_floor.decide("amend_hand", hit=1, report=final_report)
    assert "refused" not in confirm(gaming_floor, 1001, (3, "winner", 1001))


def test_a_hand_that_does_not_win_is_not_paid() -> None:
    gaming_floor = floor()
    gaming_floor.decide("amend_hand", hit=1, report=report(hand(3, "9s 8s")))
    assert "find no seat" in confirm(gaming_floor, 1001, (3, "winner", 1001))["refused"]


def test_a_supplement_brings_everybody_up_to_the_part_of_the_whole() -> None:
    """B's safe 1,501 is paid as 750 and 751. A is rejected, and B comes to 2,002: 1,001 each.
    Divided for itself the supplement of 501 would give the odd unit to the highest card again."""
    gaming_floor = floor(increments=[{"source": "per_round", "amount": 501 * MICROS}])
    gaming_floor.press("t3")
    gaming_floor.call("t3")
    two = report(hand(3, "Ah Kh"), hand(5, "As Ks"))
    gaming_floor.decide("amend_hand", hit=2, report=two)
    assert gaming_floor.held(2) == 1501 * MICROS
    assert "refused" not in second(gaming_floor, 750, 751)
    gaming_floor.decide("reject_claim", hit=1, reason="R04", evidence="", affected=True)
    assert gaming_floor.held(2) == 2002 * MICROS
    assert "refused" in second(gaming_floor, 250, 251)
    assert "refused" not in second(gaming_floor, 251, 250)
    assert len(gaming_floor.books.hits[2].payees) == 4


def second(gaming_floor: Floor, *parts: int) -> Any:
    payees = [
        {"seat": seat, "amount": part * MICROS} for seat, part in zip((3, 5), parts, strict=True)
    ]
    return gaming_floor.decide("confirm_claim", hit=2, amount=sum(parts) * MICROS, payees=payees)


def test_an_odd_unit_that_somebody_has_stays_with_him() -> None:
    """1,001 among three: 333, 333 and 335. Of 1,003 it would be 334, 334, 335: nothing is taken
    back, and the two more go to the two others."""
    had = [{"seat": s, "amount": part} for s, part in ((3, 333), (5, 333), (7, 335))]
    assert supplement({3: 334, 5: 334, 7: 335}, had, 2) == {3: 1, 5: 1, 7: 0}
    assert supplement({3: 334, 5: 334, 7: 334}, had, 1) == {3: 1, 5: 0, 7: 0}


def test_a_fixed_prize_is_held_whatever_the_pool_and_given_back_with_a_rejection() -> None:
    gaming_floor = floor(prize=1500 * MICROS, reset=200 * MICROS)
    balances = gaming_floor.books.balances
    assert gaming_floor.books.hits[1].values == {"royal": 1500 * MICROS}
    assert (gaming_floor.held(1), gaming_floor.pool()) == (1500 * MICROS, 200 * MICROS)
    # 200 at the opening, 0.50 for the round, 1,299.50 for the prize, 200 for the reset
    assert balances["operator"] == -1700 * MICROS
    assert balances["rounding"] == 0
    gaming_floor.decide("reject_claim", hit=1, reason="R04", evidence="", affected=True)
    assert (gaming_floor.pool(), balances["operator"]) == (200_500_000, -200_500_000)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"prize": 0}, "whole payable units"),
        ({"prize": MICROS + 1}, "whole payable units"),
        ({"prize": MICROS, "share": 5_000}, "not both"),
        ({"plan": {"winner": 5_000}}, "must come to 100%"),
        ({"plan": {"winner": 5_000, "loser": 5_000}}, "no beaten hand"),
        ({"plan": {"table": 10_000}}, "needs a part"),
        ({"plan": {"dealer": 10_000}}, "cannot be read"),
    ],
)
def test_terms_that_cannot_be_paid_are_refused(changes: dict[str, Any], fault: str) -> None:
    with pytest.raises(TermsError, match=fault):
        parse(royal_terms(**changes))


def test_the_notice_says_what_is_paid_and_to_whom() -> None:
    posted = royal_terms(prize=500 * MICROS, plan=WINNER_AND_TABLE)
    lines = notices(parse(posted), 2, "NZD")
    assert (
        "Royal Flush pays NZD 500.00, from its pool first and the rest from the operator; the"
        " pool is then filled up to NZD 1,000.00 if it holds less."
    ) in lines
    assert (
        "Royal Flush: of the amount 70% to the winning hand and 30% to the other participating"
        " players dealt in, in equal parts (also to those who folded). Parts are rounded down to"
        " NZD 1.00; any remainder goes to the winning hand."
    ) in lines
