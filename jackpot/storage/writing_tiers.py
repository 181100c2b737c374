"""Writing what batches made of the tiers: new ones and their accounts, their counters, the periods
of high hands, and what their replays met besides hits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jackpot import models
from jackpot.domain.state.hits import Closing, Correction, Limit, Step
from jackpot.storage import ledger
from jackpot.storage.copying import columns
from jackpot.storage.loading import Loaded
from tables.process.prepared_statements import prepared_cursor

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


def open_tiers(system_id: int, loaded: Loaded) -> None:
    """Tiers that a batch met first, and accounts that are missing."""
    books = loaded.books
    for tier in books.fed.keys() - loaded.tiers.keys():
        jackpot = next(
            terms.code
            for terms in books.terms_at(books.terms_number)
            if any(tier_terms.code == tier for tier_terms in terms.tiers)
        )
        row = models.Tier.objects.create(system_id=system_id, code=tier, jackpot=jackpot)
        loaded.tiers[tier] = row.pk
    missing: dict[str, int | None] = {}
    for code in sorted(books.balances.keys() - loaded.accounts.keys()):
        tier, _, kind = code.partition(":")
        missing[code] = loaded.tiers[tier] if kind else None
    if missing:
        loaded.accounts.update(ledger.open_accounts(system_id, missing))


def write_tiers(systems: Sequence[Loaded]) -> None:
    """In the poster's transaction, behind what opened the tiers; the books of several systems."""
    _tiers(systems)
    _periods(systems)
    _steps(systems)


def _tiers(systems: Sequence[Loaded]) -> None:
    rows = []
    for loaded in systems:
        changed = {c: fed for c, fed in loaded.books.fed.items() if fed != loaded.fed.get(c)}
        rows += [(loaded.tiers[c], f.pool, f.reserve, f.overflow) for c, f in changed.items()]
        loaded.fed |= changed
    if rows:
        with prepared_cursor() as cursor:
            cursor.execute(_TIERS, columns(rows))


def _periods(systems: Sequence[Loaded]) -> None:
    rows = []
    for loaded in systems:
        periods, rolled = loaded.books.periods, loaded.books.rolled
        rows += [
            (id_, periods.get(tier), rolled.get(tier, 0))
            for tier, id_ in loaded.tiers.items()
            if periods.get(tier) != loaded.periods.get(tier)
            or rolled.get(tier, 0) != loaded.rolled.get(tier, 0)
        ]
        loaded.periods, loaded.rolled = dict(periods), dict(rolled)
    if rows:
        with prepared_cursor() as cursor:
            cursor.execute(_PERIODS, columns(rows))


def _steps(systems: Sequence[Loaded]) -> None:
    models.TierStep.objects.bulk_create(
        models.TierStep(
            tier_id=loaded.tiers[tier],
            place=step.place,
            fed_pool=step.fed.pool,
            fed_reserve=step.fed.reserve,
            fed_overflow=step.fed.overflow,
            **_step_fields(step),
        )
        for loaded in systems
        for tier, step in loaded.books.new_steps
    )


def _step_fields(step: Step) -> dict[str, Any]:
    match step:
        case Limit():
            return {"kind": "limit", "pool_limit": step.limit}
        case Closing():
            values = {"shown": step.shown, "shown_at": step.shown_at}
            return {"kind": "period", **values, "prize": step.prize}
        case Correction():
            return {"kind": "correction", "pool": step.pool, "reserve": step.reserve}
