"""6: how the amount of each claim came about, step by step."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_noop as _
from psycopg import sql

from jackpot.models import Hit
from settlement.claims.derivation import steps_of
from settlement.core.sequence_at import first_entries
from settlement.reports.definition import Definition, Field, Filters, as_query

COLUMNS = (
    Field("system", _("System")),
    Field("claim", _("Claim"), "number"),
    Field("tier", _("Prize")),
    Field("table_code", _("Table")),
    Field("step", _("Step"), "number"),
    Field("what", _("What")),
    Field("rule", _("Rule")),
    Field("amount", _("Amount"), "money"),
)


def _rows(filters: Filters) -> list[dict[str, Any]]:
    """The steps of every claim with a place in these days of which something was confirmed."""
    rows = []
    for system in filters.systems:
        first, end = first_entries(system.pk, [filters.start, filters.end])
        hits = Hit.objects.filter(
            system=system, place__gte=first, place__lt=end, confirmed__gt=0
        ).select_related("system__casino", "tier", "table")
        for hit in hits.order_by("number"):
            for number, step in enumerate(steps_of(hit), start=1):
                rows.append(
                    {
                        "system": system.code,
                        "claim": hit.number,
                        "tier": hit.tier.code if hit.tier else "",
                        "table_code": hit.table.code,
                        "step": number,
                        "what": step.text,
                        "rule": step.rule,
                        "amount": step.amount,
                    }
                )
    return rows


def _query(filters: Filters) -> sql.Composed:
    return as_query(COLUMNS, _rows(filters))


REPORT = Definition(
    number=6,
    code="derivation",
    title=_("Derivation of payouts"),
    question=_("How did the amount of each confirmed claim come about?"),
    columns=COLUMNS,
    order="system, claim, step",
    query=_query,
    compared={"tier": "tier", "table": "table_code"},
)
