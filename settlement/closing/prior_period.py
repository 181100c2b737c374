"""What was decided later for a day that was closed: it counts on the day when it was decided.

A claim of a closed day that people amend, reject, confirm or reverse afterwards, or a round of it
that they declare void, moves money at the place of the decision. Reports show it there as
prior-period, with the day that it concerns.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import connection

from settlement.core.gaming_day import DAY, day_of, start_of
from settlement.core.sequence_at import first_entries, transfers_through
from tables.models import JackpotSystem

# Decisions on hits and rounds whose place had been closed when they were made. Both are few:
# entries of hits have an index of their own, rulings on rounds are found by their commands.
_DECISIONS = """
    SELECT n.seq, n.at, n.type, n.hit, g.code, h.round, placed.at FROM jackpot_entry n
    JOIN jackpot_hit h ON (h.system_id, h.number) = (n.system_id, n.hit)
    JOIN jackpot_entry placed ON (placed.system_id, placed.seq) = (h.system_id, h.place)
    JOIN tables_gamingtable g ON g.id = h.table_id
    WHERE n.system_id = %(system)s AND n.hit IS NOT NULL AND n.kind = 'command'
      AND n.seq >= %(first)s AND n.seq < %(end)s AND NOT n.outcome ? 'refused'
      AND EXISTS (SELECT FROM settlement_closedday d WHERE d.system_id = n.system_id
                  AND d.through_seq >= h.place AND d.entry < n.seq)
    UNION ALL
    SELECT n.seq, n.at, n.type, NULL, g.code, r.round, placed.at FROM jackpot_command c
    JOIN jackpot_entry n ON (n.system_id, n.command) = (c.system_id, c.number)
    JOIN tables_gamingtable g ON (g.system_id, g.code) = (c.system_id, c.body ->> 'table')
    JOIN jackpot_roundstate r
      ON (r.system_id, r.table_id, r.round) = (c.system_id, g.id, (c.body ->> 'round')::bigint)
    JOIN jackpot_entry placed ON (placed.system_id, placed.seq)
      = (r.system_id, coalesce(r.started, r.completed))
    WHERE c.system_id = %(system)s AND c.kind IN ('void_round', 'cancel_round') AND n.hit IS NULL
      AND n.seq >= %(first)s AND n.seq < %(end)s AND NOT n.outcome ? 'refused'
      AND EXISTS (SELECT FROM settlement_closedday d WHERE d.system_id = n.system_id
                  AND d.through_seq >= placed.seq AND d.entry < n.seq)
    ORDER BY 1
"""
_MOVED = """
    SELECT d.seq, a.code,
           sum(CASE WHEN t.credit_id = a.id THEN t.amount ELSE -t.amount END)::bigint
    FROM unnest(%(seqs)s::bigint[], %(lows)s::bigint[], %(highs)s::bigint[]) AS d (seq, low, high)
    JOIN jackpot_transfer t ON t.system_id = %(system)s AND t.number > d.low AND t.number <= d.high
    JOIN jackpot_account a ON a.id IN (t.debit_id, t.credit_id)
    GROUP BY d.seq, a.code
"""


@dataclass(frozen=True, slots=True)
class LaterDecision:
    """Entry `seq`, decided on `day`, about claim `hit`, or a round without one, of the closed day
    `concerns`.

    `changes`: by how many micros it changed which account.
    """

    seq: int
    at: dt.datetime
    day: dt.date
    kind: str
    hit: int | None
    table: str
    round: int
    concerns: dt.date
    changes: Mapping[str, int] = field(default_factory=dict)

    def moved(self, account: str) -> int:
        """By how many micros it changed an account, such as `royal:pool`."""
        return self.changes.get(account, 0)


def later_decisions(system: JackpotSystem, first: dt.date, last: dt.date) -> list[LaterDecision]:
    """What was decided on the gaming days from `first` to `last` for days closed before."""
    casino = system.casino
    low, high = first_entries(system.pk, [start_of(first, casino), start_of(last + DAY, casino)])
    with connection.cursor() as cursor:
        cursor.execute(_DECISIONS, {"system": system.pk, "first": low, "end": high})
        rows = cursor.fetchall()
        changes = _changes(system, [row[0] for row in rows])
    return [
        LaterDecision(
            seq,
            at,
            day_of(at, casino),
            kind,
            hit,
            table,
            number,
            day_of(placed, casino),
            changes.get(seq, {}),
        )
        for seq, at, kind, hit, table, number, placed in rows
    ]


def _changes(system: JackpotSystem, seqs: list[int]) -> dict[int, dict[str, int]]:
    """What each of these entries moved, by account."""
    if not seqs:
        return {}
    cuts = transfers_through([(system.pk, each) for seq in seqs for each in (seq - 1, seq)])
    values: dict[str, Any] = {
        "system": system.pk,
        "seqs": seqs,
        "lows": cuts[::2],
        "highs": cuts[1::2],
    }
    changes: dict[int, dict[str, int]] = {}
    with connection.cursor() as cursor:
        cursor.execute(_MOVED, values)
        for seq, account, amount in cursor.fetchall():
            changes.setdefault(seq, {})[account] = amount
    return changes
