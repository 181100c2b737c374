"""What every chart has: a grid of round figures, points with a name, and the same as a table.

Places are percent of the drawing's width and height, from its upper left corner: a chart fills any
width, and its words keep their size.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from jackpot.labels.figures import write_amount
from jackpot.terms.money import MICROS
from tables.models import Casino

GRID = 4
CENT = MICROS // 100
_LEFT_THIRD, _RIGHT_THIRD = 33, 67


@dataclass(frozen=True, slots=True)
class Mark:
    """A line of the grid, or a place below it, with its words; a minor one gives way on a
    telephone."""

    at: float
    text: str
    is_minor: bool = False


@dataclass(frozen=True, slots=True)
class Spot:
    """What the keyboard and the pointer reach: `name` says all of it, `tip` its figure alone."""

    x: float
    y: float
    name: str
    tip: str
    kind: str = "value"

    @property
    def anchor(self) -> str:
        """To which side of its place its words stand, so that they stay within the drawing."""
        if self.x < _LEFT_THIRD:
            return "start"
        return "end" if self.x > _RIGHT_THIRD else "middle"


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar with the spot that names it; negative ones hang below the line of zero."""

    x: float
    y: float
    width: float
    height: float
    spot: Spot
    label: str = ""
    value: str = ""
    is_negative: bool = False

    @property
    def look(self) -> str:
        """Its classes in the style sheet."""
        return "chart-bar negative" if self.is_negative else "chart-bar"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """What `partials/chart.html` draws, and the table beside it: headings and rows of words.

    The last `figures` columns of the table are figures.
    """

    summary: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    figures: int = 1
    values: tuple[Mark, ...] = ()
    below: tuple[Mark, ...] = ()
    line: str = ""
    area: str = ""
    spots: tuple[Spot, ...] = ()
    bars: tuple[Bar, ...] = ()
    zero: float | None = None  # where the line of zero is, if bars hang below it
    height: int = 0  # of lying bars, in pixels; they have no grid
    keys: tuple[tuple[str, str], ...] = ()  # (kind of a spot, what it means)


def grid(least: int, most: int, finest: int = CENT) -> tuple[int, int]:
    """Where the grid begins, and a round step of which `GRID` reach above the most.

    >>> grid(26_427 * MICROS, 28_117 * MICROS)
    (26000000000, 1000000000)
    >>> grid(0, 7, finest=1)
    (0, 2)
    """
    step = finest
    while True:
        for factor in (1, 2, 5):
            low = least // (step * factor) * (step * factor)
            if low + GRID * step * factor >= most:
                return low, step * factor
        step *= 10


def heights(low: int, step: int) -> Callable[[int], float]:
    """How far from the top a value stands, in percent of the drawing."""
    span = GRID * step
    return lambda value: round(100 - 100 * (value - low) / span, 2)


def lines(low: int, step: int, word: Callable[[int], str]) -> tuple[Mark, ...]:
    """The lines of the grid, the lowest first."""
    y = heights(low, step)
    return tuple(Mark(y(value), word(value)) for value in range(low, low + GRID * step + 1, step))


def amounts(casino: Casino, step: int) -> Callable[[int], str]:
    """How figures beside the grid are written: without decimals where no line needs them."""
    digits = 0 if step >= MICROS else casino.minor_digits
    return lambda value: write_amount(value, digits)
