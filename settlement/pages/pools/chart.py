"""A pool's value over time as a drawing, made on the server: no script, and it prints."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.utils.translation import gettext, ngettext

from jackpot.terms.money import MICROS, format_micros
from tables.models import Casino

WIDTH, HEIGHT = 1200, 260
LEFT, RIGHT, TOP, BOTTOM = 8, 116, 12, 30  # room for the figures at the right, times below
_GRID = 4
_TIMES = 6
_FINEST = MICROS // 100


@dataclass(frozen=True, slots=True)
class Mark:
    """A line of the grid with its words."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Chart:
    """What the template draws, in a box of WIDTH by HEIGHT."""

    line: str
    area: str
    values: tuple[Mark, ...]
    times: tuple[Mark, ...]
    hits: tuple[tuple[float, float], ...]
    summary: str
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM


Point = tuple[dt.datetime, int]


def draw(points: Sequence[Point], hits: Sequence[Point], casino: Casino) -> Chart | None:
    """The chart of these values in micros, oldest first; None where there is nothing to draw."""
    if len(points) < 2 or points[0][0] == points[-1][0]:
        return None
    begin, end = points[0][0], points[-1][0]
    values = [value for _, value in points]
    low, step = _grid(min(values), max(values))
    high = low + _GRID * step

    def x(at: dt.datetime) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * ((at - begin) / (end - begin)), 1)

    def y(value: int) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - low) / (high - low), 1)

    line = " ".join(f"{x(at)},{y(value)}" for at, value in points)
    digits = casino.minor_digits
    return Chart(
        line=line,
        area=f"{x(begin)},{y(low)} {line} {x(end)},{y(low)}",
        values=tuple(
            Mark(y(value), format_micros(value, 0 if step >= MICROS else digits))
            for value in range(low, high + 1, step)
        ),
        times=tuple(
            Mark(x(at), text) for at, text in _times(begin, end, ZoneInfo(casino.timezone))
        ),
        hits=tuple((x(at), y(value)) for at, value in hits),
        summary=ngettext(
            "From %(first)s to %(last)s %(currency)s, at most %(most)s; %(count)s hit.",
            "From %(first)s to %(last)s %(currency)s, at most %(most)s; %(count)s hits.",
            len(hits),
        )
        % {
            "first": format_micros(values[0], digits),
            "last": format_micros(values[-1], digits),
            "currency": casino.currency,
            "most": format_micros(max(values), digits),
            "count": len(hits) or gettext("no"),
        },
    )


def _times(
    begin: dt.datetime, end: dt.datetime, zone: ZoneInfo
) -> Iterator[tuple[dt.datetime, str]]:
    """Some instants between the two, as people read them."""
    by_day = end - begin > dt.timedelta(hours=36)
    for number in range(_TIMES):
        at = begin + (end - begin) * (number + 0.5) / _TIMES
        local = at.astimezone(zone)
        yield at, f"{local.day} {local:%b}" if by_day else f"{local:%H:%M}"


def _grid(least: int, most: int) -> tuple[int, int]:
    """Where the grid begins, and a round step of which `_GRID` reach above the most.

    >>> _grid(26_427 * MICROS, 28_117 * MICROS)
    (26000000000, 1000000000)
    """
    step = _FINEST
    while True:
        for factor in (1, 2, 5):
            low = least // (step * factor) * (step * factor)
            if low + _GRID * step * factor >= most:
                return low, step * factor
        step *= 10
