"""Misdeals (20.1) and dead hands (20, Robert's 3) in reports."""

import dataclasses

import pytest

from rules.dead_hands import (
    DEAD_HANDS,
    MISDEALS,
    VOID_REASONS,
    can_happen,
    misdeals_asked_as,
)
from rules.games import GAMES
from rules.verdict import judge
from tests.support.play.rules.rules_floor import ROYAL, best_tier, report, seat

IN_HOLDEM = [code for code, ruling in DEAD_HANDS.items() if can_happen(ruling, "holdem")]


@pytest.mark.parametrize("code", IN_HOLDEM)
def test_20_and_roberts_3_a_dead_hand_has_no_claim(code):
    verdict = judge(report(seat(3, "Js Ts", dead=code)), {"royal": ROYAL})
    assert verdict.seats[0].tiers == ()
    assert verdict.seats[0].label == "royal flush"
    (reason,) = (each for each in verdict.reasons if each.against)
    assert (reason.code, reason.against, reason.seat) == ("dead_hand", True, 3)
    assert reason.rule == DEAD_HANDS[code].rule
    assert reason.text.startswith("Seat 3 has a dead hand: the player ")


def test_20_1_f_a_hand_that_was_not_ruled_dead_is_live():
    assert best_tier(judge(report(seat(3, "Js Ts", dead=None)), {"royal": ROYAL}), ["royal"])


def test_a_ruling_that_is_not_on_the_list_counts_all_the_same():
    reasons = judge(report(seat(3, "Js Ts", dead="?")), {"royal": ROYAL}).reasons
    (reason,) = (each for each in reasons if each.against)
    assert (reason.rule, reason.text) == ("20", "Seat 3 has a dead hand.")


@pytest.mark.parametrize("code", MISDEALS)
def test_20_1_a_round_that_is_void_says_why(code):
    void = dataclasses.replace(report(seat(3, "Js Ts")), round_void=True, misdeal=code)
    (reason,) = (r for r in judge(void, {"royal": ROYAL}).reasons if r.code == "round_void")
    assert reason.rule == MISDEALS[code].rule
    assert MISDEALS[code].text in reason.text


def test_20_1_only_a_supervisor_makes_a_round_void():
    claimed = dataclasses.replace(report(seat(3, "Js Ts")), misdeal="wrong_count")
    assert best_tier(judge(claimed, {"royal": ROYAL}), ["royal"]) == "royal"


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


def test_a_pot_that_went_to_a_dead_hand_is_remarked() -> None:
    reasons = judge(report(seat(3, "Js Ts", dead="joker")), {"royal": ROYAL}).reasons
    assert ("20", "pot_to_dead_hand", False) in [(r.rule, r.code, r.against) for r in reasons]


def test_20_1_what_dealers_ask_by_are_misdeals_in_groups() -> None:
    assert [each.code for each in misdeals_asked_as("cards_exposed", "draw")] == ["exposed_in_deal"]
    assert len(misdeals_asked_as("cards_exposed")) == 8
    assert VOID_REASONS["cards_exposed"] == ("20.1(i)-(p)", "Cards were exposed in the deal")
    assert VOID_REASONS["defective_deck"][0] == "20.1(h)"
