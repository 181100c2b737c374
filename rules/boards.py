"""All boards of five cards, in classes that no hand distinguishes.

Which hands a board allows depends on the ranks on it and, where three or more of its cards are
of one suit, on which ranks those are: no suit outranks another (9.1, 9.3). So the 2,598,960
boards of the full deck fall into some 47,000 classes, each with the number of its boards.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb, prod

from rules.decks import Deck
from rules.tally import LOWEST_RANK

BOARD_CARDS = 5
SUITS = 4


@dataclass(frozen=True, slots=True)
class RankBoard:
    """All boards with the same ranks; ranks are counted from 0, the two.

    >>> from rules.decks import DECKS
    >>> board = next(iter(rank_boards(DECKS[52])))
    >>> board.by_rank[:3], board.plain, board.suited
    ((4, 1, 0), 4, ())
    """

    counts: int
    """The rank counts (see ``rules.tally``)."""
    by_rank: tuple[int, ...]
    """How many cards of each rank the board has, for every rank of the full deck."""
    plain: int
    """How many of the boards have no three cards of one suit."""
    suited: tuple[tuple[int, int], ...]
    """Of the others: the set of ranks in the one suit, and how many boards have it."""


def rank_boards(deck: Deck) -> Iterator[RankBoard]:
    """Yield every choice of five ranks that a board of the deck can have.

    >>> from rules.decks import DECKS
    >>> sum(1 for _ in rank_boards(DECKS[52])), sum(1 for _ in rank_boards(DECKS[32]))
    (6175, 784)
    """
    yield from _rank_boards(_ranks_of(deck))


@cache
def _rank_boards(ranks: tuple[int, ...]) -> tuple[RankBoard, ...]:
    """The rank boards of a deck with these ranks."""
    return tuple(_rank_board(chosen) for chosen in multisets(ranks, BOARD_CARDS))


def _rank_board(chosen: tuple[int, ...]) -> RankBoard:
    """Count the boards with these ranks by the suits on them."""
    by_rank = tuple(map(chosen.count, range(13)))
    different = sorted(set(chosen))
    suited = tuple(
        (sum(1 << rank for rank in of_suit), SUITS * _others(different, by_rank, of_suit))
        for number in range(3, BOARD_CARDS + 1)
        for of_suit in combinations(different, number)
    )
    boards = prod(comb(SUITS, by_rank[rank]) for rank in different)
    return RankBoard(
        counts=sum(1 << 3 * rank for rank in chosen),
        by_rank=by_rank,
        plain=boards - sum(ways for _, ways in suited),
        suited=suited,
    )


def _others(different: list[int], by_rank: tuple[int, ...], of_suit: tuple[int, ...]) -> int:
    """In how many ways the cards of other suits can be chosen."""
    return prod(comb(SUITS - 1, by_rank[rank] - (rank in of_suit)) for rank in different)


def suit_boards(deck: Deck) -> Iterator[tuple[int, int]]:
    """Yield each set of three to five ranks in one suit, and how many boards have it.

    Their other cards are any of the other suits: enough where only flushes are asked for.

    >>> from rules.decks import DECKS
    >>> sum(ways for ranks, ways in suit_boards(DECKS[52]) if ranks.bit_count() == 5)
    5148
    """
    ranks = _ranks_of(deck)
    for number in range(3, BOARD_CARDS + 1):
        ways = SUITS * comb((SUITS - 1) * len(ranks), BOARD_CARDS - number)
        for of_suit in combinations(ranks, number):
            yield sum(1 << rank for rank in of_suit), ways


def multisets(ranks: Iterable[int], number: int) -> Iterator[tuple[int, ...]]:
    """Yield each choice of so many cards by rank, at most four of each, lowest first.

    >>> sum(1 for _ in multisets(range(13), 5))
    6175
    """
    ranks = tuple(ranks)
    if number == 0:
        yield ()
        return
    for place, rank in enumerate(ranks):
        for copies in range(min(SUITS, number), 0, -1):
            for rest in multisets(ranks[place + 1 :], number - copies):
                yield (rank,) * copies + rest


def _ranks_of(deck: Deck) -> tuple[int, ...]:
    """The ranks of a deck, counted from 0, the two, lowest first."""
    return tuple(sorted(value - LOWEST_RANK for value in deck.rank_values))
