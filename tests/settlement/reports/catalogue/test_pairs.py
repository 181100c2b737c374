"""Each figure that stands on two reports is equal: a table of pairs, held under every filter.

A side is the sum of columns over rows, the last or first balance of each system, or how many rows
there are. The ledger is the last witness: what reports say comes to what its transfers moved.
"""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Filters
from tests.support.houses.office.office_month import FRIDAY, SATURDAY, SUNDAY, OfficeMonth

Rows = list[dict[str, Any]]
_ROWS: dict[Any, Rows] = {}  # the month does not change: each report is asked once


@dataclass(frozen=True)
class Side:
    """What a report says: `columns` added up, those with a minus sign taken away.

    `where`: only rows with these values, or one of several. `at`: "sum", "count" of rows, or the
    "first" or "last" row of each system (and prize).
    """

    report: str
    columns: str = ""
    where: Mapping[str, Any] = field(default_factory=dict)
    at: str = "sum"

    def value(self, filters: Filters) -> int:
        rows = [row for row in _rows(self.report, filters) if self._fits(row)]
        if self.at == "count":
            return len(rows)
        if self.at != "sum":
            ends: dict[Any, dict[str, Any]] = {}
            for row in rows if self.at == "last" else reversed(rows):
                ends[row["system"], row.get("tier")] = row
            rows = list(ends.values())
        return sum(self._of(row, name) for row in rows for name in self.columns.split())

    def _fits(self, row: dict[str, Any]) -> bool:
        return all(
            row[name] in value if isinstance(value, tuple) else row[name] == value
            for name, value in self.where.items()
        )

    @staticmethod
    def _of(row: dict[str, Any], name: str) -> int:
        value = int(row[name.removeprefix("-")] or 0)
        return -value if name.startswith("-") else value


def of(report: str, columns: str, at: str = "sum", **where: Any) -> Side:
    return Side(report, columns, where, at)


def moved(columns: str = "amount", **where: Any) -> Side:
    return Side("ledger", columns, where)


def line(what: str, column: str = "amount") -> Side:
    return Side("quarterly-return", column, {"what": what})


MOVEMENTS = (
    *("from_operator", "from_pot", "from_commission", "from_drop", "opened", "resets", "prizes"),
    *("covered", "rounding", "held", "returned", "adjustments", "reversals", "prior", "hits"),
)
CONTRIBUTED = "from_operator from_pot from_commission from_drop"
PLAY, HOUSE = ("pot", "commission", "drop"), ("operator", "rounding")
PAID = ("paid_chips", "paid_cash", "paid_equivalent")
PAYOUT, BACK = {"what": "payout"}, {"what": "reversal"}
# Held for all systems, each of them, all days, each of them; those of BY_PRIZE for each prize, too.
BY_PRIZE: dict[str, tuple[Side, Side]] = {
    "prior-period": (of("roll-forward", "prior"), of("prior-period", "pool")),
    **{
        f"month's {name}": (of("roll-forward", name), of("monthly-roll-forward", name))
        for name in MOVEMENTS
    },
    "month's opening": (
        of("roll-forward", "opening", "first"),
        of("monthly-roll-forward", "opening", "first"),
    ),
    "month's closing": (
        of("roll-forward", "closing", "last"),
        of("monthly-roll-forward", "closing", "last"),
    ),
    "meter's opening": (of("roll-forward", "opening", "first"), of("meters", "opening")),
    "meter's contributions": (of("roll-forward", CONTRIBUTED), of("meters", "contributed")),
    "meter's movements": (
        of("roll-forward", " ".join(MOVEMENTS[4:13])),
        of("meters", "other_in other_out"),
    ),
    "meter's closing": (of("roll-forward", "closing", "last"), of("meters", "closing")),
    "meter's reserve": (of("roll-forward", "reserve", "last"), of("meters", "reserve")),
    "meter's overflow": (of("roll-forward", "overflow", "last"), of("meters", "overflow")),
    "displayed": (of("roll-forward", "displayed", "last"), of("meters", "displayed")),
    "hits of meters": (of("roll-forward", "hits"), of("meters", "hits")),
    "hits": (of("roll-forward", "hits"), of("hit-register", "", "count")),
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
        for name in ("chips", "cash", "equivalent", "tax", "amount")
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
    "return: hits": (of("hit-register", "", "count"), line("hits", "number")),
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
    "return: adjustments": (of("adjustments", "", "count"), line("adjustments", "number")),
    "return: drop": (of("drop", "expected"), line("drop")),
    "return: counted": (of("drop", "counted"), line("counted")),
    "return: variance": (of("drop", "variance"), line("drop_variance")),
    "return: decisions": (of("prior-period", "", "count"), line("prior", "number")),
    "return: prior-period": (of("prior-period", "pool"), line("prior")),
    "return: terms": (of("terms-changes", "", "count"), line("terms", "number")),
    "return: events": (of("significant-events", "", "count"), line("events", "number")),
}


def _rows(code: str, filters: Filters) -> Rows:
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


DAYS = {
    "all days": (FRIDAY, SUNDAY),
    "October": (dt.date(2026, 10, 1), SATURDAY),
    "Friday": (FRIDAY, FRIDAY),
    "Saturday": (SATURDAY, SATURDAY),
    "Sunday": (SUNDAY, SUNDAY),
}
SYSTEMS: dict[str, dict[str, str]] = {
    "both systems": {},
    "main": {"system": "main"},
    "annex": {"system": "annex"},
    "wing": {"system": "wing"},
}
PRIZES: dict[str, dict[str, str]] = {
    "royal": {"tier": "royal"},
    "quads": {"tier": "quads"},
    "quads of main": {"system": "main", "tier": "quads"},
    "quads of the wing": {"system": "wing", "tier": "quads"},
    "one jackpot": {"jackpot": "house"},
    "of no prize": {"tier": "nothing"},
}


def different(
    pairs: Mapping[str, tuple[Side, Side]], filters: Filters
) -> dict[str, tuple[int, int]]:
    both = {
        name: (left.value(filters), right.value(filters)) for name, (left, right) in pairs.items()
    }
    return {name: sides for name, sides in both.items() if sides[0] != sides[1]}


@pytest.mark.parametrize("days", DAYS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_figures_on_two_reports_are_equal(month: OfficeMonth, days: str, system: str) -> None:
    filters = Filters(month.system.casino, *DAYS[days], SYSTEMS[system])
    pairs = PAIRS | (BY_PRIZE if days == "all days" else _of_days(BY_PRIZE))
    assert different(pairs, filters) == {}


@pytest.mark.parametrize("days", DAYS)
@pytest.mark.parametrize("prize", PRIZES)
def test_they_are_equal_for_each_prize(month: OfficeMonth, days: str, prize: str) -> None:
    filters = Filters(month.system.casino, *DAYS[days], PRIZES[prize])
    pairs = BY_PRIZE if days == "all days" else _of_days(BY_PRIZE)
    assert different(pairs, filters) == {}


def _of_days(pairs: Mapping[str, tuple[Side, Side]]) -> dict[str, tuple[Side, Side]]:
    """Without what is about claims of the days, whenever they were paid."""
    return {name: sides for name, sides in pairs.items() if name not in OF_CLAIMS}


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


@pytest.mark.parametrize("days", DAYS)
def test_report_9_is_the_register_of_payouts(month: OfficeMonth, days: str) -> None:
    assert different(OF_CASINO, Filters(month.system.casino, *DAYS[days])) == {}
    whole = Filters(month.system.casino, *DAYS["all days"])
    assert [name for name, (left, _) in OF_CASINO.items() if not left.value(whole)] == []


@pytest.mark.parametrize("days", DAYS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_what_is_unclaimed_is_what_became_unclaimed(
    month: OfficeMonth, days: str, system: str
) -> None:
    """Report 15 has what changed the balance that report 12 shows."""
    casino, (first, last) = month.system.casino, DAYS[days]
    before = Filters(casino, FRIDAY, first - dt.timedelta(days=1), SYSTEMS[system])
    filters = Filters(casino, first, last, SYSTEMS[system])
    balance = of("liability", "unclaimed", "last")
    opening = balance.value(before) if first > FRIDAY else 0
    assert of("unclaimed", "unclaimed").value(filters) == balance.value(filters) - opening


def test_no_pair_is_zero_on_both_sides(month: OfficeMonth) -> None:
    """For one system and some days each says something, so that two that are broken are seen."""
    spans = [
        Filters(month.system.casino, first, last, {"system": system})
        for system in ("main", "wing")
        for first, last in ((FRIDAY, FRIDAY), (SATURDAY, SATURDAY), (FRIDAY, SUNDAY))
    ]
    empty = [
        name
        for name, sides in {**BY_PRIZE, **PAIRS}.items()
        if not any(side.value(filters) for side in sides for filters in spans)
    ]
    assert empty == []


def test_every_day_leads_to_the_next(month: OfficeMonth) -> None:
    casino = month.system.casino
    for code, name in (("roll-forward", "tier"), ("player-fund", "system"), ("meters", "tier")):
        friday, saturday, sunday = (
            {
                (row["system"], row[name]): row
                for row in reports()[code].report(Filters(casino, day, day)).rows(100)
            }
            for day in (FRIDAY, SATURDAY, SUNDAY)
        )
        for earlier, later in ((friday, saturday), (saturday, sunday)):
            assert {key: row["closing"] for key, row in earlier.items()} == {
                key: row["opening"] for key, row in later.items()
            }


def test_claims_are_derived_to_what_registers_say(month: OfficeMonth) -> None:
    filters = Filters(month.system.casino, FRIDAY, SUNDAY, {"system": "main"})
    register = {row["claim"]: row for row in _rows("hit-register", filters)}
    steps: dict[int, Rows] = {}
    for row in _rows("derivation", filters):
        steps.setdefault(row["claim"], []).append(row)
    assert set(steps) == {number for number, row in register.items() if row["confirmed"]}
    for number, rows in steps.items():
        claim, texts = register[number], [row["what"] for row in rows]
        before = texts.index("Prize pool before the hit")
        pool = [row["amount"] for row in rows[:before] if row["amount"] is not None]
        assert sum(pool) == rows[before]["amount"] == claim["pool_before"]
        assert rows[texts.index("Amount reserved")]["amount"] == claim["amount"]
        confirmed = [row["amount"] for row in rows if row["what"].startswith("Confirmed by")]
        assert sum(confirmed) == claim["confirmed"]
        paid = [row["amount"] for row in rows if ": paid in" in row["what"]]
        assert sum(paid) == claim["paid"]


@pytest.mark.parametrize("system", ["main", "annex", "wing"])
def test_balances_of_each_day_are_those_of_the_ledger(month: OfficeMonth, system: str) -> None:
    """Every account of report 12, withheld tax among them, from the transfers up to that day."""
    casino, codes = month.system.casino, {"system": system}
    rows = _rows("liability", Filters(casino, FRIDAY, SUNDAY, codes))
    assert rows
    for row in rows:
        held: dict[str, int] = {}
        for transfer in _rows("ledger", Filters(casino, FRIDAY, row["day"], codes)):
            held[transfer["debit"]] = held.get(transfer["debit"], 0) - transfer["amount"]
            held[transfer["credit"]] = held.get(transfer["credit"], 0) + transfer["amount"]
        for kind in ("pool", "reserve", "overflow", "held"):
            assert row[kind] == sum(
                amount for code, amount in held.items() if code.endswith(f":{kind}")
            ), (row["day"], kind)
        for kind in ("payable", "unclaimed", "to_return", "adjustments"):
            assert row[kind] == held.get(kind, 0), (row["day"], kind)
        assert row["tax"] == held.get("withheld_tax", 0), row["day"]


def test_balances_of_the_ledger_are_those_of_the_last_day(month: OfficeMonth) -> None:
    filters = Filters(month.system.casino, FRIDAY, SUNDAY, {"system": "main"})
    last: dict[str, int] = {}
    for row in _rows("ledger", filters):
        last |= {row["debit"]: row["debit_after"], row["credit"]: row["credit_after"]}
    (fund,) = [row for row in _rows("player-fund", filters) if row["day"] == SUNDAY]
    assert fund["of_house"] == -last["operator"] - last["rounding"]
