"""A value over time as a line, with what happened to it: hits and adjustments."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from zoneinfo import ZoneInfo

from django.utils import dateformat
from django.utils.translation import gettext, ngettext, pgettext

from jackpot.labels.figures import write_amount, write_exact
from settlement.pages.shared.charts.axes import Chart, Mark, Spot, amounts, grid, heights, lines
from settlement.templatetags.when import day_of, short_day, time_of
from tables.models import Casino

_TIMES = 6
_SHORT, _LONG = dt.timedelta(hours=36), dt.timedelta(days=400)
_MOST_POINTS = 24  # values along the line that the keyboard reaches, besides what happened

Point = tuple[dt.datetime, int]
Change = tuple[dt.datetime, int, int]  # when, the value after it, what it changed the value by


def draw(
    points: Sequence[Point],
    hits: Sequence[Point],
    casino: Casino,
    adjustments: Sequence[Change] = (),
) -> Chart | None:
    """The chart of these values in micros, oldest first; None where there is nothing to draw."""
    if len(points) < 2 or points[0][0] == points[-1][0]:
        return None
    begin, end = points[0][0], points[-1][0]
    values = [value for _, value in points]
    low, step = grid(min(values), max(values))
    y = heights(low, step)

    def x(at: dt.datetime) -> float:
        return round(100 * ((at - begin) / (end - begin)), 2)

    marks = _marks(points, hits, adjustments, casino)
    digits = casino.minor_digits
    rows = [
        (_moment(at, casino), what or gettext("Value"), write_amount(value, digits))
        for at, value, _kind, what in marks
    ]
    line = " ".join(f"{x(at)},{y(value)}" for at, value in points)
    return Chart(
        summary=_summary(values, len(hits), casino),
        headings=(gettext("Time"), gettext("What"), f"{gettext('Value')}, {casino.currency}"),
        rows=tuple(rows),
        values=lines(low, step, amounts(casino, step)),
        below=tuple(
            Mark(x(at), text, is_minor=bool(number % 2))
            for number, (at, text) in enumerate(_times(begin, end, casino))
        ),
        line=line,
        area=f"0,100 {line} 100,100",
        spots=tuple(
            Spot(x(at), y(value), ", ".join(filter(None, [when, what, amount])), amount, kind)
            for (at, value, kind, what), (when, _what, amount) in zip(marks, rows, strict=True)
        ),
        keys=_keys(bool(hits), bool(adjustments)),
    )


def _marks(
    points: Sequence[Point], hits: Sequence[Point], adjustments: Sequence[Change], casino: Casino
) -> list[tuple[dt.datetime, int, str, str]]:
    """What the keyboard reaches, in its order: when, the value, the kind of its mark, what it was.

    A hit and the value at its place are one mark: what happened takes the place of the value.
    """
    every = max(1, len(points) // _MOST_POINTS)
    marks = [(at, value, "value", "") for at, value in points[::every]]
    marks += [(at, value, "hit", gettext("Hit")) for at, value in hits]
    for at, value, change in adjustments:
        words = gettext("Adjustment %(change)s") % {"change": _signed(change, casino)}
        marks.append((at, value, "adjustment", words))
    return sorted({(mark[0], mark[1]): mark for mark in marks}.values())


def _summary(values: list[int], hits: int, casino: Casino) -> str:
    digits = casino.minor_digits
    return ngettext(
        "From %(first)s to %(last)s %(currency)s, at most %(most)s; %(count)s hit.",
        "From %(first)s to %(last)s %(currency)s, at most %(most)s; %(count)s hits.",
        hits,
    ) % {
        "first": write_amount(values[0], digits),
        "last": write_amount(values[-1], digits),
        "currency": casino.currency,
        "most": write_amount(max(values), digits),
        "count": hits or gettext("no"),
    }


def _keys(hits: bool, adjustments: bool) -> tuple[tuple[str, str], ...]:
    """What the marks on the line mean, of those that there are."""
    hit = gettext("A hand was called or reported: its share is reserved, the pool starts again.")
    adjusted = gettext("An adjustment moved money into the pool or out of it.")
    return (
        *([("hit", hit)] if hits else []),
        *([("adjustment", adjusted)] if adjustments else []),
    )


def _signed(change: int, casino: Casino) -> str:
    return f"{'+' if change > 0 else ''}{write_exact(change, casino.minor_digits)}"


def _moment(at: dt.datetime, casino: Casino) -> str:
    local = at.astimezone(ZoneInfo(casino.timezone))
    return f"{day_of(local, casino)}, {time_of(local, casino, to_the_minute=True)}"


def _times(
    begin: dt.datetime, end: dt.datetime, casino: Casino
) -> Iterator[tuple[dt.datetime, str]]:
    """Some instants between the two, as people read them: hours, days or months."""
    span = end - begin
    for number in range(_TIMES):
        at = begin + span * (number + 0.5) / _TIMES
        local = at.astimezone(ZoneInfo(casino.timezone))
        if span <= _SHORT:
            yield at, time_of(local, casino, to_the_minute=True)
        elif span <= _LONG:
            yield at, short_day(local, casino)
        else:
            yield at, dateformat.format(local, pgettext("format of a month", "M Y"))
