"""The daily roll-forward of a pool."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_noop as _
from django.views.decorators.http import require_safe

from jackpot.models import Account, Tier
from jackpot.terms.contributions import TO_RETURN
from settlement.closing.prior_period import LaterDecision, later_decisions
from settlement.core.gaming_day import Days, Month, today
from settlement.core.words.labels import ENTRIES
from settlement.core.words.translation import Labels
from settlement.pages.reports.links import report_of
from settlement.pages.shared.amount_tables import Precision
from settlement.pages.shared.choices import choice_of
from settlement.pages.shared.decorators import opens_for
from settlement.pools.roll_forward import MOVEMENTS, first_day, roll_forward, ties, totals
from settlement.pools.status import Pool, pools_of, posted_terms

_HEADINGS = Labels(
    {
        "opened": _("Opened"),
        "contributions": _("Contributions"),
        "resets": _("Resets"),
        "prizes": _("Fixed prizes"),
        "covered": _("Covered"),
        "rounding": _("Rounding"),
        "held": _("Reserved for claims"),
        "returned": _("Returned"),
        "adjustments": _("Adjusted"),
        "reversals": _("Reversed, forfeited"),
    }
)


@require_safe
@opens_for("view_claim")
def rollforward(request: HttpRequest) -> HttpResponse:
    """A month of one pool, day by day; the first pool and this month without a choice."""
    tiers = list(Tier.objects.select_related("system__casino"))
    systems = {tier.system for tier in tiers}
    choices = sorted(pools_of(systems, posted_terms(systems), tiers), key=_order)
    if not choices:
        return render(request, "console/pools/roll_forward.html", {"choices": []})
    pool_name = choice_of(request, "pool", [_name(pool) for pool in choices])
    pool = next((pool for pool in choices if _name(pool) == pool_name), choices[0])
    casino = pool.system.casino
    month, now, first = _month(request, pool.tier), Month.of(today(casino)), first_day(pool.tier)
    report = roll_forward(pool.tier, month)
    rows = report.rows(31)
    amounts = [row[name] for row in rows for name in ("opening", *MOVEMENTS, "closing")]
    # So that the closing is in sight: what moved on no day of the month has no column.
    moved = [name for name in MOVEMENTS if any(row[name] for row in rows)] or ["contributions"]
    month_totals = totals(rows)
    return render(
        request,
        "console/pools/roll_forward.html",
        {
            "choices": [(_name(choice), choice) for choice in choices],
            "chosen": _name(pool),
            "pool": pool,
            "casino": casino,
            "printed_at": timezone.now(),
            "month": month,
            "previous": month.previous if month.first > first else None,
            "next": month.next if month != now and month.next.first <= now.first else None,
            "rows": [(row, [row[name] for name in moved]) for row in rows],
            "headings": [_HEADINGS[name] for name in moved],
            "unmoved": [_HEADINGS[name] for name in MOVEMENTS if name not in moved],
            "totals": (month_totals, [month_totals[name] for name in moved]) if rows else (),
            "ties": ties(rows),
            "later": _later(pool, rows),
            "to_return": Account.objects.filter(system=pool.system, code=TO_RETURN)
            .values_list("balance", flat=True)
            .first(),
            "today": today(casino),
            "precision": Precision.of(casino, amounts),
            "report": report_of(
                "roll-forward",
                casino,
                Days(month.first, month.last),
                system=pool.system.code,
                tier=pool.tier.code,
            )
            if request.user.has_perm("settlement.export_reports")
            else "",
        },
    )


def _later(pool: Pool, rows: list[dict[str, Any]]) -> list[tuple[LaterDecision, str, int]]:
    """What was decided of this prize on these days for days closed before, with its words and by
    how much it changed the pool."""
    if not rows:
        return []
    own = f"{pool.tier.code}:"
    return [
        (each, ENTRIES.get(each.kind, each.kind), each.moved(f"{own}pool"))
        for each in later_decisions(pool.system, rows[0]["day"], rows[-1]["day"])
        if any(account.startswith(own) for account in each.changes)
    ]


def _name(pool: Pool) -> str:
    return f"{pool.system.code}/{pool.tier.code}"


def _order(pool: Pool) -> tuple[str, str, int]:
    return pool.system.name, pool.posted.terms.name, pool.terms.rank


def _month(request: HttpRequest, tier: Tier) -> Month:
    try:
        month = Month.parse(request.GET.get("month", ""))
    except ValueError:
        return Month.of(today(tier.system.casino))
    return month if 2000 <= month.year < 3000 else Month.of(today(tier.system.casino))
