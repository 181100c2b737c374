"""Figures side by side as bars: of months and days standing, of tables lying."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from settlement.pages.shared.charts.axes import Bar, Chart, Mark, Spot, grid, heights, lines

_GAP = 0.3  # of the place of a bar
_LABELS = 7  # below standing bars, at most
_LINE = 44  # of a lying bar: its words, and below them the bar, in pixels
_WORDS, _THICK = 24, 12


@dataclass(frozen=True, slots=True)
class Figure:
    """One bar: its name in short, in full, its value and that value in words. `below`: the same of
    a second one that hangs below zero at its place."""

    label: str
    name: str
    value: int
    text: str
    below: tuple[int, str] = (0, "")

    @property
    def bars(self) -> list[tuple[int, str]]:
        both = [(self.value, self.text), self.below]
        return [each for each in both if each[0]] or both[:1]


@dataclass(frozen=True, slots=True)
class Words:
    """What the chart says of itself, and the table beside it."""

    summary: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    figures: int = 1


def standing(
    figures: Sequence[Figure], words: Words, write: Callable[[int], str], finest: int
) -> Chart | None:
    """Bars beside each other, oldest first; None where all are nothing.

    `write`: a figure beside the grid; `finest`: the smallest step between two lines.
    """
    values = [value for figure in figures for value, _ in figure.bars]
    if not any(values):
        return None
    least, most = min(0, *values), max(0, *values)
    low, step = grid(least, most, finest)
    y = heights(low, step)
    place = 100 / len(figures)
    every = -(-len(figures) // _LABELS)
    zero = y(0)
    bars = []
    for number, figure in enumerate(figures):
        middle = round(place * (number + 0.5), 2)
        for value, text in figure.bars:
            top, bottom = min(y(value), zero), max(y(value), zero)
            bars.append(
                Bar(
                    x=round(place * (number + _GAP / 2), 2),
                    y=top,
                    width=round(place * (1 - _GAP), 2),
                    height=round(bottom - top, 2),
                    spot=Spot(middle, top, f"{figure.name}: {text}", text, "bar"),
                    is_negative=value < 0,
                )
            )
    return Chart(
        summary=words.summary,
        headings=words.headings,
        rows=words.rows,
        figures=words.figures,
        values=lines(low, step, write),
        below=tuple(
            Mark(round(place * (number + 0.5), 2), figure.label, bool(number // every % 2))
            for number, figure in enumerate(figures)
            if number % every == 0
        ),
        bars=tuple(bars),
        zero=zero if least < 0 else None,
    )


def lying(figures: Sequence[Figure], words: Words) -> Chart | None:
    """Bars of what is above zero, in their order; None where nothing is. Their places are pixels
    from the top, and percent of the width."""
    most = max((figure.value for figure in figures), default=0)
    if most <= 0:
        return None
    bars = tuple(
        Bar(
            x=0,
            y=number * _LINE + _WORDS,
            width=round(max(0, 100 * figure.value / most), 2),
            height=_THICK,
            spot=Spot(0, 0, f"{figure.name}: {figure.text}", "", "bar"),
            label=figure.label,
            value=figure.text,
        )
        for number, figure in enumerate(figures)
    )
    return Chart(
        summary=words.summary,
        headings=words.headings,
        rows=words.rows,
        figures=words.figures,
        bars=bars,
        height=len(bars) * _LINE,
    )
