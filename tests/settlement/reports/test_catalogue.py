"""Each report against numbers that are worked out apart; figures on two reports are equal."""

import datetime as dt
from itertools import pairwise
from typing import Any

import pytest

from jackpot.models import Account, Entry, Hit, Transfer
from settlement.core.gaming_day import today
from settlement.drop import counts
from settlement.drop.counts import Figure
from settlement.drop.expected import liability as liability_of
from settlement.models import Payout
from settlement.reports.catalogue import reports
from settlement.reports.catalogue.liability import OF_TIERS, OWED
from settlement.reports.catalogue.roll_forward import FED, MOVEMENTS
from settlement.reports.definition import Definition, Filters
from tables.models import Casino
from tests.support.confirmed import person
from tests.support.drop import FRIDAY, UNIT, DropHouse
from tests.support.every_address import furnished
from tests.support.page_ledger import Clock, LedgerHouse, days_of_play
from tests.support.roles import acting_as

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
FIRST = dt.date(2026, 1, 1)


def rows(code: str, filters: Filters) -> list[dict[str, Any]]:
    return reports()[code].report(filters).rows(100_000)


def totals(code: str, filters: Filters) -> dict[str, int]:
    definition = reports()[code]
    return definition.totals(definition.report(filters))


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> LedgerHouse:
    return days_of_play(Clock(monkeypatch))


@pytest.fixture
def filters(house: LedgerHouse) -> Filters:
    casino = Casino.objects.get()
    return Filters(casino, FIRST, today(casino))


def test_numbers_and_codes_are_each_their_own() -> None:
    known = list(reports().values())
    assert len({each.number for each in known}) == len(known)
    assert set(range(1, 18)) <= {each.number for each in known}


@pytest.mark.parametrize("role", ["web", "worker"])
def test_pages_and_files_may_read_every_report(role: str) -> None:
    furnished()
    casino = Casino.objects.get()
    filters = Filters(casino, FIRST, today(casino))
    with acting_as(role):
        for definition in reports().values():
            report = definition.report(filters)
            assert len(report.rows(10_000)) == definition.totals(report)["rows"]
            assert b"".join(bytes(part) for part in report.csv())


def test_a_casino_without_systems_has_empty_reports() -> None:
    Casino.objects.create(code="new", name="New", currency="NZD")
    casino = Casino.objects.get()
    filters = Filters(casino, FIRST, today(casino))
    for definition in reports().values():
        assert definition.report(filters).rows(10) == []


@pytest.mark.parametrize("definition", reports().values(), ids=lambda each: each.code)
def test_every_report_can_be_read_filtered_and_summed(definition: Definition) -> None:
    furnished()
    casino = Casino.objects.get()
    filters = Filters(casino, FIRST, today(casino))
    report = definition.report(filters)
    lines = report.rows(100_000)
    assert definition.totals(report)["rows"] == len(lines) == report.count()
    for each in definition.summed:
        assert definition.totals(report)[each.source] == sum(row[each.source] or 0 for row in lines)
    text = b"".join(bytes(part) for part in report.csv()).decode()
    assert text.splitlines()[0].split(",")[0].split("_")[0]
    narrow = dict.fromkeys(definition.compared, "nothing")
    if narrow:
        assert not definition.report(Filters(casino, FIRST, filters.last, narrow)).count()


def test_the_roll_forward_is_the_ledger(house: LedgerHouse, filters: Filters) -> None:
    lines = rows("roll-forward", filters)
    assert len(lines) > 2
    assert lines[0]["opening"] == 0
    for before, after in pairwise(lines):
        assert before["closing"] == after["opening"]
    for row in lines:
        assert row["opening"] + sum(row[name] for name in MOVEMENTS) == row["closing"]
    assert lines[-1]["closing"] == house.balance("royal:pool")
    pool = Account.objects.get(code="royal:pool")
    fed = Transfer.objects.filter(reason="contribution", credit=pool)
    sums = totals("roll-forward", filters)
    assert sum(sums[f"from_{source}"] for source in FED) == sum(each.amount for each in fed)
    assert sum(row["contributed"] for row in rows("round-ledger", filters)) == sum(
        each.amount for each in Transfer.objects.filter(reason="contribution")
    )


def test_meters_begin_and_end_where_the_roll_forward_does(filters: Filters) -> None:
    lines = rows("roll-forward", filters)
    (meter,) = rows("meters", filters)
    assert meter["opening"] == lines[0]["opening"]
    assert meter["closing"] == lines[-1]["closing"]
    moved = meter["contributed"] + meter["other_in"] + meter["other_out"]
    assert meter["opening"] + moved == meter["closing"]


def test_funds_and_liability_agree_with_the_books(house: LedgerHouse, filters: Filters) -> None:
    funds, owed = rows("player-fund", filters), rows("liability", filters)
    assert [row["closing"] for row in funds] == [row["liability"] for row in owed]
    held = sum(
        each.balance
        for each in Account.objects.all()
        if each.code.rpartition(":")[2] in (*OF_TIERS, *OWED)
    )
    assert owed[-1]["liability"] == held
    for row in funds:
        moved = row["funded"] + row["given"] - row["paid"] + row["back"] - row["kept"]
        assert row["opening"] + moved == row["closing"]


def test_payouts_are_equal_on_every_report(filters: Filters) -> None:
    paid = sum(Payout.objects.values_list("amount", flat=True))
    assert paid
    assert totals("payouts", filters)["amount_micros"] == paid
    assert totals("payments-by-method", filters)["amount"] == paid
    assert totals("hit-register", filters)["paid"] == paid
    assert totals("player-fund", filters)["paid"] == paid
    quarter = {row["what"]: row for row in rows("quarterly-return", filters)}
    assert quarter["payouts"]["amount"] == quarter["paid"]["amount"] == paid
    assert quarter["hits"]["number"] == Hit.objects.count()
    assert quarter["closing"]["amount"] == quarter["liability"]["amount"]


def test_derivation_ends_at_what_was_confirmed(filters: Filters) -> None:
    steps = rows("derivation", filters)
    for hit in Hit.objects.filter(confirmed__gt=0):
        own = [row for row in steps if row["claim"] == hit.number]
        assert [row["step"] for row in own] == list(range(1, len(own) + 1))
        assert own[-1]["amount"] == hit.confirmed


def test_hits_and_terms_are_those_of_the_order(filters: Filters) -> None:
    register = rows("hit-register", filters)
    assert [row["claim"] for row in register] == [1, 2, 3]
    assert [row["entry"] for row in register] == list(Hit.objects.values_list("place", flat=True))
    paid = next(row for row in register if row["paid"])
    assert paid["seconds_to_paid"] >= 0
    changes = rows("terms-changes", filters)
    entries = Entry.objects.filter(type="put_terms").order_by("seq")
    assert [row["entry"] for row in changes] == list(entries.values_list("seq", flat=True))
    assert all(row["proposed_by"] != row["agreed_by"] for row in changes)


def test_drop_and_bank_are_those_that_were_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    house = DropHouse(monkeypatch)
    casino = house.system.casino
    filters = Filters(casino, FRIDAY, FRIDAY)
    owed = liability_of(house.system, FRIDAY)
    figures = [Figure(FRIDAY, 2 * UNIT, house.table("t3"))]
    counts.record(house.system, person("aroha"), figures)
    counts.record(house.system, person("ines"), [Figure(FRIDAY, owed - UNIT)])
    house.post()
    lines = rows("drop", filters)
    assert [(row["table_code"], row["expected"], row["counted"]) for row in lines] == [
        ("t3", 3 * UNIT, 2 * UNIT),
        ("t7", UNIT, None),
    ]
    assert totals("drop", filters)["variance"] == -UNIT
    (bank,) = rows("liability", filters)
    assert bank["liability"] == rows("player-fund", filters)[0]["closing"] == owed
    assert (bank["bank"], bank["variance"]) == (owed - UNIT, -UNIT)
