"""The daily roll-forward of a tier's pool: opening, what moved it, closing.

Days are cut at the first transfer of each gaming day, so every transfer belongs to exactly one
day: opening and movements come to the closing, which is the next day's opening. What moved on a
closed day is read from what is kept of it (`settlement.closing.movements`), not from the ledger.
"""

from __future__ import annotations

import datetime as dt
from itertools import pairwise
from typing import Any

from psycopg import sql

from jackpot.models import Account, Entry, Tier
from settlement.closing.movements import open_days
from settlement.core.gaming_day import Month, day_of, start_of, today
from settlement.core.report_query import Report, bind
from settlement.core.sequence_at import first_transfers
from settlement.pools.history import values_before

MOVEMENTS = (
    "opened",
    "contributions",
    "resets",
    "prizes",
    "covered",
    "rounding",
    "held",
    "returned",
    "adjustments",
    "reversals",
)

_ROLL_FORWARD = """
    WITH days AS (
        SELECT * FROM unnest({days}::date[], {low}::bigint[], {high}::bigint[], {opening}::bigint[])
            AS days (day, low, high, opening)
    ), moved AS (
        SELECT c.day, m.reason, CASE WHEN m.credit_id = {pool} THEN m.amount ELSE -m.amount END
               AS change
        FROM settlement_closedday c JOIN settlement_daymovement m ON m.day_id = c.id
        WHERE c.system_id = {system} AND c.day = ANY({days}::date[])
          AND {pool} IN (m.debit_id, m.credit_id)
        UNION ALL
        SELECT days.day, t.reason, t.change FROM days
        CROSS JOIN LATERAL (
            SELECT reason, amount AS change FROM jackpot_transfer
            WHERE credit_id = {pool} AND number >= days.low AND number < days.high
            UNION ALL
            SELECT reason, -amount FROM jackpot_transfer
            WHERE debit_id = {pool} AND reason <> 'contribution'
              AND number >= days.low AND number < days.high
        ) AS t WHERE days.day = ANY({open}::date[])
    ), sums AS (
        SELECT day, sum(change) AS net,
               sum(change) FILTER (WHERE reason = 'opening') AS opened,
               sum(change) FILTER (WHERE reason = 'contribution') AS contributions,
               sum(change) FILTER (WHERE reason = 'reset') AS resets,
               sum(change) FILTER (WHERE reason = 'prize') AS prizes,
               sum(change) FILTER (WHERE reason = 'cover') AS covered,
               sum(change) FILTER (WHERE reason = 'rounding') AS rounding,
               sum(change) FILTER (WHERE reason = 'hold') AS held,
               sum(change) FILTER (WHERE reason = 'release') AS returned,
               sum(change) FILTER (WHERE reason IN ('adjustment', 'closing')) AS adjustments,
               sum(change) FILTER (WHERE reason IN ('reversal', 'forfeit')) AS reversals
        FROM moved GROUP BY day
    )
    SELECT days.day, days.opening,
           coalesce(opened, 0)::bigint AS opened,
           coalesce(contributions, 0)::bigint AS contributions,
           coalesce(resets, 0)::bigint AS resets, coalesce(prizes, 0)::bigint AS prizes,
           coalesce(covered, 0)::bigint AS covered,
           coalesce(rounding, 0)::bigint AS rounding,
           coalesce(held, 0)::bigint AS held, coalesce(returned, 0)::bigint AS returned,
           coalesce(adjustments, 0)::bigint AS adjustments,
           coalesce(reversals, 0)::bigint AS reversals,
           (days.opening + coalesce(net, 0))::bigint AS closing
    FROM days LEFT JOIN sums USING (day)
"""


def first_day(tier: Tier) -> dt.date:
    """The gaming day on which the tier's system began; today if it has not."""
    first_at = (
        Entry.objects.filter(system=tier.system_id, seq=1).values_list("at", flat=True).first()
    )
    casino = tier.system.casino
    return today(casino) if first_at is None else day_of(first_at, casino)


def roll_forward(tier: Tier, month: Month) -> Report:
    """A tier's pool by gaming day of a month, from the system's first day until today."""
    casino = tier.system.casino
    first, last = first_day(tier), today(casino)
    days = [day for day in month.days() if first <= day <= last]
    pool = Account.objects.values_list("pk", flat=True).get(
        system=tier.system_id, code=f"{tier.code}:pool"
    )
    ends = [start_of(day, casino) for day in days]
    ends += [start_of(days[-1] + dt.timedelta(days=1), casino)] if days else []
    cuts = first_transfers(tier.system_id, ends)
    opening = [value or 0 for value in values_before(pool, cuts[:-1])]
    return Report(
        "roll-forward",
        casino,
        bind(
            _ROLL_FORWARD,
            days=days,
            low=cuts[:-1],
            high=cuts[1:],
            opening=opening,
            pool=pool,
            system=tier.system_id,
            open=open_days(tier.system, days[0], days[-1]) if days else [],
        ),
        sql.SQL("day"),
    )


def totals(rows: list[dict[str, Any]]) -> dict[str, int]:
    """The first opening, the sum of every movement, the last closing."""
    if not rows:
        return {}
    sums: dict[str, int] = {name: sum(row[name] for row in rows) for name in MOVEMENTS}
    return {"opening": rows[0]["opening"], **sums, "closing": rows[-1]["closing"]}


def ties(rows: list[dict[str, Any]]) -> bool:
    """Whether every day's movements lead to its closing, and that to the next day's opening."""
    within = all(
        row["opening"] + sum(row[name] for name in MOVEMENTS) == row["closing"] for row in rows
    )
    return within and all(before["closing"] == after["opening"] for before, after in pairwise(rows))
