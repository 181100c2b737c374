"""The audit trail as people read it: who did what, when, from where, on what, before and after."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_safe

from jackpot.labels.figures import write_money
from jackpot.models import Entry
from settlement.audit import trail
from settlement.audit.trail import Place, Question
from settlement.audit.trail_words import AREAS
from settlement.core.input import clean_text
from settlement.core.report_query import EARLIEST, LATEST
from settlement.pages.audit import trail_links
from settlement.pages.shared.choices import choice_of, days_of, query_without, shortcuts
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.lists.cursor import ListPage
from settlement.pages.shared.lists.order import Column, Sort, order_of
from settlement.pages.shared.lists.order import context_of as order_context
from settlement.pages.shared.lists.saved_views import context_of as views_context
from settlement.pages.shared.lists.saved_views import has_views
from settlement.people.rights.permissions import may, name_of
from settlement.people.shared.security_log import people_seen
from settlement.search.entries import ledger_address
from settlement.set_up.change_log import Field, fields_of
from tables.models import Casino, JackpotSystem

ROWS = 100
LONGEST_SUBJECT, LONGEST_ADDRESS = 200, 45
_AND = " and "  # between two log-ins, as the database writes them


@dataclass(frozen=True, slots=True)
class TrailRow:
    """A row as it is shown: what it changed, where its object is, where its place in the order."""

    row: Mapping[str, Any]
    who: str  # by name, two where two decided; else the role of the database
    is_person: bool
    fields: list[Field]
    subject: str
    address: str
    entry_address: str


# By its key and nothing else: every part has an index of it, and is as long as the house is old.
SORTS = (Sort("at", gettext_noop("When"), (Column("at", dt.datetime),)),)


@require_safe
@opens_for("view_accessnote", "view_set_up")
@has_views("audit-trail")
def audit_trail(request: HttpRequest) -> HttpResponse:
    """By gaming day, person, area, object and address, the newest first."""
    casino = Casino.objects.order_by("pk").first()
    areas = trail.areas_of(request.user)
    days = days_of(request)
    people = [(each.get_username(), name_of(each)) for each in people_seen()]
    area = choice_of(request, "area", areas)
    question = Question(
        areas=tuple([area] if area else areas),
        start=(days.start(casino) if casino else None) or EARLIEST,
        end=(days.end(casino) if casino else None) or LATEST,
        person=choice_of(request, "person", dict(people)),
        subject=clean_text(request.GET.get("subject", ""), LONGEST_SUBJECT),
        address=clean_text(request.GET.get("address", ""), LONGEST_ADDRESS),
    )
    place, order = Place.parse(request.GET.get("before", "")), order_of(request, SORTS)
    rows = trail.page(question, ROWS + 1, place, is_upwards=not order.is_down)
    page_rows, rest = rows[:ROWS], query_without(request, "before")
    context = {
        "casino": casino,
        "rows": _trail_rows(page_rows, request.user),
        "count": len(page_rows),
        "days": days,
        "shortcuts": shortcuts(request, casino) if casino else [],
        "areas": [(each, AREAS[each]) for each in areas],
        "area": area,
        "people": people,
        "question": question,
        "is_filtered": bool(area or question.person or question.subject or question.address)
        or bool(days.first or days.last),
        "page": ListPage(
            page_rows,
            first=f"{request.path}{rest}" if place else "",
            previous="",
            next=_next(page_rows[-1], rest) if len(rows) > ROWS else "",
        ),
        "report": _report(request, casino, question.person),
        **order_context(request, SORTS, order),
        **views_context(request, "audit-trail"),
    }
    return render(request, "console/audit/trail.html", context)


@require_safe
@opens_for("view_accessnote", "view_set_up")
def moved(request: HttpRequest, area: str) -> HttpResponse:
    """What were pages of their own are areas of the trail, with the same filters."""
    query = request.GET.copy()
    query.pop("kind", None)
    query["area"] = area
    return redirect(f"{reverse('audit-trail')}?{query.urlencode()}", permanent=True)


def _next(last: Mapping[str, Any], query: str) -> str:
    """The address of the next page, behind the last row of this one."""
    before = urlencode({"before": str(Place(last["at"], last["part"], last["id"]))})
    return f"{query}&{before}" if query else f"?{before}"


def _report(request: HttpRequest, casino: Casino | None, person: str) -> str:
    """The same days and person as a report, which becomes files; empty for who opens none."""
    user: Any = request.user
    if casino is None or not (may(user, "export_reports") and may(user, "view_accessnote")):
        return ""
    days = {name: text for name in ("from", "to") if (text := request.GET.get(name))}
    query = {"casino": casino.code, **days} | ({"person": person} if person else {})
    return f"{reverse('report', args=['audit-trail'])}?{urlencode(query)}"


def _trail_rows(rows: list[dict[str, Any]], user: Any) -> list[TrailRow]:
    systems = {each.code: each for each in JackpotSystem.objects.select_related("casino")}
    roles = dict(Group.objects.values_list("pk", "name"))
    entries = _entry_addresses(rows, user)
    names = {
        each.get_username(): name_of(each)
        for each in get_user_model().objects.filter(
            username__in={login for row in rows for login in row["who"].split(_AND)}
        )
    }
    return [
        TrailRow(
            row,
            get_text_list([names.get(each, each) for each in row["who"].split(_AND)], _("and")),
            row["who"].split(_AND)[0] in names,
            _fields(row, systems.get(row["system"] or ""), roles),
            _name(row["subject"]),
            trail_links.address(row, systems, user),
            entries.get((row["system"], row["entry"]), ""),
        )
        for row in rows
    ]


def _entry_addresses(rows: Iterable[Mapping[str, Any]], user: Any) -> dict[tuple[str, int], str]:
    """What the entries of the rows moved, by system and number."""
    places = {(row["system"], row["entry"]) for row in rows if row["entry"]}
    entries = Entry.objects.filter(
        system__code__in={code for code, _seq in places}, seq__in={seq for _code, seq in places}
    ).select_related("system__casino")
    return {
        (each.system.code, each.seq): ledger_address(each, user)
        for each in entries
        if (each.system.code, each.seq) in places
    }


def _name(subject: str) -> str:
    """A claim as it is called everywhere."""
    _system, kind, _rest = trail_links.parts(subject)
    return subject.upper() if kind == "claim" else subject


def _fields(
    row: Mapping[str, Any], system: JackpotSystem | None, roles: Mapping[int, str]
) -> list[Field]:
    """What changed, or what was said, in lines."""
    kind = str(row["kind"] or "").removeprefix("set_up:")
    if system is None:
        return fields_of(kind, row["before"], row["after"], roles)
    casino = system.casino
    texts = []
    for name, value in _flat(row["after"]):
        text = str(value)
        if name.split(".")[-1] == "amount" and isinstance(value, int):
            text = write_money(value, casino)
        texts.append(Field(name.removeprefix("body.").replace("_", " "), "", text))
    return texts


def _flat(body: Mapping[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    """The values of an object by their names, those of objects within it too; nothing empty."""
    values: list[tuple[str, Any]] = []
    for name, value in body.items():
        if isinstance(value, dict):
            values += _flat(value, f"{prefix}{name}.")
        elif isinstance(value, list):
            values.append((f"{prefix}{name}", ", ".join(map(str, value)) or _("none")))
        elif value not in (None, ""):
            values.append((f"{prefix}{name}", value))
    return values
