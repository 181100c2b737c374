"""Lists in which rows of two casinos stand: each by its own days, and nobody's but one's own."""

from __future__ import annotations

import datetime as dt
import re
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from settlement.core.gaming_day import start_of
from settlement.exclusions.entries import ExclusionList, Person, take_in
from settlement.models import Incident, IncidentEnd, ReportExport, Ruling
from settlement.people.rights import roles
from tables.models import Casino, GamingTable, JackpotSystem
from tests.support.cases.confirmed_house import person
from tests.support.pages.page_staff import logged_in, page_of, words
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import owner_without_guards
from tests.support.play.books import royal_terms
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
DAY = dt.date(2026, 11, 20)
HOUR = dt.timedelta(hours=1)


def build_house() -> ClaimHouse:
    return ClaimHouse(royal_terms(), tables=("t3",))


house = kept_house(build_house)


@pytest.fixture
def tables(house: ClaimHouse) -> list[GamingTable]:
    """One of the house and one of a second casino, whose days begin at another time."""
    bay = Casino.objects.create(
        code="bay",
        name="Bay",
        currency="NZD",
        timezone="America/Los_Angeles",
        day_starts=dt.time(11),
    )
    system = JackpotSystem.objects.create(casino=bay, code="bay", name="Bay floor")
    GamingTable.objects.create(system=system, code="b1", name="Bay 1")
    return list(GamingTable.objects.select_related("system__casino").order_by("pk"))


def resolved(table: GamingTable, at: dt.datetime, note: str, by: str = "tane") -> None:
    row = Incident.objects.create(
        system=table.system,
        table=table,
        kind="power",
        note=note,
        happened_at=at,
        person=person(by),
        key=uuid.uuid4(),
    )
    IncidentEnd.objects.create(incident=row, note="Done", person=person(by))


def ruling(table: GamingTable, at: dt.datetime, note: str, by: str = "sione") -> None:
    values: dict[str, Any] = {"kind": "void_round", "round": 1, "day": DAY, "command": 1}
    row = Ruling.objects.create(
        system=table.system,
        table=table,
        note=note,
        person=person(by),
        key=uuid.uuid4(),
        **values,
    )
    with owner_without_guards("settlement_ruling"):
        Ruling.objects.filter(pk=row.pk).update(at=at)


def export(table: GamingTable, at: dt.datetime, note: str, by: str = "ines") -> None:
    days = {"from": "2026-11-01", "to": "2026-11-02"}
    row = ReportExport.objects.create(
        casino=table.system.casino,
        person=person(by),
        report="payouts",
        filters=days,
        formats=["csv"],
        key=uuid.uuid4(),
        state="failed",
        fault=note,
    )
    ReportExport.objects.filter(pk=row.pk).update(at=at)


@pytest.mark.parametrize(
    ("who", "address", "make"),
    [
        ("tane", "/incidents/", resolved),
        ("sione", "/irregularities/", ruling),
        ("ines", "/reports/files/", export),
    ],
)
def test_days_are_those_of_the_casino_of_each_row(
    tables: list[GamingTable],
    who: str,
    address: str,
    make: Callable[[GamingTable, dt.datetime, str], None],
) -> None:
    first, last = tables
    between = start_of(DAY, last.system.casino) - start_of(DAY, first.system.casino)
    assert abs(between) > 2 * HOUR
    for table in tables:
        for hours, when in ((-1, "eve"), (1, "morning"), (23, "night"), (25, "next")):
            at = start_of(DAY, table.system.casino) + hours * HOUR
            make(table, at, f"{when} of {table.code}")

    def on(query: str) -> set[str]:
        page = page_of(who, f"{address}?{query}")
        whens = ("eve", "morning", "night", "next")
        notes = [f"{when} of {table.code}" for table in tables for when in whens]
        return {note for note in notes if note in page}

    day = {f"{when} of {each.code}" for each in tables for when in ("morning", "night")}
    eves, nexts = ({f"{when} of {each.code}" for each in tables} for when in ("eve", "next"))
    assert on(f"from={DAY}&to={DAY}") == day
    assert on(f"from={DAY}") == day | nexts
    assert on(f"to={DAY}") == day | eves
    if address != "/reports/files/":
        assert on(f"from={DAY}&to={DAY}&system=bay") == {"morning of b1", "night of b1"}


# What each list may be asked for of the other casino.
QUERIES = {
    "/tables/": "system=main&q=Sekret",
    "/incidents/": "table=main/t3&person=tane",
    "/irregularities/": "system=main&person=sione",
    "/people/log-ins/": "person=tane",
    "/exclusions/": "list=Sekret+list&person=ines",
    "/reports/files/": "person=ines&state=failed",
}


@pytest.mark.parametrize("address", QUERIES)
def test_somebody_of_one_casino_finds_nothing_of_the_other(
    tables: list[GamingTable], address: str
) -> None:
    first, last = tables
    anna = User.objects.create_user("anna")
    for role in roles.ROLES:
        roles.grant(anna, role, last.system.casino)
    JackpotSystem.objects.filter(pk=first.system_id).update(name="Sekret floor")
    GamingTable.objects.filter(pk=first.pk).update(name="Sekret table")
    for table, note, *by in ((first, "Sekret note"), (last, "Bay note", "anna")):
        for make in (resolved, ruling, export):
            make(table, timezone.now(), note, *by)
    entry = Person("Sekret person", dt.date(1980, 1, 1), "self", dt.date(2025, 1, 1), "1")
    take_in(first.system.casino, person("ines"), ExclusionList("Sekret list", [entry]))
    logged_in("tane").get("/account/")
    for query in ("", "?view=usual", f"?{QUERIES[address]}"):
        answer = logged_in("anna").get(f"{address}{query}")
        assert answer.status_code == 200
        text = words(answer)
        assert "Sekret" not in text, query
        html = answer.content.decode()
        people = re.findall(r'(?:<option value|name="person" value)="(\w+)"', html)
        assert not {*people} & {"tane", "sione", "ines", "mere"}, query
        if query != f"?{QUERIES['/tables/']}" and address != "/exclusions/":
            assert "Bay" in text or "anna" in text, "what is of the own casino stands there"
