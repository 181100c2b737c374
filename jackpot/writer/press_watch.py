"""Tables whose button is pressed too fast, named by an alarm. A sign: it moves and holds nothing.

Kept by the poster, beside the fold: a press is one too many where more than `PRESSES_NAMED` fall
into a minute by the unit's clock as well as by when they came, so that neither what was journalled
meanwhile nor a clock that stands still is named. Rounds that the posted terms hold
(`jackpot.terms.press_rate`) are named at once.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction

from jackpot.labels.order_alarms import OrderAlarm
from jackpot.writer.batches import Unwritten
from jackpot.writer.numbering import PendingEntry
from jackpot.writer.pending import Arrived
from tables.alarms import raise_alarm
from tables.process.prepared_statements import prepared_cursor

log = logging.getLogger(__name__)

MINUTE_S = 60.0
LOOKS_APART_S = 10.0  # at one table
KIND = "presses"

# The newest presses of a boot: when they were recorded, and when they came.
_PRESSES = """
    SELECT extract(epoch FROM e.recorded_at)::float8, extract(epoch FROM e.received_at)::float8
    FROM tables_tableevent e
    WHERE e.system_id = %s AND e.table_id = %s AND e.boot = %s AND e.type = 'round_started'
    ORDER BY e.seq DESC LIMIT %s
"""
_LOOKED_AT = 500


@dataclass(slots=True)
class _Table:
    """Presses of the minute that runs, by this process's clock."""

    since: float
    presses: int = 0
    looked_at: float = -LOOKS_APART_S


class PressWatch:
    """What one poster remembers of the tables that it writes for."""

    def __init__(self) -> None:
        self._tables: dict[int, _Table] = {}

    def look(self, batches: Iterable[Unwritten]) -> None:
        """After batches were committed. A sign is no reason to stop posting: what goes wrong here
        is logged."""
        for batch in batches:
            try:
                with transaction.atomic():
                    self._look(
                        batch.head.system_id, batch.loaded.books.system, batch.pending_entries
                    )
            except Exception:
                log.exception("the pace of presses could not be looked at")

    def _look(self, system_id: int, system: str, pending_entries: Iterable[PendingEntry]) -> None:
        pressed: Counter[int] = Counter()
        held: Counter[str] = Counter()
        newest: dict[int, Arrived] = {}
        for pending in pending_entries:
            source = pending.source
            if not isinstance(source, Arrived) or source.type != "round_started":
                continue
            pressed[source.table_id] += 1
            newest[source.table_id] = source
            if "over_pace" in (pending.row.outcome or {}).get("flags", ()):
                held[source.table] += 1
        for table, count in sorted(held.items()):
            says = OrderAlarm.HELD_ROUNDS if count > 1 else OrderAlarm.HELD_ROUND
            self._say(system_id, f"{system}/{table}", says % {"count": count}, count)
        for table_id, count in sorted(pressed.items()):
            if newest[table_id].table not in held and self._is_due(table_id, count):
                self._measure(system_id, system, newest[table_id])

    def _is_due(self, table_id: int, count: int) -> bool:
        """Whether so many came within a minute that the unit's clock is worth a look."""
        now = time.monotonic()
        table = self._tables.setdefault(table_id, _Table(now))
        if now - table.since > MINUTE_S:
            table.since, table.presses = now, 0
        table.presses += count
        if table.presses <= settings.PRESSES_NAMED or now - table.looked_at < LOOKS_APART_S:
            return False
        table.looked_at = now
        return True

    def _measure(self, system_id: int, system: str, last: Arrived) -> None:
        with prepared_cursor() as cursor:
            cursor.execute(_PRESSES, [system_id, last.table_id, last.boot, _LOOKED_AT])
            rows = cursor.fetchall()
        recent = [
            recorded_at
            for recorded_at, received_at in rows
            if last.received_at - received_at < MINUTE_S
        ]
        most = _most_within_a_minute(recent)
        if most > settings.PRESSES_NAMED:
            self._say(
                system_id,
                f"{system}/{last.table}",
                OrderAlarm.PRESSED % {"count": most},
                1,
            )

    def _say(self, system_id: int, subject: str, message: str, times: int) -> None:
        raise_alarm(KIND, subject, message, system_id=system_id, times=times)


def _most_within_a_minute(instants: Iterable[float]) -> int:
    """The most of these that fall into any one minute.

    >>> _most_within_a_minute([0.0, 30.0, 59.0, 61.0, 200.0])
    3
    """
    ordered, most, first = sorted(instants), 0, 0
    for place, instant in enumerate(ordered):
        while instant - ordered[first] >= MINUTE_S:
            first += 1
        most = max(most, place - first + 1)
    return most
