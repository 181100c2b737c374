"""The casinos and systems that whoever asks may see now."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True)
class Visible:
    """By their ids; no casinos: all of them, and some systems alone."""

    casinos: frozenset[int] | None
    systems: frozenset[int]
    all_casinos: bool = False  # then what belongs to no system, too


_visible: ContextVar[Visible | None] = ContextVar("visible", default=None)


def visible() -> Visible | None:
    """What is seen now; None: everything."""
    return _visible.get()


def visible_systems() -> list[int] | None:
    """The systems that are seen now, for queries in SQL; None: all."""
    scope = _visible.get()
    return None if scope is None else sorted(scope.systems)


def visible_casinos() -> list[int] | None:
    """The casinos that are seen now; None: all."""
    scope = _visible.get()
    return None if scope is None or scope.casinos is None else sorted(scope.casinos)


def sees_all() -> bool:
    """Whether whoever asks sees every casino, and what belongs to none."""
    scope = _visible.get()
    return scope is None or scope.all_casinos


def see(scope: Visible | None) -> None:
    """From now on, until the end of the block (`only`) that this is called in."""
    _visible.set(scope)


@contextmanager
def only(scope: Visible | None) -> Iterator[None]:
    """Within the block nothing else is found; None: everything is."""
    token = _visible.set(scope)
    try:
        yield
    finally:
        _visible.reset(token)
