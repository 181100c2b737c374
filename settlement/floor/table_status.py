"""What is known of every table: its unit, its streams, its session, its display. Selectors only."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext

from jackpot.labels.figures import write_count
from jackpot.terms.money import micros_to_minor
from settlement.core.report_query import ask, bind
from settlement.core.sequence_at import transfers_through
from settlement.devices.unit_states import UnitState
from settlement.floor.dark_displays import dark_since
from tables.intake.presence import is_heard
from tables.models import GamingTable

_LAST = """
    SELECT g.id, stream.boot, stream.committed_seq, stream.last_seq, state.session,
           r.round, e.at AS round_at, r.completed IS NOT NULL AS round_completed,
           reading.id AS reading, reading.display, reading.received_at AS reading_at,
           reading.system_seq AS reading_seq, reading.shown,
           (SELECT coalesce(sum(gap.to_seq - gap.from_seq + 1 - gap.arrived), 0)::bigint
            FROM jackpot_gap gap
            WHERE gap.system_id = g.system_id AND gap.table_id = g.id
              AND gap.arrived < gap.to_seq - gap.from_seq + 1) AS never_came,
           coalesce(newest.test, false) AS testing,
           (SELECT o.received_at FROM tables_tableevent o
            WHERE o.system_id = g.system_id AND o.table_id = g.id
              AND o.boot = state.boot AND o.seq = state.seq) AS opened_at
    FROM tables_gamingtable g
    LEFT JOIN jackpot_tablestate state ON state.table_id = g.id
    LEFT JOIN LATERAL (
        SELECT boot, committed_seq, last_seq FROM tables_stream s
        WHERE s.system_id = g.system_id AND s.table_id = g.id AND NOT s.discarded
        ORDER BY boot DESC LIMIT 1
    ) AS stream ON true
    LEFT JOIN LATERAL (
        SELECT v.test FROM tables_stream s
        CROSS JOIN LATERAL (
            SELECT v.test FROM tables_tableevent v
            WHERE v.system_id = s.system_id AND v.table_id = s.table_id AND v.boot = s.boot
            ORDER BY v.seq DESC LIMIT 1
        ) v
        WHERE s.system_id = g.system_id AND s.table_id = g.id AND NOT s.discarded
        ORDER BY s.boot DESC LIMIT 1
    ) AS newest ON true
    LEFT JOIN LATERAL (
        SELECT round, coalesce(completed, started, void) AS seq, completed
        FROM jackpot_roundstate r
        WHERE r.system_id = g.system_id AND r.table_id = g.id ORDER BY round DESC LIMIT 1
    ) AS r ON true
    LEFT JOIN jackpot_entry e ON e.system_id = g.system_id AND e.seq = r.seq
    LEFT JOIN LATERAL (
        SELECT * FROM tables_displayreading d
        WHERE d.table_id = g.id ORDER BY system_seq DESC, id DESC LIMIT 1
    ) AS reading ON true
    WHERE g.id = ANY({tables})
"""
# What each pool held after an entry: what a display that had heard of that entry must show.
_THEN = """
    SELECT place.n, tier.code AS tier, leg.after AS micros
    FROM unnest({systems}::bigint[], {transfers}::bigint[]) WITH ORDINALITY
         AS place (system_id, last, n)
    JOIN jackpot_tier tier ON tier.system_id = place.system_id
    JOIN jackpot_account pool
      ON pool.system_id = place.system_id AND pool.code = tier.code || ':pool'
    CROSS JOIN LATERAL (
        SELECT after FROM (
            (SELECT number, credit_after AS after FROM jackpot_transfer
             WHERE credit_id = pool.id AND number <= place.last ORDER BY number DESC LIMIT 1)
            UNION ALL
            (SELECT number, debit_after FROM jackpot_transfer
             WHERE debit_id = pool.id AND reason <> 'contribution' AND number <= place.last
             ORDER BY number DESC LIMIT 1)
        ) AS legs ORDER BY number DESC LIMIT 1
    ) AS leg
"""


@dataclass(frozen=True)
class Reading:
    """A display's values read back, beside what the ledger held at the entry it names (19.8)."""

    display: str
    at: dt.datetime
    seq: int
    values: dict[str, int]  # minor units, by tier
    ledger: dict[str, int]

    @cached_property
    def differences(self) -> list[str]:
        """Tiers whose shown value is not the ledger's."""
        return sorted(tier for tier, value in self.values.items() if self.ledger.get(tier) != value)


@dataclass
class TableStatus:
    """A table as of now."""

    table: GamingTable
    last: dict[str, Any]
    reading: Reading | None = None
    now: dt.datetime = field(default_factory=lambda: timezone.now())

    @property
    def presence(self) -> Any:
        return getattr(self.table, "presence", None)

    @cached_property
    def state(self) -> UnitState:
        if self.table.moved_to_id is not None:
            return UnitState.MOVED
        if not self.table.in_service:
            return UnitState.OUT_OF_SERVICE
        if self.presence is None:
            return UnitState.UNHEARD
        if not self.presence.online:
            return UnitState.OFFLINE
        return UnitState.ONLINE if is_heard(self.presence, self.now) else UnitState.SILENT

    @property
    def has_gap(self) -> bool:
        """Whether events of the present boot are missing before others that are there."""
        return bool(self.last["boot"] and self.last["last_seq"] > self.last["committed_seq"])

    @property
    def is_testing(self) -> bool:
        """Whether its unit said last that it is in test mode."""
        return bool(self.last["testing"])

    @property
    def is_dark(self) -> bool:
        """Whether the table is open and its display reads nothing back, or never did (19.7)."""
        since = self.reading.at if self.reading else self.last["opened_at"]
        return bool(self.session and since and since < dark_since(self.now))

    @property
    def gap_words(self) -> str:
        return gettext("Gap after %(committed_seq)s") % {
            "committed_seq": write_count(self.last["committed_seq"])
        }

    @property
    def session(self) -> dict[str, Any] | None:
        session: dict[str, Any] | None = self.last["session"]
        return session


def standing_of(tables: Iterable[GamingTable]) -> list[TableStatus]:
    """Where these tables stand; select `system__casino` and `presence` with them."""
    table_list = list(tables)
    last = {row["id"]: row for row in ask(bind(_LAST, tables=[table.pk for table in table_list]))}
    read = [table for table in table_list if last[table.pk]["reading"] is not None]
    ledger = _ledger_at([(table, last[table.pk]["reading_seq"]) for table in read])
    return [
        TableStatus(table, last[table.pk], _reading(last[table.pk], ledger.get(table.pk, {})))
        for table in table_list
    ]


def _ledger_at(readings: list[tuple[GamingTable, int]]) -> dict[int, dict[str, int]]:
    """What each table's display should have shown at an entry, in minor units by tier.

    Many displays show the same entry: each is looked for once.
    """
    places = list(dict.fromkeys((table.system_id, seq) for table, seq in readings))
    if not places:
        return {}
    query = bind(
        _THEN,
        systems=[system for system, _ in places],
        transfers=transfers_through(places),
    )
    held: dict[tuple[int, int], dict[str, int]] = defaultdict(dict)
    for row in ask(query):
        held[places[row["n"] - 1]][row["tier"]] = row["micros"]
    return {
        table.pk: {
            tier: micros_to_minor(micros, table.system.casino.minor_digits)
            for tier, micros in held[table.system_id, seq].items()
        }
        for table, seq in readings
    }


def _reading(last: dict[str, Any], ledger: dict[str, int]) -> Reading | None:
    if last["reading"] is None:
        return None
    return Reading(last["display"], last["reading_at"], last["reading_seq"], last["shown"], ledger)
