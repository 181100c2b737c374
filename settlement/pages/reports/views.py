"""Reports on screen: what there is, and one of them with its filters and totals."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from jackpot.models import Tier
from settlement.core.gaming_day import today
from settlement.jurisdiction.forms_due import forms_due
from settlement.jurisdiction.returns import Return, returns_of
from settlement.jurisdiction.rules import rules_at
from settlement.jurisdiction.words import age_in_words
from settlement.pages.shared.choices import (
    casino_or_404,
    choice_of,
    days_of,
    number_of,
    query_without,
    shortcuts,
)
from settlement.pages.shared.decorators import opens_for
from settlement.payments.form_drafts import may_draft
from settlement.reports import exports, manifest
from settlement.reports.catalogue import reports
from settlement.reports.definition import CODES, Definition, Field, Filters
from settlement.reports.writers.sheet import MICROS, text_of, value_of
from tables.models import Casino, GamingTable

ROWS = 100
WITH_FORMS = "tax-and-cash-reports"
MOST_FORMS = 200
FIRST_DAYS = dt.timedelta(days=6)  # a page begins with a week
LONGEST_CODE = 150


def definition_or_404(code: str) -> Definition:
    definition = reports().get(code)
    if definition is None:
        raise Http404(_("There is no report %(code)s.") % {"code": code})
    return definition


def filters_of(request: HttpRequest, casino: Casino, definition: Definition) -> Filters:
    """What the address asks for; the last week without days."""
    days = days_of(request)
    last = days.last or max(days.first or today(casino), today(casino))
    first = days.first or last - FIRST_DAYS
    codes = {name: request.GET.get(name, "").strip()[:LONGEST_CODE] for name in definition.filters}
    codes["system"] = choice_of(request, "system", casino.systems.values_list("code", flat=True))
    return Filters(casino, first, last, codes)


@require_safe
@opens_for("export_reports")
def report_list(request: HttpRequest) -> HttpResponse:
    """Every report with the question that it answers."""
    casino = casino_or_404(request)
    return render(
        request,
        "console/reports/list.html",
        {
            "casino": casino,
            "reports": [(each, _(each.title), _(each.question)) for each in reports().values()],
            "returns": [
                (each, _days(casino, each), [_titled(code) for code in each.reports])
                for each in returns_of(casino, today(casino))
            ],
        },
    )


def _days(casino: Casino, due: Return) -> str:
    """The query of an address: the report of the days of a return."""
    return urlencode({"casino": casino.code, "from": due.first, "to": due.last})


def _titled(code: str) -> tuple[str, str]:
    """A report of a return; one that there is not has no title, and no address."""
    definition = reports().get(code)
    return code, _(definition.title) if definition else ""


@require_safe
@opens_for("export_reports")
def report(request: HttpRequest, report: str) -> HttpResponse:
    """One report of some days: filters, rows, totals, and what it was made from."""
    definition = definition_or_404(report)
    casino = casino_or_404(request)
    filters = filters_of(request, casino, definition)
    bound = definition.report(filters)
    place = max(number_of(request, "page") or 1, 1)
    rows = bound.rows(ROWS + 1, (place - 1) * ROWS)
    totals = None if definition.is_long else definition.totals(bound)
    points = manifest.checkpoints(filters)
    context: dict[str, Any] = {
        "definition": definition,
        "title": _(definition.title),
        "question": _(definition.question),
        "casino": casino,
        "casinos": Casino.objects.order_by("name"),
        "filters": filters,
        "days": filters.days,
        "shortcuts": [each for each in shortcuts(request, casino) if each[1] != "?"],
        "systems": casino.systems.order_by("name"),
        "choices": choices(definition, filters),
        "headings": [heading(each, casino) for each in definition.columns],
        "rows": [cells(definition, row, casino) for row in rows[:ROWS]],
        "totals": totals and total_cells(definition, totals, casino),
        "count": totals and totals["rows"],
        "place": place,
        "more": len(rows) > ROWS,
        "query": query_without(request, "page"),
        "checkpoints": points,
        "log": manifest.log_in_words(points),
        "version": manifest.version(filters),
        "printed_at": timezone.now(),
        "formats": exports.formats(),
        "key": uuid.uuid4(),
        **_forms(definition, filters, request.user),
    }
    return render(request, "console/reports/report.html", context)


def _forms(definition: Definition, filters: Filters, user: Any) -> dict[str, Any]:
    """Beside the report on tax and cash: the forms that are due, by person, with their drafts."""
    if definition.code != WITH_FORMS:
        return {}
    due = forms_due(filters.casino, filters.first, filters.last)
    return {
        "forms": due[:MOST_FORMS],
        "more_forms": len(due) - MOST_FORMS,
        "may_draft": any(may_draft(user, system) for system in filters.systems),
        "stale": [
            text
            for rule in rules_at(filters.casino, filters.last).rules
            if (text := age_in_words(rule, filters.last))
        ],
    }


def choices(definition: Definition, filters: Filters) -> list[tuple[str, str, list[str], str]]:
    """Filters besides days and system: (name, label, what there is, what is chosen)."""
    labels = {
        "jackpot": _("Jackpot"),
        "tier": _("Prize"),
        "table": _("Table"),
        "person": _("Person"),
    }
    tiers = Tier.objects.filter(system__in=filters.systems)
    tables = GamingTable.objects.filter(system__in=filters.systems)
    known: dict[str, set[str]] = {
        "jackpot": set(tiers.values_list("jackpot", flat=True)),
        "tier": set(tiers.values_list("code", flat=True)),
        "table": set(tables.values_list("code", flat=True)),
    }
    return [
        (name, labels[name], sorted(known.get(name, ())), filters.codes.get(name, ""))
        for name in CODES
        if name in definition.compared
    ]


def heading(field: Field, casino: Casino) -> tuple[str, bool]:
    """A column's heading, and whether it has figures."""
    title = _(field.title)
    return (
        f"{title}, {casino.currency}" if field.shape == "money" else title,
        field.shape in ("money", "number"),
    )


def cells(definition: Definition, row: dict[str, Any], casino: Casino) -> list[tuple[str, bool]]:
    """A row as it is shown: text, and whether it is a figure."""
    zone = ZoneInfo(casino.timezone)
    return [
        (
            text_of(value_of(each, row[each.source], zone), casino.minor_digits),
            each.shape in ("money", "number"),
        )
        for each in definition.columns
    ]


def total_cells(
    definition: Definition, totals: dict[str, int], casino: Casino
) -> list[tuple[str, bool]]:
    """The row of totals; empty where a column has none."""
    cells = []
    for each in definition.columns:
        total: Any = totals[each.source] if each.is_summed else None
        if total is not None and each.shape == "money":
            total = total / MICROS
        cells.append((text_of(total, casino.minor_digits), True))
    return cells
