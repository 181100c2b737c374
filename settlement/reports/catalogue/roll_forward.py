"""1: what each prize pool held and what moved it, day by day."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.utils.translation import gettext_noop as _
from psycopg import sql

from jackpot.models import Tier
from settlement.core.gaming_day import DAY, start_of
from settlement.reports.definition import Definition, Field, Filters, as_query
from settlement.reports.sources import DayOfBooks, days_of_books, messages_before

FED = ("operator", "pot", "commission", "drop")
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
    *(f"from_{source}" for source in FED),
    *("opened", "resets", "prizes", "covered", "rounding", "held", "returned"),
    *("adjustments", "reversals"),
)
_TITLES = {
    "from_operator": _("From the operator"),
    "from_pot": _("From pots"),
    "from_commission": _("From commission"),
    "from_drop": _("From the drop"),
    "opened": _("Opened"),
    "resets": _("Resets"),
    "prizes": _("Fixed prizes"),
    "covered": _("Covered"),
    "rounding": _("Rounding"),
    "held": _("Held for claims"),
    "returned": _("Returned"),
    "adjustments": _("Adjusted"),
    "reversals": _("Reversed, forfeited"),
}
COLUMNS = (
    Field("day", _("Gaming day"), "day"),
    Field("system", _("System")),
    Field("jackpot", _("Jackpot")),
    Field("tier", _("Prize")),
    Field("opening", _("Opening"), "money"),
    *(Field(name, _TITLES[name], "money", is_summed=True) for name in MOVEMENTS),
    Field("closing", _("Closing"), "money"),
    Field("overflow", _("Overflow"), "money"),
    Field("reserve", _("Reserve"), "money"),
    Field("displayed", _("Displayed"), "money"),
    Field("variance", _("Displayed less closing"), "money"),
)


def rows_of(filters: Filters) -> list[dict[str, Any]]:
    """A row for each day and prize; `displayed`: by the last message of the day."""
    days = days_of_books(filters)
    tiers = list(Tier.objects.filter(system__in=filters.systems).order_by("code"))
    shown = _shown(days, filters)
    rows = []
    for day in days:
        for tier in tiers:
            if tier.system_id == day.system.pk and f"{tier.code}:pool" in day.closing:
                row = _row(day, tier)
                row["displayed"] = shown.get((day.system.pk, day.day), {}).get(tier.code)
                if row["displayed"] is not None:
                    row["variance"] = row["displayed"] - row["closing"]
                rows.append(row)
    return rows


def _row(day: DayOfBooks, tier: Tier) -> dict[str, Any]:
    pool = f"{tier.code}:pool"
    row: dict[str, Any] = {
        "day": day.day,
        "system": day.system.code,
        "jackpot": tier.jackpot,
        "tier": tier.code,
        "opening": day.opening.get(pool, 0),
        **dict.fromkeys(MOVEMENTS, 0),
        "closing": day.closing.get(pool, 0),
        "overflow": day.closing.get(f"{tier.code}:overflow", 0),
        "reserve": day.closing.get(f"{tier.code}:reserve", 0),
    }
    for each in day.moved:
        if pool in (each.debit, each.credit):
            is_in = each.credit == pool
            other = each.debit if is_in else each.credit
            name = f"from_{other}" if each.reason == "contribution" else REASONS[each.reason]
            row[name] += each.amount if is_in else -each.amount
    return row


def _shown(days: list[DayOfBooks], filters: Filters) -> dict[tuple[int, dt.date], dict[str, int]]:
    """Micros by tier that displays showed when each day ended."""
    micros = 10 ** (6 - filters.casino.minor_digits)
    shown = {}
    for system in {day.system for day in days}:
        own = [day.day for day in days if day.system == system]
        messages = messages_before(system, [start_of(day + DAY, filters.casino) for day in own])
        for day, message in zip(own, messages, strict=True):
            tiers = message.get("tiers", [])
            shown[system.pk, day] = {each["tier"]: each["value"] * micros for each in tiers}
    return shown


def _query(filters: Filters) -> sql.Composed:
    return as_query(COLUMNS, rows_of(filters))


REPORT = Definition(
    number=1,
    code="roll-forward",
    title=_("Roll-forward of prize pools"),
    question=_("What did each pool hold, what moved it, and what did displays show at the end?"),
    columns=COLUMNS,
    order="system, tier, day",
    query=_query,
    compared={"jackpot": "jackpot", "tier": "tier"},
)
