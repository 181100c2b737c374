"""The lowest hand that still qualifies for a tier (rule 19.5)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from rules.cards import RANKS
from rules.hands import NAMED_RANKS, Category, HandValue, describe
from rules.phrases import Phrase, PhrasedError
from rules.wording import RANK_NAMES, quoted, series


class TermsError(PhrasedError):
    """Terms that cannot be posted (rule 19.5); the message says what to correct.

    >>> Weakest(Category.STRAIGHT, ("4",))
    Traceback (most recent call last):
    rules.weakest.TermsError: The lowest straight is five high: name 5 or a higher rank.
    """


_COMPARED: Mapping[Category, tuple[int, ...]] = MappingProxyType(
    {
        Category.NO_PAIR: (5,),
        Category.ONE_PAIR: (1, 3),
        Category.TWO_PAIR: (2, 1),
        Category.THREE_OF_A_KIND: (1, 2),
        Category.STRAIGHT: (1,),
        Category.FLUSH: (5,),
        Category.FULL_HOUSE: (1, 1),
        Category.FOUR_OF_A_KIND: (1, 1),
        Category.STRAIGHT_FLUSH: (1,),
        Category.ROYAL_FLUSH: (),
    }
)
"""The ranks by which hands of a category are compared (rule 9.1), in groups of like cards:
within a group they stand from the highest down."""

_LOWEST_STRAIGHT = 5


@dataclass(frozen=True, slots=True)
class Weakest:
    """The lowest hand that qualifies. Raises TermsError for ranks that it cannot have.

    ``ranks`` are the lowest ranks in it, in the order in which rule 9.1 compares them, written
    as on cards. Fewer ranks ask less: a full house with ``("A",)`` is aces full of anything.
    """

    category: Category
    ranks: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse ranks that the category cannot have."""
        label, groups = self.category.label, _COMPARED[self.category]
        if len(self.ranks) > sum(groups):
            most = Phrase.counted(sum(groups), "%(number)s rank", "%(number)s ranks")
            raise TermsError("A %(hand)s is compared by %(ranks)s at most.", hand=label, ranks=most)
        for rank in self.ranks:
            if len(rank) != 1 or rank not in RANKS:
                raise TermsError(
                    "%(typed)s is not a rank: write one of %(ranks)s.",
                    typed=quoted(rank),
                    ranks=" ".join(RANKS),
                )
        if len(set(self.ranks)) != len(self.ranks):
            raise TermsError("The ranks of a %(hand)s differ: name each only once.", hand=label)
        start = 0
        for size in groups:
            group = self.values[start : start + size]
            if list(group) != sorted(group, reverse=True):
                raise TermsError("Name the ranks of a %(hand)s from the highest down.", hand=label)
            start += size
        if self.category in _STRAIGHTS:
            self._require_straight()

    def _require_straight(self) -> None:
        """Refuse a highest card that no straight, or only a royal flush, has."""
        if self.ranks and self.values[0] < _LOWEST_STRAIGHT:
            raise TermsError("The lowest straight is five high: name 5 or a higher rank.")
        if self.category is Category.STRAIGHT_FLUSH and self.ranks == ("A",):
            raise TermsError("An ace-high straight flush is a royal flush: ask for that.")

    @property
    def values(self) -> tuple[int, ...]:
        """The ranks as numbers, comparable with those of a HandValue."""
        return _values(self.ranks)

    @property
    def label(self) -> Phrase:
        """The hand in words.

        >>> Weakest(Category.FULL_HOUSE, ("A",)).label
        'full house, aces full'
        >>> Weakest(Category.FOUR_OF_A_KIND, ("T", "A")).label
        'four of a kind, tens, then ace'
        """
        return _label(self.category, self.values)

    def reached_by(self, value: HandValue) -> bool:
        """Say whether a hand is this one or a higher one, in the order of its deck (9.1, 9.3)."""
        return value.reaches(self.category, self.values)


@lru_cache
def _values(ranks: tuple[str, ...]) -> tuple[int, ...]:
    """Asked for with every hand that is looked at."""
    return tuple(RANKS.index(rank) + 2 for rank in ranks)


@lru_cache
def _label(category: Category, values: tuple[int, ...]) -> Phrase:
    """Said of every hand that does not reach it."""
    spoken = describe(HandValue(category, values))
    others = [RANK_NAMES[value] for value in values[NAMED_RANKS[category] :]]
    if not others:
        return spoken
    return Phrase("%(hand)s, then %(ranks)s", hand=spoken, ranks=series(others))


_STRAIGHTS = frozenset({Category.STRAIGHT, Category.STRAIGHT_FLUSH})
