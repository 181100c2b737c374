"""The cards left in the deck, and which two of them qualify together: counting hands exactly.

Cards that no pair distinguishes lie in one *cell*; an *edge* between two cells, or from a cell
to itself, says that a card of the one and a card of the other qualify together.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import product
from math import comb, prod

MOST_STATES = 20_000
"""Beyond so many states of the cells, hands dealt together are not counted but bounded."""


class HoleGraph:
    """Cells of cards, and the pairs of cells whose cards qualify together."""

    def __init__(self, sizes: Sequence[int], edges: Iterable[tuple[int, int]]) -> None:
        """Keep the sizes of the cells, and each edge once."""
        self.sizes = tuple(sizes)
        self.edges = frozenset(
            (min(edge), max(edge))
            for edge in edges
            if sizes[edge[0]] > (edge[0] == edge[1]) and sizes[edge[1]]
        )

    @property
    def pairs(self) -> int:
        """How many pairs of cards qualify.

        >>> HoleGraph((3, 2), {(0, 0), (0, 1)}).pairs
        9
        """
        sizes = self.sizes
        return sum(
            sizes[one] * sizes[other] if one != other else comb(sizes[one], 2)
            for one, other in self.edges
        )

    @property
    def fours(self) -> int:
        """How many choices of four cards have among them a pair that qualifies.

        >>> HoleGraph((2, 45), {(0, 0)}).fours == comb(45, 2)
        True
        """
        sizes, rows = self._active
        without = _without_edge(sizes, rows)
        cards = sum(self.sizes)
        idle = cards - sum(sizes)
        none = sum(ways * comb(idle, 4 - number) for number, ways in enumerate(without))
        return comb(cards, 4) - none

    @property
    def two_fours(self) -> int:
        """In how many ways two choices of four cards, dealt together one after the other, have
        each a pair that qualifies.

        >>> HoleGraph((4, 4), {(0, 0)}).two_fours == comb(4, 2) * comb(4, 2)
        True
        """
        sizes, rows = self._active
        cards = sum(self.sizes)
        none = comb(cards, 4) - self.fours
        neither = _two_without_edge((*sizes, cards - sum(sizes)), (*rows, 0))
        return comb(cards, 4) * comb(cards - 4, 4) - 2 * none * comb(cards - 4, 4) + neither

    def matchings(self, most: int) -> tuple[int, ...] | None:
        """In how many ways 0, 1, 2, up to ``most`` pairs that qualify can be dealt together.

        None where there are too many states to count; ``two_pairs`` is always known.

        >>> HoleGraph((4,), {(0, 0)}).matchings(3)
        (1, 6, 3, 0)
        """
        sizes, rows = self._active
        states = 1
        for size in sizes:
            states *= min(size, 2 * most) + 1
        if states > MOST_STATES:
            return None
        return _matchings(sizes, rows, most)

    @property
    def two_pairs(self) -> int:
        """In how many ways two pairs that qualify can be dealt together."""
        neighbours = [0] * len(self.sizes)
        for one, other in self.edges:
            if one == other:
                neighbours[one] += self.sizes[one] - 1
            else:
                neighbours[one] += self.sizes[other]
                neighbours[other] += self.sizes[one]
        meeting = sum(
            size * comb(degree, 2) for size, degree in zip(self.sizes, neighbours, strict=True)
        )
        return comb(self.pairs, 2) - meeting

    @cached_property
    def _active(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The cells with an edge, like ones made one, and for each the set of its neighbours."""
        rows = [0] * len(self.sizes)
        for one, other in self.edges:
            rows[one] |= 1 << other
            rows[other] |= 1 << one
        sizes = list(self.sizes)
        active = [cell for cell, row in enumerate(rows) if row]
        distinct_cells: list[int] = []
        for cell in active:
            like = next(
                (each for each in distinct_cells if _are_alike(each, cell, sizes, rows)), None
            )
            if like is None:
                distinct_cells.append(cell)
                continue
            if rows[like] >> cell & 1:
                rows[like] |= 1 << like
            sizes[like] += sizes[cell]
            for other in active:
                rows[other] &= ~(1 << cell)
            rows[cell] = 0
        places = {cell: place for place, cell in enumerate(distinct_cells)}
        packed = (
            sum(1 << places[other] for other in distinct_cells if rows[cell] >> other & 1)
            for cell in distinct_cells
        )
        return tuple(sizes[cell] for cell in distinct_cells), tuple(packed)


def _are_alike(one: int, other: int, sizes: list[int], rows: list[int]) -> bool:
    """Say whether the cards of two cells have the same neighbours, and treat each other as
    cards of their own cell."""
    both = 1 << one | 1 << other
    if rows[one] & ~both != rows[other] & ~both:
        return False
    joined = rows[one] >> other & 1
    return all(sizes[cell] == 1 or rows[cell] >> cell & 1 == joined for cell in (one, other))


def _without_edge(sizes: tuple[int, ...], rows: tuple[int, ...]) -> list[int]:
    """In how many ways 0 to 4 cards of the cells can be chosen so that no two have an edge."""
    counts = [0] * 5

    def choose(cell: int, number: int, ways: int, barred: int) -> None:
        counts[number] += ways
        if number == 4:
            return
        for place in range(cell, len(sizes)):
            if barred >> place & 1:
                continue
            most = 1 if rows[place] >> place & 1 else min(sizes[place], 4 - number)
            for cards in range(1, most + 1):
                more = ways * comb(sizes[place], cards)
                choose(place + 1, number + cards, more, barred | rows[place])

    choose(0, 0, 1, 0)
    return counts


def _two_without_edge(sizes: tuple[int, ...], rows: tuple[int, ...]) -> int:
    """In how many ways two choices of four cards without a card in common can be made, one after
    the other, so that neither has an edge.

    By inclusion and exclusion over the cards that they would have in common: of each set of up to
    four cards, the choices that hold it, squared. Cards of a cell are alike.
    """
    holding: dict[tuple[tuple[int, int], ...], int] = defaultdict(int)
    for chosen in _choices_without_edge(sizes, rows):
        ranges = (range(number + 1) for _, number in chosen)
        for common in product(*ranges):
            shared = tuple((cell, n) for (cell, _), n in zip(chosen, common, strict=True) if n)
            holding[shared] += prod(
                comb(sizes[cell] - n, number - n)
                for (cell, number), n in zip(chosen, common, strict=True)
            )
    return sum(
        (-1) ** sum(n for _, n in shared)
        * prod(comb(sizes[cell], n) for cell, n in shared)
        * choices**2
        for shared, choices in holding.items()
    )


def _choices_without_edge(
    sizes: tuple[int, ...], rows: tuple[int, ...]
) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield how many cards of which cells make four without an edge."""

    def choose(
        cell: int, left: int, chosen: tuple[tuple[int, int], ...], barred: int
    ) -> Iterator[tuple[tuple[int, int], ...]]:
        if left == 0:
            yield chosen
            return
        for place in range(cell, len(sizes)):
            if barred >> place & 1:
                continue
            most = min(1 if rows[place] >> place & 1 else sizes[place], sizes[place], left)
            for cards in range(1, most + 1):
                more = (*chosen, (place, cards))
                yield from choose(place + 1, left - cards, more, barred | rows[place])

    yield from choose(0, 4, (), 0)


def _matchings(sizes: tuple[int, ...], rows: tuple[int, ...], most: int) -> tuple[int, ...]:
    """Count the sets of up to so many disjoint pairs of cards that have an edge."""
    counts: dict[tuple[tuple[int, ...], int], tuple[int, ...]] = {}
    order = sorted(range(len(sizes)), key=lambda cell: sizes[cell])

    def count(left: tuple[int, ...], size: int) -> tuple[int, ...]:
        first = next((cell for cell in order if left[cell]), None)
        if first is None or size == 0:
            return (1,) + (0,) * size
        memo = counts.get((left, size))
        if memo is not None:
            return memo
        rest = _less(left, first, 1)
        total = list(count(rest, size))
        for cell in range(len(left)):
            if rows[first] >> cell & 1 and rest[cell]:
                for number, ways in enumerate(count(_less(rest, cell, 1), size - 1)):
                    total[number + 1] += rest[cell] * ways
        counts[left, size] = tuple(total)
        return counts[left, size]

    return count(sizes, most)


def _less(sizes: tuple[int, ...], cell: int, cards: int) -> tuple[int, ...]:
    """The sizes with so many cards taken from a cell."""
    return (*sizes[:cell], sizes[cell] - cards, *sizes[cell + 1 :])
