"""The columns of a report on paper: how large the type, how wide each one, on how many pages beside
one another. No type is smaller than 7 points, and no word is broken that fits on a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from settlement.core.printing.pdf_fonts import BOLD, TEXT, width_of, words_of

SIZES = (8.0, 7.5, 7.0)  # points: the largest at which all columns stand beside one another
GAP = 6.0  # points between columns
_TEXT_FROM = (
    12.0  # a text goes on in new lines only where it is wider than so many letters are high
)
_KEYS = 0.4  # of a page, at most, for what stands on each part again
_STEP = 4.0  # points by which parts are made more even


@dataclass(frozen=True, slots=True)
class Need:
    """Of a column in type of one point: how wide it is at `least`, so that no word is broken, and
    at `best`, so that every text is one line. `is_key`: it tells rows apart."""

    least: float
    best: float
    is_key: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """Columns by their places, and their widths in points with the gap behind them."""

    columns: tuple[int, ...]
    widths: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    size: float
    parts: tuple[Part, ...]


def need_of(heading: str, texts: Iterable[str], total: str, *, wraps: bool, is_key: bool) -> Need:
    """Of a column with these texts below its heading, and its total below them in bold."""
    different = set(texts)
    best = max((width_of(text, TEXT, 1) for text in different), default=0.0)
    least = best
    if wraps:
        words = {word for text in different for word in words_of(text)}
        widest = max((width_of(word, TEXT, 1) for word in words), default=0.0)
        least = max(widest, min(best, _TEXT_FROM))
    bold = max((width_of(word, BOLD, 1) for word in words_of(heading)), default=0.0)
    below = width_of(total, BOLD, 1)
    return Need(max(least, bold, below), max(best, bold, below), is_key)


def lay_out(needs: Sequence[Need], room: float) -> Layout:
    """All columns on one page where they fit in it; else parts that begin with the keys each."""
    every = range(len(needs))
    for size in SIZES:
        if sum(_least(needs[place], size, room) for place in every) <= room:
            return Layout(size, (_part(every, needs, size, room),))
    size = SIZES[-1]
    keys = _keys(needs, size, room)
    free = room - sum(_least(needs[place], size, room * _KEYS) for place in keys)
    others = {place: _least(needs[place], size, free) for place in every if place not in keys}
    parts = _even(others, free)
    return Layout(
        size, tuple(_part(sorted([*keys, *each]), needs, size, room, keys) for each in parts)
    )


def _least(need: Need, size: float, most: float) -> float:
    return min(need.least * size + GAP, most)


def _keys(needs: Sequence[Need], size: float, room: float) -> list[int]:
    """What each part begins with: the first column where none tells rows apart, or none fits, in
    no more room than keys have."""
    keys: list[int] = []
    free = room * _KEYS
    for place, need in enumerate(needs):
        width = need.least * size + GAP
        if need.is_key and width <= free:
            keys.append(place)
            free -= width
    return keys or [0]


def _even(widths: Mapping[int, float], free: float) -> list[list[int]]:
    """As few parts as there can be, and of them none much wider than it must."""
    fewest = len(_filled(widths, free))
    limit = max(sum(widths.values()) / fewest, max(widths.values()))
    while limit < free:
        parts = _filled(widths, limit)
        if len(parts) == fewest:
            return parts
        limit += _STEP
    return _filled(widths, free)


def _filled(widths: Mapping[int, float], limit: float) -> list[list[int]]:
    parts: list[list[int]] = [[]]
    width = 0.0
    for place, own in widths.items():
        if parts[-1] and width + own > limit:
            parts.append([])
            width = 0.0
        parts[-1].append(place)
        width += own
    return parts


def _part(
    places: Sequence[int], needs: Sequence[Need], size: float, room: float, keys: Sequence[int] = ()
) -> Part:
    """What is left of the page goes to texts that are wider, and then to all alike; but to no key,
    which is as wide on each part."""
    widths = {
        place: _least(needs[place], size, room * (_KEYS if place in keys else 1))
        for place in places
    }
    spare = max(0.0, room - sum(widths.values()))
    others = [place for place in places if place not in keys]
    missing = {place: max(0.0, needs[place].best * size + GAP - widths[place]) for place in others}
    share = min(1.0, spare / sum(missing.values())) if any(missing.values()) else 0.0
    rest = (spare - share * sum(missing.values())) / len(others)
    for place in others:
        widths[place] += share * missing[place] + rest
    return Part(tuple(places), tuple(widths.values()))
