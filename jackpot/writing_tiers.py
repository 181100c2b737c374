"""Writing what a batch made of the tiers: their counters, the periods of high hands, and what their
courses met besides hits."""

from __future__ import annotations

from typing import Any

from jackpot import models
from jackpot.copying import columns
from jackpot.hits import Closing, Correction, Limit, Step
from jackpot.loading import Loaded
from tables.prepared import prepared_cursor

_TIERS = """
    UPDATE jackpot_tier AS tier
    SET fed_pool = fed.pool, fed_reserve = fed.reserve, fed_overflow = fed.overflow
    FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[])
         AS fed (id, pool, reserve, overflow)
    WHERE tier.id = fed.id
"""
_PERIODS = """
    UPDATE jackpot_tier AS tier SET period_from = period.began, rolled = period.rolled
    FROM unnest(%s::bigint[], %s::timestamptz[], %s::bigint[]) AS period (id, began, rolled)
    WHERE tier.id = period.id
"""


def write_tiers(loaded: Loaded) -> None:
    """In the poster's transaction, behind what opened the tiers."""
    _tiers(loaded)
    _periods(loaded)
    _steps(loaded)


def _tiers(loaded: Loaded) -> None:
    changed = {c: fed for c, fed in loaded.books.fed.items() if fed != loaded.fed.get(c)}
    if not changed:
        return
    rows = [(loaded.tiers[c], f.pool, f.reserve, f.overflow) for c, f in changed.items()]
    with prepared_cursor() as cursor:
        cursor.execute(_TIERS, columns(rows))
    loaded.fed |= changed


def _periods(loaded: Loaded) -> None:
    periods, rolled = loaded.books.periods, loaded.books.rolled
    changed = [
        (id_, periods.get(tier), rolled.get(tier, 0))
        for tier, id_ in loaded.tiers.items()
        if periods.get(tier) != loaded.periods.get(tier)
        or rolled.get(tier, 0) != loaded.rolled.get(tier, 0)
    ]
    if changed:
        with prepared_cursor() as cursor:
            cursor.execute(_PERIODS, columns(changed))
        loaded.periods, loaded.rolled = dict(periods), dict(rolled)


def _steps(loaded: Loaded) -> None:
    models.TierStep.objects.bulk_create(
        models.TierStep(
            tier_id=loaded.tiers[tier],
            place=step.place,
            fed_pool=step.fed.pool,
            fed_reserve=step.fed.reserve,
            fed_overflow=step.fed.overflow,
            **_said(step),
        )
        for tier, step in loaded.books.new_steps
    )


def _said(step: Step) -> dict[str, Any]:
    match step:
        case Limit():
            return {"kind": "limit", "pool_limit": step.limit}
        case Closing():
            shown = {"shown": step.shown, "shown_at": step.shown_at}
            return {"kind": "period", **shown, "prize": step.prize}
        case Correction():
            return {"kind": "correction", "pool": step.pool, "reserve": step.reserve}
