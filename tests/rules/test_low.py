"""Low hands (9.1(k))."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.decks import FULL_DECK
from rules.hands import Category
from rules.low import low_value, lowest_five
from rules.order import evaluate_five
from tests.support.play.rules.rules_floor import cards

LOWEST_FIRST = [
    "5s 4h 3d 2c As",  # the small straight: only in it is the ace low
    "6s 5s 4s 3s 2s",  # straight and flush do not disqualify
    "7s 5h 4d 3c 2s",
    "7s 6h 4d 3c 2s",
    "Ks Qs Js Ts 9s",
    "As 6h 4d 3c 2s",
    "As Ks Qs Js Ts",
    "2s 2h 5d 4c 3s",
    "3s 3h 2d 2c 4s",
    "2s 2h 2d 4c 3s",
    "2s 2h 2d 3c 3s",
    "2s 2h 2d 2c 3s",
]


@pytest.mark.parametrize(("lower", "higher"), list(pairwise(LOWEST_FIRST)))
def test_9_1_k_the_lower_hand_wins(lower, higher):
    assert low_value(cards(lower)) < low_value(cards(higher))


def test_9_1_k_a_pair_is_higher_than_any_five_unmatched_cards():
    value, five = lowest_five(cards("As Ah 2d 2c 3s 4h Kd"))
    assert value.category is Category.NO_PAIR
    assert sorted(five) == sorted(cards("Kd As 4h 3s 2d"))


@given(st.lists(st.sampled_from(FULL_DECK.cards), min_size=5, max_size=7, unique=True))
def test_9_1_k_no_other_five_are_lower_and_pairs_rank_as_in_high(dealt):
    value, five = lowest_five(dealt)
    assert set(five) <= set(dealt)
    assert low_value(five) == value
    high = evaluate_five(five)
    if value.category is not Category.NO_PAIR:
        assert value == high


@pytest.mark.parametrize("number", [4, 8])
def test_a_low_hand_is_made_of_five_to_seven_cards(number):
    with pytest.raises(ValueError, match="five to seven"):
        lowest_five(FULL_DECK.cards[:number])
