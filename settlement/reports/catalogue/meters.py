"""3: what each meter stood at when the period began and ended, and what went in and out."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_noop as _
from psycopg import sql

from settlement.reports.catalogue.roll_forward import CONTRIBUTED, MOVEMENTS, rows_of
from settlement.reports.definitions.definition import Definition, Field, Filters, as_query

COLUMNS = (
    Field("system", _("System")),
    Field("jackpot", _("Jackpot")),
    Field("tier", _("Prize"), link="pool"),
    Field(
        "opening",
        _("Pool at the beginning"),
        "money",
        is_summed=True,
        note=_("When the first day began, or when the pool was opened."),
    ),
    Field(
        "contributed",
        _("Contributed"),
        "money",
        is_summed=True,
        note=_("Contributions of all sources, less those of void rounds."),
        link="report:roll-forward",
    ),
    Field(
        "other_in",
        _("Other additions"),
        "money",
        is_summed=True,
        note=_(
            "Everything else that added to the pool, by day and kind: resets, returns and more."
        ),
        link="report:roll-forward",
    ),
    Field(
        "other_out",
        _("Taken"),
        "money",
        is_summed=True,
        note=_("Reserved for claims and everything else that took from the pool, by day and kind."),
        link="report:roll-forward",
    ),
    Field(
        "closing",
        _("Pool at the end"),
        "money",
        is_summed=True,
        note=_("The beginning and everything between."),
    ),
    Field(
        "reserve", _("Reserve at the end"), "money", is_summed=True, note=_("For the next reset.")
    ),
    Field(
        "overflow",
        _("Overflow at the end"),
        "money",
        is_summed=True,
        note=_("What went beyond the limit of the prize."),
    ),
    Field(
        "hits",
        _("Hits"),
        "number",
        is_summed=True,
        note=_("Hands that were called or reported for the prize, as report 1 has them."),
        link="report:hit-register",
    ),
    Field(
        "displayed",
        _("Displayed at the end"),
        "money",
        note=_("What displays were sent last before the last day ended."),
        link="report:display-accuracy",
    ),
)
_CONTRIBUTED = tuple(f"from_{source}" for source in CONTRIBUTED)
_OTHER = tuple(name for name in MOVEMENTS if name not in _CONTRIBUTED)


def _rows(filters: Filters) -> list[dict[str, Any]]:
    meters: dict[tuple[str, str], dict[str, Any]] = {}
    for row in rows_of(filters):
        key = row["system"], row["tier"]
        opening = {
            "opening": row["opening"],
            **dict.fromkeys(("contributed", "other_in", "other_out", "hits"), 0),
        }
        meter = meters.setdefault(key, {name: row[name] for name in ("system", "jackpot", "tier")})
        for name, value in opening.items():
            meter.setdefault(name, value)
        meter["contributed"] += sum(row[name] for name in _CONTRIBUTED)
        meter["other_in"] += sum(max(row[name], 0) for name in _OTHER)
        meter["other_out"] += sum(min(row[name], 0) for name in _OTHER)
        meter["hits"] += row["hits"]
        for name in ("closing", "reserve", "overflow", "displayed"):
            meter[name] = row.get(name)
    return list(meters.values())


def _query(filters: Filters) -> sql.Composed:
    return as_query(COLUMNS, _rows(filters))


REPORT = Definition(
    number=3,
    code="meters",
    title=_("Meters of prizes"),
    question=_("What did each meter stand at when the period began and ended?"),
    columns=COLUMNS,
    is_final=True,
    order="system, tier",
    query=_query,
    compared={"jackpot": "jackpot", "tier": "tier"},
    rules=("19.8",),
)
