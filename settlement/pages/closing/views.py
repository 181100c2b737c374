"""Close of day: days and months with their states, and one of them with checklist and figures."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from settlement.closing import closes
from settlement.closing.checklist import Check, OpenPoint
from settlement.closing.closes import PeriodState
from settlement.core.errors import RuleBroken
from settlement.core.gaming_day import Month, today
from settlement.core.words.labels import account_name
from settlement.pages.claims.actions import refusal_text
from settlement.pages.shared.choices import choice_of, system_or_404
from settlement.pages.shared.decorators import opens_for
from settlement.people.rights.permissions import may
from tables.models import JackpotSystem


@require_safe
@opens_for("view_claim")
def closing(request: HttpRequest) -> HttpResponse:
    """The days of a month and all months of one system; the first one without a choice."""
    systems = list(JackpotSystem.objects.select_related("casino").order_by("name", "pk"))
    code = choice_of(request, "system", [system.code for system in systems])
    system = next((each for each in systems if each.code == code), next(iter(systems), None))
    context: dict[str, Any] = {"systems": systems, "system": system}
    if system is not None:
        try:
            month = Month.parse(request.GET.get("month", ""))
        except ValueError:
            month = Month.of(today(system.casino))
        context |= {
            "month": month,
            "days": closes.days(system, month),
            "months": closes.months(system),
        }
    return render(request, "console/closing/list.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for("view_claim")
def closing_day(request: HttpRequest, system: str, day: str) -> HttpResponse:
    """A day or month: what keeps it open, its figures, propose and agree."""
    jackpot_system = system_or_404(system)
    period = closes.period(jackpot_system, day)
    if period is None:
        raise Http404(_("There is no gaming day or month %(day)s here.") % {"day": day})
    if request.method == "POST":
        return _propose(request, period)
    figures = closes.closing_figures(period)
    is_closed = period.state == PeriodState.CLOSED
    checks = closes.kept_checks(period) if is_closed else closes.checks(period)
    return render(
        request,
        "console/closing/day.html",
        {
            "system": jackpot_system,
            "casino": jackpot_system.casino,
            "period": period,
            "checks": [(check, _addressed(check)) for check in checks],
            "is_ready": not any(check.points for check in checks),
            "figures": [(account_name(code), held) for code, held in sorted(figures.items())],
            "may_propose": may(request.user, "propose_day_close", jackpot_system),
            "may_agree": may(request.user, "second_day_close", jackpot_system),
            "key": uuid.uuid4(),
        },
    )


def _addressed(check: Check) -> list[tuple[OpenPoint, str]]:
    """Its open points, each with the address of the page that settles it."""
    return [(point, reverse(point.page, args=point.args) + point.query) for point in check.points]


def _propose(request: HttpRequest, period: closes.Period) -> HttpResponse:
    try:
        key = uuid.UUID(request.POST.get("key", ""))
    except ValueError:
        key = uuid.uuid4()
    try:
        closes.propose(period, request.user, key)
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    else:
        messages.success(request, _("Proposed. A second person must approve it with a password."))
    return redirect(reverse("closing-day", args=[period.system.code, period.name]))
