"""The kinds of poker hand, what a hand is worth, and its name (rules 9.1 and 9.3).

Which hand five to seven cards make is the business of ``rules.order``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from types import MappingProxyType

from rules.phrases import Phrase
from rules.wording import PLURAL_RANKS, RANK_NAMES, series


class Category(IntEnum):
    """The kinds of hand, from lowest to highest with the 52-card deck (rule 9.1(a) to (j)).

    With the shorter decks flush and full house change places (9.3(d), (e)): compare
    HandValues, not categories.

    >>> Category.FULL_HOUSE.label
    'full house'
    """

    NO_PAIR = 1
    ONE_PAIR = 2
    TWO_PAIR = 3
    THREE_OF_A_KIND = 4
    STRAIGHT = 5
    FLUSH = 6
    FULL_HOUSE = 7
    FOUR_OF_A_KIND = 8
    STRAIGHT_FLUSH = 9
    ROYAL_FLUSH = 10

    @property
    def label(self) -> Phrase:
        """The category in words: "full house"."""
        return _LABELS[self]


_LABELS = MappingProxyType(
    {
        Category.NO_PAIR: Phrase("no pair"),
        Category.ONE_PAIR: Phrase("one pair"),
        Category.TWO_PAIR: Phrase("two pair"),
        Category.THREE_OF_A_KIND: Phrase("three of a kind"),
        Category.STRAIGHT: Phrase("straight"),
        Category.FLUSH: Phrase("flush"),
        Category.FULL_HOUSE: Phrase("full house"),
        Category.FOUR_OF_A_KIND: Phrase("four of a kind"),
        Category.STRAIGHT_FLUSH: Phrase("straight flush"),
        Category.ROYAL_FLUSH: Phrase("royal flush"),
    }
)
_SHORT_PLACES = MappingProxyType(
    {Category.FLUSH: int(Category.FULL_HOUSE), Category.FULL_HOUSE: int(Category.FLUSH)}
)


def category_place(category: Category, *, short: bool) -> int:
    """The place of a category in the order of the 52-card deck (9.1) or the shorter ones (9.3).

    >>> category_place(Category.FLUSH, short=False), category_place(Category.FLUSH, short=True)
    (6, 7)
    """
    return _SHORT_PLACES.get(category, int(category)) if short else int(category)


@dataclass(frozen=True, slots=True, order=True)
class HandValue:
    """What a five-card hand is worth: category first, then the ranks that break ties.

    ``ranks`` are numbers (ace is 14) in the order in which rules 9.1 and 9.3 compare them; a
    straight has its highest card only, a royal flush none. Only hands of one deck compare.

    >>> flush, house = Category.FLUSH, Category.FULL_HOUSE
    >>> HandValue(flush, (14, 9, 8, 7, 6)) < HandValue(house, (7, 8))
    True
    >>> HandValue(flush, (14, 11, 9, 8, 7), short=True) < HandValue(house, (7, 8), short=True)
    False
    """

    _place: int = field(init=False, repr=False)
    category: Category = field(compare=False)
    ranks: tuple[int, ...]
    short: bool = field(default=False, repr=False)
    """It was made with a deck of 40, 36 or 32 cards."""

    def __post_init__(self) -> None:
        """Find the place of the category in the order of the deck."""
        object.__setattr__(self, "_place", category_place(self.category, short=self.short))

    @property
    def strength(self) -> list[int]:
        """The same as numbers, to be kept: lists compare as the hands do.

        >>> HandValue(Category.FULL_HOUSE, (7, 8)).strength
        [7, 7, 8]
        """
        return [self._place, *self.ranks]

    @classmethod
    def of(cls, strength: Sequence[int], *, short: bool = False) -> "HandValue":
        """The hand that has this strength.

        >>> HandValue.of([7, 7, 8]).category.label
        'full house'
        """
        place, *ranks = strength
        category = next(each for each in Category if category_place(each, short=short) == place)
        return cls(category, tuple(ranks), short)

    def reaches(self, category: Category, ranks: tuple[int, ...]) -> bool:
        """Say whether this is the hand named, or a higher one; fewer ranks ask less.

        >>> HandValue(Category.FULL_HOUSE, (14, 9)).reaches(Category.FULL_HOUSE, (14,))
        True
        """
        return (self._place, self.ranks) >= (category_place(category, short=self.short), ranks)


NAMED_RANKS: Mapping[Category, int] = MappingProxyType(
    {
        Category.NO_PAIR: 1,
        Category.ONE_PAIR: 1,
        Category.TWO_PAIR: 2,
        Category.THREE_OF_A_KIND: 1,
        Category.STRAIGHT: 1,
        Category.FLUSH: 1,
        Category.FULL_HOUSE: 2,
        Category.FOUR_OF_A_KIND: 1,
        Category.STRAIGHT_FLUSH: 1,
        Category.ROYAL_FLUSH: 0,
    }
)
"""How many of a hand's ranks are spoken when it is named."""

COMPARED_RANKS: Mapping[Category, int] = MappingProxyType(
    {
        Category.NO_PAIR: 5,
        Category.ONE_PAIR: 4,
        Category.TWO_PAIR: 3,
        Category.THREE_OF_A_KIND: 3,
        Category.STRAIGHT: 1,
        Category.FLUSH: 5,
        Category.FULL_HOUSE: 2,
        Category.FOUR_OF_A_KIND: 2,
        Category.STRAIGHT_FLUSH: 1,
        Category.ROYAL_FLUSH: 0,
    }
)
"""By how many ranks two hands of a category are compared."""


def describe(value: HandValue) -> Phrase:
    """Name a hand as the dealer announces it.

    >>> describe(HandValue(Category.STRAIGHT_FLUSH, (9,)))
    'straight flush, nine high'
    """
    top_ranks = value.ranks[: NAMED_RANKS[value.category]]
    hand = value.category.label
    if not top_ranks:
        return hand
    if value.category in _NAMED_BY_HIGH_CARD:
        return Phrase("%(hand)s, %(rank)s high", hand=hand, rank=RANK_NAMES[top_ranks[0]])
    first, *second = (PLURAL_RANKS[rank] for rank in top_ranks)
    if value.category is not Category.FULL_HOUSE:
        ranks = series([first, *second])
        return Phrase("%(hand)s, %(ranks)s", hand=hand, ranks=ranks)
    if second:
        return Phrase(
            "%(hand)s, %(ranks)s full of %(pair)s", hand=hand, ranks=first, pair=second[0]
        )
    return Phrase("%(hand)s, %(ranks)s full", hand=hand, ranks=first)


_NAMED_BY_HIGH_CARD = frozenset(
    {Category.NO_PAIR, Category.STRAIGHT, Category.FLUSH, Category.STRAIGHT_FLUSH}
)
