"""Misdeals (20.1) and dead hands (20, Robert's 3) in reports."""

import dataclasses

import pytest

from rules.dead_hands import DEAD_HANDS, MISDEALS, can_happen
from rules.games import GAMES
from rules.verdict import judge
from tests.rules.floor import ROYAL, report, seat


@pytest.mark.parametrize("code", DEAD_HANDS)
def test_20_and_roberts_3_a_dead_hand_has_no_claim(code):
    verdict = judge(report(seat(3, "Js Ts", dead=code)), {"royal": ROYAL})
    assert verdict.seats[0].tiers == ()
    assert verdict.seats[0].label == "royal flush"
    (reason,) = verdict.reasons
    assert (reason.code, reason.against, reason.seat) == ("dead_hand", True, 3)
    assert reason.rule == DEAD_HANDS[code].rule
    assert reason.text.startswith("Seat 3 has a dead hand: the player ")


def test_20_1_f_a_hand_that_was_not_ruled_dead_is_live():
    assert judge(report(seat(3, "Js Ts", dead=None)), {"royal": ROYAL}).best_tier(["royal"])


def test_a_ruling_that_is_not_on_the_list_counts_all_the_same():
    (reason,) = judge(report(seat(3, "Js Ts", dead="?")), {"royal": ROYAL}).reasons
    assert (reason.rule, reason.text) == ("20", "Seat 3 has a dead hand.")


@pytest.mark.parametrize("code", MISDEALS)
def test_20_1_a_round_that_is_void_says_why(code):
    void = dataclasses.replace(report(seat(3, "Js Ts")), round_void=True, misdeal=code)
    reason = judge(void, {"royal": ROYAL}).reasons[0]
    assert (reason.code, reason.rule) == ("round_void", MISDEALS[code].rule)
    assert MISDEALS[code].text in reason.text


def test_20_1_only_a_supervisor_makes_a_round_void():
    claimed = dataclasses.replace(report(seat(3, "Js Ts")), misdeal="wrong_count")
    assert judge(claimed, {"royal": ROYAL}).best_tier(["royal"]) == "royal"


@pytest.mark.parametrize(
    ("irregularity", "games"),
    [
        (DEAD_HANDS["not_discarded"], {"pineapple", "crazy_pineapple"}),
        (MISDEALS["exposed_holes_manila"], {"two_card_manila", "three_card_manila"}),
        (MISDEALS["defective_deck"], set(GAMES)),
    ],
)
def test_20_some_irregularities_happen_in_some_games_only(irregularity, games):
    assert {game for game in GAMES if can_happen(irregularity, game)} == games
