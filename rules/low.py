"""Low hands (rule 9.1(k)): the order reversed, and flushes and straights not counted.

The rule book has low hands with the 52-card deck only: 9.3 knows none for the others.
"""

from collections.abc import Sequence
from itertools import combinations

from rules.cards import Card
from rules.hands import Category, HandValue
from rules.order import evaluate_five
from rules.tally import LOWEST_RANK

_HIGHEST_OF_SMALL_STRAIGHT = 5
_UNMATCHED = frozenset({Category.STRAIGHT, Category.FLUSH, Category.STRAIGHT_FLUSH})
_LOW_ACE = LOWEST_RANK - 1


def low_value(cards: Sequence[Card]) -> HandValue:
    """What five cards are worth as a low hand: **the least value wins**.

    A flush or a straight is five unmatched cards. The ace is high, except in the small straight,
    5-4-3-2-A: only there does 9.1 let it be low, so that is the lowest hand of all. Raises
    ValueError unless there are five different cards.

    >>> from rules.cards import parse_cards
    >>> six, seven = parse_cards("6s 5s 4s 3s 2s"), parse_cards("7s 5h 4d 3c 2s")
    >>> low_value(six) < low_value(seven)
    True
    """
    value = evaluate_five(cards)
    if value.category is Category.ROYAL_FLUSH or value.category in _UNMATCHED:
        ranks = sorted((card.rank_value for card in cards), reverse=True)
        is_small = value.category in (Category.STRAIGHT, Category.STRAIGHT_FLUSH)
        if is_small and value.ranks[0] == _HIGHEST_OF_SMALL_STRAIGHT:
            ranks = [*ranks[1:], _LOW_ACE]
        return HandValue(Category.NO_PAIR, tuple(ranks))
    return value


def lowest_five(cards: Sequence[Card]) -> tuple[HandValue, tuple[Card, ...]]:
    """The lowest five of five to seven different cards, and what they are worth.

    >>> from rules.cards import parse_cards
    >>> value, five = lowest_five(parse_cards("As Ah 2d 3c 5s 4h Kd"))
    >>> value.ranks
    (5, 4, 3, 2, 1)
    """
    if not 5 <= len(cards) <= 7:
        raise ValueError("A low hand is made of five to seven cards.")
    fives = combinations(sorted(cards, key=lambda card: card.place, reverse=True), 5)
    return min(((low_value(five), five) for five in fives), key=lambda candidate: candidate[0])
