"""Omaha hands in which a pair in the hole plays, counted one by one.

Whether the pair plays depends on which of a player's choices is best, so here it is not enough
to know that some two of his four cards qualify.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations
from math import comb, prod

from rules.boards import SUITS, RankBoard, multisets, rank_boards
from rules.decks import Deck
from rules.relation import RankPair, Relation


def holes_with_playing_pair(relation: Relation, deck: Deck) -> int:
    """How many boards and hands of four cards qualify by their best five with a hole pair.

    >>> from rules.decks import DECKS
    >>> from rules.games import GAMES
    >>> from rules.hands import Category
    >>> from rules.terms import Qualifying, Weakest
    >>> terms = Qualifying(Weakest(Category.FOUR_OF_A_KIND, ("A", "K")), pair_in_hole=True)
    >>> holes_with_playing_pair(Relation(terms, GAMES["omaha"], DECKS[32]), DECKS[32])
    2251404
    """
    holes = tuple(_Hole(ranks) for ranks in multisets(relation.ranks, 4))
    return sum(_on_board(relation, board, holes) for board in rank_boards(deck))


class _Hole:
    """Four hole cards by rank."""

    __slots__ = ("counts", "pairs", "twice")

    def __init__(self, ranks: tuple[int, ...]) -> None:
        self.counts = {rank: ranks.count(rank) for rank in ranks}
        self.pairs = sorted({(low, high) for low, high in combinations(ranks, 2)})
        self.twice = frozenset(rank for rank, number in self.counts.items() if number > 1)


def _on_board(relation: Relation, board: RankBoard, holes: tuple[_Hole, ...]) -> int:
    """Count the hands on all boards with the same ranks."""
    strengths = _strengths(relation, board)
    doubles = {low for low, high in strengths if low == high}
    if not doubles:
        return 0
    good = 0
    for hole in holes:
        if doubles.isdisjoint(hole.twice):
            continue
        if any(board.by_rank[rank] + number > SUITS for rank, number in hole.counts.items()):
            continue
        best = max(strengths.get(pair, 0) for pair in hole.pairs)
        level = [pair[::-1] for pair in hole.pairs if strengths.get(pair) == best]
        highest = max(level, default=(0, 1))
        if highest[0] != highest[1]:
            continue
        everything = prod(
            comb(SUITS - board.by_rank[rank], number) for rank, number in hole.counts.items()
        )
        good += board.plain * everything
        for of_suit, ways in board.suited:
            good += ways * (everything - _beaten_by_flush(relation, board, of_suit, hole, best))
    return good


def _strengths(relation: Relation, board: RankBoard) -> Mapping[RankPair, int]:
    """By two hole cards, the strength of the best hand without a flush that qualifies."""
    strengths: dict[RankPair, int] = {}
    on_board = [rank for rank in relation.ranks for _ in range(board.by_rank[rank])]
    strength = relation.order.strength_of_counts
    for chosen in set(combinations(on_board, 3)):
        three = sum(1 << 3 * rank for rank in chosen)
        for pair in relation.with_three(three):
            if any(board.by_rank[rank] + pair.count(rank) > SUITS for rank in pair):
                continue
            value = strength(three + (1 << 3 * pair[0]) + (1 << 3 * pair[1]))
            strengths[pair] = max(strengths.get(pair, 0), value)
    return strengths


def _beaten_by_flush(
    relation: Relation, board: RankBoard, of_suit: int, hole: _Hole, strength: int
) -> int:
    """Of the suits that the hole cards can have, in how many a flush is the better hand."""
    better = [
        pair
        for pair in hole.pairs
        if pair[0] != pair[1]
        and not (of_suit >> pair[0] & 1 or of_suit >> pair[1] & 1)
        and _flush(relation, of_suit, pair) > strength
    ]
    if not better:
        return 0
    total = 0
    for held in _subsets([rank for rank in hole.counts if not of_suit >> rank & 1]):
        if any(low in held and high in held for low, high in better):
            total += prod(
                comb(
                    SUITS - board.by_rank[rank] - (not of_suit >> rank & 1),
                    number - (rank in held),
                )
                for rank, number in hole.counts.items()
            )
    return total


def _subsets(ranks: list[int]) -> Iterator[frozenset[int]]:
    """Yield the sets of ranks of which the card of the suit is held."""
    for number in range(len(ranks) + 1):
        yield from map(frozenset, combinations(ranks, number))


@cache
def _flush(relation: Relation, of_suit: int, pair: RankPair) -> int:
    """The strength of the best flush with two hole cards of the suit; 0 if it is too low."""
    return relation.flush_of_two(of_suit, pair)
