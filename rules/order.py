"""The order of hands with each deck (rules 9.1 and 9.3), by table.

Five to seven cards are ranked by one look at a table: by the ranks of the suit that makes a
flush, if one does, or else by how many cards there are of each rank. (With seven cards a flush
leaves two others, too few for a full house or four of a kind.) The tables fill as hands come.

The result, a *strength*, is a number that is higher for the higher hand: the category's place
in the order of the deck, then the ranks by which the rule compares, four bits each.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType

from rules.cards import Card
from rules.decks import FULL_DECK, Deck
from rules.hands import COMPARED_RANKS, Category, HandValue, category_place
from rules.tally import (
    FLUSH_SHIFTS,
    LOWEST_RANK,
    RANK_COUNTS,
    RANK_SET,
    RANKS_OF_ALL_DECKS,
    SUIT_BITS,
    SUIT_COUNTS,
    are_different,
    rank_bit,
    rank_count,
)

_RANK_FIELD = 20
_ALL_RANKS = range(LOWEST_RANK + RANKS_OF_ALL_DECKS - 1, LOWEST_RANK - 1, -1)


class HandOrder:
    """The order of hands of one deck, with the ace also low in the smallest straight or not.

    >>> from rules.cards import parse_cards
    >>> from rules.decks import DECKS
    >>> order = hand_order(DECKS[32])
    >>> flush, house = parse_cards("As Js 9s 8s 7s"), parse_cards("As Ah Ad Tc Ts")
    >>> order.strength_of(flush) > order.strength_of(house)
    True
    """

    __slots__ = ("_by_counts", "_by_suit", "_needs", "_values", "deck", "straights")

    def __init__(self, deck: Deck, *, ace_high_only: bool = False) -> None:
        """Prepare empty tables; ``ace_high_only`` is for the Manilas (9.3(f))."""
        self.deck = deck
        self.straights: Mapping[int, int] = MappingProxyType(_straights(deck, ace_high_only))
        """The sets of five ranks that are straights, highest first, with the rank of each."""
        self._by_counts = _ByCounts(self)
        self._by_suit = _BySuit(self)
        self._values: dict[int, HandValue] = {}
        self._needs: dict[int, int] = {}

    def strength(self, tally: int) -> int:
        """Rank the best five of five to seven different cards, given the sum of their tallies."""
        shift = FLUSH_SHIFTS[tally & SUIT_COUNTS]
        if shift:
            return self._by_suit[tally >> shift & RANK_SET]
        return self._by_counts[tally >> SUIT_BITS & RANK_COUNTS]

    def strength_of_counts(self, counts: int) -> int:
        """Rank five to seven cards of which no five are of one suit, by their rank counts."""
        return self._by_counts[counts]

    def strength_of_suit(self, ranks: int) -> int:
        """Rank five to seven cards of one suit, by the set of their ranks."""
        return self._by_suit[ranks]

    def strength_of(self, cards: Iterable[Card]) -> int:
        """Rank the best five of five to seven different cards of the deck."""
        return self.strength(sum(card.tally for card in cards))

    def value(self, strength: int) -> HandValue:
        """Turn a strength into a HandValue."""
        value = self._values.get(strength)
        if value is None:
            place, packed = divmod(strength, 1 << _RANK_FIELD)
            category = self.category(place)
            shifts = range(_RANK_FIELD - 4, _RANK_FIELD - 4 - 4 * COMPARED_RANKS[category], -4)
            ranks = tuple(packed >> shift & 15 for shift in shifts)
            value = self._values[strength] = HandValue(category, ranks, self.is_short)
        return value

    def needs(self, strength: int) -> int:
        """The rank counts of the five cards that make a hand of this strength."""
        needed = self._needs.get(strength)
        if needed is None:
            value = self.value(strength)
            needed = self._needs[strength] = self._needed(value)
        return needed

    @property
    def is_short(self) -> bool:
        """The deck is one of 40, 36 or 32 cards: a flush beats a full house (9.3(d), (e))."""
        return self.deck.is_short

    def category(self, place: int) -> Category:
        """The category at a place in the order of the deck."""
        return next(each for each in Category if category_place(each, short=self.is_short) == place)

    def pack(self, category: Category, *ranks: int) -> int:
        """The strength of a category and the ranks that break ties."""
        packed = category_place(category, short=self.is_short)
        for place in range(5):
            packed = packed << 4 | (ranks[place] if place < len(ranks) else 0)
        return packed

    def straight_in(self, ranks: int) -> int:
        """The rank of the highest straight in a set of ranks; 0 if there is none."""
        return next((top for run, top in self.straights.items() if run & ranks == run), 0)

    def _needed(self, value: HandValue) -> int:
        """Count the ranks of a hand from what its value says."""
        if value.category is Category.ROYAL_FLUSH:
            run = next(iter(self.straights))
        elif value.category in (Category.STRAIGHT, Category.STRAIGHT_FLUSH):
            run = next(run for run, top in self.straights.items() if top == value.ranks[0])
        else:
            sizes = _SIZES.get(value.category, (1, 1, 1, 1, 1))
            return sum(map(rank_count, value.ranks, sizes))
        return sum(rank_count(rank) for rank in _ALL_RANKS if run & rank_bit(rank))


_SIZES: Mapping[Category, tuple[int, ...]] = MappingProxyType(
    {
        Category.FOUR_OF_A_KIND: (4, 1),
        Category.FULL_HOUSE: (3, 2),
        Category.THREE_OF_A_KIND: (3, 1, 1),
        Category.TWO_PAIR: (2, 2, 1),
        Category.ONE_PAIR: (2, 1, 1, 1),
    }
)
"""How many cards there are of each of the ranks that a value names."""


class _ByCounts(dict[int, int]):
    """Strengths by rank counts, each worked out when it is first asked for."""

    def __init__(self, order: HandOrder) -> None:
        super().__init__()
        self._order = order

    def __missing__(self, counts: int) -> int:
        """Rank five to seven cards that make no flush (9.1(c) to (j) without (e))."""
        pack = self._order.pack
        by_number: dict[int, list[int]] = {1: [], 2: [], 3: [], 4: []}
        held = []
        for rank in _ALL_RANKS:
            number = counts >> 3 * (rank - LOWEST_RANK) & 7
            if number:
                by_number[number].append(rank)
                held.append(rank)
        fours, threes, twos = by_number[4], by_number[3], by_number[2]
        pairs = sorted(threes[1:] + twos, reverse=True)
        straight = self._order.straight_in(sum(map(rank_bit, held)))
        if fours:
            strength = pack(Category.FOUR_OF_A_KIND, fours[0], _others(held, fours[:1])[0])
        elif threes and pairs:
            strength = pack(Category.FULL_HOUSE, threes[0], pairs[0])
        elif straight:
            strength = pack(Category.STRAIGHT, straight)
        elif threes:
            strength = pack(Category.THREE_OF_A_KIND, threes[0], *_others(held, threes)[:2])
        elif len(pairs) > 1:
            strength = pack(Category.TWO_PAIR, *pairs[:2], _others(held, pairs[:2])[0])
        elif pairs:
            strength = pack(Category.ONE_PAIR, pairs[0], *_others(held, pairs)[:3])
        else:
            strength = pack(Category.NO_PAIR, *held[:5])
        self[counts] = strength
        return strength


def _others(held: list[int], ranks_named: list[int]) -> list[int]:
    """The ranks other than those already named, the highest first."""
    return [rank for rank in held if rank not in ranks_named]


class _BySuit(dict[int, int]):
    """Strengths of cards of one suit by the set of their ranks."""

    def __init__(self, order: HandOrder) -> None:
        super().__init__()
        self._order = order

    def __missing__(self, ranks: int) -> int:
        """Rank five to seven cards of one suit (9.1(a), (b), (e))."""
        straight = self._order.straight_in(ranks)
        if straight == _ALL_RANKS[0]:
            strength = self._order.pack(Category.ROYAL_FLUSH)
        elif straight:
            strength = self._order.pack(Category.STRAIGHT_FLUSH, straight)
        else:
            held = [rank for rank in _ALL_RANKS if ranks & rank_bit(rank)]
            strength = self._order.pack(Category.FLUSH, *held[:5])
        self[ranks] = strength
        return strength


def _straights(deck: Deck, ace_high_only: bool) -> dict[int, int]:
    """The straights of a deck by their ranks, the highest first, with the rank of each.

    The ace also counts below the lowest rank of the deck, except where it is high only (9.3(f)).
    """
    ranks = deck.rank_values
    runs = [ranks[start : start + 5] for start in range(len(ranks) - 4)]
    straights = {sum(map(rank_bit, run)): run[0] for run in runs}
    if not ace_high_only and len(ranks) > 5:
        straights[sum(map(rank_bit, (ranks[0], *ranks[-4:])))] = ranks[-4]
    return straights


@cache
def hand_order(deck: Deck, *, ace_high_only: bool = False) -> HandOrder:
    """The order of hands of a deck; always the same object, with its tables.

    >>> hand_order(FULL_DECK) is FULL_ORDER
    True
    """
    return HandOrder(deck, ace_high_only=ace_high_only and deck.is_short)


FULL_ORDER = hand_order(FULL_DECK)
"""The order of hands with the 52-card deck (9.1)."""


def evaluate_five(cards: Sequence[Card], order: HandOrder = FULL_ORDER) -> HandValue:
    """Rank a hand of exactly five different cards; raises ValueError otherwise.

    >>> from rules.cards import parse_cards
    >>> evaluate_five(parse_cards("As Ah Ad Tc Ts"))
    HandValue(category=<Category.FULL_HOUSE: 7>, ranks=(14, 10))
    """
    tally = sum(card.tally for card in cards)
    if len(cards) != 5 or not are_different(tally, 5):
        raise ValueError("A hand has five different cards.")
    if not all(card in order.deck for card in cards):
        raise ValueError(f"A card is not in the {order.deck.name}.")
    return order.value(order.strength(tally))
