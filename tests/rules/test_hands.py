"""The order of hands with the 52-card deck (9.1)."""

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.decks import FULL_DECK
from rules.hands import Category, HandValue, describe
from rules.order import evaluate_five
from tests.support.play.rules.rules_floor import cards

five_cards = st.lists(st.sampled_from(FULL_DECK.cards), min_size=5, max_size=5, unique=True)

DESCENDING = [
    ("As Ks Qs Js Ts", "royal flush"),
    ("Kd Qd Jd Td 9d", "straight flush, king high"),
    ("9h 8h 7h 6h 5h", "straight flush, nine high"),
    ("5c 4c 3c 2c Ac", "straight flush, five high"),
    ("As Ah Ad Ac 2s", "four of a kind, aces"),
    ("Ts Th Td Tc As", "four of a kind, tens"),
    ("Ts Th Td Tc Ks", "four of a kind, tens"),
    ("As Ah Ad Ts Tc", "full house, aces full of tens"),
    ("As Ah Ad 9s 9c", "full house, aces full of nines"),
    ("Ks Kh Kd As Ac", "full house, kings full of aces"),
    ("Ah Jh 9h 6h 3h", "flush, ace high"),
    ("Ah Jh 9h 6h 2h", "flush, ace high"),
    ("Kd Qd Jd Td 8d", "flush, king high"),
    ("As Kh Qd Jc Ts", "straight, ace high"),
    ("6s 5h 4d 3c 2s", "straight, six high"),
    ("5s 4h 3d 2c As", "straight, five high"),
    ("6s 6h 6d Ac Ks", "three of a kind, sixes"),
    ("6s 6h 6d Ac Qs", "three of a kind, sixes"),
    ("As Ah Kd Kc 2s", "two pair, aces and kings"),
    ("As Ah Qd Qc Ks", "two pair, aces and queens"),
    ("As Ah Qd Qc Js", "two pair, aces and queens"),
    ("Ts Th Ad Kc Qs", "one pair, tens"),
    ("Ts Th Ad Kc Js", "one pair, tens"),
    ("9s 9h Ad Kc Qs", "one pair, nines"),
    ("As Kh Qd Jc 9s", "no pair, ace high"),
    ("As Kh Qd Jc 8s", "no pair, ace high"),
    ("7s 5h 4d 3c 2s", "no pair, seven high"),
]


@pytest.mark.parametrize(("hand", "name"), DESCENDING)
def test_9_1_every_kind_of_hand_has_its_name(hand, name):
    assert describe(evaluate_five(cards(hand))) == name


@pytest.mark.parametrize(
    ("higher", "lower"), list(itertools.pairwise(hand for hand, _ in DESCENDING))
)
def test_9_1_hands_descend_by_category_and_then_by_the_ranks_that_count(higher, lower):
    assert evaluate_five(cards(higher)) > evaluate_five(cards(lower))


def test_9_1_categories_stand_in_the_order_of_the_rule():
    assert [category.label for category in reversed(Category)] == [
        "royal flush",
        "straight flush",
        "four of a kind",
        "full house",
        "flush",
        "straight",
        "three of a kind",
        "two pair",
        "one pair",
        "no pair",
    ]


def test_9_1_f_an_ace_does_not_stand_in_the_middle_of_a_straight():
    assert evaluate_five(cards("2s Ah Kd Qc Js")).category is Category.NO_PAIR
    assert evaluate_five(cards("3s 2s As Ks Qs")).category is Category.FLUSH


def test_9_1_f_the_ace_of_the_smallest_straight_counts_low():
    assert evaluate_five(cards("As 2h 3d 4c 5s")) == HandValue(Category.STRAIGHT, (5,))


@given(five_cards, st.permutations("shdc"), st.randoms(use_true_random=False))
def test_9_1_no_suit_is_higher_than_another_and_the_order_of_cards_is_nothing(hand, suits, rng):
    renamed = [type(card)(card.rank, suits["shdc".index(card.suit)]) for card in hand]
    rng.shuffle(renamed)
    assert evaluate_five(renamed) == evaluate_five(hand)


@given(five_cards, five_cards)
def test_the_order_is_total(one, other):
    a, b = evaluate_five(one), evaluate_five(other)
    assert [a < b, a == b, a > b].count(True) == 1
    assert (a <= b) == (not a > b)
    assert (b > a) == (a < b)


@given(five_cards, five_cards, five_cards)
def test_the_order_is_transitive(one, other, third):
    low, middle, high = sorted(map(evaluate_five, (one, other, third)))
    assert low <= middle <= high
    assert low <= high


@pytest.mark.parametrize("hand", ["", "As Ks Qs Js", "As Ks Qs Js Ts 9s", "As As Qs Js Ts"])
def test_a_hand_has_five_different_cards(hand):
    with pytest.raises(ValueError, match="five different cards"):
        evaluate_five(cards(hand))


def test_a_hand_ranks_the_same_whatever_was_ranked_before():
    hands = [random.Random(seed).sample(FULL_DECK.cards, 5) for seed in range(200)]
    assert [evaluate_five(h) for h in hands] == [evaluate_five(h) for h in reversed(hands)][::-1]
