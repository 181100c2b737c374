"""Where something on the floor was, as lists of it are narrowed: a jackpot system, a table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _

from settlement.pages.shared.lists.facets import Facet, facet_of
from tables.models import GamingTable


def place_facets(request: HttpRequest, tables: Iterable[GamingTable]) -> tuple[Facet, Facet]:
    """A system and a table. `tables`: every one, as those that moved away have a past, too."""
    rows = list(tables)
    systems = {each.system.code: each.system.name for each in rows}
    names = {f"{each.system.code}/{each.code}": each.name for each in rows}
    return (
        facet_of(request, "system", _("Jackpot system"), systems.items()),
        facet_of(request, "table", _("Table"), names.items()),
    )


def at_place(rows: QuerySet[Any], system: Facet, table: Facet) -> QuerySet[Any]:
    """Those of the system and the table that were chosen."""
    if system:
        rows = rows.filter(system__code=system.chosen)
    if table:
        of_system, _slash, code = table.chosen.partition("/")
        rows = rows.filter(system__code=of_system, table__code=code)
    return rows
