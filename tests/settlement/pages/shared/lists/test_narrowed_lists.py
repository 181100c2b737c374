"""Lists are narrowed by choices, words and tiles, and long ones go further back."""

from __future__ import annotations

import datetime as dt
import re
import uuid

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from settlement.models import Handover, Incident, IncidentEnd, ReportExport
from tables.alarms import clear_alarm, raise_alarm
from tables.models import Alarm, GamingTable, Stream, UnitPresence
from tests.support.cases.confirmed_house import person
from tests.support.pages.page_staff import logged_in, page_of
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.suite.kept_house import kept_house
from tests.support.units.devices import issue, unit_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]


def build_house() -> ClaimHouse:
    return ClaimHouse(royal_terms(), tables=("t3", "t7", "t12"))


house = kept_house(build_house)


def heard(code: str, *, online: bool = True) -> GamingTable:
    table = GamingTable.objects.select_related("system__casino").get(code=code)
    values = {"online": online, "boot": 1, "heard_at": timezone.now(), "resent": 0}
    UnitPresence.objects.update_or_create(table=table, defaults=values)
    return table


def links(name: str, page: str, pattern: str) -> list[str]:
    return re.findall(pattern, logged_in(name).get(page).content.decode())


def tables_on(query: str) -> list[str]:
    return links("tane", f"/tables/{query}", r'class="tap" href="/tables/main/(\w+)/"')


def devices_on(query: str) -> list[str]:
    return links("hana", f"/devices/{query}", r'href="/devices/tables/main/(\w+)/"')


def people_on(query: str) -> list[str]:
    return links("hana", f"/people/{query}", r'href="/people/log-in/(\w+)/"')


def test_tables_by_state_system_and_words(house: ClaimHouse) -> None:
    UnitPresence.objects.all().delete()
    t3 = heard("t3")
    heard("t7", online=False)
    with acting_as("intake"):
        stream = Stream.objects.create(system=t3.system, table=t3, boot=9)
        Stream.objects.filter(pk=stream.pk).update(last_seq=5)
    assert set(tables_on("")) == {"t3", "t7", "t12"}
    assert tables_on("?state=online") == ["t3"]
    assert set(tables_on("?state=quiet")) == {"t7", "t12"}
    assert tables_on("?state=missing") == ["t3"]
    assert tables_on("?q=12") == ["t12"]
    assert tables_on("?q=table%2012&state=online") == []
    assert "No table matches" in page_of("tane", "/tables/?q=nothing")
    assert set(tables_on("?state=secret&system=elsewhere")) == {"t3", "t7", "t12"}


def test_devices_by_what_their_tiles_count(house: ClaimHouse) -> None:
    UnitPresence.objects.all().delete()
    issue(unit_of(heard("t3")))
    assert set(devices_on("?state=without")) == {"t7", "t12"}
    assert devices_on("?state=online") == ["t3"]
    assert devices_on("?state=ailing") == []
    assert devices_on("?q=t7") == ["t7"]
    assert set(devices_on("?view=usual")) == {"t3", "t7", "t12"}
    assert "No table matches" in page_of("hana", "/devices/?state=ending")


def test_people_by_role_state_and_words(house: ClaimHouse) -> None:
    User.objects.filter(username="tane").update(is_active=False, email="tane@casino.example")
    assert people_on("?role=Cashier") == ["aroha"]
    assert set(people_on("?role=Casino+manager")) == {"mere", "david"}
    assert people_on("?state=locked") == ["tane"]
    assert people_on("?state=without") == ["nobody"]
    assert people_on("?q=casino.example") == ["tane"]
    assert people_on("?q=ROH") == ["aroha"]
    assert "Nobody matches" in page_of("hana", "/people/?q=nothing")
    form = {"page": "people", "name": "Locked", "query": "state=locked"}
    assert logged_in("hana").post("/views/", form)["Location"] == "/people/?state=locked"


@pytest.mark.parametrize(
    ("name", "page"), [("tane", "/tables/"), ("hana", "/devices/"), ("hana", "/set-up/check-up/")]
)
def test_no_tile_that_counts_is_dead(house: ClaimHouse, name: str, page: str) -> None:
    client = logged_in(name)
    html = client.get(page).content.decode()
    assert not re.search(r'<div class="tile[ "]', html)
    tiles = re.findall(r'<a class="tile[^"]*" href="([^"]+)"', html)
    assert len(tiles) >= 4
    for tile in tiles:
        answer = client.get(f"{page}{tile}")
        assert answer.status_code == 200
        assert f'href="{tile}" aria-current="true"' in answer.content.decode()


def incident(table: GamingTable, kind: str, note: str, minutes: int, end: str = "") -> None:
    row = Incident.objects.create(
        system=table.system,
        table=table,
        kind=kind,
        note=note,
        happened_at=timezone.now() - dt.timedelta(minutes=minutes),
        person=person("sione"),
        key=uuid.uuid4(),
    )
    if end:
        IncidentEnd.objects.create(incident=row, note=end, person=person("mere"))


def test_incidents_by_kind_table_and_words_and_further_back(
    house: ClaimHouse, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    t3, t7 = (GamingTable.objects.get(code=code) for code in ("t3", "t7"))
    incident(t3, "display", "The display flickers", 1)
    incident(t7, "button", "The button sticks", 2)
    for minutes in range(45):
        incident(t7, "power", f"Dark for {minutes} minutes", 10 + minutes, "Fuse replaced")
    by_kind = page_of("tane", "/incidents/?kind=display")
    assert "The display flickers" in by_kind
    assert "The button sticks" in by_kind, "what is open is never left out"
    assert "Dark for 3 minutes" not in by_kind
    assert "No resolved incident matches" in by_kind
    assert "Dark for 3 minutes" in page_of("tane", "/incidents/?table=main/t7&q=3+fuse")
    assert "Dark for 3 minutes" not in page_of("tane", "/incidents/?table=main/t3")
    client = logged_in("tane")
    with django_assert_max_num_queries(25):
        first = client.get("/incidents/?table=main/t7").content.decode()
    assert "Dark for 0 minutes" in first
    assert "Dark for 44 minutes" not in first
    (older,) = re.findall(r'rel="next" href="([^"]+)"', first)
    second = client.get(f"/incidents/{older.replace('&amp;', '&')}").content.decode()
    assert "Dark for 44 minutes" in second
    assert "table=main/t7" in older.replace("%2F", "/"), "the choice goes along"


def test_handovers_cleared_alarms_and_files_go_further_back(house: ClaimHouse) -> None:
    casino = house.system.casino
    for number in range(32):
        Handover.objects.create(
            casino=casino,
            outgoing=person("sione"),
            incoming=person("anahera"),
            body=[],
            remarks="",
            key=uuid.uuid4(),
        )
        raise_alarm("broker", f"alarm {number}", "x")
        clear_alarm(Alarm.objects.latest("id"), "mere", "Restarted")
    for _ in range(101):
        ReportExport.objects.create(
            casino=casino,
            person=person("ines"),
            report="payouts",
            filters={"from": "2026-11-01", "to": "2026-11-02"},
            formats=["csv"],
            key=uuid.uuid4(),
        )
    for name, page, pattern in (
        ("sione", "/handover/", r'href="/handover/(\d+)/"'),
        ("tane", "/reconciliation/", r"alarm (\d+)<"),
        ("ines", "/reports/files/", r'<td class="number" data-label="Number">(\d+)<'),
    ):
        client = logged_in(name)
        first = client.get(page).content.decode()
        (older,) = re.findall(r'rel="next" href="([^"#]+)', first)
        second = client.get(f"{page}{older}").content.decode()
        assert re.findall(pattern, second), page
        assert not {*re.findall(pattern, first)} & {*re.findall(pattern, second)}, page
        assert 'rel="prev"' in second
