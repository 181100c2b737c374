"""Which casinos and systems whoever asks may see: said once for a request, asked by every query.

The managers here leave out what is of other casinos, wherever a query begins with them; a process
that said nothing sees all. So a page that forgets to ask shows nothing, and an address of another
casino's leads to nothing.

A rehearsal is a jackpot system by whose code everybody knows it: the code stands in the hash of
each of its blocks and never changes (`system_stays.sql`). What is asked for inside a rehearsal
sees rehearsals alone, and everything else sees none of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from django.db import models
from django.db.models import Model, Q, QuerySet

M = TypeVar("M", bound=Model)
REHEARSAL = "rehearsal-"  # how the code of a system begins whose money is none
WORD = "REHEARSAL"  # how its name and those of its prizes begin, in whatever language people read


def is_named_as_it_is(name: str, *, is_rehearsal: bool) -> bool:
    """Whether a name says of a rehearsal that it is one, and of nothing else."""
    return name.startswith(f"{WORD} ") if is_rehearsal else not name.upper().startswith(WORD)


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
    seen = _visible.get()
    return None if seen is None else sorted(seen.systems)


def visible_casinos() -> list[int] | None:
    """The casinos that are seen now; None: all."""
    seen = _visible.get()
    return None if seen is None or seen.casinos is None else sorted(seen.casinos)


def sees_all() -> bool:
    """Whether whoever asks sees every casino, and what belongs to none."""
    seen = _visible.get()
    return seen is None or seen.all_casinos


def see(seen: Visible | None) -> None:
    """From now on, until the end of the block (`only`) that this is called in."""
    _visible.set(seen)


@contextmanager
def only(seen: Visible | None) -> Iterator[None]:
    """Within the block nothing else is found; None: everything is."""
    token = _visible.set(seen)
    try:
        yield
    finally:
        _visible.reset(token)


_rehearses: ContextVar[bool] = ContextVar("rehearses", default=False)


def rehearses() -> bool:
    """Whether what is asked for now is asked for inside a rehearsal."""
    return _rehearses.get()


@contextmanager
def inside_rehearsal(is_inside: bool = True) -> Iterator[None]:
    """Within the block: `only` what is of rehearsals, or nothing of them."""
    token = _rehearses.set(is_inside)
    try:
        yield
    finally:
        _rehearses.reset(token)


class OfSystem(models.Manager[M]):
    """Rows of the systems that are seen; what is of no system is seen by who sees all casinos."""

    path: ClassVar[str] = "system"

    def get_queryset(self) -> QuerySet[M]:
        queryset, seen = super().get_queryset(), _visible.get()
        return queryset if seen is None else queryset.filter(self.among(seen))

    def among(self, seen: Visible) -> Q:
        return Q(**{f"{self.path}__in": seen.systems})


class OfSystemOrNone(OfSystem[M]):
    """Rows that may belong to no system."""

    def among(self, seen: Visible) -> Q:
        mine = super().among(seen)
        return mine | Q(**{f"{self.path}__isnull": True}) if seen.all_casinos else mine


class Systems(OfSystem[M]):
    """The systems themselves."""

    path = "pk"

    def for_money(self) -> QuerySet[M]:
        """Those that are seen and are no rehearsal: whatever counts money begins here."""
        return self.get_queryset().exclude(code__startswith=REHEARSAL)

    def rehearsals(self) -> QuerySet[M]:
        """Those that are seen and are one."""
        return self.get_queryset().filter(code__startswith=REHEARSAL)


class OfTable(OfSystem[M]):
    """Rows that name their table alone."""

    path = "table__system"


class OfTableOrNone(OfSystemOrNone[M]):
    """Rows that may name a table."""

    path = "table__system"


class OfClaim(OfSystem[M]):
    """Rows that name their claim alone."""

    path = "claim__system"


class OfCheckpoint(OfSystem[M]):
    """Rows that name their checkpoint alone."""

    path = "checkpoint__system"


class OfCasino(models.Manager[M]):
    """Rows of the casinos that are seen."""

    path: ClassVar[str] = "casino"

    def get_queryset(self) -> QuerySet[M]:
        queryset, casinos = super().get_queryset(), visible_casinos()
        return queryset if casinos is None else queryset.filter(**{f"{self.path}__in": casinos})


class OfCasinoOrNone(models.Manager[M]):
    """Rows that may belong to no casino: who sees all casinos sees those."""

    def get_queryset(self) -> QuerySet[M]:
        queryset, seen = super().get_queryset(), _visible.get()
        if seen is None or seen.casinos is None:
            return queryset
        mine = Q(casino__in=seen.casinos)
        return queryset.filter(mine | Q(casino=None) if seen.all_casinos else mine)


class Casinos(OfCasino[M]):
    """The casinos themselves."""

    path = "pk"
