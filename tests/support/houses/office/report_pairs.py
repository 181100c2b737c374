"""Each figure that stands on two reports: a table of pairs, which tests hold under every filter.

A side is the sum of columns over rows, the last or first balance of each system, or how many rows
there are, or different values of columns. The ledger is the last witness: what reports say comes to
what its transfers moved.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from settlement.reports.catalogue import reports, roll_forward
from settlement.reports.definitions.definition import Filters
from tests.support.houses.office.office_month import SATURDAY

Rows = list[dict[str, Any]]
SOME = object()
_ROWS: dict[Any, Rows] = {}  # the month does not change: each report is asked once


@dataclass(frozen=True)
class Side:
    """What a report says: `columns` added up, those with a minus sign taken away.

    `where`: only rows with these values, one of several, or any at all (SOME). `at`: "sum", "count"
    of rows, "different" values of the columns, or the "first" or "last" row of each system (and
    prize).
    """

    report: str
    columns: str = ""
    where: Mapping[str, Any] = field(default_factory=dict)
    at: str = "sum"

    def value(self, filters: Filters) -> int:
        rows = [row for row in rows_of(self.report, filters) if self._fits(row)]
        if self.at == "count":
            return len(rows)
        if self.at == "different":
            return len({tuple(row[name] for name in self.columns.split()) for row in rows})
        if self.at != "sum":
            ends: dict[Any, dict[str, Any]] = {}
            for row in rows if self.at == "last" else reversed(rows):
                ends[row["system"], row.get("tier")] = row
            rows = list(ends.values())
        return sum(self._of(row, name) for row in rows for name in self.columns.split())

    def _fits(self, row: dict[str, Any]) -> bool:
        return all(_is(row[name], value) for name, value in self.where.items())

    @staticmethod
    def _of(row: dict[str, Any], name: str) -> int:
        value = int(row[name.removeprefix("-")] or 0)
        return -value if name.startswith("-") else value


def _is(value: Any, choice: Any) -> bool:
    if choice is SOME:
        return value is not None
    return value in choice if isinstance(choice, tuple) else bool(value == choice)


def of(report: str, columns: str, at: str = "sum", **where: Any) -> Side:
    return Side(report, columns, where, at)


def moved(columns: str = "amount", **where: Any) -> Side:
    return Side("ledger", columns, where)


def line(what: str, column: str = "amount") -> Side:
    return Side("quarterly-return", column, {"what": what})


def shared(one: str, other: str) -> dict[str, tuple[Side, Side]]:
    """Every figure that two reports have as one and the same column; what is no sum is a balance,
    `opening` that at the beginning."""
    left, right = reports()[one], reports()[other]
    both = [each for each in left.columns if each in right.columns]
    figures = [each for each in both if each.is_summed or each.shape == "money"]
    ends = {each.source: "sum" if each.is_summed else "last" for each in figures} | {
        "opening": "first"
    }
    return {
        f"{each.source} of {one} and {other}": (
            of(one, each.source, ends[each.source]),
            of(other, each.source, ends[each.source]),
        )
        for each in figures
    }


MONTHS = shared("roll-forward", "monthly-roll-forward")
CONTRIBUTED = "from_operator from_pot from_commission from_drop"
PLAY, HOUSE = ("pot", "commission", "drop"), ("operator", "rounding")
PAID = ("paid_chips", "paid_cash", "paid_equivalent")
PAYOUT, BACK = {"what": "payout"}, {"what": "reversal"}
# Held for all systems, each of them, all days, each of them; those of BY_PRIZE for each prize, too.
BY_PRIZE: dict[str, tuple[Side, Side]] = {
    "prior-period": (of("roll-forward", "prior"), of("prior-period", "pool")),
    **MONTHS,
    "meter's opening": (of("roll-forward", "opening", "first"), of("meters", "opening")),
    "meter's contributions": (of("roll-forward", CONTRIBUTED), of("meters", "contributed")),
    "meter's movements": (
        of("roll-forward", " ".join(set(roll_forward.MOVEMENTS) - set(CONTRIBUTED.split()))),
        of("meters", "other_in other_out"),
    ),
    "meter's closing": (of("roll-forward", "closing", "last"), of("meters", "closing")),
    "meter's reserve": (of("roll-forward", "reserve", "last"), of("meters", "reserve")),
    "meter's overflow": (of("roll-forward", "overflow", "last"), of("meters", "overflow")),
    "displayed": (of("roll-forward", "displayed", "last"), of("meters", "displayed")),
    "hits of meters": (of("roll-forward", "hits"), of("meters", "hits")),
    "hits": (of("roll-forward", "hits"), of("hit-register", "", "count", tier=SOME)),
    "adjusted": (of("roll-forward", "adjustments"), of("adjustments", "pool")),
    "paid, by claim": (of("hit-register", "paid"), of("payouts", "amount_micros", **PAYOUT)),
    "confirmed, by claim": (of("hit-register", "confirmed"), moved(reason="confirm")),
}
OF_CLAIMS = ("paid, by claim", "confirmed, by claim")
PAIRS: dict[str, tuple[Side, Side]] = {
    "pools owed": (of("roll-forward", "closing", "last"), of("liability", "pool", "last")),
    "reserves owed": (of("roll-forward", "reserve", "last"), of("liability", "reserve", "last")),
    "overflow owed": (of("roll-forward", "overflow", "last"), of("liability", "overflow", "last")),
    "fund at the end": (
        of("player-fund", "closing", "last"),
        of("liability", "liability", "last"),
    ),
    "fund of every day": (of("player-fund", "closing"), of("liability", "liability")),
    "funded": (of("player-fund", "funded"), moved(debit=PLAY)),
    "refunded": (of("player-fund", "refunded"), moved(credit=PLAY)),
    "of the house": (of("player-fund", "house_in"), moved(debit=HOUSE)),
    "to the house": (of("player-fund", "house_out"), moved(credit=HOUSE)),
    "paid": (of("player-fund", "paid"), of("payouts", "amount_micros", **PAYOUT)),
    "paid, in the ledger": (of("player-fund", "paid"), moved(credit=(*PAID, "withheld_tax"))),
    "recovered": (of("player-fund", "recovered"), of("payouts", "-amount_micros", **BACK)),
    "recovered, in the ledger": (of("player-fund", "recovered"), moved(debit=PAID)),
    **{
        f"paid as {name}": (of("payouts", f"{name}_micros"), of("payments-by-method", name))
        for each in reports()["payments-by-method"].summed
        if (name := each.source) != "payments"
    },
    **{
        f"{name} in the ledger": (
            of("payments-by-method", name, **PAYOUT),
            moved(credit=f"paid_{name}"),
        )
        for name in ("chips", "cash", "equivalent")
    },
    "tax in the ledger": (
        of("payments-by-method", "tax", **PAYOUT),
        moved(reason="withholding"),
    ),
    "payments": (of("payments-by-method", "payments"), of("payouts", "", "count")),
    "rounds": (
        of("round-ledger", "contributed to_return"),
        Side("contributions-and-rounds", "sum"),
    ),
    "drop of whole days": (of("drop", "expected"), Side("drop-of-counted-days", "sum")),
    "return: opening": (of("player-fund", "opening", "first"), line("opening")),
    **{
        f"return: {name}": (of("player-fund", name), line(name))
        for name in ("funded", "refunded", "house_in", "paid", "recovered", "house_out")
    },
    "return: closing": (of("player-fund", "closing", "last"), line("closing")),
    "return: owed": (of("liability", "liability", "last"), line("liability")),
    "return: bank": (of("liability", "bank", "last"), line("bank")),
    "return: bank less owed": (of("liability", "variance", "last"), line("bank_variance")),
    "return: hits": (of("hit-register", "", "count", tier=SOME), line("hits", "number")),
    "return: without a prize": (
        of("hit-register", "", "count", tier=None),
        line("no_prize", "number"),
    ),
    "return: hands called": (
        of("hit-register", "", "count"),
        of("quarterly-return", "number", what=("hits", "no_prize")),
    ),
    "return: taken by hits": (of("roll-forward", "-held"), line("hits")),
    "return: taken, in the ledger": (moved(reason="hold"), line("hits")),
    "return: returned": (moved(reason="release"), line("returned")),
    "return: confirmed": (moved(reason="confirm"), line("confirmed")),
    "return: payments": (of("payouts", "", "count", **PAYOUT), line("payouts", "number")),
    "return: paid out": (of("payouts", "amount_micros", **PAYOUT), line("payouts")),
    "return: recoveries": (of("payouts", "-amount_micros", **BACK), line("recoveries")),
    "return: tax": (of("payments-by-method", "tax"), line("tax")),
    "return: tax due": (of("liability", "tax", "last"), line("tax_due")),
    "return: unclaimed": (of("unclaimed", "unclaimed"), line("unclaimed")),
    "return: adjusted": (of("adjustments", "pool other to_return"), line("adjustments")),
    "return: adjustments": (
        of("adjustments", "system entry", "different"),
        line("adjustments", "number"),
    ),
    "return: drop": (of("drop", "expected"), line("drop")),
    "return: counted": (of("drop", "counted"), line("counted")),
    "return: variance": (of("drop", "variance"), line("drop_variance")),
    "return: decisions": (of("prior-period", "", "count"), line("prior", "number")),
    "return: prior-period": (of("prior-period", "pool"), line("prior")),
    "return: terms": (
        of("terms-changes", "system version", "different"),
        line("terms", "number"),
    ),
    "return: events": (of("significant-events", "", "count"), line("events", "number")),
}


def rows_of(code: str, filters: Filters) -> Rows:
    special = {
        "contributions-and-rounds": _contributions_and_rounds,
        "drop-of-counted-days": _drop_of_counted_days,
    }
    if code in special:
        return special[code](filters)
    key = code, filters.first, filters.last, tuple(filters.codes.items())
    if key not in _ROWS:
        _ROWS[key] = reports()[code].report(filters).rows(100_000)
    return _ROWS[key]


def _contributions_and_rounds(filters: Filters) -> Rows:
    """By the ledger: all contributions, and what rulings on rounds adjusted."""
    fed = moved(reason="contribution").value(filters)
    by_rulings = of(
        "adjustments", "pool other to_return", what=("missed_rounds", "void_round", "cancel_round")
    ).value(filters)
    return [{"sum": fed + by_rulings}]


def _drop_of_counted_days(filters: Filters) -> Rows:
    """By the ledger: what left the drop box of days that are over, less what went back."""
    over = Filters(filters.casino, filters.first, min(filters.last, SATURDAY), filters.codes)
    if filters.first > SATURDAY:
        return []
    return [{"sum": moved(debit="drop").value(over) - moved(credit="drop").value(over)}]


# Of the whole casino: report 9 adds up a person in all systems.
OF_CASINO: dict[str, tuple[Side, Side]] = {
    **{
        f"{name} of people": (
            of("tax-and-cash-reports", name),
            of("payouts", f"{column}_micros"),
        )
        for name, column in (("total", "amount"), ("cash", "cash"), ("tax", "tax"))
    },
    "payments of people": (
        of("tax-and-cash-reports", "payouts"),
        of("payouts", "", "count", **PAYOUT),
    ),
}
