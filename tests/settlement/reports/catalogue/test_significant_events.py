"""Report 14 has five kinds of rows: one of each, made by hand, stands there with what it says."""

import datetime as dt
from typing import Any

import pytest
from django.utils import timezone

from jackpot.models import DarkCall, Entry, SkipDecision
from jackpot.writer import commands
from settlement.core.gaming_day import day_of
from settlement.floor import incidents
from settlement.floor.incidents import IncidentReport
from settlement.reports.definitions.definition import Filters
from tables.alarms import clear_alarm, raise_alarm
from tables.models import Alarm, GamingTable, JackpotSystem
from tests.support.cases.confirmed_house import person
from tests.support.houses.office.report_lines import lines
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import owner_without_guards

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
NAMES = ("what", "kind", "subject", "text", "person", "ended_by", "ended_note")


@pytest.fixture
def house() -> ClaimHouse:
    house = ClaimHouse()
    casino = house.system.casino
    casino.timezone = "Etc/UTC"
    casino.save()
    house.system = JackpotSystem.objects.select_related("casino").get()
    return house


def rows_of(house: ClaimHouse, **codes: str) -> list[tuple[str, ...]]:
    day = day_of(timezone.now(), house.system.casino)
    filters = Filters(house.system.casino, day - dt.timedelta(days=1), day, codes)
    return lines("significant-events", filters, *NAMES)


def test_an_alarm(house: ClaimHouse) -> None:
    raise_alarm("quarantine", "main/t3", "Bytes that nobody can read", house.system)
    clear_alarm(Alarm.objects.get(), "ines", "Sent again")
    expected = ("alarm", "quarantine", "main/t3", "Bytes that nobody can read", "-", "ines")
    assert rows_of(house) == [(*expected, "Sent again")]
    assert len(rows_of(house, table="t3")) == 1
    assert rows_of(house, table="t7") == []


def test_an_incident_of_the_day_of_its_report(house: ClaimHouse) -> None:
    table = GamingTable.objects.get(code="t3")
    before = timezone.now() - dt.timedelta(days=9)
    entry = IncidentReport("handset", "No answer", before, table)
    incident = incidents.report(house.system, person("sione"), entry)
    assert rows_of(house) == [("incident", "handset", "t3", "No answer", "sione", "-", "-")]
    incidents.resolve(incident, person("mere"), "Exchanged")
    assert [row[-2:] for row in rows_of(house, person="mere")] == [("mere", "Exchanged")]


def test_an_entry_that_was_skipped(house: ClaimHouse) -> None:
    stop: dict[str, Any] = {"jackpot": "house", "tier": "royal", "reason": "A new display"}
    number = commands.queue(house.system, "suspend", stop, first="mere")
    with owner_without_guards("jackpot_setaside"):  # which ask that the system is halted on it
        SkipDecision.objects.create(
            system=house.system,
            command=number,
            first="ines",
            second="mere",
            reason="It cannot be taken",
        )
    row = ("skipped", "suspend", "-", "It cannot be taken", "ines", "mere", "-")
    assert rows_of(house, person="mere", tier="royal") == [row]
    assert rows_of(house, tier="quads") == []


def test_a_decision_in_the_order(house: ClaimHouse) -> None:
    stop: dict[str, Any] = {"jackpot": "house", "tier": "royal", "reason": "A new display"}
    assert not house.decide("suspend", first="mere", second=None, **stop).refused
    row = ("entry", "suspend", "royal", "A new display", "mere", "-", "-")
    assert rows_of(house, tier="royal") == [row]


def test_a_dark_display(house: ClaimHouse) -> None:
    """Its end is when the console looked; the text says since when, by the casino's clocks."""
    entry = Entry.objects.latest("seq")
    since = dt.datetime(2026, 11, 21, 9, 55, tzinfo=dt.UTC)
    table = GamingTable.objects.get(code="t7")
    DarkCall.objects.create(
        table=table, since=since, until=since + dt.timedelta(minutes=5), entry=entry.seq
    )
    (row,) = rows_of(house, table="t7")
    assert (row[0], row[2], row[4]) == ("entry", "t7", "-")
    assert row[3] == "No reading since 2026-11-21 09:55:00"
