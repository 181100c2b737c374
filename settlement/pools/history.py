"""What moved a tier's pool, and how its value went: read by number, however long it is."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext
from psycopg import sql

from jackpot.models import Account, Tier
from settlement.core.gaming_day import Days
from settlement.core.report_query import ask, bind, in_words
from settlement.core.sequence_at import first_entries, first_transfers
from settlement.core.words.labels import ENTRIES, MOVES

# Both sides of the pool's account, each along its own index in the order of numbers. `part` cuts
# each side short by itself, so that the planner need not see that the whole is ordered.
# Only contributions are frequent, and none leaves a pool: the other transfers have small indexes.
_LEGS = """
    (SELECT number, entry_seq, reason, hit, debit_id AS other_id,
            amount AS change, credit_after AS after
     FROM jackpot_transfer
     WHERE credit_id = {pool} AND number >= {low} AND number < {high} {only} {part})
    UNION ALL
    (SELECT number, entry_seq, reason, hit, credit_id, -amount, debit_after
     FROM jackpot_transfer
     WHERE debit_id = {pool} AND reason <> 'contribution'
       AND number >= {low} AND number < {high} {only} {part})
"""
_HISTORY = """
    SELECT t.number, t.entry_seq, e.at, e.type AS entry_type, {entry} AS entry,
           coalesce(g.name, {console}) AS table_name, g.code AS table_code, t.hit, {move} AS move,
           greatest(t.change, 0) AS in_micros, greatest(-t.change, 0) AS out_micros,
           t.after AS pool_micros
    FROM ({legs}) AS t
    JOIN jackpot_entry e ON e.system_id = {system} AND e.seq = t.entry_seq
         AND e.seq >= {first} AND e.seq < {end}
    JOIN jackpot_account other ON other.id = t.other_id
    LEFT JOIN tables_gamingtable g ON g.id = e.table_id
"""
_MOVE = """
    t.reason || CASE WHEN t.change > 0 THEN '+' ELSE '-' END
             || split_part(other.code, ':', CASE WHEN other.tier_id IS NULL THEN 1 ELSE 2 END)
"""
_ENTRY = """
    e.type || CASE WHEN e.outcome ? 'completion' THEN ':completion' ELSE '' END
"""
_PART = "SELECT * FROM ({legs}) AS legs {part}"
_NEWEST = "ORDER BY number DESC LIMIT {limit}"
_NEAREST = "ORDER BY number LIMIT {limit}"
_VALUES = """
    SELECT wanted.n, (SELECT after FROM ({legs}) AS legs ORDER BY number DESC LIMIT 1) AS value
    FROM unnest({pools}::bigint[], {numbers}::bigint[]) WITH ORDINALITY
         AS wanted (pool, number, n) ORDER BY n
"""
_CHANGES = """
    SELECT e.at, legs.after, legs.change FROM ({legs}) AS legs
    JOIN jackpot_entry e ON e.system_id = {system} AND e.seq = legs.entry_seq
    ORDER BY legs.number DESC LIMIT {limit}
"""
_NOTHING = sql.SQL("")
_CONTRIBUTIONS = sql.SQL("AND reason = 'contribution'")
_RARE = "AND reason <> 'contribution' AND reason = ANY({reasons})"
# The reasons of transfers, by what the history can be narrowed to
# (`settlement.core.words.labels.KINDS`).
REASONS = {
    "contributions": ["contribution"],
    "claims": ["hold", "release"],
    "resets": ["reset"],
    "prizes": ["prize"],
    "covers": ["cover"],
    "rounding": ["rounding"],
    "opening": ["opening"],
    "reversals": ["reversal", "forfeit"],
    "adjustments": ["adjustment", "closing"],
}
_LAST = 9_223_372_036_854_775_807


@dataclass(frozen=True, slots=True)
class Page:
    """Some rows of a history, newest first, and the numbers that lead on."""

    rows: list[dict[str, Any]]
    newer: int | None  # rows after this number are newer
    older: int | None  # rows before this number are older


class PoolHistory:
    """The transfers of one tier's pool, of some gaming days and of one kind or all."""

    def __init__(self, tier: Tier, days: Days | None = None, kind: str = "") -> None:
        self.tier = tier
        self.casino = tier.system.casino
        self.pool = Account.objects.values_list("pk", flat=True).get(
            system=tier.system_id, code=f"{tier.code}:pool"
        )
        self.days = days or Days()
        self.kind = kind
        self.low, self.high = 1, _LAST  # numbers of transfers
        self.first, self.end = 1, _LAST  # numbers of entries
        self._cut()

    def page(self, size: int, *, before: int | None = None, after: int | None = None) -> Page:
        """Rows before a number (older), after it (newer), or the newest."""
        low, high = self.low, self.high
        if after is not None:
            low = max(low, after + 1)
        elif before is not None:
            high = min(high, before)
        upward = after is not None
        part = bind(_NEAREST if upward else _NEWEST, limit=size + 1)
        cut = bind(_PART, legs=self._legs(low, high, part), part=part)
        rows = ask(sql.SQL("{} ORDER BY t.number DESC").format(self._history(cut)))
        more = len(rows) > size
        if upward:
            rows = rows[-size:]  # the farthest of the newer ones is the one too many
            return Page(
                rows,
                newer=rows[0]["number"] if rows and more else None,
                older=rows[-1]["number"] if rows else after + 1 if after is not None else None,
            )
        rows = rows[:size]
        return Page(
            rows,
            newer=rows[0]["number"] if rows and before is not None else None,
            older=rows[-1]["number"] if rows and more else None,
        )

    def changes(self, low: int, high: int, most: int) -> list[tuple[dt.datetime, int, int]]:
        """The newest adjustments of the transfers from `low` to below `high`, oldest first: when,
        the balance after it, what it changed the balance by; micros."""
        legs = bind(
            _LEGS,
            pool=self.pool,
            low=low,
            high=high,
            only=bind(_RARE, reasons=REASONS["adjustments"]),
            part=bind(_NEWEST, limit=most),
        )
        rows = ask(bind(_CHANGES, legs=legs, system=self.tier.system_id, limit=most))
        return [(row["at"], row["after"], row["change"]) for row in reversed(rows)]

    def _cut(self) -> None:
        """Cut transfers and entries where the chosen days begin and end."""
        system = self.tier.system_id
        if start := self.days.start(self.casino):
            (self.first,), (self.low,) = (
                first_entries(system, [start]),
                first_transfers(system, [start]),
            )
        if end := self.days.end(self.casino):
            (self.end,), (self.high,) = first_entries(system, [end]), first_transfers(system, [end])

    def _legs(self, low: int, high: int, part: sql.Composable = _NOTHING) -> sql.Composed:
        only: sql.Composable = _NOTHING
        if self.kind == "contributions":
            only = _CONTRIBUTIONS
        elif self.kind:
            only = bind(_RARE, reasons=REASONS[self.kind])
        return bind(_LEGS, pool=self.pool, low=low, high=high, only=only, part=part)

    def _history(self, legs: sql.Composed) -> sql.Composed:
        return bind(
            _HISTORY,
            legs=legs,
            system=self.tier.system_id,
            first=self.first,
            end=self.end,
            console=gettext("Console"),
            entry=in_words(_ENTRY, ENTRIES),
            move=in_words(_MOVE, MOVES),
        )


def values_before(pool: int, numbers: Sequence[int]) -> list[int | None]:
    """The balance that the last transfer below each number left on an account, in micros."""
    return values_of([pool] * len(numbers), numbers)


def values_of(pools: Sequence[int], numbers: Sequence[int]) -> list[int | None]:
    """The same, each number of an account of its own."""
    legs = bind(
        _LEGS,
        pool=sql.SQL("wanted.pool"),
        low=1,
        high=sql.SQL("wanted.number"),
        only=_NOTHING,
        part=bind(_NEWEST, limit=1),
    )
    return [row["value"] for row in ask(bind(_VALUES, legs=legs, pools=pools, numbers=numbers))]
