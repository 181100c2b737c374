"""Lists in which rows of two casinos stand: each by its own days, and nobody's but one's own."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Callable
from typing import Any

import pytest

from settlement.core.gaming_day import start_of
from settlement.models import Incident, IncidentEnd, ReportExport, Ruling
from tables.models import Casino, GamingTable, JackpotSystem
from tests.support.cases.confirmed_house import person
from tests.support.pages.page_staff import page_of
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


def resolved(table: GamingTable, at: dt.datetime, note: str) -> None:
    row = Incident.objects.create(
        system=table.system,
        table=table,
        kind="power",
        note=note,
        happened_at=at,
        person=person("tane"),
        key=uuid.uuid4(),
    )
    IncidentEnd.objects.create(incident=row, note="Done", person=person("mere"))


def ruling(table: GamingTable, at: dt.datetime, note: str) -> None:
    values: dict[str, Any] = {"kind": "void_round", "round": 1, "day": DAY, "command": 1}
    row = Ruling.objects.create(
        system=table.system,
        table=table,
        note=note,
        person=person("sione"),
        key=uuid.uuid4(),
        **values,
    )
    with owner_without_guards("settlement_ruling"):
        Ruling.objects.filter(pk=row.pk).update(at=at)


def export(table: GamingTable, at: dt.datetime, note: str) -> None:
    days = {"from": "2026-11-01", "to": "2026-11-02"}
    row = ReportExport.objects.create(
        casino=table.system.casino,
        person=person("ines"),
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
