"""Whether a JSON value has the shape that the domain gives it. A fault is a `Refusal`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any

Shape = Callable[[Any], object]


class Refusal(Exception):
    """A decision that cannot take effect, and why."""


def whole(least: int, most: int = 2**63) -> Shape:
    """A whole number within limits."""

    def check(value: Any) -> None:
        require(type(value) is int and least <= value <= most, f"{value!r} is out of range")

    return check


def text(most: int, least: int = 0) -> Shape:
    """A text of so many characters."""

    def check(value: Any) -> None:
        require(isinstance(value, str) and least <= len(value) <= most, f"{value!r} is no text")

    return check


def flag(value: Any) -> None:
    """True or false."""
    require(isinstance(value, bool), f"{value!r} is neither true nor false")


def code(value: Any) -> None:
    """1 to 32 of small letters, digits, hyphens."""
    fits = isinstance(value, str) and 0 < len(value) <= 32
    require(fits and all(c in _CODE for c in value), f"{value!r} is no code")


def one_of(*values: Any) -> Shape:
    """One of a closed list."""

    def check(value: Any) -> None:
        require(any(value == each and type(value) is type(each) for each in values), f"{value!r}")

    return check


def maybe(shape: Shape) -> Shape:
    """That shape, or null."""
    return lambda value: None if value is None else shape(value)


def each(shape: Shape, least: int = 0, most: int = 2**31) -> Shape:
    """A list of that shape."""

    def check(value: Any) -> None:
        require(isinstance(value, list) and least <= len(value) <= most, f"{value!r} is no list")
        for item in value:
            shape(item)

    return check


def fields(
    value: Any, needed: Mapping[str, Shape], further: Mapping[str, Shape] | None = None
) -> None:
    """An object with these fields and no others; `further` may be left out."""
    further = further or {}
    require(isinstance(value, dict), f"{value!r} is no object")
    unknown = value.keys() - needed.keys() - further.keys()
    require(not unknown, f"it has fields that nobody knows: {sorted(unknown)}")
    require(needed.keys() <= value.keys(), f"it lacks {sorted(needed.keys() - value.keys())}")
    for name, shape in {**needed, **further}.items():
        if name in value:
            shape(value[name])


def day(value: str) -> date:
    """The day that is written so: `2026-11-21`, and in no other way."""
    try:
        read = date.fromisoformat(value)
    except ValueError:
        raise Refusal("there is no such day") from None
    require(read.isoformat() == value, "there is no such day")
    return read


def different(values: Iterable[Any], what: str) -> None:
    """No two are the same."""
    elements = list(values)
    require(len(set(elements)) == len(elements), f"{what} are not all different")


def require(holds: bool, why: str) -> None:
    """Raise Refusal unless it holds."""
    if not holds:
        raise Refusal(why)


_CODE = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
