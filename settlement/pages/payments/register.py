"""The register of payouts."""

from __future__ import annotations

import datetime as dt

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_safe

from settlement.core.report_query import Report
from settlement.pages.claims.queue.filter import people
from settlement.pages.reports.links import report_of
from settlement.pages.shared.choices import casino_or_404, choice_of, query_without
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.lists.cursor import page_of_report
from settlement.pages.shared.lists.narrowing import Narrowing, narrowing_of
from settlement.pages.shared.lists.narrowing import context_of as narrowing_context
from settlement.pages.shared.lists.order import PLACES, Column, Sort, order_of
from settlement.pages.shared.lists.order import context_of as order_context
from settlement.pages.shared.lists.saved_views import context_of as views_context
from settlement.pages.shared.lists.saved_views import has_views
from settlement.payments.register import Chosen, payout_register, totals
from settlement.reports.definitions.definition import amount_code
from tables.models import Casino

ROWS = 200
_AT, _SYSTEM = Column("at", dt.datetime), Column("system", str)
_ROW = (_SYSTEM, Column("what", str), Column("id", int))  # unique to a row
SORTS = (
    Sort("at", gettext_noop("Paid at"), (_AT, *_ROW)),
    Sort("amount", gettext_noop("Amount"), (Column("amount_micros", int), _AT, *_ROW)),
    Sort("claim", gettext_noop("Claim"), (_SYSTEM, Column("claim", int), *_ROW[1:])),
)


@require_safe
@opens_for("view_claim")
@has_views("payouts")
def payouts(request: HttpRequest) -> HttpResponse:
    """Payouts of some gaming days with their parts, all who took part, and totals."""
    casino = casino_or_404(request)
    narrowing = narrowing_of(request, casino.minor_digits, people())
    register, system = _register(request, casino, narrowing)
    order = order_of(request, SORTS)
    systems = list(casino.systems.order_by("name"))
    return render(
        request,
        "console/payments/register.html",
        {
            "casino": casino,
            "printed_at": timezone.now(),
            "casinos": Casino.objects.order_by("name"),
            "systems": systems,
            "system": system,
            "system_name": next((each.name for each in systems if each.code == system), ""),
            "narrowing": narrowing,
            "is_filtered": bool(narrowing or system),
            "page": page_of_report(request, register, order.columns, ROWS),
            "totals": totals(register),
            "query": query_without(request, "sort", *PLACES),
            "report": report_of(
                *("payouts", casino, narrowing.days),
                system=system,
                person=narrowing.person,
                least="" if narrowing.least is None else amount_code(narrowing.least, casino),
                most="" if narrowing.most is None else amount_code(narrowing.most, casino),
            )
            if request.user.has_perm("settlement.export_reports")
            else "",
            **narrowing_context(request, narrowing, casino),
            **order_context(request, SORTS, order),
            **views_context(request, "payouts"),
        },
    )


def _register(request: HttpRequest, casino: Casino, narrowing: Narrowing) -> tuple[Report, str]:
    """The register that was asked for, and the system that was chosen."""
    codes = set(casino.systems.values_list("code", flat=True))
    system = choice_of(request, "system", codes)
    chosen = Chosen(narrowing.least, narrowing.most, narrowing.person)
    return payout_register(casino, narrowing.days, system, chosen), system
