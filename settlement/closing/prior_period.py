"""What was decided later for a day that was closed: it counts on the day when it was decided.

A claim of a closed day that people amend, reject, confirm or reverse afterwards, or rounds of it
that they declare void, cancel, accept, refuse or credit as missed, move money at the place of the
decision. Reports show it there as prior-period, with the day that it concerns. So do they with a
drop or a bank balance of a closed day that is entered or corrected afterwards: it moves nothing,
and the reports of that day go on showing the count that stood when it was closed.
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

# Entries, hits and commands are looked up one by one (`LIMIT 1`): a planner that takes decisions
# for fewer than they are would else go through the whole order for each of them.
# Decisions on hits whose place had been closed when they were made: their entries have an index of
# their own.
_OF_HITS = """
    SELECT n.seq, n.at, n.type, n.hit, g.code, h.round, 1::bigint, placed.at,
           NULL::date AS day, NULL::bigint AS before, NULL::bigint AS after
    FROM jackpot_entry n
    CROSS JOIN LATERAL (
        SELECT h.place, h.round, h.table_id FROM jackpot_hit h
        WHERE (h.system_id, h.number) = (n.system_id, n.hit) LIMIT 1
    ) h
    CROSS JOIN LATERAL (
        SELECT p.at FROM jackpot_entry p WHERE (p.system_id, p.seq) = (n.system_id, h.place) LIMIT 1
    ) placed
    JOIN tables_gamingtable g ON g.id = h.table_id
    WHERE n.system_id = %(system)s AND n.hit IS NOT NULL AND n.kind = 'command'
      AND n.seq >= %(first)s AND n.seq < %(end)s AND NOT n.outcome ? 'refused'
      AND EXISTS (SELECT FROM settlement_closedday d WHERE d.system_id = n.system_id
                  AND d.through_seq >= h.place AND d.entry < n.seq)
"""
# Decisions on rounds: they are few, and are found by their commands.
_RULINGS = """
    SELECT n.system_id, n.seq, n.at, n.type, g.id AS table_id, g.code, c.body,
           (SELECT max(d.through_seq) FROM settlement_closedday d
            WHERE d.system_id = n.system_id AND d.entry < n.seq) AS closed
    FROM jackpot_command c
    JOIN jackpot_entry n ON (n.system_id, n.command) = (c.system_id, c.number)
    JOIN tables_gamingtable g ON (g.system_id, g.code) = (c.system_id, c.body ->> 'table')
    WHERE c.system_id = %(system)s AND n.hit IS NULL
      AND c.kind IN ('void_round', 'cancel_round', 'accept_rounds', 'refuse_rounds',
                     'missed_rounds')
      AND n.seq >= %(first)s AND n.seq < %(end)s AND NOT n.outcome ? 'refused'
"""
# Where each of their rounds was played, by what the order had when it was decided on, so that what
# is found never changes: where something of it was recorded; else where a signal of it is that the
# decision names; else before the next press at its table, or, where none had come, after the last.
# Missed rounds that nobody numbered are one without a number.
_PLACES = """
    SELECT c.seq, named.round, coalesce(
        (SELECT min(own.seq) FROM jackpot_roundstate r
         LEFT JOIN jackpot_hit h ON (h.system_id, h.number) = (r.system_id, r.hit)
         CROSS JOIN unnest(ARRAY[r.started, r.completed, h.place]) AS own (seq)
         WHERE (r.system_id, r.table_id, r.round) = (c.system_id, c.table_id, named.round)
           AND own.seq < c.seq),
        (SELECT min(signal::bigint) FROM jsonb_array_elements_text(c.body -> 'signals') AS signal
         WHERE signal::bigint < c.seq),
        (SELECT r.started FROM jackpot_roundstate r
         WHERE (r.system_id, r.table_id) = (c.system_id, c.table_id) AND r.started < c.seq
           AND r.round > named.round AND r.round <= named.round + %(near)s
         ORDER BY r.round LIMIT 1),
        (SELECT r.started FROM jackpot_roundstate r
         WHERE (r.system_id, r.table_id) = (c.system_id, c.table_id) AND r.started < c.seq
           AND r.round < named.round AND r.round >= named.round - %(near)s
         ORDER BY r.round DESC LIMIT 1)
    ) AS place
    FROM ruling c CROSS JOIN LATERAL (
        SELECT jsonb_array_elements_text(
            coalesce(c.body -> 'rounds', jsonb_build_array(c.body -> 'round')))::bigint AS round
    ) AS named
"""
# Counts of days that had been closed when they were entered.
_COUNTS = """
    SELECT n.seq, n.at, n.type, NULL, coalesce(g.code, ''), NULL, 1, NULL, x.day, b.amount, x.amount
    FROM settlement_moneycount x
    JOIN settlement_closedday d ON (d.system_id, d.day) = (x.system_id, x.day)
    CROSS JOIN LATERAL (
        SELECT n.seq, n.at, n.type, n.outcome FROM jackpot_entry n
        WHERE (n.system_id, n.command) = (x.system_id, x.command) LIMIT 1
    ) n
    LEFT JOIN settlement_moneycount b ON b.id = x.corrects_id
    LEFT JOIN tables_gamingtable g ON g.id = x.table_id
    WHERE x.system_id = %(system)s AND n.seq >= %(first)s AND n.seq < %(end)s
      AND n.seq > d.entry AND NOT n.outcome ? 'refused'
"""
# A decision on rounds of several days is listed with the first of them.
_DECISIONS = f"""
    WITH ruling AS MATERIALIZED ({_RULINGS}),
    first_round AS (
        SELECT p.seq, min(p.place) AS place, count(*) AS count, min(p.round) AS round
        FROM ({_PLACES}) AS p GROUP BY p.seq
    ),
    decided AS (
        {_OF_HITS}
        UNION ALL
        SELECT c.seq, c.at, c.type, NULL, c.code, CASE WHEN f.count = 1 THEN f.round END,
               coalesce((c.body ->> 'count')::bigint, f.count), placed.at, NULL, NULL, NULL
        FROM ruling c JOIN first_round f ON f.seq = c.seq AND f.place <= c.closed
        JOIN jackpot_entry placed ON (placed.system_id, placed.seq) = (c.system_id, f.place)
        UNION ALL
        {_COUNTS}
    )
    SELECT decided.*, c.first, coalesce(c.second, ''),
           coalesce(nullif(c.body ->> 'note', ''), nullif(c.body ->> 'evidence', ''),
                    nullif(c.body ->> 'finding', ''), c.body ->> 'reason', ''),
           coalesce((SELECT ti.code FROM jackpot_hit h JOIN jackpot_tier ti ON ti.id = h.tier_id
                     WHERE (h.system_id, h.number) = (n.system_id, n.hit)), '')
    FROM decided
    CROSS JOIN LATERAL (
        SELECT n.system_id, n.command, n.hit FROM jackpot_entry n
        WHERE (n.system_id, n.seq) = (%(system)s, decided.seq) LIMIT 1
    ) n
    CROSS JOIN LATERAL (
        SELECT c.first, c.second, c.body FROM jackpot_command c
        WHERE (c.system_id, c.number) = (n.system_id, n.command) LIMIT 1
    ) c
    ORDER BY 1
"""  # noqa: S608 - of constants
_NEAR = 1000  # rounds before and behind one of which nothing is known
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
    """Entry `seq`, decided on `day`, about claim `hit`, or rounds without one, of the closed day
    `concerns`, the first of these rounds; or a count of that day.

    `round`: None where there are several, `count` of them, or nobody knows the number. `changes`:
    by how many micros it changed which account. Of a count `after` is what was counted, in micros,
    and `before` what had been, if anything. `first` and `second` decided, by log-in; `note`: why.
    `tier`: the prize of its claim.
    """

    seq: int
    at: dt.datetime
    day: dt.date
    kind: str
    hit: int | None
    table: str
    round: int | None
    count: int
    concerns: dt.date
    changes: Mapping[str, int] = field(default_factory=dict)
    before: int | None = None
    after: int | None = None
    first: str = ""
    second: str = ""
    note: str = ""
    tier: str = ""

    def moved(self, account: str) -> int:
        """By how many micros it changed an account, such as `royal:pool`."""
        return self.changes.get(account, 0)


def later_decisions(system: JackpotSystem, first: dt.date, last: dt.date) -> list[LaterDecision]:
    """What was decided on the gaming days from `first` to `last` for days closed before."""
    casino = system.casino
    low, high = first_entries(system.pk, [start_of(first, casino), start_of(last + DAY, casino)])
    span = {"system": system.pk, "first": low, "end": high, "near": _NEAR}
    with connection.cursor() as cursor:
        cursor.execute(_DECISIONS, span)
        rows = cursor.fetchall()
    changes = _changes(system, [row[0] for row in rows if row[7] is not None])
    return [
        LaterDecision(
            *(seq, at, day_of(at, casino), kind, hit, table, number, count),
            day if placed is None else day_of(placed, casino),
            changes.get(seq, {}),
            *rest,
        )
        for seq, at, kind, hit, table, number, count, placed, day, *rest in rows
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
