"""How many hands of each category a deck has, counted by formula."""

from itertools import combinations
from math import comb

from rules.hands import Category


def holds_straight(ranks: tuple[int, ...], of: int) -> bool:
    """Whether a set of ranks, 0 for the lowest of the deck, has five in sequence; ace low too."""
    around = {*ranks, *([-1] if of - 1 in ranks else [])}
    return any(all(low + step in around for step in range(5)) for low in range(-1, of - 4))


def no_flush(*patterns: tuple[int, int]) -> int:
    """The ways to give suits to ranks so that no five are of one suit.

    A pattern is (so many ranks, so many cards of each).
    """
    ways, in_a_suit = 1, [1]
    for number, cards in patterns:
        for _ in range(number):
            ways *= comb(4, cards)
            without, with_it = comb(3, cards), comb(3, cards - 1)
            in_a_suit = [
                without * (in_a_suit[n] if n < len(in_a_suit) else 0)
                + with_it * (in_a_suit[n - 1] if n else 0)
                for n in range(len(in_a_suit) + 1)
            ]
    return ways - 4 * sum(in_a_suit[5:])


def seven_card_counts(n: int) -> dict:
    """Seven-card hands of a deck with n ranks, by category."""
    straight = {
        size: sum(holds_straight(ranks, n) for ranks in combinations(range(n), size))
        for size in (5, 6, 7)
    }
    plain = {size: comb(n, size) - straight[size] for size in (5, 6, 7)}

    def suited(sets: dict[int, int]) -> int:
        return 4 * sum(sets[size] * comb(3 * n, 7 - size) for size in (5, 6, 7))

    royal = {size: comb(n - 5, size - 5) for size in (5, 6, 7)}
    trips, two_pairs, pair = ((4, 1), (1, 3)), ((3, 1), (2, 2)), ((5, 1), (1, 2))
    return {
        Category.ROYAL_FLUSH: suited(royal),
        Category.STRAIGHT_FLUSH: suited(straight) - suited(royal),
        Category.FLUSH: suited(plain),
        Category.FOUR_OF_A_KIND: n * (n - 1) * 4
        + n * (n - 1) * 6 * (n - 2) * 4
        + n * comb(n - 1, 3) * 4**3,
        Category.FULL_HOUSE: comb(n, 2) * 4**2 * (n - 2) * 4
        + n * 4 * comb(n - 1, 2) * 6**2
        + n * 4 * (n - 1) * 6 * comb(n - 2, 2) * 4**2,
        Category.STRAIGHT: straight[7] * no_flush((7, 1))
        + straight[6] * 6 * no_flush(*pair)
        + straight[5] * (5 * no_flush(*trips) + comb(5, 2) * no_flush(*two_pairs)),
        Category.THREE_OF_A_KIND: plain[5] * 5 * no_flush(*trips),
        Category.TWO_PAIR: plain[5] * comb(5, 2) * no_flush(*two_pairs)
        + comb(n, 3) * 6**3 * (n - 3) * 4,
        Category.ONE_PAIR: plain[6] * 6 * no_flush(*pair),
        Category.NO_PAIR: plain[7] * no_flush((7, 1)),
    }
