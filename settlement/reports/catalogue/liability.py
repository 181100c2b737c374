"""12: what the house owes players, and for their tax, when each day ends, by account."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext_noop as _
from psycopg import sql

from jackpot.domain.state.books import WITHHELD_TAX
from settlement.drop.figures import BANK, LOGINS, people_of, reported
from settlement.reports.definitions.definition import Definition, Field, Filters, as_query
from settlement.reports.definitions.sources import DayOfBooks, days_of_books
from settlement.set_up.counting import counting_of

OF_TIERS = ("pool", "reserve", "overflow", "held")
OWED = ("payable", "unclaimed", "to_return", "adjustments")
ACCOUNTS = {
    "pool": (_("Pools"), _("All prize pools together."), "report:roll-forward"),
    "reserve": (_("Reserves"), _("Kept for the next resets."), "report:roll-forward"),
    "overflow": (_("Overflow"), _("What went beyond limits of prizes."), "report:roll-forward"),
    "held": (
        _("Reserved for claims"),
        _("Taken out of pools by hits and not confirmed yet."),
        "report:hit-register",
    ),
    "payable": (_("Confirmed, unpaid"), _("Confirmed and not handed over."), "report:payouts"),
    "unclaimed": (_("Unclaimed"), _("Confirmed, but not collected."), "report:unclaimed"),
    "to_return": (
        _("To be returned"),
        _("Players' money that no prize could have."),
        "report:round-ledger",
    ),
    "adjustments": (
        _("Of closed prizes"),
        _("Kept until it is decided where it goes."),
        "report:unclaimed",
    ),
}
COLUMNS = (
    Field("day", _("Gaming day"), "day", link="day"),
    Field("system", _("System")),
    *(
        Field(name, title, "money", note=note, link=link)
        for name, (title, note, link) in ACCOUNTS.items()
    ),
    Field(
        "liability",
        _("Owed to players"),
        "money",
        note=_("All of these together when the day ended."),
        link="day",
    ),
    Field(
        "tax",
        _("Withheld tax, not remitted"),
        "money",
        note=_("Kept back of payments for the tax office, and not remitted when the day ended."),
        link="report:payouts",
    ),
    Field(
        "bank",
        _("At the bank"),
        "money",
        note=_("As it was entered; otherwise empty."),
        link="counts",
    ),
    Field(
        "variance",
        _("Bank less owed"),
        "money",
        note=_("With the tax taken as owed: below zero the bank has too little."),
    ),
    Field(
        "stopped_since",
        _("Not entered by rule since"),
        "day",
        note=_("Two people decided that this house enters no balance from that gaming day on."),
    ),
    Field("entered_by", _("Entered by"), note=_("Who entered the balance.")),
    Field("explanation", _("Explanation"), note=_("Of the owner of the finding, the newest.")),
    Field("signed_by", _("Signed off by"), note=_("Who accepted the explanation.")),
)


def _row(day: DayOfBooks) -> dict[str, Any]:
    sums = dict.fromkeys((*OF_TIERS, *OWED), 0)
    for code, balance in day.closing.items():
        kind = code.rpartition(":")[2]
        if kind in sums:
            sums[kind] += balance
    liability = sum(sums.values())
    tax = day.closing.get(WITHHELD_TAX, 0)
    return {"day": day.day, "system": day.system.code, **sums, "liability": liability, "tax": tax}


def rows_of(filters: Filters, days: Sequence[DayOfBooks]) -> list[dict[str, Any]]:
    """A row for each of these days and systems; the bank where a balance was entered."""
    counts = {
        (system.pk, each.day): each
        for system in filters.systems
        for each in reported(system, BANK, filters.first, filters.last)
    }
    counting = {system.pk: counting_of(system, BANK) for system in filters.systems}
    rows = []
    for day in days:
        row = _row(day)
        count = counts.get((day.system.pk, day.day))
        if count is not None:
            owed = row["liability"] + row["tax"]
            row |= {"bank": count.amount, "variance": count.amount - owed}
            row |= people_of(count)
        else:
            row["stopped_since"] = counting[day.system.pk].stopped_since(day.day)
        rows.append(row)
    return rows


def _query(filters: Filters) -> sql.Composed:
    rows = rows_of(filters, days_of_books(filters))
    return as_query((*COLUMNS, *(Field(each, "") for each in LOGINS)), rows)


REPORT = Definition(
    number=12,
    code="liability",
    title=_("Liability against the bank"),
    question=_(
        "What does the house owe players and for their tax when a day ends, is it at the bank?"
    ),
    columns=COLUMNS,
    is_final=True,
    order="system, day",
    query=_query,
    compared={"person": LOGINS},
    rules=("NJ 13:69F-14.19", "19.15"),
)
