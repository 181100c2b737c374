"""20: what was decided in these days for days that were closed before."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django.utils.translation import gettext_noop as _
from psycopg import sql

from jackpot.models import Tier
from settlement.closing.prior_period import LaterDecision, later_decisions
from settlement.core.words.labels import ENTRIES
from settlement.people.rights.permissions import names_of
from settlement.reports.catalogue.player_fund import PAID
from settlement.reports.definitions.definition import Definition, Field, Filters, as_query
from tables.models import JackpotSystem

COLUMNS = (
    Field(
        "day", _("Decided on"), "day", note=_("The gaming day whose figures have it."), link="day"
    ),
    Field("system", _("System")),
    Field("entry", _("Sequence no."), "number", link="entry"),
    Field("at", _("Time"), "local", note=_("When the decision was recorded in the sequence.")),
    Field("what", _("Decision"), words=ENTRIES, note=_("What was decided.")),
    Field(
        "concerns",
        _("Concerns"),
        "day",
        note=_("The closed gaming day of the hand, the round or the count."),
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
    Field(
        "before",
        _("Counted before"),
        "money",
        note=_("Of a drop or a bank balance: what had been entered for the day, if anything."),
        link="counts",
    ),
    Field(
        "after",
        _("Counted now"),
        "money",
        note=_("What was entered instead. Reports of the closed day keep what stood at its close."),
        link="counts",
    ),
    Field("decided_by", _("First person"), note=_("Who proposed it, or decided it alone.")),
    Field("agreed_by", _("Second person"), note=_("Who agreed to it.")),
    Field("reason", _("Reason"), note=_("What the people who decided wrote, or referred to.")),
)
LOGINS = ("first_login", "second_login")
_KINDS = {"pool": "pool", "reserve": "other", "overflow": "other", "held": "held"}
_SOURCES = ("operator", "rounding", "pot", "commission", "drop")


def _kind(account: str) -> str:
    tier, _colon, kind = account.rpartition(":")
    if tier:
        return _KINDS[kind]
    if account in PAID:
        return "paid"
    return "sources" if account in _SOURCES else "owed"


def _row(
    system: str, decision: LaterDecision, names: Mapping[str, str], tiers: Collection[str] | None
) -> dict[str, Any]:
    """`tiers`: only what it changed of these; None: of all."""
    sums = dict.fromkeys(("pool", "other", "held", "owed", "paid", "sources"), 0)
    for account, amount in decision.changes.items():
        tier = account.rpartition(":")[0]
        if not tier or tiers is None or tier in tiers:
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
        "before": decision.before,
        "after": decision.after,
        "decided_by": names.get(decision.first, decision.first),
        "agreed_by": names.get(decision.second, decision.second),
        "reason": decision.note,
        "first_login": decision.first,
        "second_login": decision.second,
    }


def _tiers(system: JackpotSystem, filters: Filters) -> set[str] | None:
    """The prizes that were asked for; None: all, and what is about none."""
    codes, tiers = filters.codes, Tier.objects.filter(system=system)
    if not codes.get("tier") and not codes.get("jackpot"):
        return None
    if tier := codes.get("tier"):
        tiers = tiers.filter(code=tier)
    if jackpot := codes.get("jackpot"):
        tiers = tiers.filter(jackpot=jackpot)
    return set(tiers.values_list("code", flat=True))


def _is_of(decision: LaterDecision, tiers: Collection[str] | None) -> bool:
    """Whether it is about one of these prizes: by its claim, or by what it changed."""
    accounts = (account.rpartition(":")[0] for account in decision.changes)
    return tiers is None or decision.tier in tiers or any(each in tiers for each in accounts)


def _query(filters: Filters) -> sql.Composed:
    prizes = {system.code: _tiers(system, filters) for system in filters.systems}
    decisions = [
        (system.code, decision)
        for system in filters.systems
        for decision in later_decisions(system, filters.first, filters.last)
        if _is_of(decision, prizes[system.code])
    ]
    names = names_of({login for _of, each in decisions for login in (each.first, each.second)})
    rows = [_row(system, decision, names, prizes[system]) for system, decision in decisions]
    return as_query((*COLUMNS, *(Field(each, "") for each in LOGINS)), rows)


REPORT = Definition(
    number=20,
    code="prior-period",
    title=_("Prior-period decisions"),
    question=_("What was decided in these days for gaming days that were closed before?"),
    columns=COLUMNS,
    is_final=True,
    order="system, entry",
    query=_query,
    # Of a prize: what is about it, and of what each decision moved only its own accounts.
    compared={"jackpot": (), "tier": (), "table": "table_code", "person": LOGINS},
    rules=("19.12", "20.1"),
)
