"""What was decided later for a day that was closed: it counts on the day when it was decided.

A claim of a closed day that people amend, reject, confirm or reverse afterwards moves money at the
place of the decision. Reports show it there as prior-period, with the day that it concerns.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.db import connection

from settlement.core.gaming_day import DAY, day_of, start_of
from settlement.core.sequence_at import first_entries, transfers_through
from tables.models import JackpotSystem

# Decisions on hits whose place had been closed when they were made. Hits are few: their entries
# have an index of their own.
_DECISIONS = """
    SELECT n.seq, n.at, n.type, n.hit, placed.at FROM jackpot_entry n
    JOIN jackpot_hit h ON (h.system_id, h.number) = (n.system_id, n.hit)
    JOIN jackpot_entry placed ON (placed.system_id, placed.seq) = (h.system_id, h.place)
    WHERE n.system_id = %(system)s AND n.hit IS NOT NULL AND n.kind = 'command'
      AND n.seq >= %(first)s AND n.seq < %(end)s AND NOT n.outcome ? 'refused'
      AND EXISTS (SELECT FROM settlement_closedday d WHERE d.system_id = n.system_id
                  AND d.through_seq >= h.place AND d.entry < n.seq)
    ORDER BY n.seq
"""
_MOVED = """
    SELECT coalesce(sum(CASE WHEN t.credit_id = a.id THEN t.amount ELSE -t.amount END), 0)::bigint
    FROM jackpot_account a JOIN jackpot_transfer t ON a.id IN (t.credit_id, t.debit_id)
    WHERE a.system_id = %(system)s AND a.code = %(account)s AND t.system_id = %(system)s
      AND t.number > %(since)s AND t.number <= %(through)s
"""


@dataclass(frozen=True, slots=True)
class LaterDecision:
    """Entry `seq`, decided on `day`, about claim `hit` of the closed day `concerns`.

    `moved`: by how many micros it changed the account that was asked about.
    """

    seq: int
    day: dt.date
    kind: str
    hit: int
    concerns: dt.date
    moved: int


def later_decisions(
    system: JackpotSystem, account: str, first: dt.date, last: dt.date
) -> list[LaterDecision]:
    """What was decided on the gaming days from `first` to `last` for days closed before.

    `account`: the code of the account whose change is given, for instance `royal:pool`.
    """
    casino = system.casino
    low, high = first_entries(system.pk, [start_of(first, casino), start_of(last + DAY, casino)])
    decisions = []
    with connection.cursor() as cursor:
        cursor.execute(_DECISIONS, {"system": system.pk, "first": low, "end": high})
        for seq, at, kind, hit, placed in cursor.fetchall():
            since, through = transfers_through([(system.pk, seq - 1), (system.pk, seq)])
            values: dict[str, Any] = {
                "system": system.pk,
                "account": account,
                "since": since,
                "through": through,
            }
            cursor.execute(_MOVED, values)
            (moved,) = cursor.fetchone()
            days = day_of(at, casino), day_of(placed, casino)
            decisions.append(LaterDecision(seq, days[0], kind, hit, days[1], moved))
    return decisions
