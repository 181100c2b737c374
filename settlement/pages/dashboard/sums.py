"""Where a sum of the dashboard leads: the list that adds up to it, with the same filter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_safe

from settlement.closing import table_days
from settlement.core.gaming_day import today
from settlement.dashboard import sums
from settlement.dashboard.sums import AccountRow
from settlement.pages.claims.queue.rows import tier_names
from settlement.pages.dashboard.choices import SEES, casinos_of, chosen_casino, chosen_days
from settlement.pages.shared.choices import choice_of
from settlement.pages.shared.decorators import opens_for
from settlement.reports.catalogue.liability import ACCOUNTS
from settlement.reports.definitions.definition import Filters

CONTRIBUTIONS = "contributions"
TITLES = {
    "owed": gettext_noop("Owed to players"),
    "reserve": gettext_noop("Reserve"),
    "held": gettext_noop("Reserved for claims"),
    "payable": gettext_noop("Confirmed, unpaid"),
    CONTRIBUTIONS: gettext_noop("Contributions"),
}
_REPORTS = {
    "owed": "liability",
    "reserve": "roll-forward",
    "held": "hit-register",
    "payable": "payouts",
    CONTRIBUTIONS: "round-ledger",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the list; `address`: where it comes from. `amount` in micros."""

    system: str
    name: str
    what: str
    amount: int
    address: str


@require_safe
@opens_for(SEES)
def dashboard_sum(request: HttpRequest) -> HttpResponse:
    """The lines behind one tile of a casino, and their total."""
    user: Any = request.user
    casino = chosen_casino(request, casinos_of(user))
    code = choice_of(request, "of", TITLES) or "owed"
    if casino is None:
        return render(request, "console/dashboard/sum.html", {"rows": [], "title": _(TITLES[code])})
    days = chosen_days(request, casino)
    filters = Filters(casino, days.first or today(casino), days.last or today(casino))
    may_export = user.has_perm("settlement.export_reports")
    is_of_tables = code == CONTRIBUTIONS
    rows = (
        _of_tables(filters) if is_of_tables else _of_accounts(filters, code, may_export=may_export)
    )
    query = urlencode({"casino": casino.code, "from": f"{filters.first}", "to": f"{filters.last}"})
    report = ""
    if may_export:
        report = f"{reverse('report', args=[_REPORTS[code]])}?{query}"
    context = {
        "casino": casino,
        "title": _(TITLES[code]),
        "rows": rows,
        "total": sum(row.amount for row in rows),
        "days": days if is_of_tables else None,
        "is_behind": is_of_tables and table_days.is_behind([each.pk for each in filters.systems]),
        "back": f"{reverse('dashboard')}?{query}",
        "report": report,
    }
    return render(request, "console/dashboard/sum.html", context)


def _of_tables(filters: Filters) -> list[Row]:
    """What each table's rounds added on the chosen days."""
    keys = [system.pk for system in filters.systems]
    totals = table_days.totals(filters.casino, keys, filters.first, filters.last)
    return [
        Row(
            each.system_name,
            each.name,
            _("Contributions"),
            each.contributed,
            reverse("table", args=[each.system, each.code]),
        )
        for each in totals
    ]


def _of_accounts(filters: Filters, code: str, *, may_export: bool) -> list[Row]:
    names = tier_names([system.pk for system in filters.systems])
    return [
        Row(
            each.system.name,
            names[each.system.pk].get(each.tier.code, each.tier.code) if each.tier else "",
            _(ACCOUNTS[each.kind][0]),
            each.amount,
            _address_of(each, may_export=may_export),
        )
        for each in sums.accounts_of(filters.systems, code)
    ]


def _address_of(row: AccountRow, *, may_export: bool) -> str:
    """Where what an account holds comes from: its prize, or the claims that it waits for; of no
    prize the report that has its balance of today, which not everybody opens."""
    query = {"system": row.system.code}
    if row.kind == "held":
        query |= {"standing": "held", **({"tier": str(row.tier.pk)} if row.tier else {})}
        return f"{reverse('claims')}?{urlencode(query)}"
    if row.kind == "payable":
        return f"{reverse('claims')}?{urlencode({**query, 'standing': 'confirmed'})}"
    if row.tier:
        return reverse("pool", args=[row.system.code, row.tier.code])
    if not may_export:
        return ""
    day = today(row.system.casino)
    query |= {"casino": row.system.casino.code, "from": f"{day}", "to": f"{day}"}
    return f"{reverse('report', args=['liability'])}?{urlencode(query)}"
