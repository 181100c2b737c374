"""Which two hole cards make a hand that the terms of a tier ask for, board by board.

Ranks are counted from 0, the two. The cards that are not on the board are of the *suit*, the one
of which the board has three or more, or *others*; without such a suit all are others.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement

from rules.decks import Deck
from rules.games import Game
from rules.hands import NAMED_RANKS, Category
from rules.order import HandOrder, hand_order
from rules.requirements import WITH_KICKER, Requirement
from rules.tally import LOWEST_RANK, RANKS_OF_ALL_DECKS, rank_count
from rules.terms import Qualifying

RankPair = tuple[int, int]
"""Two ranks, the lower first."""


@dataclass(frozen=True, slots=True)
class SuitedHands:
    """The hands with a flush on a board that has these ranks in one suit.

    >>> bool(SuitedHands(frozenset(), frozenset(), none=False))
    False
    """

    both: frozenset[RankPair]
    """Pairs of ranks that qualify when both hole cards are of the suit."""
    one: frozenset[int]
    """Ranks that qualify with one card of the suit and any other card."""
    none: bool
    """Two cards of other suits qualify: the board is a flush."""

    def __bool__(self) -> bool:
        """Say whether any hand with a flush qualifies."""
        return bool(self.both or self.one or self.none)


class Relation:
    """What two hole cards must be to qualify, for one tier, game and deck.

    >>> from rules.decks import DECKS
    >>> from rules.games import GAMES
    >>> from rules.terms import Weakest
    >>> royal = Relation(Qualifying(Weakest(Category.ROYAL_FLUSH)), GAMES["holdem"], DECKS[52])
    >>> queen_king_ace = 0b111 << 10
    >>> royal.is_suited_only, royal.suited(queen_king_ace).both
    (True, frozenset({(8, 9)}))
    """

    def __init__(self, terms: Qualifying, game: Game, deck: Deck) -> None:
        """Prepare the question; the tables fill as it is asked."""
        self.order: HandOrder = hand_order(deck)
        self.terms = terms
        self.exactly_two = game.hole_cards_exactly == 2
        self.ranks = tuple(sorted(value - LOWEST_RANK for value in deck.rank_values))
        self.least = self.order.pack(terms.weakest.category, *terms.weakest.values)
        self._suited: dict[int, SuitedHands] = {}
        self._with_three: dict[int, frozenset[RankPair]] = {}
        self._requirements: dict[int, tuple[Requirement, int]] = {}
        self._pairs = tuple(combinations_with_replacement(self.ranks, 2))

    @property
    def is_suited_only(self) -> bool:
        """Only hands with a flush can qualify."""
        highest_of_others = self.order.pack(Category.FOUR_OF_A_KIND, 15)
        return self.terms.suit is not None or self.least > highest_of_others

    def unsuited(self, counts: int) -> Iterable[RankPair]:
        """The pairs of ranks that qualify without a flush on a board with these rank counts."""
        if self.exactly_two:
            return self._any_three(counts)
        return [pair for pair in self._pairs if self._qualifies(counts, pair)]

    def suited(self, on_board: int) -> SuitedHands:
        """The hands with a flush that qualify on a board with these ranks in one suit."""
        hands = self._suited.get(on_board)
        if hands is None:
            make = self._flush_with_two if self.exactly_two else self._flush_with_any
            hands = self._suited[on_board] = make(on_board)
        return hands

    def _qualifies(self, counts: int, pair: RankPair) -> bool:
        """Say whether two hole cards of these ranks qualify by ranks alone."""
        low, high = 1 << 3 * pair[0], 1 << 3 * pair[1]
        held = counts + low + high
        if _has_five_of_a_kind(held, pair):
            return False
        strength = self.order.strength_of_counts(held)
        if strength < self.least:
            return False
        requirement, needs = self._asked_of(strength)
        if not requirement.asks:
            return True
        played = int(needs // high & 7 > 0)
        needs -= high * played
        played += int(needs // low & 7 > 0)
        if requirement.pair_in_hole and not (played == 2 and low == high):
            return False
        return played >= requirement.hole_cards_playing

    def _asked_of(self, strength: int) -> tuple[Requirement, int]:
        """What is asked of the hole cards of such a hand, and the rank counts of the cards of it
        that may be theirs."""
        entry = self._requirements.get(strength)
        if entry is None:
            value, needs = self.order.value(strength), self.order.needs(strength)
            requirement = self.terms.asked_of(value.category)
            if not requirement.kicker_counts and value.category in WITH_KICKER:
                naming = value.ranks[: NAMED_RANKS[value.category]]
                needs &= sum(rank_count(rank, 7) for rank in naming)
            entry = self._requirements[strength] = requirement, needs
        return entry

    def _any_three(self, counts: int) -> frozenset[RankPair]:
        """The pairs that qualify with some three of the community cards."""
        on_board = [rank for rank in self.ranks for _ in range(counts >> 3 * rank & 7)]
        pairs: frozenset[RankPair] = frozenset()
        for three in set(combinations(on_board, 3)):
            pairs |= self.with_three(sum(1 << 3 * rank for rank in three))
        return frozenset(p for p in pairs if not _has_five_of_a_kind(counts + _count(p), p))

    def with_three(self, three: int) -> frozenset[RankPair]:
        """The pairs that qualify with exactly these three community cards."""
        pairs = self._with_three.get(three)
        if pairs is None:
            strength = self.order.strength_of_counts
            pairs = self._with_three[three] = frozenset(
                pair
                for pair in self._pairs
                if not _has_five_of_a_kind(three + _count(pair), pair)
                and strength(three + _count(pair)) >= self.least
            )
        return pairs

    def _flush_with_any(self, on_board: int) -> SuitedHands:
        """Flushes of which the player's cards may be two, one or none."""
        free = [rank for rank in self.ranks if not on_board >> rank & 1]
        cards = on_board.bit_count()
        return SuitedHands(
            frozenset(p for p in combinations(free, 2) if self._flush(on_board, p)),
            frozenset(r for r in free if cards >= 4 and self._flush(on_board, (r,))),
            cards >= 5 and self._flush(on_board, ()),
        )

    def _flush(self, on_board: int, held: tuple[int, ...]) -> bool:
        """Say whether the flush with these hole cards of the suit qualifies."""
        strength = self.order.strength_of_suit(on_board | sum(1 << rank for rank in held))
        if strength < self.least:
            return False
        requirement, needs = self._asked_of(strength)
        played = sum(needs >> 3 * rank & 1 for rank in held)
        return played >= requirement.hole_cards_playing and not requirement.pair_in_hole

    def _flush_with_two(self, on_board: int) -> SuitedHands:
        """Flushes of two hole cards and three of the board."""
        free = [rank for rank in self.ranks if not on_board >> rank & 1]
        return SuitedHands(
            frozenset(p for p in combinations(free, 2) if self.flush_of_two(on_board, p)),
            frozenset(),
            none=False,
        )

    def flush_of_two(self, on_board: int, pair: RankPair) -> int:
        """The strength of the best flush of two hole cards and three of the board, or 0 if it
        is lower than asked for."""
        held = 1 << pair[0] | 1 << pair[1]
        best = max(self.order.strength_of_suit(held | three) for three in _threes(on_board))
        return best if best >= self.least else 0


def _count(pair: RankPair) -> int:
    """The rank counts of two cards."""
    return (1 << 3 * pair[0]) + (1 << 3 * pair[1])


def _has_five_of_a_kind(counts: int, pair: RankPair) -> bool:
    """Say whether a count with this pair has more than the four cards of a rank."""
    return counts >> 3 * pair[0] & 7 > 4 or counts >> 3 * pair[1] & 7 > 4


def _threes(ranks: int) -> Iterator[int]:
    """Yield the sets of three ranks out of a set."""
    bits = [1 << rank for rank in range(RANKS_OF_ALL_DECKS) if ranks >> rank & 1]
    yield from map(sum, combinations(bits, 3))
