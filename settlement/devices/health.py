"""How the devices of a system are: when each was heard, its clock, what is missing, what came
again, and what was not its own word. One query. Selectors only.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from settlement.core.report_query import ask, bind
from settlement.devices.unit_states import UnitState
from tables.floor.unit_clocks import OFF
from tables.intake.presence import SILENT_AFTER_S
from tables.models import GamingTable, JackpotSystem

FORGED_WITHIN = dt.timedelta(hours=24)

_HEALTH = """
    SELECT g.id, presence.online, presence.heard_at, presence.said_at, presence.resent,
           stream.boot,
           EXISTS (SELECT FROM tables_stream s
                   WHERE s.system_id = g.system_id AND s.table_id = g.id AND NOT s.discarded
                     AND s.last_seq > s.committed_seq) AS has_gap,
           (SELECT count(*) FROM tables_quarantine q
            WHERE q.table_id = g.id AND q.received_at >= {since} AND q.reason = 'wrong_mac')
               AS wrong_macs,
           (SELECT max(d.received_at) FROM tables_displayreading d WHERE d.table_id = g.id)
               AS read_at
    FROM tables_gamingtable g
    LEFT JOIN tables_unitpresence presence ON presence.table_id = g.id
    LEFT JOIN LATERAL (
        SELECT boot FROM tables_stream s
        WHERE s.system_id = g.system_id AND s.table_id = g.id AND NOT s.discarded
        ORDER BY boot DESC LIMIT 1
    ) AS stream ON true
    WHERE g.system_id = {system} AND g.moved_to_id IS NULL
"""


@dataclass(frozen=True)
class Health:
    """What is known of a table's devices; None: nothing was heard of it."""

    table: GamingTable
    facts: dict[str, Any]
    now: dt.datetime

    @property
    def state(self) -> UnitState:
        if self.facts["heard_at"] is None:
            return UnitState.UNHEARD
        if not self.facts["online"]:
            return UnitState.OFFLINE
        silent = dt.timedelta(seconds=SILENT_AFTER_S)
        is_heard = self.now - self.facts["heard_at"] <= silent
        return UnitState.ONLINE if is_heard else UnitState.SILENT

    @property
    def clock(self) -> dt.timedelta | None:
        """How far the unit's clock is ahead (below zero: it is slow), by its last presence; None
        where that is of the past."""
        if self.state != UnitState.ONLINE:
            return None
        own, ours = self.facts["said_at"], self.facts["heard_at"]
        return own - ours if own is not None and ours is not None else None

    @property
    def is_clock_wrong(self) -> bool:
        return self.clock is not None and abs(self.clock) > OFF

    @property
    def is_ailing(self) -> bool:
        """Its clock, a gap or the signature of a message needs somebody."""
        return bool(self.is_clock_wrong or self.facts["has_gap"] or self.facts["wrong_macs"])


def health_of(system: JackpotSystem) -> list[Health]:
    """Every table of a system by its code, numbers in their order."""
    now = timezone.now()
    tables = GamingTable.objects.filter(system=system, moved_to=None).select_related(
        "system__casino"
    )
    rows = ask(bind(_HEALTH, since=now - FORGED_WITHIN, system=system.pk))
    facts = {row["id"]: row for row in rows}
    health = [Health(table, facts[table.pk], now) for table in tables if table.pk in facts]
    return sorted(health, key=lambda each: (len(each.table.code), each.table.code))
