"""17: the return of a period for the regulator, composed of the other reports.

Every line but the last balances is what happened in the period: a claim of an earlier one that is
decided later counts when it is decided, so that a return of closed days never changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext_noop as _
from psycopg import sql

from settlement.core.report_query import ask, bind
from settlement.core.words.translation import Labels
from settlement.reports.catalogue import (
    adjustments,
    drop,
    hit_register,
    liability,
    payouts,
    player_fund,
    prior_period,
    roll_forward,
    significant_events,
    terms_changes,
    unclaimed_funds,
)
from settlement.reports.definitions.definition import Definition, Field, Filters, as_query
from settlement.reports.definitions.sources import DayOfBooks, days_of_books

WORDS = Labels(
    {
        "opening": _("Player fund at the beginning"),
        "funded": _("Funded by players"),
        "refunded": _("Returned to play"),
        "house_in": _("Added by the house"),
        "paid": _("Paid to players, tax included"),
        "recovered": _("Recovered of payments"),
        "house_out": _("Taken back by the house"),
        "closing": _("Player fund at the end"),
        "liability": _("Owed to players at the end"),
        "tax": _("Tax withheld of payments"),
        "tax_due": _("Withheld tax, not remitted at the end"),
        "bank": _("At the bank at the end"),
        "bank_variance": _("Bank less owed at the end"),
        "hits": _("Hits, and the amounts taken from pools"),
        "no_prize": _("Hands called that got no prize"),
        "returned": _("Returned to pools by rejections and corrections"),
        "confirmed": _("Confirmed for payment"),
        "payouts": _("Payments"),
        "recoveries": _("Recovered by reversals"),
        "unclaimed": _("Booked as unclaimed, less what was claimed or forfeited"),
        "adjustments": _("Adjustments, missed and void rounds"),
        "drop": _("Drop expected by the books"),
        "counted": _("Drop counted"),
        "drop_variance": _("Drop counted less expected"),
        "prior": _("Prior-period decisions, and what they changed pools by"),
        "terms": _("Versions of terms"),
        "events": _("Significant events"),
    }
)
_TITLES = Labels(
    {
        each.REPORT.code: each.REPORT.title
        for each in (
            *(adjustments, drop, hit_register, liability, payouts, player_fund, prior_period),
            *(roll_forward, significant_events, terms_changes, unclaimed_funds),
        )
    }
    | {"ledger": _("General ledger")}
)
COLUMNS = (
    Field("system", _("System")),
    Field("line", _("Line"), "number", note=_("The lines of a system, in their order.")),
    Field("what", _("What"), words=WORDS, note=_("The text of the line.")),
    Field(
        "source",
        _("From report"),
        words=_TITLES,
        note=_("The report that has each of its parts, for the same days."),
        link="source",
    ),
    Field("number", _("Number"), "number", note=_("How many there were, where they are counted.")),
    Field("amount", _("Amount"), "money", note=_("Their total.")),
)
# However many there are, the database adds them up.
_PAYOUTS = """
    SELECT what, count(*), sum(amount_micros)::bigint AS amount, sum(tax_micros)::bigint AS tax
    FROM ({payouts}) AS p GROUP BY what
"""
_NOTHING = {"count": 0, "amount": 0, "tax": 0}
Line = tuple[str, str, int | None, int | None]  # what, source, number, amount


def _rows(filters: Filters) -> list[dict[str, Any]]:
    return [row for system in filters.systems for row in _of_system(filters, system.code)]


def _of_system(filters: Filters, system: str) -> list[dict[str, Any]]:
    own = Filters(filters.casino, filters.first, filters.last, {"system": system})
    days = days_of_books(own)
    lines = [*_fund(own, days), *_claims(own, days), *_counts(own), *_decisions(own)]
    return [
        {
            "system": system,
            "line": place,
            "what": what,
            "source": source,
            "number": number,
            "amount": amount,
        }
        for place, (what, source, number, amount) in enumerate(lines, start=1)
    ]


def _fund(own: Filters, days: Sequence[DayOfBooks]) -> list[Line]:
    funds, owed = player_fund.rows_of(days), liability.rows_of(own, days)
    code = player_fund.REPORT.code
    last = owed[-1] if owed else {}
    return [
        ("opening", code, None, funds[0]["opening"] if funds else 0),
        *((name, code, None, _sum(funds, name)) for name in player_fund.SUMS),
        ("closing", code, None, funds[-1]["closing"] if funds else 0),
        ("liability", liability.REPORT.code, None, last.get("liability", 0)),
        ("tax_due", liability.REPORT.code, None, last.get("tax", 0)),
        ("bank", liability.REPORT.code, None, last.get("bank")),
        ("bank_variance", liability.REPORT.code, None, last.get("variance")),
    ]


def _claims(own: Filters, days: Sequence[DayOfBooks]) -> list[Line]:
    hits = roll_forward.hits_of(own)
    pools = roll_forward.rows_of_books(own, days, hits)
    without_prize = sum(count for (_system, _day, tier), count in hits.items() if tier is None)
    confirmed = [each for day in days for each in day.moved if each.reason == "confirm"]
    register = {row["what"]: row for row in ask(bind(_PAYOUTS, payouts=payouts.payouts_of(own)))}
    paid, back = (register.get(what, _NOTHING) for what in ("payout", "reversal"))
    nobodys = _totals(unclaimed_funds, own)
    return [
        ("hits", "roll-forward", _sum(pools, "hits"), -_sum(pools, "held")),
        ("no_prize", "hit-register", without_prize, None),
        ("returned", "roll-forward", None, _sum(pools, "returned")),
        (
            "confirmed",
            "ledger",
            sum(each.count for each in confirmed),
            sum(each.amount for each in confirmed),
        ),
        ("payouts", "payouts", paid["count"], paid["amount"]),
        ("recoveries", "payouts", back["count"], -back["amount"]),
        ("tax", "payouts", None, paid["tax"] + back["tax"]),
        ("unclaimed", "unclaimed", None, nobodys["unclaimed"]),
    ]


def _counts(own: Filters) -> list[Line]:
    counted = _totals(drop, own)
    return [
        ("drop", "drop", counted["rows"], counted["expected"]),
        ("counted", "drop", None, counted["counted"]),
        ("drop_variance", "drop", None, counted["variance"]),
    ]


def _decisions(own: Filters) -> list[Line]:
    moved, later = _totals(adjustments, own), _totals(prior_period, own)
    by_hand = moved["pool"] + moved["other"] + moved["to_return"]
    return [
        ("adjustments", "adjustments", adjustments.decisions(own), by_hand),
        ("prior", "prior-period", later["rows"], later["pool"]),
        ("terms", "terms-changes", len(terms_changes.versions(own)), None),
        ("events", "significant-events", significant_events.REPORT.report(own).count(), None),
    ]


def _sum(rows: Sequence[dict[str, Any]], name: str) -> int:
    return sum(row[name] for row in rows)


def _totals(module: Any, own: Filters) -> dict[str, int]:
    definition: Definition = module.REPORT
    return definition.totals(definition.report(own))


def _query(filters: Filters) -> sql.Composed:
    return as_query(COLUMNS, _rows(filters))


REPORT = Definition(
    number=17,
    code="quarterly-return",
    title=_("Return for the regulator"),
    question=_("What does the regulator ask for each quarter, and from which report is each line?"),
    columns=COLUMNS,
    is_final=True,
    order="system, line",
    query=_query,
    rules=("NJ 13:69F-14.19", "Washington, Appendix F"),
)
