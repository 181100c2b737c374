"""Where instants fall in a system's order: reports by date without reading the whole order.

Entries carry the time at which the writer took them, so times follow the order; the place is
found by halving, in some twenty look-ups of the primary key, however long the order is.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django.db import connection

_SEARCH = """
    WITH RECURSIVE search (n, system_id, wanted, low, high) AS (
        SELECT n, asked.system_id, wanted, 1::bigint, coalesce(
            (SELECT max({key}) FROM {table} WHERE system_id = asked.system_id), 0) + 1
        FROM unnest(%(systems)s::bigint[], %(wanted)s::{type}[]) WITH ORDINALITY
             AS asked (system_id, wanted, n)
        UNION ALL
        SELECT n, search.system_id, wanted,
               CASE WHEN row.{by} < wanted THEN row.{key} + 1 ELSE low END,
               CASE WHEN row.{by} < wanted THEN high ELSE row.{key} END
        FROM search
        JOIN {table} row ON row.system_id = search.system_id AND row.{key} = (low + high) / 2
        WHERE low < high
    )
    SELECT low FROM search WHERE low >= high ORDER BY n
"""
_ENTRIES = _SEARCH.format(table="jackpot_entry", key="seq", by="at", type="timestamptz")
# Transfers are numbered in the order of their entries, so they are found in the same way.
_TRANSFERS = _SEARCH.format(table="jackpot_transfer", key="number", by="entry_seq", type="bigint")


def first_entries(system_id: int, instants: Sequence[dt.datetime]) -> list[int]:
    """The first entry at or after each instant; one above the last where there is none yet."""
    return _ask(_ENTRIES, [system_id] * len(instants), list(instants))


def first_transfers(system_id: int, instants: Sequence[dt.datetime]) -> list[int]:
    """The number of the first transfer at or after each instant; one above the last if none."""
    places = first_entries(system_id, instants)
    return _ask(_TRANSFERS, [system_id] * len(places), places)


def entries_at(systems: Sequence[int], instants: Sequence[dt.datetime]) -> dict[int, list[int]]:
    """`first_entries` of several systems, by one query."""
    keys = [system for system in systems for _ in instants]
    return _by_system(systems, _ask(_ENTRIES, keys, [*instants] * len(systems)))


def transfers_of(entries: dict[int, list[int]]) -> dict[int, list[int]]:
    """The first transfer at or after each of these entries, by system; by one query."""
    keys = [system for system, places in entries.items() for _ in places]
    all_places = [place for places in entries.values() for place in places]
    return _by_system(list(entries), _ask(_TRANSFERS, keys, all_places))


def _by_system(systems: Sequence[int], numbers: list[int]) -> dict[int, list[int]]:
    each = len(numbers) // len(systems) if systems else 0
    return {
        system: numbers[place * each : (place + 1) * each] for place, system in enumerate(systems)
    }


def transfers_through(places: Sequence[tuple[int, int]]) -> list[int]:
    """How many transfers a system has up to an entry, for each (system id, entry)."""
    after = [seq + 1 for _, seq in places]
    return [first - 1 for first in _ask(_TRANSFERS, [system for system, _ in places], after)]


def _ask(query: str, systems: list[int], values: list[Any]) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(query, {"systems": systems, "wanted": values})
        return [int(row[0]) for row in cursor.fetchall()]
