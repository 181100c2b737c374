"""16: what players funded, what came back to them, and that the house kept nothing.

Asked for by NJ 13:69F-14.19 and Washington's Appendix F.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext_noop as _
from psycopg import sql

from jackpot.domain.state.books import REMITTED_TAX, WITHHELD_TAX
from settlement.reports.catalogue.liability import OF_TIERS, OWED
from settlement.reports.definitions.definition import Definition, Field, Filters, as_query
from settlement.reports.definitions.sources import DayOfBooks, days_of_books

PLAYERS = ("pot", "commission", "drop")  # where play pays from
# Tax is withheld for a player and leaves the fund with the payment, not when it is remitted.
PAID = ("paid_chips", "paid_cash", "paid_equivalent", WITHHELD_TAX)
HOUSE = ("operator", "rounding")
SUMS = ("funded", "refunded", "house_in", "paid", "recovered", "house_out")
COLUMNS = (
    Field("day", _("Gaming day"), "day", link="day"),
    Field("system", _("System")),
    Field(
        "opening",
        _("Fund at the beginning"),
        "money",
        note=_("All that is held for players: the column “Owed to players” of the day before."),
    ),
    Field(
        "funded",
        _("Funded by players"),
        "money",
        is_summed=True,
        note=_("Out of pots, commission and drop, missed rounds included."),
        link="report:round-ledger",
    ),
    Field(
        "refunded",
        _("Returned to play"),
        "money",
        is_summed=True,
        note=_("Back to pots, commission and drop: void rounds and adjustments."),
        link="report:adjustments",
    ),
    Field(
        "house_in",
        _("Added by the house"),
        "money",
        is_summed=True,
        note=_("Resets, contributions, rounding and adjustments by the operator."),
        link="report:roll-forward",
    ),
    Field(
        "paid",
        _("Paid to players, tax included"),
        "money",
        is_summed=True,
        note=_("In chips, cash and cash equivalent, with the tax that was withheld."),
        link="report:payouts",
    ),
    Field(
        "recovered",
        _("Recovered of payments"),
        "money",
        is_summed=True,
        note=_("Of payments that were reversed."),
        link="report:payouts",
    ),
    Field(
        "house_out",
        _("Taken back by the house"),
        "money",
        is_summed=True,
        note=_("Resets of hits that were rejected, and adjustments: the house's own money."),
        link="report:roll-forward",
    ),
    Field(
        "closing",
        _("Fund at the end"),
        "money",
        note=_("The beginning and everything between: the column “Owed to players” of report 12."),
        link="report:liability",
    ),
    Field(
        "of_house",
        _("Of the house since the start"),
        "money",
        note=_(
            "What the house put in less what it took back, to the end of the day. Below zero, "
            "it would have kept players' money."
        ),
    ),
)


def fund(balances: dict[str, int]) -> int:
    """What the accounts hold that belong to players, in micros."""
    owed = (*OF_TIERS, *OWED)
    return sum(held for code, held in balances.items() if code.rpartition(":")[2] in owed)


def _row(day: DayOfBooks) -> dict[str, Any]:
    sums = dict.fromkeys(SUMS, 0)
    for each in day.moved:
        if REMITTED_TAX in (each.debit, each.credit):
            continue
        if each.debit in PLAYERS:
            sums["funded"] += each.amount
        elif each.credit in PLAYERS:
            sums["refunded"] += each.amount
        elif each.debit in HOUSE:
            sums["house_in"] += each.amount
        elif each.credit in HOUSE:
            sums["house_out"] += each.amount
        elif each.credit in PAID:
            sums["paid"] += each.amount
        elif each.debit in PAID:
            sums["recovered"] += each.amount
    return {
        "day": day.day,
        "system": day.system.code,
        "opening": fund(day.opening),
        **sums,
        "closing": fund(day.closing),
        "of_house": -sum(day.closing.get(account, 0) for account in HOUSE),
    }


def rows_of(days: Sequence[DayOfBooks]) -> list[dict[str, Any]]:
    """A row for each day and system."""
    return [_row(day) for day in days]


def _query(filters: Filters) -> sql.Composed:
    return as_query(COLUMNS, rows_of(days_of_books(filters)))


REPORT = Definition(
    number=16,
    code="player-fund",
    title=_("Player fund log"),
    question=_("What did players fund, what came back to them, and did the house keep any of it?"),
    columns=COLUMNS,
    is_final=True,
    order="system, day",
    query=_query,
    rules=("NJ 13:69F-14.19", "Washington, Appendix F"),
)
