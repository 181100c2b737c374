"""What a hand is worth, read aloud from rules 9.1 and 9.3 and from the rules of each game.

It shares nothing with the product but the names of decks and games: every five cards that a game
allows are looked at, each by counting its ranks.
"""

from collections import Counter
from functools import cache
from itertools import combinations

RANKS = "23456789TJQKA"
ORDER = (
    "no pair",
    "one pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
    "royal flush",
)
SHORT_ORDER = (*ORDER[:5], "full house", "flush", *ORDER[7:])  # 9.3(d), (e)
LOWEST = {52: 2, 40: 5, 36: 6, 32: 7}  # 4.1
HOLE_CARDS = {  # the fewest and the most of a player's own cards that may play
    "holdem": (0, 2),
    "pineapple": (0, 2),
    "crazy_pineapple": (0, 2),
    "omaha": (2, 2),
    "two_card_manila": (2, 2),
    "three_card_manila": (2, 2),
    "draw": (0, 5),
    "five_card_stud": (0, 5),
    "seven_card_stud": (0, 5),
}


def worth(game: str, deck: int, hole: list[str], board: list[str]) -> tuple[str, list[int]]:
    """The kind of the best hand, and the ranks by which it is compared."""
    fewest, most = HOLE_CARDS[game]
    place, ranks = max(
        _five(*_sorted((*held, *shared)), deck, "manila" in game)
        for playing in range(fewest, most + 1)
        for held in combinations(hole, playing)
        for shared in combinations(board, 5 - playing)
    )
    return (ORDER if deck == 52 else SHORT_ORDER)[place], list(ranks)


def _sorted(five: tuple[str, ...]) -> tuple[tuple[int, ...], bool]:
    ranks = tuple(sorted(RANKS.index(card[0]) + 2 for card in five))
    return ranks, len({card[1] for card in five}) == 1


@cache
def _five(
    ranks: tuple[int, ...], of_one_suit: bool, deck: int, ace_high_only: bool
) -> tuple[int, tuple[int, ...]]:
    numbers = Counter(ranks)
    shape = sorted(numbers.values(), reverse=True)
    compared = tuple(sorted(numbers, key=lambda rank: (numbers[rank], rank), reverse=True))
    low = LOWEST[deck]
    runs = [tuple(range(first, first + 5)) for first in range(low, 11)]
    straight = ranks in runs
    top = ranks[-1]
    if ranks == (low, low + 1, low + 2, low + 3, 14) and (deck == 52 or not ace_high_only):
        straight, top = True, low + 3
    if straight and of_one_suit:
        kind, compared = ("royal flush", ()) if top == 14 else ("straight flush", (top,))
    elif shape == [4, 1]:
        kind = "four of a kind"
    elif shape == [3, 2]:
        kind = "full house"
    elif of_one_suit:
        kind = "flush"
    elif straight:
        kind, compared = "straight", (top,)
    else:
        kind = {3: "three of a kind", 2: "two pair"}.get(shape[0], "")
        if shape == [2, 1, 1, 1]:
            kind = "one pair"
        elif shape == [1, 1, 1, 1, 1]:
            kind = "no pair"
    return (ORDER if deck == 52 else SHORT_ORDER).index(kind), compared
