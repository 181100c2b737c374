"""Each figure that stands on two reports is equal, under every filter: a table of pairs."""

import datetime as dt
from collections.abc import Mapping

import pytest

from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Filters
from tests.support.houses.office.office_month import FRIDAY, SATURDAY, SUNDAY, OfficeMonth
from tests.support.houses.office.report_pairs import (
    BY_PRIZE,
    MONTHS,
    OF_CASINO,
    OF_CLAIMS,
    PAIRS,
    Rows,
    Side,
    of,
    rows_of,
)

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
        for system in ("main", "wing", "annex")
        for first, last in ((FRIDAY, FRIDAY), (SATURDAY, SATURDAY), (FRIDAY, SUNDAY))
    ]
    empty = [
        name
        for name, sides in {**BY_PRIZE, **PAIRS}.items()
        if not any(side.value(filters) for side in sides for filters in spans)
    ]
    assert empty == []


# Totals that stand on one report alone.
ALONE = {
    "hit-register amount": "held against the derivation of each claim, below",
    "adjustments rounds": "report 2 has rounds that were played, and not those that were missed",
    **{
        f"display-accuracy {name}": "readings are of displays: no other report counts them"
        for name in ("readings", "exact", "apart", "unknown")
    },
    "unclaimed amount": "each payment once, whatever becomes of it; `unclaimed` is the balance",
    **{
        f"prior-period {name}": "what one decision changed besides the pool"
        for name in ("other", "held", "owed", "paid", "sources")
    },
}


def test_every_total_stands_on_two_reports_or_says_why_not() -> None:
    """A new report, or a new total of an old one, names where else its figure stands."""
    sides = [
        side for pair in (*BY_PRIZE.values(), *PAIRS.values(), *OF_CASINO.values()) for side in pair
    ]
    held = {
        f"{each.report} {name.removeprefix('-')}" for each in sides for name in each.columns.split()
    }
    totals = {f"{each.code} {field.source}" for each in reports().values() for field in each.summed}
    assert totals - held == ALONE.keys()
    assert len(MONTHS) > 20


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
    register = {row["claim"]: row for row in rows_of("hit-register", filters)}
    steps: dict[int, Rows] = {}
    for row in rows_of("derivation", filters):
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
    rows = rows_of("liability", Filters(casino, FRIDAY, SUNDAY, codes))
    assert rows
    for row in rows:
        held: dict[str, int] = {}
        for transfer in rows_of("ledger", Filters(casino, FRIDAY, row["day"], codes)):
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
    for row in rows_of("ledger", filters):
        last |= {row["debit"]: row["debit_after"], row["credit"]: row["credit_after"]}
    (fund,) = [row for row in rows_of("player-fund", filters) if row["day"] == SUNDAY]
    assert fund["of_house"] == -last["operator"] - last["rounding"]
