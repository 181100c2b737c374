"""Judging a reported hand (rule 19)."""

import dataclasses
from typing import Any

import pytest

from rules.games import JACKPOT_GAMES
from rules.hands import Category
from rules.terms import Qualifying, Weakest
from rules.verdict import judge
from tests.support.play.rules.rules_floor import (
    FOURS,
    HOUSE,
    ROYAL,
    ROYAL_BOARD,
    best_tier,
    report,
    seat,
)

TIERS = {"royal": ROYAL, "fours": FOURS, "house": HOUSE}


def verdict_of(reported, **tiers):
    """Judge a report against these tiers, or else the usual three."""
    return judge(reported, tiers or TIERS)


def codes(verdict, *, against):
    """The codes of the reasons for or against."""
    return [reason.code for reason in verdict.reasons if reason.against is against]


def reason_of(verdict, code):
    """The one reason with the code."""
    (reason,) = (each for each in verdict.reasons if each.code == code)
    return reason


def test_19_5_a_royal_flush_qualifies_for_every_tier_that_asks_no_more():
    verdict = verdict_of(report(seat(3, "Js Ts")))
    assert verdict.seats[0].tiers == ("royal", "fours", "house")
    assert verdict.seats[0].label == "royal flush"
    assert codes(verdict, against=True) == []
    assert codes(verdict, against=False) == ["qualifies"] * 3
    assert verdict.reasons[0].text == (
        "Seat 3, tier royal: royal flush (As Ks Qs Js Ts) meets the posted terms."
    )


def test_19_5_a_lower_hand_is_below_the_terms_of_the_higher_tiers_only():
    verdict = verdict_of(report(seat(3, "Th Td"), board="Ts Tc 2d 3c 4h"))
    assert verdict.seats[0].tiers == ("fours", "house")
    below = reason_of(verdict, "below_terms")
    assert (below.rule, below.seat, below.tier) == ("19.5", 3, "royal")
    assert below.text == (
        "Seat 3, tier royal: four of a kind, tens does not qualify: "
        "the lowest hand that qualifies is royal flush."
    )


def test_19_6_the_best_tier_is_the_first_in_the_given_order_with_a_qualifying_seat():
    verdict = verdict_of(report(seat(3, "Th Td"), board="Ts Tc 2d 3c 4h"))
    assert best_tier(verdict, ["royal", "fours", "house"]) == "fours"
    assert best_tier(verdict, ["house", "fours"]) == "house"
    assert best_tier(verdict, ["royal"]) is None
    assert best_tier(verdict, []) is None


def test_19_5_several_seats_qualify_each_for_itself():
    board = "As Ks Qs Js Ts"
    verdict = verdict_of(
        report(seat(3, "2h 3h"), seat(5, "2d 3d"), seat(7, "2c 3c", folded=True), board=board)
    )
    assert [each.seat for each in verdict.qualifying("royal")] == [3, 5]
    assert verdict.qualifying("no such tier") == ()


def test_19_17_a_folded_hand_is_not_eligible():
    verdict = verdict_of(report(seat(3, "Js Ts", folded=True)))
    assert verdict.seats[0].tiers == ()
    assert verdict.seats[0].label == "royal flush"
    assert reason_of(verdict, "folded").rule == "19.17"
    assert not verdict.faults


def test_19_17_a_hand_not_exposed_when_the_dealer_asked_is_not_eligible():
    verdict = verdict_of(report(seat(3, "Js Ts", exposed="refused")))
    assert verdict.seats[0].tiers == ()
    assert reason_of(verdict, "refused").against


def test_19_17_a_hand_that_nobody_asked_to_see_stays_eligible():
    verdict = verdict_of(report(seat(3, "Js Ts", exposed="not_requested")))
    assert "royal" in verdict.seats[0].tiers
    assert not reason_of(verdict, "exposure_not_requested").against


def test_1_0_a_player_who_does_not_take_part_is_not_eligible():
    verdict = verdict_of(report(seat(3, "Js Ts", participating=False)))
    assert verdict.seats[0].tiers == ()
    assert reason_of(verdict, "not_participating").rule == "1.0"


def test_18_5_a_player_need_not_have_won_the_pot():
    verdict = verdict_of(report(seat(3, "Js Ts", won_pot=False)))
    assert best_tier(verdict, ["royal"]) == "royal"


def test_19_18_only_the_first_board_counts():
    second = verdict_of(report(seat(3, "Js Ts"), boards=("2h 3h 4h 2d 2c", ROYAL_BOARD)))
    assert second.seats[0].tiers == ()
    first = verdict_of(report(seat(3, "Js Ts"), boards=(ROYAL_BOARD, "2h 3h 4h 5d 6c")))
    assert best_tier(first, ["royal"]) == "royal"
    later = reason_of(first, "later_board")
    assert (later.rule, later.against) == ("19.18", False)


def test_18_8_4_boards_may_share_their_flop():
    verdict = verdict_of(report(seat(3, "Js Ts"), boards=("As Ks Qs 2d 2c", "As Ks Qs 3d 3c")))
    assert not verdict.faults
    assert best_tier(verdict, ["royal"]) == "royal"


def test_18_8_4_later_boards_of_any_length_are_only_evidence():
    verdict = verdict_of(
        report(seat(3, "Js Ts"), boards=(ROYAL_BOARD, "", "3c", "3d 4d 5d 6d 7d 8d"))
    )
    assert best_tier(verdict, ["royal"]) == "royal"


@pytest.mark.parametrize("game", JACKPOT_GAMES)
def test_19_7_a_hold_em_and_omaha_variations_are_eligible(game):
    hole = "Js Ts 3h 4d" if game == "omaha" else "Js Ts"
    assert best_tier(verdict_of(report(seat(3, hole), game=game)), ["royal"]) == "royal"


@pytest.mark.parametrize("game", ["two_card_manila", "draw", "seven_card_stud"])
def test_19_7_a_other_games_are_not_eligible(game):
    verdict = verdict_of(report(seat(3, "Js Ts"), game=game))
    assert verdict.seats[0].tiers == ()
    assert reason_of(verdict, "game_not_eligible").rule == "19.7(a)"
    assert not verdict.faults


@pytest.mark.parametrize(
    ("game", "hole", "board", "label"),
    [
        ("two_card_manila", "Js Ts", ROYAL_BOARD, "royal flush"),
        ("three_card_manila", "Js Ts 2h", ROYAL_BOARD, "royal flush"),
        ("draw", "As Ks Qs Js Ts", "", "royal flush"),
        ("five_card_stud", "As Ah Kd Kc", "Ks", "full house, kings full of aces"),
        ("seven_card_stud", "As Ah Kd Kc 2h 3d 4c", "", "two pair, aces and kings"),
        ("seven_card_stud", "As Ah", "", ""),
    ],
)
def test_19_7_a_hands_of_other_games_are_ranked_but_refused(game, hole, board, label):
    verdict = verdict_of(report(seat(3, hole), game=game, board=board))
    assert verdict.seats[0].label == label
    assert verdict.seats[0].tiers == ()
    assert reason_of(verdict, "game_not_eligible").against


@pytest.mark.parametrize("deck", [40, 36, 32, 0, -1, 53])
def test_4_1_hands_of_another_deck_than_the_full_one_are_not_eligible(deck):
    verdict = verdict_of(report(seat(3, "Js Ts"), deck=deck))
    assert verdict.seats[0].tiers == ()
    assert reason_of(verdict, "deck_not_eligible").rule == "4.1"
    assert not verdict.faults


def test_20_1_nothing_of_a_void_round_qualifies():
    verdict = verdict_of(report(seat(3, "Js Ts"), round_void=True))
    assert verdict.seats[0].tiers == ()
    assert reason_of(verdict, "round_void").rule == "20.1"
    assert not verdict.faults


def test_19_16_the_flop_on_request_counts():
    verdict = verdict_of(report(seat(3, "Js Ts"), board="As Ks Qs", flop_on_request=True))
    assert best_tier(verdict, ["royal"]) == "royal"
    assert reason_of(verdict, "flop_on_request").rule == "19.16"


def test_19_16_the_hands_that_folded_before_the_flop_may_be_reported_too():
    seats = seat(3, "Js Ts"), seat(5, "", folded=True), seat(6, "7h 7d", folded=True)
    verdict = verdict_of(report(*seats, board="As Ks Qs", flop_on_request=True))
    assert not verdict.faults
    assert [each.seat for each in verdict.qualifying("royal")] == [3]


def test_19_16_a_hand_with_a_card_that_cannot_be_read_is_not_ranked_without_it():
    hand = report(seat(3, "Js Ts 1s"), game="pineapple", board="As Ks Qs", flop_on_request=True)
    assert verdict_of(hand).seats[0].hand is None


def test_19_16_cards_after_the_flop_on_request_are_only_evidence():
    verdict = verdict_of(report(seat(3, "Js 2h"), board="As Ks Qs Ts 2c", flop_on_request=True))
    assert verdict.seats[0].label == "no pair, ace high"
    counted = verdict_of(report(seat(3, "Js 2h"), board="As Ks Qs Ts 2c"))
    assert counted.seats[0].label == "royal flush"


@pytest.mark.parametrize("game", ["pineapple", "crazy_pineapple"])
@pytest.mark.parametrize("hole", ["Js Ts", "Js Ts 2h"])
def test_19_16_a_pineapple_player_who_has_not_discarded_uses_any_two_of_three(game, hole):
    hand = report(seat(3, hole), game=game, board="As Ks Qs", flop_on_request=True)
    assert best_tier(verdict_of(hand), ["royal"]) == "royal"


def test_16_3_d_a_crazy_pineapple_player_discards_only_after_the_flop_is_bet_on():
    hand = report(seat(3, "Js Ts 2h"), game="crazy_pineapple", board="As Ks Qs")
    assert best_tier(verdict_of(hand), ["royal"]) == "royal"
    assert verdict_of(dataclasses.replace(hand, game="pineapple")).faults


@pytest.mark.parametrize(
    ("board", "early"), [("As Ks Qs", 1), ("As Ks Qs 2d", 1), (ROYAL_BOARD, 0)]
)
def test_16_3_a_round_that_ended_before_the_last_card_is_judged_and_remarked_on(board, early):
    verdict = verdict_of(report(seat(3, "Js Ts"), board=board))
    assert best_tier(verdict, ["royal"]) == "royal"
    assert codes(verdict, against=False).count("round_ended_early") == early


@pytest.mark.parametrize(
    ("board", "on_request", "qualifies"),
    [
        (ROYAL_BOARD, False, True),
        ("As Ks Qs 2d", False, False),
        ("As Ks Qs", False, False),
        ("As Ks Qs", True, False),
        (ROYAL_BOARD, True, False),
    ],
)
def test_19_5_terms_may_ask_for_a_showdown(board, on_request, qualifies):
    terms = Qualifying(Weakest(Category.ROYAL_FLUSH), showdown_needed=True)
    hand = report(seat(3, "Js Ts"), board=board, flop_on_request=on_request)
    verdict = verdict_of(hand, royal=terms)
    assert bool(verdict.qualifying("royal")) is qualifies
    assert codes(verdict, against=True) == ([] if qualifies else ["no_showdown"])


@pytest.mark.parametrize(("players", "qualifies"), [(3, False), (4, True), (5, True)])
def test_19_5_terms_may_ask_for_a_number_of_players(players, qualifies):
    terms = Qualifying(Weakest(Category.ROYAL_FLUSH), players_dealt_min=4)
    verdict = verdict_of(report(seat(3, "Js Ts"), players_dealt=players), royal=terms)
    assert bool(verdict.qualifying("royal")) is qualifies
    assert codes(verdict, against=True) == ([] if qualifies else ["too_few_players"])


@pytest.mark.parametrize(("pot", "qualifies"), [(1999, False), (2000, True), (2001, True)])
def test_19_5_terms_may_ask_for_a_pot(pot, qualifies):
    terms = Qualifying(Weakest(Category.ROYAL_FLUSH), pot_min_minor=2000)
    verdict = verdict_of(report(seat(3, "Js Ts"), pot_minor=pot), royal=terms)
    assert bool(verdict.qualifying("royal")) is qualifies
    assert codes(verdict, against=True) == ([] if qualifies else ["pot_below_minimum"])
    if not qualifies:
        text = reason_of(verdict, "pot_below_minimum").text
        assert text.endswith("the pot was 19.99; it must be at least 20.00.")


@pytest.mark.parametrize(
    ("requirement", "missing", "code"),
    [
        ("pot_min_minor", "pot_minor", "pot_pending"),
        ("players_dealt_min", "players_dealt", "players_pending"),
    ],
)
def test_19_5_a_figure_that_is_still_to_come_keeps_the_place_and_is_pending(
    requirement, missing, code
):
    terms = Qualifying.from_json(ROYAL.to_json() | {requirement: 6})
    unknown: dict[str, Any] = {missing: None}
    reported = report(seat(3, "Js Ts"), **unknown)
    verdict = verdict_of(reported, royal=terms, any=ROYAL)
    assert verdict.seats[0].tiers == ("royal", "any")
    assert verdict.seats[0].pending == ("royal",)
    assert not reason_of(verdict, code).against


def test_19_5_a_hand_below_the_terms_waits_for_nothing():
    terms = Qualifying(Weakest(Category.ROYAL_FLUSH), pot_min_minor=2000)
    verdict = verdict_of(report(seat(3, "2h 7d"), pot_minor=None), royal=terms)
    assert [reason.code for reason in verdict.reasons] == ["below_terms"]
    assert verdict.seats[0].pending == ()


def test_19_5_a_game_that_the_tier_does_not_post_is_not_eligible_for_it():
    terms = dataclasses.replace(ROYAL, games=("omaha",))
    verdict = verdict_of(report(seat(3, "Js Ts")), royal=terms, any=ROYAL)
    assert verdict.seats[0].tiers == ("any",)
    assert reason_of(verdict, "game_not_eligible").tier == "royal"


def test_amounts_are_written_in_the_currency_of_the_casino():
    terms = Qualifying(Weakest(Category.ROYAL_FLUSH), pot_min_minor=2000)
    verdict = judge(report(seat(3, "Js Ts"), pot_minor=1999), {"royal": terms}, decimals=0)
    assert "the pot was 1,999;" in reason_of(verdict, "pot_below_minimum").text


def test_without_tiers_the_hands_are_ranked_and_nothing_qualifies():
    verdict = judge(report(seat(3, "Js Ts")), {})
    assert verdict.seats[0].label == "royal flush"
    assert verdict.reasons == ()
    assert best_tier(verdict, []) is None


def test_a_fault_in_one_hand_leaves_the_others_ranked_for_the_supervisor_to_see():
    verdict = verdict_of(report(seat(3, "Js Ts"), seat(5, "10h 2h")))
    assert verdict.faults
    assert [each.label for each in verdict.seats] == ["royal flush", ""]
    assert verdict.seats[0].tiers == ()
