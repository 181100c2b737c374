"""Poker hands, plainly: every five cards are looked at (rules 9.1, 9.3, 16, 17)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations

RANKS = "23456789TJQKA"
SUITS = "shdc"
DECK_RANKS = {52: "23456789TJQKA", 40: "56789TJQKA", 36: "6789TJQKA", 32: "789TJQKA"}
CATEGORIES = (
    "no_pair",
    "one_pair",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
)
KIND_RANKS = {"four_of_a_kind": 1, "three_of_a_kind": 1, "two_pair": 2, "one_pair": 1}
"""Of the ranks of a hand that has a kicker, how many are not the kicker's."""
_WITH_SHORT_DECKS = ("full_house", "flush")  # change places (9.3(d), (e))
# Games that carry a jackpot: cards dealt, cards held, and after how many community cards a player
# has discarded one (16.2(d), 16.3(d)).
JACKPOT_GAMES = {
    "holdem": (2, 2, None),
    "pineapple": (3, 2, 0),
    "crazy_pineapple": (3, 2, 3),
    "omaha": (4, 4, None),
}

Hand = tuple[str, list[int]]  # category, and the ranks by which 9.1 compares it


def most_players(game: str, deck: int) -> int:
    """For how many the cards suffice; never more than ten (5.1)."""
    return min(10, (deck - 5) // JACKPOT_GAMES[game][0])


def is_card(text: str, deck: int) -> bool:
    """Whether it is a card of the deck, written as rank and suit."""
    return len(text) == 2 and text[0] in DECK_RANKS[deck] and text[1] in SUITS


def rank(card: str) -> int:
    """Ace is 14."""
    return RANKS.index(card[0]) + 2


def five(cards: Iterable[str], deck: int) -> Hand:
    """What five cards are worth."""
    hand = list(cards)
    counts = Counter(map(rank, hand))
    by_count = sorted(counts, key=lambda value: (counts[value], value), reverse=True)
    shape = sorted(counts.values(), reverse=True)
    is_flush = len({card[1] for card in hand}) == 1
    top = _straight(set(counts), deck)
    if is_flush and top:
        return ("royal_flush", []) if top == 14 else ("straight_flush", [top])
    categories = {
        (4, 1): "four_of_a_kind",
        (3, 2): "full_house",
        (3, 1, 1): "three_of_a_kind",
        (2, 2, 1): "two_pair",
        (2, 1, 1, 1): "one_pair",
    }
    category = categories.get(tuple(shape))
    if category is not None:
        return category, by_count
    if is_flush:
        return "flush", by_count
    return ("straight", [top]) if top else ("no_pair", by_count)


def _straight(ranks: set[int], deck: int) -> int:
    """The highest card of a straight; 0 where it is none. The ace is low in the smallest one."""
    if len(ranks) != 5:
        return 0
    if max(ranks) - min(ranks) == 4:
        return max(ranks)
    lowest = RANKS.index(DECK_RANKS[deck][0]) + 2
    return lowest + 3 if ranks == {14, *range(lowest, lowest + 4)} else 0


def place(category: str, deck: int) -> int:
    """The place of a category in the order of the deck."""
    if deck != 52 and category in _WITH_SHORT_DECKS:
        category = _WITH_SHORT_DECKS[1 - _WITH_SHORT_DECKS.index(category)]
    return CATEGORIES.index(category)


def best(
    game: str, hole: list[str], board: list[str], deck: int
) -> tuple[Hand, list[str], list[str]]:
    """The highest hand, its five cards, and those of them that are hole cards.

    Omaha: exactly two hole cards (17.5(d)); the others: at most two (16.5(d)). Of equal hands the
    one with the most hole cards counts (decision 0008), then the one with the highest of them.
    """

    def worth(choice: tuple[list[str], list[str]]) -> tuple[object, ...]:
        held, shared = choice
        category, ranks = five([*held, *shared], deck)
        cards = [sorted(map(card_order, part), reverse=True) for part in (held, shared)]
        return place(category, deck), ranks, len(held), *cards

    held, shared = max(_choices(game, hole, board), key=worth)
    return five([*held, *shared], deck), [*held, *shared], held


def card_order(card: str) -> tuple[int, int]:
    """By rank, then spades, hearts, diamonds, clubs."""
    return rank(card), -SUITS.index(card[1])


def _choices(game: str, hole: list[str], board: list[str]) -> Iterator[tuple[list[str], list[str]]]:
    for playing in (2,) if game == "omaha" else (2, 1, 0):
        for held in combinations(hole, playing):
            for shared in combinations(board, 5 - playing):
                yield list(held), list(shared)


def reaches(hand: Hand, category: str, ranks: list[int], deck: int) -> bool:
    """Whether it is the hand named or a higher one; fewer ranks ask less."""
    mine, least = place(hand[0], deck), place(category, deck)
    return mine > least or (mine == least and hand[1][: len(ranks)] >= ranks)
