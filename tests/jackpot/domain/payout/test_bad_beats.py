"""Bad beats in the fold: who is paid what, from the report, by the posted share plan."""

from typing import Any

import pytest

from jackpot.terms.money import MICROS
from jackpot.terms.posted_terms import notices, parse
from rules.terms import TermsError
from tests.support.cases.hands.bad_beats import ACES_FULL, BEAT, BOARD, FULL, KINGS, bad_beat
from tests.support.play.books import Floor
from tests.support.play.rules.division import hand

Paid = list[tuple[int, str, int]]


def floor(*hands: dict[str, Any], board: str = BOARD, **changes: Any) -> Floor:
    """The first round of a table with that report."""
    gaming_floor = Floor(bad_beat(**changes))
    gaming_floor.open("t3")
    gaming_floor.press("t3")
    gaming_floor.call("t3", tier="beat")
    report = {
        "boards": [board.split()],
        "hands": [*hands],
        "seats_dealt": [1, 2, 3, 4, 5, 6, 7, 8],
        "button_seat": 3,
    }
    gaming_floor.decide("amend_hand", hit=1, report=report)
    return gaming_floor


def pays(gaming_floor: Floor, *parts: tuple[int, str, int]) -> bool:
    """Whether these payees of the whole are confirmed."""
    payees = [{"seat": seat, "role": role, "amount": part * MICROS} for seat, role, part in parts]
    amount = gaming_floor.held(1)
    return "refused" not in gaming_floor.decide(
        "confirm_claim", hit=1, amount=amount, payees=payees
    )


def table(parts: dict[int, int]) -> Paid:
    return [(seat, "table", part) for seat, part in parts.items()]


def test_loser_winner_and_table_and_the_money_comes_to_the_amount() -> None:
    """1,000.50 is 1,001: 250 for the winner, 250 for the six others, 501 for the loser. Forty-one
    and a half each: four of them, clockwise from the button, have 42."""
    gaming_floor = floor(hand(2, ACES_FULL), hand(5, KINGS, won_pot=True))
    assert gaming_floor.books.hits[1].tier == "beat"
    assert gaming_floor.held(1) == 1001 * MICROS
    others = table({1: 41, 3: 41, 4: 42, 6: 42, 7: 42, 8: 42})
    assert not pays(gaming_floor, (5, "loser", 501), (2, "winner", 250), *others)
    assert pays(gaming_floor, (2, "loser", 501), (5, "winner", 250), *others)


def test_who_takes_no_part_has_no_part_of_the_table_and_may_beat_a_hand() -> None:
    """The winner's part is nobody's: it goes to the loser."""
    out: dict[str, Any] = {"participating": False}
    gaming_floor = floor(hand(2, ACES_FULL), hand(5, KINGS, **out), hand(6, folded=True, **out))
    others = table({1: 50, 3: 50, 4: 50, 7: 50, 8: 50})
    assert pays(gaming_floor, (2, "loser", 751), *others)


@pytest.mark.parametrize(
    ("folded_share", "parts"),
    [
        (True, {1: 41, 3: 41, 4: 42, 6: 42, 7: 42, 8: 42}),
        (False, {1: 50, 3: 50, 4: 50, 7: 50, 8: 50}),
    ],
)
def test_who_folded_has_a_part_of_the_table_if_it_is_posted_so(
    folded_share: bool, parts: dict[int, int]
) -> None:
    hands = (hand(2, ACES_FULL), hand(5, KINGS, won_pot=True), hand(6, folded=True))
    by_hand = (2, "loser", 501), (5, "winner", 250)
    gaming_floor = floor(*hands, folded_share=folded_share)
    assert not pays(gaming_floor, *by_hand, *table({**parts, 1: parts[1] - 1, 8: parts[8] + 1}))
    assert pays(gaming_floor, *by_hand, *table(parts))


TWO = (hand(2, "As Ad"), hand(4, "7s 7h"), hand(5, "Kd Kc"))  # aces full and sevens lose


def test_of_several_beaten_hands_the_highest_wins_and_the_other_is_of_the_table() -> None:
    sevens = BEAT | {"losing": {"category": "full_house"}}
    gaming_floor = floor(*TWO, qualifying=sevens)
    # fours of sevens, the higher of the two, are beaten by four kings
    others = table({1: 42, 2: 41, 3: 41, 6: 42, 7: 42, 8: 42})
    assert pays(gaming_floor, (4, "loser", 501), (5, "winner", 250), *others)


def test_each_beaten_hand_wins_where_it_is_posted_so() -> None:
    """501 for two losers: 250 each, the odd one to the ace of spades. Five share 250."""
    every = BEAT | {"losing": {"category": "full_house"}, "every_loser": True, "losers_min": 2}
    gaming_floor = floor(*TWO, qualifying=every)
    others = table({1: 50, 3: 50, 6: 50, 7: 50, 8: 50})
    assert pays(gaming_floor, (2, "loser", 251), (4, "loser", 250), (5, "winner", 250), *others)


def test_a_single_beaten_hand_is_too_few_where_two_are_asked_for() -> None:
    two = BEAT | {"losers_min": 2}
    gaming_floor = floor(hand(2, ACES_FULL), hand(5, KINGS), qualifying=two)
    assert not pays(gaming_floor, (2, "loser", 1001))


def test_a_plan_without_the_winner_pays_loser_and_table() -> None:
    gaming_floor = floor(hand(2, ACES_FULL), hand(5, KINGS), plan={"loser": 6_000, "table": 4_000})
    # 1,001: 400 for six, 601 for the loser; 66 each, four odd units
    others = table({1: 66, 3: 66, 4: 67, 6: 67, 7: 67, 8: 67})
    assert pays(gaming_floor, (2, "loser", 601), *others)


def test_an_amendment_finds_the_right_prize_at_the_same_place() -> None:
    """Called as a royal flush; the report is of a bad beat."""
    gaming_floor = Floor(bad_beat())
    gaming_floor.open("t3")
    gaming_floor.press("t3")
    gaming_floor.call("t3", tier="royal")
    assert gaming_floor.books.hits[1].tier == "royal"
    report = {"boards": [BOARD.split()], "hands": [hand(2, ACES_FULL), hand(5, KINGS)]}
    assert gaming_floor.decide("amend_hand", hit=1, report=report)["tier"] == "beat"
    assert (gaming_floor.pool("royal"), gaming_floor.pool("beat")) == (1_000_500_000, 1_000_000_000)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"plan": None}, "beaten hand of Bad Beat needs a part"),
        ({"plan": {"winner": 5_000, "table": 5_000}}, "beaten hand of Bad Beat needs a part"),
        ({"plan": {"loser": 5_000, "winner": 4_999}}, "come to 100%"),
        ({"qualifying": {"kind": "bad_beat", "losing": FULL}}, "Name the losing hand"),
        ({"qualifying": BEAT | {"games": ["omaha"]}}, "names the game omaha"),
        (
            {"qualifying": {"kind": "high_hand", "floor": FULL, "period_minutes": 30}},
            "asks for no beaten hand",
        ),
    ],
)
def test_bad_beats_that_cannot_be_conducted_are_refused(
    changes: dict[str, Any], fault: str
) -> None:
    with pytest.raises(TermsError, match=fault):
        parse(bad_beat(**changes))


def test_the_notice_of_a_bad_beat() -> None:
    lines = [line for line in notices(parse(bad_beat()), 2, "NZD") if line.startswith("Bad Beat")]
    assert lines[0].startswith("Bad Beat: Full house, aces full, or any higher hand, wins")
    assert lines[2] == (
        "Bad Beat: of the amount 50% to the beaten hand, 25% to the winning hand and 25% to the"
        " other participating players dealt in, in equal parts (also to those who folded). Parts"
        " are rounded down to NZD 1.00; any remainder goes to the beaten hand."
    )


@pytest.mark.parametrize("dealt", [3, 4])
def test_nobody_is_beaten_before_the_river(dealt: int) -> None:
    """Two live hands go to the last card (16.5(a)): the report is wrong, and pays nobody."""
    cards = " ".join(BOARD.split()[:dealt])
    gaming_floor = floor(hand(2, ACES_FULL), hand(5, KINGS, won_pot=True), board=cards)
    others = table({1: 41, 3: 41, 4: 42, 6: 42, 7: 42, 8: 42})
    assert not pays(gaming_floor, (2, "loser", 501), (5, "winner", 250), *others)
