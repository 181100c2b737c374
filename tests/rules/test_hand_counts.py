"""Every hand there is, ranked by the evaluator of production and counted (9.1, 9.3).

What must come out is worked out here by counting ranks and suits, without ranking a hand.
"""

from collections import Counter
from itertools import combinations
from math import comb

import pytest

from rules.decks import DECKS
from rules.hands import Category
from rules.order import HandOrder, hand_order
from tests.support.play.rules.hand_counts import holds_straight, seven_card_counts

# The seven-card hands of these decks can all be looked at: 3.4 and 8.3 million.
SEVEN_CARD_DECKS = (32, 36)


def every_strength(order: HandOrder, number: int) -> Counter[int]:
    """Rank every choice of so many cards of the deck: how many hands have each strength."""
    tallies = [card.tally for card in order.deck.cards]
    counts: Counter[int] = Counter()
    strength = order.strength
    places = range(len(tallies))
    for chosen in combinations(places, number - 2):
        held = sum(tallies[place] for place in chosen)
        rest = tallies[chosen[-1] + 1 :]
        for place, tally in enumerate(rest):
            both = held + tally
            counts.update([strength(both + last) for last in rest[place + 1 :]])
    return counts


def by_category(order: HandOrder, strengths: Counter[int]) -> tuple[Counter, Counter]:
    """The number of hands, and of different values, of each category."""
    hands: Counter[Category] = Counter()
    values: Counter[Category] = Counter()
    for strength, number in strengths.items():
        category = order.value(strength).category
        hands[category] += number
        values[category] += 1
    return hands, values


def five_card_counts(ranks: int) -> tuple[dict, dict]:
    """Hands and different values of five cards of a deck with so many ranks."""
    straights = ranks - 3  # one for each high card, and the one with the ace low
    sets = comb(ranks, 5) - straights
    hands = {
        Category.ROYAL_FLUSH: 4,
        Category.STRAIGHT_FLUSH: 4 * straights - 4,
        Category.FOUR_OF_A_KIND: ranks * (ranks - 1) * 4,
        Category.FULL_HOUSE: ranks * 4 * (ranks - 1) * 6,
        Category.FLUSH: 4 * sets,
        Category.STRAIGHT: straights * (4**5 - 4),
        Category.THREE_OF_A_KIND: ranks * 4 * comb(ranks - 1, 2) * 4**2,
        Category.TWO_PAIR: comb(ranks, 2) * 6**2 * (ranks - 2) * 4,
        Category.ONE_PAIR: ranks * 6 * comb(ranks - 1, 3) * 4**3,
        Category.NO_PAIR: sets * (4**5 - 4),
    }
    values = {
        Category.ROYAL_FLUSH: 1,
        Category.STRAIGHT_FLUSH: straights - 1,
        Category.FOUR_OF_A_KIND: ranks * (ranks - 1),
        Category.FULL_HOUSE: ranks * (ranks - 1),
        Category.FLUSH: sets,
        Category.STRAIGHT: straights,
        Category.THREE_OF_A_KIND: ranks * comb(ranks - 1, 2),
        Category.TWO_PAIR: comb(ranks, 2) * (ranks - 2),
        Category.ONE_PAIR: ranks * comb(ranks - 1, 3),
        Category.NO_PAIR: sets,
    }
    return hands, values


@pytest.mark.parametrize(("size", "different"), [(52, 7462), (40, 2244), (36, 1404), (32, 840)])
def test_9_1_and_9_3_every_five_cards_fall_into_their_category(size, different):
    order = hand_order(DECKS[size])
    strengths = every_strength(order, 5)
    hands, values = by_category(order, strengths)
    expected_hands, expected_values = five_card_counts(size // 4)
    assert sum(strengths.values()) == sum(expected_hands.values()) == comb(size, 5)
    assert hands == expected_hands
    assert values == expected_values
    assert len(strengths) == different


def seven_card_values(n: int) -> dict:
    """How many different values the best five of seven have, by category."""

    def plain(size: int) -> list[tuple[int, ...]]:
        sets = combinations(range(n - 1, -1, -1), size)
        return [ranks for ranks in sets if not holds_straight(ranks, n)]

    def with_kickers(ranks: tuple[int, ...], *first: int, kickers: int) -> tuple[int, ...]:
        return (*first, *[rank for rank in ranks if rank not in first][:kickers])

    three_pairs = (
        (ranks[0], ranks[1], max(ranks[2], single))
        for ranks in combinations(range(n - 1, -1, -1), 3)
        for single in set(range(n)) - set(ranks)
    )
    return {
        Category.ROYAL_FLUSH: 1,
        Category.STRAIGHT_FLUSH: n - 4,
        Category.FLUSH: comb(n, 5) - (n - 3),
        Category.FOUR_OF_A_KIND: n * (n - 1),
        Category.FULL_HOUSE: n * (n - 1),
        Category.STRAIGHT: n - 3,
        Category.THREE_OF_A_KIND: len({with_kickers(s, r, kickers=2) for s in plain(5) for r in s}),
        Category.TWO_PAIR: len(
            {with_kickers(s, *both, kickers=1) for s in plain(5) for both in combinations(s, 2)}
            | set(three_pairs)
        ),
        Category.ONE_PAIR: len({with_kickers(s, r, kickers=3) for s in plain(6) for r in s}),
        Category.NO_PAIR: len({s[:5] for s in plain(7)}),
    }


@pytest.mark.slow
@pytest.mark.parametrize("size", SEVEN_CARD_DECKS)
def test_9_3_every_seven_cards_of_the_smaller_decks_fall_into_their_category(size):
    order = hand_order(DECKS[size])
    hands, values = by_category(order, every_strength(order, 7))
    expected = seven_card_counts(size // 4)
    assert sum(expected.values()) == comb(size, 7)
    assert hands == Counter(expected)
    assert values == Counter(seven_card_values(size // 4))


def test_the_counting_of_seven_cards_gives_the_known_numbers_of_the_full_deck():
    assert seven_card_counts(13) == {
        Category.ROYAL_FLUSH: 4_324,
        Category.STRAIGHT_FLUSH: 37_260,
        Category.FOUR_OF_A_KIND: 224_848,
        Category.FULL_HOUSE: 3_473_184,
        Category.FLUSH: 4_047_644,
        Category.STRAIGHT: 6_180_020,
        Category.THREE_OF_A_KIND: 6_461_620,
        Category.TWO_PAIR: 31_433_400,
        Category.ONE_PAIR: 58_627_800,
        Category.NO_PAIR: 23_294_460,
    }
    assert sum(seven_card_values(13).values()) == 4_824


@pytest.mark.parametrize("size", [36, 32])
def test_9_3_f_without_the_low_ace_the_manilas_have_one_straight_fewer(size):
    order = hand_order(DECKS[size], ace_high_only=True)
    hands, values = by_category(order, every_strength(order, 5))
    expected_hands, expected_values = five_card_counts(size // 4)
    assert hands[Category.STRAIGHT] == expected_hands[Category.STRAIGHT] - (4**5 - 4)
    assert values[Category.STRAIGHT_FLUSH] == expected_values[Category.STRAIGHT_FLUSH] - 1
    assert hands[Category.FLUSH] == expected_hands[Category.FLUSH] + 4
    assert hands[Category.NO_PAIR] == expected_hands[Category.NO_PAIR] + 4**5 - 4
