"""Reports on screen: what there is, and one of them with its filters and totals."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from jackpot.models import Tier
from jackpot.storage.pinned_read import read
from jackpot.storage.snapshot import snapshot
from settlement.core.gaming_day import today
from settlement.jurisdiction.forms_due import forms_due
from settlement.jurisdiction.returns import Return, returns_of
from settlement.jurisdiction.rules import rules_at
from settlement.jurisdiction.words import age_in_words
from settlement.pages.reports import lists
from settlement.pages.reports.links import Place, address_of
from settlement.pages.reports.lists import ROWS
from settlement.pages.shared.choices import (
    casino_or_404,
    choice_of,
    days_of,
    number_of,
    query_without,
    shortcuts,
)
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.lists.narrowing import amounts_of, context_of_amounts
from settlement.pages.shared.lists.order import PLACES, Order, SortLink
from settlement.pages.shared.lists.saved_views import default_of
from settlement.payments.form_drafts import may_draft
from settlement.people.rights.permissions import name_of
from settlement.people.shared.security_log import people_seen
from settlement.reports import exports, manifest
from settlement.reports.catalogue import reports
from settlement.reports.catalogue.tax_and_reports import paid_on
from settlement.reports.definitions.definition import Definition, Field, Filters, amount_code
from settlement.reports.definitions.definition import amounts_of as chosen_amounts
from settlement.reports.definitions.sources import open_from
from settlement.reports.writers.sheet import MICROS, text_of, value_of
from tables.models import Casino, GamingTable

WITH_FORMS = "tax-and-cash-reports"
MOST_FORMS = 200
STANDBY_WAIT_S = 1.0  # for what it misses; then the database adds up
FIRST_DAYS = dt.timedelta(days=6)  # a page begins with a week
LONGEST_CODE = 150
SHORT = 28  # characters that stay in one line


@dataclass(frozen=True, slots=True)
class Cell:
    """A value as it is shown, and the address of what it comes from."""

    text: str
    is_figure: bool
    address: str = ""

    @property
    def kind(self) -> str:
        """The class of its cell: figures to the right, short texts in one line."""
        return "number" if self.is_figure else "nowrap" if len(self.text) < SHORT else "prose"


@dataclass(frozen=True, slots=True)
class Choice:
    """A filter: what there is, by code and name, and the code that is chosen."""

    name: str
    label: str
    options: list[tuple[str, str]]
    chosen: str


def definition_or_404(request: HttpRequest, code: str) -> Definition:
    definition = reports().get(code)
    if definition is None:
        raise Http404(_("There is no report %(code)s.") % {"code": code})
    if not _is_open(request, definition):
        raise PermissionDenied(_("Your role does not open this report."))
    return definition


def _is_open(request: HttpRequest, definition: Definition) -> bool:
    return request.user.has_perm(f"settlement.{definition.permission}")


def filters_of(request: HttpRequest, casino: Casino, definition: Definition) -> Filters:
    """What the address asks for; the last week without days."""
    days = days_of(request)
    last = days.last or max(days.first or today(casino), today(casino))
    first = days.first or last - FIRST_DAYS
    codes = {name: request.GET.get(name, "").strip()[:LONGEST_CODE] for name in definition.filters}
    if "system" in codes:
        system_codes = casino.systems.values_list("code", flat=True)
        codes["system"] = choice_of(request, "system", system_codes)
    if "least" in codes:
        amounts = zip(("least", "most"), amounts_of(request, casino.minor_digits), strict=True)
        codes |= {name: "" if m is None else amount_code(m, casino) for name, m in amounts}
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
            "reports": [
                (each, _(each.title), _(each.question))
                for each in reports().values()
                if _is_open(request, each)
            ],
            "returns": [
                (each, _days(casino, each), [_titled(code) for code in each.reports], uuid.uuid4())
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
def report(request: HttpRequest, report: str) -> HttpResponseBase:
    """One report of some days: filters, rows, totals, and what it was made from."""
    definition = definition_or_404(request, report)
    order = lists.order_of_report(request, report)
    if order is not None and (way := default_of(request, lists.name_of(report))):
        return way
    casino = casino_or_404(request)
    filters = filters_of(request, casino, definition)
    place = max(number_of(request, "page") or 1, 1)

    def read_figures() -> dict[str, Any]:
        return {
            **_figures(request, definition, filters, place, order),
            **_forms(definition, filters, request.user),
        }

    if definition.is_long and "totals" in request.GET:  # all rows, for up to a minute
        systems = [each.pk for each in filters.systems]
        figures = read(read_figures, systems, wait_s=STANDBY_WAIT_S).answer
    else:
        with snapshot():  # tables play on meanwhile
            figures = read_figures()
    context: dict[str, Any] = {
        "definition": definition,
        "title": _(definition.title),
        "question": _(definition.question),
        "casino": casino,
        "casinos": Casino.objects.order_by("name"),
        "filters": filters,
        "days": filters.days,
        "entry": filters.codes.get("entry", ""),
        **context_of_amounts(request, chosen_amounts(filters), casino.minor_digits),
        "shortcuts": [each for each in shortcuts(request, casino) if each[1] != "?"],
        "systems": casino.systems.order_by("name") if "system" in definition.filters else [],
        "choices": choices(definition.compared, filters),
        "headings": _headings(request, definition, casino, order),
        "meanings": [(_(each.title), _(each.meaning)) for each in definition.columns],
        "place": place,
        "query": query_without(request, "sort", *PLACES),
        "printed_at": timezone.now(),
        "formats": exports.formats(),
        "first_formats": exports.first_formats(definition),
        "key": uuid.uuid4(),
        **figures,
        **(lists.context_of(request, report, order) if order is not None else {}),
    }
    return render(request, "console/reports/report.html", context)


def _figures(
    request: HttpRequest,
    definition: Definition,
    filters: Filters,
    place: int,
    order: Order | None,
) -> dict[str, Any]:
    """Rows of that page and totals, and what they were made from. In a snapshot: else the order at
    which it stood is not that of the figures. Totals of a long report may take a while: they are
    added up where the address asks for it. `order`: of a report that is a list."""
    points = manifest.checkpoints(filters)
    bound = definition.report(filters)
    is_added_up = "totals" in request.GET or not definition.is_long
    totals = definition.totals(bound) if is_added_up else None
    page = None
    if order is not None:
        page = lists.page(request, definition, filters, bound, order)
        rows = page.rows
    else:
        rows = definition.rows(filters, ROWS + 1, (place - 1) * ROWS, bound)
    return {
        "page": page,
        "rows": [cells(definition, row, filters) for row in rows[:ROWS]],
        "totals": totals and total_cells(definition, totals, filters.casino),
        "count": totals and totals["rows"],
        "pages": -(-totals["rows"] // ROWS) if totals else None,
        "more": len(rows) > ROWS,
        "checkpoints": points,
        "log": manifest.log_in_words(points),
        "open_from": open_from(filters),
        "version": manifest.version(filters),
    }


def _forms(definition: Definition, filters: Filters, user: Any) -> dict[str, Any]:
    """Beside the report on tax and cash: the forms that are due, by person, with their drafts."""
    if definition.code != WITH_FORMS:
        return {}
    due = forms_due(paid_on(filters))
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


def choices(names: Container[str], filters: Filters) -> list[Choice]:
    """What can be chosen besides days and system, of the filters with these names."""
    labels = {
        "jackpot": _("Jackpot"),
        "tier": _("Prize"),
        "table": _("Table"),
        "person": _("Person"),
    }
    tiers = Tier.objects.filter(system__in=filters.systems)
    tables = GamingTable.objects.filter(system__in=filters.systems)
    options: dict[str, Callable[[], Iterable[tuple[str, str]]]] = {
        "jackpot": lambda: {(code, code) for code in tiers.values_list("jackpot", flat=True)},
        "tier": lambda: {(code, code) for code in tiers.values_list("code", flat=True)},
        "table": lambda: set(tables.values_list("code", "name")),
        "person": lambda: [(each.get_username(), name_of(each)) for each in people_seen()],
    }
    return [
        Choice(name, labels[name], sorted(options[name]()), filters.codes.get(name, ""))
        for name in labels
        if name in names
    ]


def _headings(
    request: HttpRequest, definition: Definition, casino: Casino, order: Order | None
) -> list[tuple[str, bool, SortLink | None]]:
    """The columns' headings, and where those of a list lead."""
    links = lists.headings(request, definition.code, order) if order is not None else {}
    return [(*heading(each, casino), links.get(each.source)) for each in definition.columns]


def heading(field: Field, casino: Casino) -> tuple[str, bool]:
    """A column's heading, and whether it has figures."""
    title = _(field.title)
    return (
        f"{title}, {casino.currency}" if field.shape == "money" else title,
        field.shape in ("money", "number"),
    )


def cells(definition: Definition, row: dict[str, Any], filters: Filters) -> list[Cell]:
    """A row as it is shown."""
    casino, place = filters.casino, Place(row, filters)
    zone = ZoneInfo(casino.timezone)
    return [
        Cell(
            text_of(value_of(each, row[each.source], zone), casino.minor_digits),
            each.shape in ("money", "number"),
            address_of(each, place),
        )
        for each in definition.columns
    ]


def total_cells(definition: Definition, totals: dict[str, int], casino: Casino) -> list[Cell]:
    """The row of totals; empty where a column has none."""
    cells = []
    for each in definition.columns:
        total: Any = totals[each.source] if each.is_summed else None
        if total is not None and each.shape == "money":
            total = total / MICROS
        cells.append(Cell(text_of(total, casino.minor_digits), is_figure=True))
    return cells
