"""What holds for every report: it can be read, filtered, summed, explained and followed."""

import datetime as dt
from typing import Any

import pytest
from django.db import connection

from jackpot.models import Transfer
from settlement.core.gaming_day import today
from settlement.core.words.labels import ACCOUNTS, ACCOUNTS_OF_PRIZE
from settlement.pages.reports.links import Place, address_of
from settlement.people.rights.roles import grant, revoke
from settlement.reports.catalogue import reports
from settlement.reports.catalogue.ledger import REASONS
from settlement.reports.definitions.definition import Filters
from tables.models import Casino
from tests.support.cases.confirmed_house import person
from tests.support.houses.office.office_month import FRIDAY, SUNDAY, OfficeMonth
from tests.support.pages.every_address import seed_data
from tests.support.pages.page_staff import logged_in
from tests.support.people.cast import hire
from tests.support.people.roles import acting_as
from tests.support.play.house import House

FIRST = dt.date(2026, 1, 1)


def all_of(casino: Casino, **codes: str) -> Filters:
    return Filters(casino, FIRST, today(casino), codes)


def test_numbers_and_codes_are_each_their_own() -> None:
    all_reports = list(reports().values())
    assert len({each.number for each in all_reports}) == len(all_reports)
    assert set(range(1, 18)) <= {each.number for each in all_reports}


def test_every_report_and_column_says_what_it_is() -> None:
    silent = [
        (each.code, column.source)
        for each in reports().values()
        for column in each.columns
        if not column.meaning
    ]
    assert silent == []
    assert [each.code for each in reports().values() if not each.rules] == []


@pytest.mark.django_db
@pytest.mark.usefixtures("no_writer")
@pytest.mark.parametrize("role", ["web", "worker"])
def test_pages_and_files_may_read_every_report(role: str) -> None:
    seed_data()
    filters = all_of(Casino.objects.get())
    with acting_as(role):
        for definition in reports().values():
            report = definition.report(filters)
            rows = report.rows(10_000)
            assert definition.rows(filters, 10_000) == rows
            assert len(rows) == report.count() == definition.totals(report)["rows"]
            for each in definition.summed:
                total = definition.totals(report)[each.source]
                assert total == sum(row[each.source] or 0 for row in rows), each.source
            text = b"".join(bytes(part) for part in report.csv()).decode()
            assert len(text.splitlines()) > len(rows)
            for name in definition.compared:
                none_has = "1000000000" if name == "least" else "0"
                assert not definition.report(all_of(filters.casino, **{name: none_has})).count()


@pytest.mark.django_db
def test_a_casino_without_systems_has_empty_reports() -> None:
    Casino.objects.create(code="new", name="New", currency="NZD")
    filters = all_of(Casino.objects.get())
    for definition in reports().values():
        count = 1 if definition.code == "audit-trail" else 0  # that the casino was made
        assert len(definition.rows(filters, 10)) == count
        assert definition.totals(definition.report(filters))["rows"] == count


def test_a_part_of_a_long_report_is_the_same_part_of_all(month: OfficeMonth) -> None:
    for codes in ({}, {"table": "t7"}, {"system": "main"}, {"table": "a1"}):
        filters = Filters(month.system.casino, FRIDAY, SUNDAY, codes)
        for code in ("round-ledger", "ledger"):
            definition = reports()[code]
            whole = definition.report(filters).rows(1000)
            assert whole or codes == {"table": "a1"}
            for limit, offset in ((1, 0), (3, 2), (7, 30), (100, 0), (5, len(whole)), (50, 20)):
                part = definition.rows(filters, limit, offset)
                assert part == whole[offset : offset + limit], (code, codes, limit, offset)


def test_people_are_filtered_wherever_they_stand(month: OfficeMonth) -> None:
    def count(code: str, login: str) -> int:
        codes = {"person": login, "system": "main"}
        filters = Filters(month.system.casino, FRIDAY, SUNDAY, codes)
        return reports()[code].report(filters).count()

    assert [count("adjustments", name) for name in ("sione", "anahera", "mere")] == [3, 1, 1]
    assert [count("hit-register", name) for name in ("sione", "mere", "aroha")] == [3, 4, 2]
    assert [count("payouts", name) for name in ("aroha", "anahera", "david")] == [3, 1, 1]
    assert [count("terms-changes", name) for name in ("mere", "david", "anahera")] == [3, 1, 2]
    assert [count("significant-events", name) for name in ("sione", "david")] == [1, 1]
    assert [count("unclaimed", name) for name in ("mere", "david", "tane")] == [2, 3, 0]


def test_what_an_entry_moved_is_a_link_away(month: OfficeMonth) -> None:
    codes = {"system": "main", "entry": "25"}
    filters = Filters(month.system.casino, FRIDAY, FRIDAY, codes)
    rows = reports()["ledger"].report(filters).rows(10)
    assert [(row["reason"], row["amount"] / 1_000_000) for row in rows] == [
        ("reset", 996),
        ("rounding", 0.5),
        ("reset", 4),
        ("hold", 1012),
    ]


@pytest.mark.usefixtures("quick_passwords")
def test_every_figure_leads_to_a_page(month: OfficeMonth) -> None:
    """And the page is there; kinds of links are followed once each for every column."""
    client = logged_in("ines")
    filters = Filters(month.system.casino, FRIDAY, SUNDAY)
    followed: dict[str, str] = {}
    for definition in reports().values():
        for row in definition.rows(filters, 200):
            for column in definition.columns:
                address = address_of(column, Place(row, filters))
                if address:
                    followed.setdefault(f"{definition.code} {column.source}", address)
    linked = {
        f"{definition.code} {column.source}"
        for definition in reports().values()
        for column in definition.columns
        if column.link
    }
    unused = linked - followed.keys()
    assert unused <= {
        "liability adjustments",
        "display-accuracy table_code",
        *(
            "prior-period before",
            "prior-period after",
        ),  # tests/settlement/closing/test_late_counts.py
        "tax-and-cash-reports payouts",
        "forms player",  # the place of the story asks for none
        "audit-trail entry",  # its times are the database's: nothing of the story's days
    }, unused
    answers = {name: client.get(address).status_code for name, address in followed.items()}
    assert {name: code for name, code in answers.items() if code != 200} == {}


def test_accounts_and_reasons_have_words(month: OfficeMonth) -> None:
    assert set(Transfer.objects.values_list("reason", flat=True)) <= set(REASONS)
    with connection.cursor() as cursor:
        cursor.execute("SELECT code FROM jackpot_account")
        codes = {code.rpartition(":")[2] for (code,) in cursor.fetchall()}
    assert codes <= {*ACCOUNTS, *ACCOUNTS_OF_PRIZE}  # those of taxes are opened by the first


@pytest.mark.django_db
def test_19_people_and_roles() -> None:
    hire()
    House()
    casino = Casino.objects.get()
    grant(person("nobody"), "Compliance", casino, by="olga")
    grant(person("nobody"), "Cashier", by="olga")
    revoke(person("nobody"), "Compliance", casino, by="petra")
    definition = reports()["people-and-roles"]
    day = today(casino)

    def rows(**codes: str) -> list[tuple[Any, ...]]:
        lines = definition.report(Filters(casino, day, day, codes)).rows(100)
        names = ("login", "role", "casino", "what", "given_by", "in_force")
        return [tuple(row[name] for name in names) for row in lines]

    assert rows(person="nobody") == [
        ("nobody", "Compliance", casino.code, "granted", "olga", "no"),
        ("nobody", "Cashier", "*", "granted", "olga", "yes"),
        ("nobody", "Compliance", casino.code, "revoked", "petra", "no"),
    ]
    assert ("sione", "Game supervisor", "*", "granted", "owner", "yes") in [
        (*row[:4], "owner", row[5]) for row in rows()
    ]
    assert len(rows(person="olga")) == 2
