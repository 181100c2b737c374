"""The games (5.1, 19.7(a)) and the cards that make a hand in them (16.5(d), 17.5(d), 19.16)."""

import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.best import best_hand
from rules.decks import FULL_DECK
from rules.games import GAMES, JACKPOT_GAMES
from rules.hands import describe
from rules.order import evaluate_five
from tests.support.play.rules.rules_floor import cards


def deals(number):
    """So many different cards, in any order."""
    return st.lists(st.sampled_from(FULL_DECK.cards), min_size=number, max_size=number, unique=True)


def best_of(game, hole, board):
    """The best hand, as texts: its name, and the hole cards that play."""
    best = best_hand(GAMES[game], cards(hole), cards(board))
    return describe(best.value), " ".join(map(str, best.hole_used))


def test_the_games_are_those_of_the_wire_protocol():
    assert list(GAMES) == [
        "holdem",
        "pineapple",
        "crazy_pineapple",
        "omaha",
        "two_card_manila",
        "three_card_manila",
        "draw",
        "five_card_stud",
        "seven_card_stud",
    ]
    assert all(game.code == code for code, game in GAMES.items())


def test_19_7_a_hold_em_and_omaha_variations_carry_jackpots_and_no_others():
    assert JACKPOT_GAMES == ("holdem", "pineapple", "crazy_pineapple", "omaha")


@pytest.mark.parametrize("code", JACKPOT_GAMES)
def test_5_1_ten_players_at_most_with_the_full_deck(code):
    assert GAMES[code].most_players(FULL_DECK) == 10


@pytest.mark.parametrize(
    ("hole", "board", "name", "playing"),
    [
        ("Js Ts", "As Ks Qs 2d 2c", "royal flush", "Js Ts"),
        ("Ts 2h", "As Ks Qs Js 2d", "royal flush", "Ts"),
        ("2h 2d", "As Ks Qs Js Ts", "royal flush", ""),
        ("Ah Ad", "As Ac Ts Td 2c", "four of a kind, aces", "Ah Ad"),
    ],
)
def test_16_5_d_any_of_the_two_hole_cards_play(hole, board, name, playing):
    for game in ("holdem", "pineapple", "crazy_pineapple"):
        assert best_of(game, hole, board) == (name, playing)


@pytest.mark.parametrize(
    ("hole", "board", "name", "playing"),
    [
        ("Js Ts 2h 3d", "As Ks Qs 2d 2c", "royal flush", "Js Ts"),
        ("Js 3h 4d 6c", "As Ks Qs Ts 2c", "no pair, ace high", "Js 6c"),
        ("2h 2d 3h 3d", "As Ks Qs Js Ts", "one pair, threes", "3h 3d"),
        ("Ah Ad As Ac", "Ks Qs Jd 3c 2h", "one pair, aces", "As Ah"),
    ],
)
def test_17_5_d_exactly_two_of_the_four_hole_cards_play(hole, board, name, playing):
    assert best_of("omaha", hole, board) == (name, playing)


@pytest.mark.parametrize(
    ("hole", "board", "playing"),
    [
        ("Kh Qd", "As Ad Kc Qs 2h", "Kh Qd"),
        ("As 2d", "Ah Kd Qc Jd Ts", "As"),
        ("Ac Kd", "Ah Ks Qc Jd Ts", "Ac Kd"),
        ("9s 9h", "Th Td Tc Ts 2d", "9s"),
    ],
)
def test_of_equal_choices_the_one_with_most_hole_cards_is_taken(hole, board, playing):
    assert best_of("holdem", hole, board)[1] == playing


def test_19_16_on_the_flop_two_of_the_three_pineapple_cards_play_and_never_three():
    assert best_of("pineapple", "Ks Js Ts", "As Qs 9s") == ("flush, ace high", "Ks Js")
    assert best_of("pineapple", "Js Ts 2h", "As Ks Qs") == ("royal flush", "Js Ts")
    assert best_of("crazy_pineapple", "7h 7d 7c", "7s 2d 3c") == (
        "three of a kind, sevens",
        "7h 7d",
    )


def test_19_16_on_the_flop_all_hold_em_hole_cards_play():
    assert best_of("holdem", "Js Ts", "As Ks Qs") == ("royal flush", "Js Ts")


@pytest.mark.parametrize(
    ("game", "hole", "board"),
    [
        ("holdem", "As", "Ks Qs Js"),
        ("holdem", "As Ks Qs", "Js Ts 9s"),
        ("holdem", "As Ks", "Qs Js"),
        ("holdem", "As Ks", "Qs Js Ts 9s 8s 7s"),
        ("holdem", "As As", "Qs Js Ts"),
        ("holdem", "As Ks", "Ks Js Ts"),
        ("omaha", "As Ks Qs", "Js Ts 9s"),
        ("pineapple", "As Ks Qs 2d", "Js Ts 9s"),
        ("seven_card_stud", "As Ks Qs Js Ts 9s 8s", "7s"),
        ("draw", "As Ks Qs Js", "Ts"),
        ("two_card_manila", "As Ks", ""),
    ],
)
def test_cards_that_the_game_cannot_have_are_an_error(game, hole, board):
    with pytest.raises(ValueError, match=r"cannot have|occurs twice"):
        best_hand(GAMES[game], cards(hole), cards(board))


def slowly_best(game, hole, board):
    """The rules read aloud: every five cards, the fewest and most hole cards the game allows."""
    fewest = game.hole_cards_exactly or 0
    return max(
        (evaluate_five(five), len(set(five) & set(hole)))
        for five in combinations([*hole, *board], 5)
        if fewest <= len(set(five) & set(hole)) <= 2
    )


@given(st.sampled_from(JACKPOT_GAMES), st.integers(3, 5), deals(9))
def test_no_other_choice_of_cards_is_better(code, board_cards, dealt):
    game = GAMES[code]
    hole, board = dealt[: game.dealt_cards], dealt[4 : 4 + board_cards]
    best = best_hand(game, hole, board)
    assert (best.value, len(best.hole_used)) == slowly_best(game, hole, board)
    assert evaluate_five(best.cards) == best.value
    assert set(best.hole_used) == set(best.cards) & set(hole)
    assert set(best.cards) <= {*hole, *board}


@given(st.sampled_from(JACKPOT_GAMES), deals(9), st.randoms(use_true_random=False))
def test_the_order_in_which_cards_were_reported_changes_nothing(code, dealt, rng: random.Random):
    game = GAMES[code]
    hole, board = dealt[: game.hole_cards], dealt[4:]
    best = best_hand(game, hole, board)
    rng.shuffle(hole)
    rng.shuffle(board)
    assert best_hand(game, hole, board) == best
