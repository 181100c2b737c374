"""The rows that events are made of, and what is said of each: thin, without amounts and names."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from jackpot.models import Entry, Head, Hit
from settlement.events.kinds import ALARM, HELD, OF_ENTRIES, VERIFIED
from settlement.models import Action
from tables.models import Alarm, JackpotSystem

MOST_AT_ONCE = 500  # of one source


@dataclass(frozen=True, slots=True)
class Happening:
    """One row that an event is made of."""

    kind: str
    source: str
    row: int
    at: dt.datetime
    data: dict[str, Any]
    system: JackpotSystem | None

    @property
    def key(self) -> tuple[str, int | None, int]:
        """Which row it is."""
        return self.source, self.system.pk if self.system is not None else None, self.row


# Those newer than a number, and up to where that has read. In a gapless order none comes later.
Ordered = Callable[[JackpotSystem, int], tuple[list[Happening], int]]


@dataclass(frozen=True, slots=True)
class Unordered:
    """Rows whose numbers are given before they are committed."""

    rows: Callable[[JackpotSystem | None], QuerySet[Any]]
    happening: Callable[[Any], Happening]


def _hits(system: JackpotSystem, through: int) -> tuple[list[Happening], int]:
    rows = list(
        Hit.objects.filter(system=system, number__gt=through).order_by("number")[:MOST_AT_ONCE]
    )
    happenings = [
        Happening(
            HELD,
            "hits",
            row.number,
            row.at,
            claim(system, row.number) | {"entry": row.place},
            system,
        )
        for row in rows
    ]
    return happenings, rows[-1].number if rows else through


def _entries(system: JackpotSystem, through: int) -> tuple[list[Happening], int]:
    """Those of a type that is told, up to the end of the order as it is now."""
    head = Head.objects.filter(system=system).first()
    end = head.seq if head else through
    rows = Entry.objects.filter(system=system, seq__gt=through, seq__lte=end, type__in=OF_ENTRIES)
    page = list(rows.order_by("seq")[:MOST_AT_ONCE])
    if len(page) == MOST_AT_ONCE:
        end = page[-1].seq
    happenings = [
        Happening(OF_ENTRIES[row.type], "entries", row.seq, row.at, _of_entry(system, row), system)
        for row in page
        if "refused" not in row.outcome
    ]
    return happenings, end


def _of_entry(system: JackpotSystem, entry: Entry) -> dict[str, Any]:
    about = claim(system, entry.hit) if entry.hit is not None else _system(system)
    return {**about, "entry": entry.seq}


def _verifications(system: JackpotSystem | None) -> QuerySet[Any]:
    rows = Action.objects.filter(kind=Action.Kind.VERIFY, claim__system=system)
    return rows.select_related("claim__system__casino")


def _verified(row: Action) -> Happening:
    system = row.claim.system
    return Happening(VERIFIED, "actions", row.pk, row.at, claim(system, row.claim.number), system)


def _alarms(_system: JackpotSystem | None) -> QuerySet[Any]:
    return Alarm.objects.select_related("system__casino")


def _raised(row: Alarm) -> Happening:
    data = {**_system(row.system), "alarm": row.kind}
    return Happening(ALARM, "alarms", row.pk, row.raised_at, data, row.system)


def _system(system: JackpotSystem | None) -> dict[str, Any]:
    return {"system": system.code if system is not None else None}


def claim(system: JackpotSystem, number: int) -> dict[str, Any]:
    """How an event names a claim."""
    return {"system": system.code, "claim": f"{system.code}-{number}"}


ORDERED: dict[str, Ordered] = {"hits": _hits, "entries": _entries}  # of each system
UNORDERED = {"actions": Unordered(_verifications, _verified)}  # likewise
OF_ALL = {"alarms": Unordered(_alarms, _raised)}  # of all systems together
