"""16: what players funded, what came back to them, and that the house kept nothing.

Asked for by NJ 13:69F-14.19 and Washington's Appendix F.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_noop as _
from psycopg import sql

from jackpot.domain.state.books import REMITTED_TAX, WITHHELD_TAX
from settlement.reports.catalogue.liability import OF_TIERS, OWED
from settlement.reports.definition import Definition, Field, Filters, as_query
from settlement.reports.sources import DayOfBooks, days_of_books

PLAYERS = ("pot", "commission", "drop")  # where play pays from
# Tax is withheld for a player and leaves the fund with the payment, not when it is remitted.
PAID = ("paid_chips", "paid_cash", "paid_equivalent", WITHHELD_TAX)
HOUSE = ("operator", "rounding")
COLUMNS = (
    Field("day", _("Gaming day"), "day"),
    Field("system", _("System")),
    Field("opening", _("Fund at the beginning"), "money"),
    Field("funded", _("Funded by players"), "money", is_summed=True),
    Field("given", _("Added by the house"), "money", is_summed=True),
    Field("paid", _("Paid to players, tax included"), "money", is_summed=True),
    Field("back", _("Recovered of payments"), "money", is_summed=True),
    Field("kept", _("Taken back by the house"), "money", is_summed=True),
    Field("closing", _("Fund at the end"), "money"),
)


def fund(balances: dict[str, int]) -> int:
    """What the accounts hold that belong to players, in micros."""
    owed = (*OF_TIERS, *OWED)
    return sum(held for code, held in balances.items() if code.rpartition(":")[2] in owed)


def _row(day: DayOfBooks) -> dict[str, Any]:
    sums = dict.fromkeys(("funded", "given", "paid", "back", "kept"), 0)
    for each in day.moved:
        if REMITTED_TAX in (each.debit, each.credit):
            continue
        if each.debit in PLAYERS:
            sums["funded"] += each.amount
        elif each.credit in PLAYERS:
            sums["funded"] -= each.amount
        elif each.debit in HOUSE:
            sums["given"] += each.amount
        elif each.credit in HOUSE:
            sums["kept"] += each.amount
        elif each.credit in PAID:
            sums["paid"] += each.amount
        elif each.debit in PAID:
            sums["back"] += each.amount
    opening, closing = fund(day.opening), fund(day.closing)
    return {
        "day": day.day,
        "system": day.system.code,
        "opening": opening,
        **sums,
        "closing": closing,
    }


def rows_of(filters: Filters) -> list[dict[str, Any]]:
    """A row for each day and system."""
    return [_row(day) for day in days_of_books(filters)]


def _query(filters: Filters) -> sql.Composed:
    return as_query(COLUMNS, rows_of(filters))


REPORT = Definition(
    number=16,
    code="player-fund",
    title=_("Player fund log"),
    question=_("What did players fund, what came back to them, and did the house keep any of it?"),
    columns=COLUMNS,
    order="system, day",
    query=_query,
)
