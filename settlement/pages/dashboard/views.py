"""The dashboard of a casino: one card a figure, with a link to what is behind it, and charts."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from jackpot.labels.figures import write_amount, write_count
from settlement.closing import table_days
from settlement.core.gaming_day import today
from settlement.dashboard.figures import MonthOfHits, balances, drop_by_day, hits_by_month
from settlement.dashboard.waiting_times import Wait, waits
from settlement.drop import findings
from settlement.pages.dashboard.charts import by_table, drop_variance, hits_a_month
from settlement.pages.dashboard.choices import SEES, casinos_of, chosen_casino, chosen_days
from settlement.pages.shared.choices import shortcuts
from settlement.pages.shared.decorators import opens_for
from settlement.reports.definitions.definition import Filters
from settlement.templatetags.when import waiting
from tables.models import Casino, JackpotSystem

SPANS = ("today", "week", "month", "last_month", "year")


@dataclass(frozen=True, slots=True)
class Card:
    """A figure, what it is, and where it comes from. `is_amount`: in the casino's currency."""

    label: str
    value: str
    note: str
    address: str
    is_amount: bool = True
    is_urgent: bool = False


@require_safe
@opens_for(SEES)
def dashboard(request: HttpRequest) -> HttpResponse:
    """Of a casino in which this person's role allows it."""
    user: Any = request.user
    casinos = casinos_of(user)
    casino = chosen_casino(request, casinos)
    if casino is None:
        return render(request, "console/dashboard/dashboard.html", {"casinos": []})
    days = chosen_days(request, casino)
    first, last = days.first or today(casino), days.last or today(casino)
    context = {
        "casino": casino,
        "casinos": casinos,
        "days": days,
        "shortcuts": shortcuts(request, casino, SPANS, days),
        "printed_at": timezone.now(),
        **_figures(user, casino, first, last),
    }
    return render(request, "console/dashboard/dashboard.html", context)


def _figures(user: Any, casino: Casino, first: dt.date, last: dt.date) -> dict[str, Any]:
    """All that the page shows of these gaming days, both included."""
    filters = Filters(casino, first, last)
    systems: list[JackpotSystem] = filters.systems
    keys = [system.pk for system in systems]
    tables = table_days.totals(casino, keys, first, last)
    months = hits_by_month(casino, keys)
    steps = waits(filters, keys)
    is_behind = table_days.is_behind(keys)
    addresses = _Addresses(user, filters)
    return {
        "systems": systems,
        "cards": [
            *_of_money(casino, keys, addresses),
            Card(
                _("Contributions"),
                write_amount(sum(each.contributed for each in tables), casino.minor_digits),
                _("The newest rounds are still being added up.")
                if is_behind
                else _("on the chosen days, from all tables"),
                addresses.sum_of("contributions"),
            ),
            *_counted(months, steps, keys, addresses),
        ],
        "waits": steps,
        "hits": hits_a_month(months, casino),
        "contributions": by_table(tables, casino, several_systems=len(systems) > 1),
        "is_behind": is_behind,
        "variance": drop_variance(drop_by_day(keys, first, last), casino),
        "reports": {
            "owed": addresses.report("liability"),
            "waits": addresses.report("hit-register"),
            "contributions": addresses.report("round-ledger"),
            "variance": addresses.report("drop"),
        },
    }


def _counted(
    months: list[MonthOfHits], steps: list[Wait], systems: list[int], addresses: _Addresses
) -> list[Card]:
    """Hits, claims and variances: how many there are."""
    variances = findings.open_findings().filter(count__system__in=systems).count()
    oldest = min((step.oldest for step in steps if step.oldest), default=None)
    waited = _("the oldest has waited %(time)s") % {"time": waiting(oldest)}
    return [
        Card(
            _("Hits this month"),
            write_count(months[-1].hits),
            _("last month: %(count)s") % {"count": write_count(months[-2].hits)},
            addresses.report("hit-register", of_month=True)
            or addresses.page("claims", standing="all"),
            is_amount=False,
        ),
        Card(
            _("Open claims"),
            write_count(sum(step.open for step in steps)),
            waited if oldest else _("nobody waits"),
            addresses.page("claims", view="usual"),
            is_amount=False,
        ),
        Card(
            _("Open variances"),
            write_count(variances),
            _("of drop and bank, to explain or sign off"),
            addresses.page("findings", view="usual"),
            is_amount=False,
            is_urgent=bool(variances),
        ),
    ]


def _of_money(casino: Casino, systems: list[int], addresses: _Addresses) -> list[Card]:
    """What the accounts hold now."""
    now = balances(systems)

    def money(micros: int) -> str:
        return write_amount(micros, casino.minor_digits)

    tax = _("besides %(amount)s of withheld tax") % {"amount": money(now.tax)} if now.tax else ""
    return [
        Card(
            _("Owed to players"),
            money(now.liability),
            tax or _("pools, reserves and prizes not handed over"),
            addresses.sum_of("owed"),
        ),
        Card(
            _("Reserve"),
            money(now.reserve),
            _("for the next resets"),
            addresses.sum_of("reserve"),
        ),
        Card(
            _("Reserved for claims"),
            money(now.held),
            _("not confirmed yet"),
            addresses.sum_of("held"),
        ),
        Card(
            _("Confirmed, unpaid"),
            money(now.payable),
            _("not handed over yet"),
            addresses.sum_of("payable"),
        ),
    ]


class _Addresses:
    """Where figures come from: reports for who may open them, lists for everybody."""

    def __init__(self, user: Any, filters: Filters) -> None:
        self._may_report = user.has_perm("settlement.export_reports")
        self._filters = filters

    def report(self, code: str, *, of_month: bool = False) -> str:
        """Of the days of the page, or of this month; empty for who opens no reports."""
        if not self._may_report:
            return ""
        first, last = self._filters.first, self._filters.last
        if of_month:
            last = today(self._filters.casino)
            first = last.replace(day=1)
        query = {"casino": self._filters.casino.code, "from": f"{first}", "to": f"{last}"}
        return f"{reverse('report', args=[code])}?{urlencode(query)}"

    def sum_of(self, code: str) -> str:
        """The list that adds up to a tile, of the casino and the days of the page."""
        filters = self._filters
        days = {"from": f"{filters.first}", "to": f"{filters.last}"}
        return self.page("dashboard-sum", of=code, casino=filters.casino.code, **days)

    def page(self, name: str, **query: str) -> str:
        return reverse(name) + (f"?{urlencode(query)}" if query else "")
