"""20: what was decided in these days for days that were closed before."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_noop as _
from psycopg import sql

from settlement.closing.prior_period import LaterDecision, later_decisions
from settlement.core.labels import ENTRIES
from settlement.reports.catalogue.player_fund import PAID
from settlement.reports.definition import Definition, Field, Filters, as_query

COLUMNS = (
    Field(
        "day", _("Decided on"), "day", note=_("The gaming day whose figures have it."), link="day"
    ),
    Field("system", _("System")),
    Field("entry", _("Sequence no."), "number", link="entry"),
    Field("at", _("Time"), "local", note=_("When the decision took its place in the order.")),
    Field("what", _("Decision"), words=ENTRIES, note=_("What was decided.")),
    Field(
        "concerns", _("Concerns"), "day", note=_("The closed gaming day of the hand or the round.")
    ),
    Field("claim", _("Claim"), "number", link="claim"),
    Field("table_code", _("Table"), link="table"),
    Field("round", _("Round"), "number", note=_("The round of the table.")),
    Field(
        "pool",
        _("Pools changed by"),
        "money",
        is_summed=True,
        note=_("All prize pools together; report 1 has it in the column “Of it for closed days”."),
        link="report:roll-forward",
    ),
    Field(
        "other",
        _("Reserves, overflow"),
        "money",
        is_summed=True,
        note=_("Reserves and overflows together."),
    ),
    Field("held", _("Reserved"), "money", is_summed=True, note=_("What is reserved for claims.")),
    Field(
        "owed",
        _("Confirmed, unpaid"),
        "money",
        is_summed=True,
        note=_("Confirmed and not handed over, unclaimed, to be returned, or of closed prizes."),
    ),
    Field(
        "paid",
        _("Handed over"),
        "money",
        is_summed=True,
        note=_("With the tax that was withheld, less what was recovered."),
    ),
    Field(
        "sources",
        _("Operator and play"),
        "money",
        is_summed=True,
        note=_("The other side: above zero the operator or players got it, below they gave it."),
    ),
)
_KINDS = {"pool": "pool", "reserve": "other", "overflow": "other", "held": "held"}
_SOURCES = ("operator", "rounding", "pot", "commission", "drop")


def _kind(account: str) -> str:
    tier, _colon, kind = account.rpartition(":")
    if tier:
        return _KINDS[kind]
    if account in PAID:
        return "paid"
    return "sources" if account in _SOURCES else "owed"


def _row(system: str, decision: LaterDecision) -> dict[str, Any]:
    sums = dict.fromkeys(("pool", "other", "held", "owed", "paid", "sources"), 0)
    for account, amount in decision.changes.items():
        sums[_kind(account)] += amount
    return {
        "day": decision.day,
        "system": system,
        "entry": decision.seq,
        "at": decision.at,
        "what": decision.kind,
        "concerns": decision.concerns,
        "claim": decision.hit,
        "table_code": decision.table,
        "round": decision.round,
        **sums,
    }


def _query(filters: Filters) -> sql.Composed:
    rows = [
        _row(system.code, decision)
        for system in filters.systems
        for decision in later_decisions(system, filters.first, filters.last)
    ]
    return as_query(COLUMNS, rows)


REPORT = Definition(
    number=20,
    code="prior-period",
    title=_("Prior-period decisions"),
    question=_("What was decided in these days for gaming days that were closed before?"),
    columns=COLUMNS,
    order="system, entry",
    query=_query,
    compared={"table": "table_code"},
    rules=("19.12", "20.1"),
)
