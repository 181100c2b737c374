"""1: what each prize pool held and what moved it, day by day."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_noop as _
from psycopg import sql

from jackpot.models import Terms, Tier
from jackpot.storage.stored_terms import terms_by_system
from settlement.closing.prior_period import later_decisions
from settlement.core.gaming_day import DAY, day_of, start_of
from settlement.core.report_query import ask, bind
from settlement.core.sequence_at import first_entries
from settlement.reports.definitions.definition import Definition, Field, Filters, as_query
from settlement.reports.definitions.sources import DayOfBooks, days_of_books, messages_before, span

Place = tuple[int, dt.date, str]  # system, gaming day, tier
Hits = Mapping[tuple[int, dt.date, str | None], int]  # by system, gaming day and tier
CONTRIBUTED = ("operator", "pot", "commission", "drop")
REASONS = {
    "opening": "opened",
    "reset": "resets",
    "prize": "prizes",
    "cover": "covered",
    "rounding": "rounding",
    "hold": "held",
    "release": "returned",
    "adjustment": "adjustments",
    "closing": "adjustments",
    "reversal": "reversals",
    "forfeit": "reversals",
}
MOVEMENTS = (
    *(f"from_{source}" for source in CONTRIBUTED),
    *("opened", "resets", "prizes", "covered", "rounding", "held", "returned"),
    *("adjustments", "reversals"),
)
# Of each movement its heading, what it means and where it comes from.
_MOVED = {
    "from_operator": (
        _("From the operator"),
        _("Contributions that the operator gives for each round."),
        "report:round-ledger",
    ),
    "from_pot": (
        _("From pots"),
        _("Contributions out of pots."),
        "report:round-ledger",
    ),
    "from_commission": (
        _("From commission"),
        _("Contributions out of commission."),
        "report:round-ledger",
    ),
    "from_drop": (
        _("From the drop"),
        _("Contributions out of the jackpot drop."),
        "report:drop",
    ),
    "opened": (_("Opened"), _("The reset amount with which the pool began."), "pool"),
    "resets": (
        _("Resets"),
        _("Topped up to the reset amount after a hit, less resets taken back by a rejection."),
        "pool",
    ),
    "prizes": (_("Fixed prizes"), _("The operator's part of fixed prizes."), "pool"),
    "covered": (
        _("Covered"),
        _("Given by the operator for what was confirmed before a rejection was reversed."),
        "pool",
    ),
    "rounding": (
        _("Rounding"),
        _("Given by the operator so that a prize is a payable amount."),
        "pool",
    ),
    "held": (_("Reserved for claims"), _("Taken out of the pool by hits."), "report:hit-register"),
    "returned": (
        _("Returned"),
        _("Back from claims that were rejected, amended or reduced."),
        "report:hit-register",
    ),
    "adjustments": (
        _("Adjusted"),
        _("Adjusted by two people; missed, void and cancelled rounds; closed prizes."),
        "report:adjustments",
    ),
    "reversals": (
        _("Reversed, forfeited"),
        _("Back from claims that were reversed and from forfeited payments."),
        "report:unclaimed",
    ),
}
MOVED = tuple(
    Field(name, title, "money", is_summed=True, note=note, link=link)
    for name, (title, note, link) in _MOVED.items()
)
OPENING = Field("opening", _("Opening"), "money", note=_("The pool when the day began."))
CLOSING = Field(
    "closing",
    _("Closing"),
    "money",
    note=_("The pool when the day ended: the opening and all movements."),
    link="day",
)
PRIOR = Field(
    "prior",
    _("Of it for closed days"),
    "money",
    is_summed=True,
    note=_("How much of the movements was decided for claims and rounds of days closed before."),
    link="report:prior-period",
)
HITS = Field(
    "hits",
    _("Hits"),
    "number",
    is_summed=True,
    note=_(
        "Hands of this day that were called or reported for the prize. Of a closed day as they"
        " stood then: what is reported or amended later stands in the hit register, as do hands"
        " that got no prize."
    ),
    link="report:hit-register",
)
AT_THE_END = (
    Field(
        "overflow",
        _("Overflow"),
        "money",
        note=_("What went beyond the limit of the prize so far."),
    ),
    Field("reserve", _("Reserve"), "money", note=_("Kept for the next reset, at the day's end.")),
    Field(
        "displayed",
        _("Displayed"),
        "money",
        note=_("What displays were sent last before the day ended."),
        link="report:display-accuracy",
    ),
    Field(
        "variance",
        _("Displayed less closing"),
        "money",
        note=_(
            "Below one unit of the display it is rounding. More: money moved after the last"
            " message. Empty for fixed prizes, whose pool is not displayed."
        ),
    ),
)
COLUMNS = (
    Field("day", _("Gaming day"), "day", link="day"),
    Field("system", _("System")),
    Field("jackpot", _("Jackpot")),
    Field("tier", _("Prize"), link="pool"),
    OPENING,
    *MOVED,
    CLOSING,
    PRIOR,
    HITS,
    *AT_THE_END,
)
# Of a closed day as they stood at its close: by the last entry before it that says for which prize
# a claim is, or that it is for none, by itself or with the other claims of its hand (`outcome_of`
# of the fold).
_HITS = """
    SELECT h.system_id, stood.tier, n.at FROM {span} AS span
    JOIN jackpot_hit h ON h.system_id = span.system_id
         AND h.place >= span.first_seq AND h.place < span.end_seq
    JOIN jackpot_entry n ON (n.system_id, n.seq) = (h.system_id, h.place)
    LEFT JOIN jackpot_tier t ON t.id = h.tier_id
    LEFT JOIN LATERAL (
        SELECT d.entry FROM settlement_closedday d
        WHERE d.system_id = h.system_id AND d.through_seq >= h.place ORDER BY d.day LIMIT 1
    ) AS close ON true
    LEFT JOIN LATERAL (
        SELECT true AS was_there, CASE WHEN claim.said IS NULL THEN e.outcome ->> 'tier'
                                       ELSE claim.said ->> 1 END AS tier
        FROM jackpot_hit o
        JOIN jackpot_entry e ON e.system_id = o.system_id AND e.hit = o.number
        LEFT JOIN LATERAL jsonb_array_elements(e.outcome -> 'claims') AS claim (said)
             ON (claim.said ->> 0)::bigint = h.number
        WHERE o.system_id = h.system_id AND o.place = h.place AND e.seq < close.entry
          AND e.outcome ? 'tier' AND (claim.said IS NOT NULL OR o.number = h.number)
        ORDER BY e.seq DESC LIMIT 1
    ) AS at_close ON close.entry IS NOT NULL
    CROSS JOIN LATERAL (
        SELECT CASE WHEN close.entry IS NULL THEN t.code ELSE at_close.tier END AS tier
    ) AS stood
    WHERE close.entry IS NULL OR at_close.was_there
"""


@dataclass(frozen=True, slots=True)
class _Beside:
    """What is not in the books of a day, by its place. `fixed`: those of a fixed prize."""

    displays: Mapping[tuple[int, dt.date], Mapping[str, int]]
    prior: Mapping[Place, int]
    hits: Hits
    fixed: frozenset[Place]


def rows_of(filters: Filters) -> list[dict[str, Any]]:
    """A row for each day and prize; `displayed`: by the last message of the day."""
    return rows_of_books(filters, days_of_books(filters), hits_of(filters))


def rows_of_books(filters: Filters, days: Sequence[DayOfBooks], hits: Hits) -> list[dict[str, Any]]:
    """The rows of `rows_of`, for whoever has read books and hits of these days already."""
    tiers = list(Tier.objects.filter(system__in=filters.systems).order_by("code"))
    beside = _Beside(_on_displays(days, filters), _prior(filters), hits, _fixed(days, filters))
    return [
        _row(day, tier, beside)
        for day in days
        for tier in tiers
        if tier.system_id == day.system.pk and f"{tier.code}:pool" in day.closing
    ]


def _row(day: DayOfBooks, tier: Tier, beside: _Beside) -> dict[str, Any]:
    pool, place = f"{tier.code}:pool", (day.system.pk, day.day, tier.code)
    row: dict[str, Any] = {
        "day": day.day,
        "system": day.system.code,
        "jackpot": tier.jackpot,
        "tier": tier.code,
        "opening": day.opening.get(pool, 0),
        **dict.fromkeys(MOVEMENTS, 0),
        "closing": day.closing.get(pool, 0),
        "prior": beside.prior.get(place, 0),
        "hits": beside.hits.get(place, 0),
        "overflow": day.closing.get(f"{tier.code}:overflow", 0),
        "reserve": day.closing.get(f"{tier.code}:reserve", 0),
        "displayed": beside.displays.get((day.system.pk, day.day), {}).get(tier.code),
    }
    if row["displayed"] is not None and place not in beside.fixed:
        row["variance"] = row["displayed"] - row["closing"]
    for each in day.moved:
        if pool in (each.debit, each.credit):
            is_in = each.credit == pool
            other = each.debit if is_in else each.credit
            name = f"from_{other}" if each.reason == "contribution" else REASONS[each.reason]
            row[name] += each.amount if is_in else -each.amount
    return row


def _on_displays(
    days: Sequence[DayOfBooks], filters: Filters
) -> dict[tuple[int, dt.date], dict[str, int]]:
    """Micros by tier that displays showed when each day ended."""
    micros = 10 ** (6 - filters.casino.minor_digits)
    values = {}
    for system in {day.system for day in days}:
        own = [day.day for day in days if day.system == system]
        messages = messages_before(system, [start_of(day + DAY, filters.casino) for day in own])
        for day, message in zip(own, messages, strict=True):
            tiers = message.get("tiers", [])
            values[system.pk, day] = {each["tier"]: each["value"] * micros for each in tiers}
    return values


def _prior(filters: Filters) -> dict[Place, int]:
    """By how many micros decisions for closed days changed each pool."""
    changed: dict[Place, int] = {}
    for system in filters.systems:
        for each in later_decisions(system, filters.first, filters.last):
            for account, amount in each.changes.items():
                tier, _colon, kind = account.rpartition(":")
                if kind == "pool":
                    place = (system.pk, each.day, tier)
                    changed[place] = changed.get(place, 0) + amount
    return changed


def hits_of(filters: Filters) -> Hits:
    """How many hands were called, by system, gaming day and tier; tier None: they got no prize,
    and no column of this report counts them."""
    return Counter(
        (row["system_id"], day_of(row["at"], filters.casino), row["tier"])
        for row in ask(bind(_HITS, span=span(filters)))
    )


def _fixed(days: Sequence[DayOfBooks], filters: Filters) -> frozenset[Place]:
    """Prizes whose terms posted a fixed amount when the day ended: a closed day keeps what it was,
    whatever is posted later."""
    systems = {day.system.pk for day in days}
    versions = terms_by_system(systems)
    posted = Terms.objects.filter(system__in=systems).values_list(
        "system", "number", "effective_seq"
    )
    effective = {(system, number): seq for system, number, seq in posted}
    fixed = set()
    for system in systems:
        own = [day.day for day in days if day.system.pk == system]
        ends = first_entries(system, [start_of(day + DAY, filters.casino) for day in own])
        for day, end in zip(own, ends, strict=True):
            prizes = {
                tier.code: tier.prize
                for number, terms in sorted(versions[system].items())
                if effective[system, number] < end
                for tier in terms.tiers
            }
            fixed |= {(system, day, code) for code, prize in prizes.items() if prize is not None}
    return frozenset(fixed)


def _query(filters: Filters) -> sql.Composed:
    return as_query(COLUMNS, rows_of(filters))


REPORT = Definition(
    number=1,
    code="roll-forward",
    title=_("Roll-forward of prize pools"),
    question=_(
        "What did each pool hold, which transactions changed it, and what did displays show at the "
        "end?"
    ),
    columns=COLUMNS,
    is_final=True,
    order="system, tier, day",
    query=_query,
    compared={"jackpot": "jackpot", "tier": "tier"},
    rules=("19.8", "19.13", "19.14(a)"),
)
