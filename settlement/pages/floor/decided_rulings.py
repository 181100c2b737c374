"""What was decided of irregularities, as a list: narrowed, sorted, page by page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from rules.dead_hands import MISDEALS
from rules.phrases import Phrase
from settlement.core.words.translation import translated
from settlement.floor import rulings
from settlement.models import Ruling
from settlement.pages.floor.place_facets import at_place, place_facets
from settlement.pages.shared.choices import days_of
from settlement.pages.shared.lists.cursor import page_of_rows
from settlement.pages.shared.lists.facets import Facet, context_of, facet_of, person_facet, text_of
from settlement.pages.shared.lists.narrowing import within
from settlement.pages.shared.lists.order import Column, Sort, order_of
from settlement.pages.shared.lists.order import context_of as order_context
from settlement.pages.shared.lists.saved_views import context_of as views_context
from settlement.people.rights.permissions import name_of
from tables.models import Casino, GamingTable

ROWS = 40
_ID = Column("id", int)
SORTS = (
    Sort("at", gettext_noop("When"), (_ID,)),
    Sort(
        "table",
        gettext_noop("Table"),
        (Column("system__name", str), Column("table__name", str), _ID),
        starts_down=False,
    ),
    Sort("kind", gettext_noop("What"), (Column("kind", str), _ID), starts_down=False),
)


def part_of(request: HttpRequest, tables: Iterable[GamingTable]) -> dict[str, Any]:
    """What the page shows of them. Requests that are open are no part of it: none is left out."""
    facets, days = _facets(request, tables), days_of(request)
    order = order_of(request, SORTS)
    chosen = _chosen(rulings.decided(), facets, text_of(request))
    rows = within(chosen, "at", days, Casino.objects.all())
    page = page_of_rows(request, rows, order.columns, ROWS)
    return {
        "decided": [_decided(row) for row in page.rows],
        "page": page,
        **context_of(request, *facets, days=days),
        **order_context(request, SORTS, order),
        **views_context(request, "irregularities"),
    }


def _facets(request: HttpRequest, tables: Iterable[GamingTable]) -> tuple[Facet, ...]:
    kinds = [(code, str(label).capitalize()) for code, label in Ruling.Kind.choices]
    return (
        facet_of(request, "kind", gettext("Decision"), kinds),
        *place_facets(request, tables),
        person_facet(request, gettext("Person"), Ruling.objects.order_by().values("person")),
    )


def _chosen(rows: QuerySet[Ruling], facets: tuple[Facet, ...], text: str) -> QuerySet[Ruling]:
    """Those that the address asks for; words are looked for in the note."""
    kind, system, table, person = facets
    rows = at_place(rows, system, table)
    names = {"kind": kind.chosen, "person__username": person.chosen}
    rows = rows.filter(**{name: chosen for name, chosen in names.items() if chosen})
    for word in text.split():
        rows = rows.filter(note__icontains=word)
    return rows


def _decided(row: Ruling) -> dict[str, Any]:
    reasons = rulings.REASONS.get(Ruling.Kind(row.kind), {})
    if row.misdeal:
        reason: Phrase | None = MISDEALS[row.misdeal].sentence
    else:
        reason = reasons[row.reason][1] if row.reason in reasons else None
    signed = getattr(row, "countersignature", None)
    return {
        "row": row,
        "who": name_of(row.person),
        "reason": translated(reason) if reason else "",
        "signed": signed,
        "address": reverse("table", args=[row.system.code, row.table.code]),
    }
