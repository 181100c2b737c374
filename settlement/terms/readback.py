"""Which displays have read back the terms in force: each reading names the newest it knows."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import OuterRef, Subquery

from jackpot.terms.document import JackpotTerms
from tables.models import DisplayReading, GamingTable, JackpotSystem


@dataclass(frozen=True, slots=True)
class Readback:
    """A table's display and the terms that its newest reading names."""

    table: GamingTable
    number: int | None  # None: its display was never heard
    at: dt.datetime | None
    is_current: bool


def readbacks(system: JackpotSystem, terms: JackpotTerms, number: int) -> list[Readback]:
    """The displays at the tables of a jackpot, beside the number of its newest version."""
    newest = DisplayReading.objects.filter(table=OuterRef("pk")).order_by("-system_seq", "-id")
    rows = GamingTable.objects.filter(system=system, in_service=True).order_by("pk")
    tables: Iterable[GamingTable] = rows.annotate(
        read=Subquery(newest.values("terms")[:1]),
        read_at=Subquery(newest.values("received_at")[:1]),
    )
    return [
        Readback(table, table.read, table.read_at, (table.read or 0) >= number)  # type: ignore[attr-defined]
        for table in tables
        if terms.is_at(table.code)
    ]
