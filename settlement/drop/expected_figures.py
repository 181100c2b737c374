"""What the books expect: the drop of each table and gaming day, and the money owed to players.

Both are of days that are over, and do not change any more: what comes late counts on the day on
which it came.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence
from typing import Any

from django.db import connection

from jackpot.domain.state.books import REMITTED_TAX, SOURCES
from settlement.core.gaming_day import DAY, start_of
from settlement.core.sequence_at import first_transfers
from tables.models import JackpotSystem

_PAID = ("paid_chips", "paid_cash", "paid_equivalent", REMITTED_TAX)
# Of a table's own events the entry has the table, of decisions on its rounds the command.
_DROP = """
    SELECT d.day, coalesce(n.table_id, g.id),
           sum(CASE WHEN t.debit_id = a.id THEN t.amount ELSE -t.amount END)::bigint
    FROM unnest(%(days)s::date[], %(lows)s::bigint[], %(highs)s::bigint[]) AS d (day, low, high)
    JOIN jackpot_account a ON a.system_id = %(system)s AND a.code = 'drop'
    JOIN jackpot_transfer t ON t.system_id = %(system)s AND t.number >= d.low AND t.number < d.high
     AND a.id IN (t.debit_id, t.credit_id)
    JOIN jackpot_entry n ON (n.system_id, n.seq) = (t.system_id, t.entry_seq)
    LEFT JOIN jackpot_command c ON (c.system_id, c.number) = (n.system_id, n.command)
    LEFT JOIN tables_gamingtable g ON g.system_id = n.system_id AND g.code = c.body ->> 'table'
    GROUP BY 1, 2 HAVING coalesce(n.table_id, g.id) IS NOT NULL
"""


def expected_drop(system: JackpotSystem, days: Sequence[dt.date]) -> dict[tuple[dt.date, int], int]:
    """Micros by gaming day and table: what left the account `drop`, less what went back.

    A table without a line took no drop on that day.
    """
    if not days:
        return {}
    instants = [start_of(day, system.casino) for each in days for day in (each, each + DAY)]
    cuts = first_transfers(system.pk, instants)
    values: dict[str, Any] = {
        "system": system.pk,
        "days": list(days),
        "lows": cuts[::2],
        "highs": cuts[1::2],
    }
    with connection.cursor() as cursor:
        cursor.execute(_DROP, values)
        return {(day, table): amount for day, table, amount in cursor.fetchall()}


def liability(system: JackpotSystem, day: dt.date) -> int:
    """What is kept for players and their tax at the end of a gaming day, in micros.

    All accounts but the sources and what was handed over: pools, reserves, overflows, held and
    confirmed prizes, what is unclaimed, to be returned or set aside by adjustments, and withheld
    tax that was not remitted.
    """
    end = first_transfers(system.pk, [start_of(day + DAY, system.casino)])[0] - 1
    with connection.cursor() as cursor:
        cursor.execute("SELECT figures_through(%s, %s)", [system.pk, end])
        (figures,) = cursor.fetchone()
    balances = json.loads(figures) if isinstance(figures, str) else figures
    return sum(held for code, held in balances.items() if code not in (*SOURCES, *_PAID))
