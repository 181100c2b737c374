"""Lists of the floor and the office, sorted, narrowed to days and persons, and kept as views."""

from __future__ import annotations

import datetime as dt
import re
import time
import uuid
from typing import Any

import pytest
from django.utils import timezone

from settlement.exclusions.entries import ExclusionList, Person, take_in
from settlement.models import Exclusion, Incident, IncidentEnd, ReportExport, Ruling, SavedView
from settlement.pages.floor import decided_rulings, incidents
from settlement.people.log_ins.log_in import ADDRESS, DEVICE
from settlement.people.sessions.screen_lock import LAST_USE
from settlement.people.sessions.session_store import BEGAN
from tables.models import DisplayReading, GamingTable, JackpotSystem, Stream, UnitPresence
from tables.protocol import messages
from tests.support.cases.confirmed_house import person
from tests.support.pages.page_staff import logged_in, page_of, words
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as, owner_without_guards
from tests.support.play.books import royal_terms
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
# Who opens each list, its address, what they keep of it, and what of an address is not kept.
VIEWS = {
    "tables": ("tane", "/tables/", "state=quiet&sort=-unit", "before=1.2"),
    "incidents": ("tane", "/incidents/", "kind=power&from=2026-11-01&sort=-kind", "page=2"),
    "irregularities": ("sione", "/irregularities/", "person=sione&sort=table", "request=3"),
    "log-ins": ("hana", "/people/log-ins/", "person=tane&sort=since", "session=x"),
    "exclusions": ("ines", "/exclusions/", "list=Register&kind=self&sort=-persons", "q=Zo%C3%AB"),
    "exports": ("ines", "/reports/files/", "report=payouts&state=done&sort=report", "q=payouts"),
}


def build_house() -> ClaimHouse:
    return ClaimHouse(royal_terms(), tables=("t3", "t7", "t12"))


house = kept_house(build_house)


def table(code: str) -> GamingTable:
    return GamingTable.objects.select_related("system__casino").get(code=code)


@pytest.mark.parametrize("page", VIEWS)
def test_a_view_is_kept_and_opens_the_list(house: ClaimHouse, page: str) -> None:
    who, address, query, rest = VIEWS[page]
    client = logged_in(who)
    assert "Save this view" not in words(client.get(address))
    assert "Save this view" in words(client.get(f"{address}?{query}&{rest}"))
    form = {"page": page, "name": "Mine", "query": f"{query}&{rest}", "is_default": "on"}
    assert client.post("/views/", form)["Location"] == f"{address}?{query}"
    assert SavedView.objects.get().query == query
    assert client.get(address)["Location"] == f"{address}?{query}"
    opened = client.get(f"{address}?{query}")
    assert opened.status_code == 200
    assert "Change this view" in words(opened)
    assert client.get(f"{address}?view=usual").status_code == 200


def test_tables_are_sorted_within_their_system(house: ClaimHouse) -> None:
    now = timezone.now()
    UnitPresence.objects.all().delete()
    for code, ago in (("t3", 2), ("t12", 9)):
        values = {"online": True, "boot": 1, "heard_at": now - dt.timedelta(seconds=ago)}
        UnitPresence.objects.create(table=table(code), **values)
    house.open("t7")
    house.post()

    def on(query: str) -> list[str]:
        page = logged_in("tane").get(f"/tables/{query}").content.decode()
        return re.findall(r'class="tap" href="/tables/main/(\w+)/"', page)

    assert on("?sort=unit") == ["t7", "t12", "t3"], "never heard, 9 s ago, 2 s ago"
    assert on("?sort=-unit") == ["t3", "t12", "t7"]
    assert on("?sort=-session")[0] == "t7"
    assert on("?sort=table") == on("") == ["t3", "t7", "t12"], "by name, as people count"
    GamingTable.objects.filter(code="t12").update(name="Bar")
    assert on("") == ["t12", "t3", "t7"]
    html = logged_in("tane").get("/tables/").content.decode()
    heading = re.search(r'aria-sort="ascending"><a href="([^"]*)">Table<', html)
    assert heading
    assert on(heading[1]) == ["t7", "t3", "t12"], "it turns round at the first press"
    assert on("?sort=secret") == on("")
    with acting_as("intake"):
        for code, held, last in (("t3", 90, 90), ("t12", 1, 3)):
            stream = Stream.objects.create(system=house.system, table=table(code), boot=9)
            Stream.objects.filter(pk=stream.pk).update(committed_seq=held, last_seq=last)
    assert on("?sort=-events") == ["t12", "t3", "t7"], "a gap, 90 events, a few"
    for code, ago in (("t3", 9), ("t12", 2)):
        at = now - dt.timedelta(seconds=ago)
        values = {"said_at": at, "received_at": at, "system_seq": 1, "terms": 1, "shown": {}}
        DisplayReading.objects.create(table=table(code), display=code, **values)
    assert on("?sort=display") == ["t7", "t3", "t12"], "never read, 9 s ago, 2 s ago"


def test_tables_are_sorted_by_their_last_round(house: ClaimHouse) -> None:
    for code in ("t7", "t3"):
        house.open(code)
        house.press(code)
        house.post()
    page = logged_in("tane").get("/tables/?sort=-round").content.decode()
    codes = re.findall(r'class="tap" href="/tables/main/(\w+)/"', page)
    assert codes == ["t3", "t7", "t12"]
    page = logged_in("tane").get("/tables/?sort=round").content.decode()
    codes = re.findall(r'class="tap" href="/tables/main/(\w+)/"', page)
    assert codes == ["t12", "t7", "t3"], "none, the first, the second"


def incident(code: str, kind: str, note: str, days: int = 0, *, by: str = "sione") -> Incident:
    return Incident.objects.create(
        system=table(code).system,
        table=table(code),
        kind=kind,
        note=note,
        happened_at=timezone.now() - dt.timedelta(days=days),
        person=person(by),
        key=uuid.uuid4(),
    )


def in_order(page: str, *texts: str) -> list[str]:
    """Those of the texts that the page has, as they follow on it."""
    return sorted((text for text in texts if text in page), key=page.index)


def test_incidents_of_days_and_persons_in_an_order(house: ClaimHouse) -> None:
    incident("t7", "power", "Dark floor", days=9)
    incident("t3", "button", "Stuck button", days=1, by="tane")
    for code, kind, note, days in (("t3", "power", "Fuse", 20), ("t7", "display", "Screen", 2)):
        ended = incident(code, kind, note, days)
        IncidentEnd.objects.create(incident=ended, note="Done", person=person("mere"))
    texts = ("Dark floor", "Stuck button", "Fuse", "Screen")

    def on(query: str) -> list[str]:
        return in_order(page_of("tane", f"/incidents/{query}"), *texts)

    def resolved_on(query: str) -> list[str]:
        newer, older, *others = on(query)
        assert [newer, older] == ["Stuck button", "Dark floor"], "what is open is never left out"
        return others

    assert on("") == ["Stuck button", "Dark floor", "Screen", "Fuse"]
    assert resolved_on("?sort=happened") == ["Fuse", "Screen"]
    assert resolved_on("?sort=kind") == ["Screen", "Fuse"]
    assert resolved_on("?sort=where") == ["Fuse", "Screen"]
    assert resolved_on("?sort=-resolved") == ["Screen", "Fuse"]
    since = (timezone.now() - dt.timedelta(days=4)).date()
    assert resolved_on(f"?from={since}") == ["Screen"]
    assert resolved_on(f"?to={since}") == ["Fuse"]
    assert resolved_on("?person=tane") == []
    assert resolved_on("?person=mere") == ["Screen", "Fuse"], "who resolved it"
    assert "Open 2" in page_of("tane", "/incidents/?q=nothing")


@pytest.mark.parametrize("letter", ["龙", "𠮷", "x"])
def test_lists_sorted_by_the_longest_names_go_further_back(
    house: ClaimHouse, letter: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    JackpotSystem.objects.update(name=letter * 100)
    GamingTable.objects.update(name=letter * 100)
    for page, address in ((incidents, "/incidents/"), (decided_rulings, "/irregularities/")):
        monkeypatch.setattr(page, "ROWS", 1)
        for number in range(3):
            if page is decided_rulings:
                ruling("t3", "void_round", f"Note {number}", "mere")
            else:
                row = incident("t3", "power", f"Note {number}", 3 - number)
                IncidentEnd.objects.create(incident=row, note="Done", person=person("mere"))
        sort = "table" if page is decided_rulings else "where"
        client, notes, place = logged_in("sione"), [], f"?sort={sort}"
        while place:
            html = client.get(f"{address}{place}").content.decode()
            notes += re.findall(r"Note \d", html)
            onward = re.search(r'rel="next"\s+href="([^"#]*)', html)
            place = onward[1].replace("&amp;", "&") if onward else ""
            assert len(notes) <= 3, "the first page again"
        assert notes == ["Note 0", "Note 1", "Note 2"]


def ruling(code: str, kind: str, note: str, by: str, days: int = 0) -> None:
    row = Ruling.objects.create(
        system=table(code).system,
        table=table(code),
        kind=kind,
        round=1,
        note=note,
        day="2026-11-21",
        command=1,
        person=person(by),
        key=uuid.uuid4(),
    )
    with owner_without_guards("settlement_ruling"):
        Ruling.objects.filter(pk=row.pk).update(at=timezone.now() - dt.timedelta(days=days))


def test_decisions_of_days_and_persons_and_open_requests_as_ever(house: ClaimHouse) -> None:
    house.open("t3")
    house.press("t3")
    house.say("t3", messages.VoidRequested, round=1, reason="wrong_count")
    house.post()
    ruling("t7", "cancel_round", "Fire alarm", "sione", days=9)
    ruling("t3", "void_round", "Six cards", "mere")

    def on(query: str) -> list[str]:
        page = page_of("sione", f"/irregularities/{query}")
        assert "Round 1 void?" in page, "what is open is never left out"
        return in_order(page, "Six cards", "Fire alarm")

    assert on("") == ["Six cards", "Fire alarm"]
    assert on("?sort=at") == ["Fire alarm", "Six cards"]
    assert on("?sort=kind") == ["Fire alarm", "Six cards"]
    assert on("?sort=-table") == ["Fire alarm", "Six cards"]
    assert on("?person=mere") == on("?kind=void_round") == on("?table=main/t3") == ["Six cards"]
    since = (timezone.now() - dt.timedelta(days=4)).date()
    assert (on(f"?from={since}"), on(f"?to={since}")) == (["Six cards"], ["Fire alarm"])
    assert on("?q=FIRE") == ["Fire alarm"]
    with owner_without_guards("tables_gamingtable"):
        moved = {"moved_to": table("t12"), "moved_entry": 1, "in_service": False}
        GamingTable.objects.filter(code="t7").update(**moved)
    assert on("?table=main/t7") == ["Fire alarm"], "a table that moved away has a past"
    assert "No decision matches" in page_of("sione", "/irregularities/?q=nothing")


def test_log_ins_are_sorted(house: ClaimHouse) -> None:
    now = time.time()
    for name, began, used, browser, address in (
        ("tane", 90, 10, "Firefox/140.0", "10.1.2.3"),
        ("aroha", 60, 30, "Chrome/140.0.0.0 Safari/537.36", "10.1.2.4"),
    ):
        session = logged_in(name).session
        session.update({BEGAN: now - began, LAST_USE: now - used, ADDRESS: address})
        session[DEVICE] = f"Mozilla/5.0 (X11; Linux x86_64) {browser}"
        session.save()

    def on(query: str) -> list[str]:
        page = logged_in("hana").get(f"/people/log-ins/{query}").content.decode()
        return re.findall(r'href="/people/log-in/(\w+)/"', page)

    names = on("?sort=name")
    assert names == sorted(names)
    assert on("?sort=-name")[-1] == "aroha"
    for sort, first, second in (
        ("seen", "aroha", "tane"),
        ("since", "tane", "aroha"),
        ("device", "aroha", "tane"),
        ("address", "tane", "aroha"),
    ):
        upwards = [name for name in on(f"?sort={sort}") if name != "hana"]
        downwards = [name for name in on(f"?sort=-{sort}") if name != "hana"]
        assert (upwards, downwards) == ([first, second], [second, first]), sort
    assert on("?sort=-seen")[0] == on("")[0] == "hana"


def excluded(list_name: str, kind: str, by: str, *names: str) -> None:
    day = dt.date(2025, 1, 1)
    people = [Person(name, dt.date(1980, 1, 1), kind, day, name) for name in names]
    take_in(table("t3").system.casino, person(by), ExclusionList(list_name, people))


def test_lists_of_excluded_persons_and_their_imports(house: ClaimHouse) -> None:
    excluded("Register", "regulator", "ines", "Ada", "Bo Li")
    excluded("House list", "self", "ines", "Cy Day")
    assert Exclusion.objects.count() == 3

    def on(query: str) -> str:
        return page_of("ines", f"/exclusions/{query}").partition("Find a person")[0]

    kinds = ("Excluded by the regulator 2", "Self-exclusion 1")
    assert in_order(on("?sort=-persons"), *kinds) == [*kinds]
    assert in_order(on("?sort=persons"), *kinds) == [*reversed(kinds)]
    assert "House list" not in _table(on("?list=Register"))
    assert "Register" not in _table(on("?kind=self"))
    assert "No list matches" in on("?kind=operator")
    page = logged_in("ines").get("/exclusions/?list=Register&from=2100-01-01")
    assert "No import matches" in words(page)
    assert 'id="facet-text"' not in page.content.decode(), "nobody is looked for in an address"
    action = re.search(r'action="(/exclusions/\?[^"]+)#find"', page.content.decode())
    assert action
    assert "list=Register" in action[1], "a look leaves the list as it is narrowed"


def _table(page: str) -> str:
    return page.partition("Lists in force")[2]


def export(report: str, by: str, **values: Any) -> int:
    days = {"from": "2026-11-01", "to": "2026-11-02"}
    row = ReportExport.objects.create(
        casino=table("t3").system.casino,
        person=person(by),
        report=report,
        filters=days,
        formats=["csv"],
        key=uuid.uuid4(),
        **values,
    )
    return row.pk


def test_files_of_reports_by_report_state_person_and_day(house: ClaimHouse) -> None:
    first = export("payouts", "ines", state="failed", fault="Full")
    second = export("drop", "mere")
    old = export("payouts", "ines")
    ReportExport.objects.filter(pk=old).update(at=timezone.now() - dt.timedelta(days=9))
    of_return = export("", "ines", of_return="Quarterly return", reports=["payouts"])

    def on(query: str) -> list[int]:
        page = logged_in("ines").get(f"/reports/files/{query}").content.decode()
        return list(map(int, re.findall(r'data-label="Number">(\d+)<', page)))

    assert on("") == [of_return, old, second, first]
    assert on("?sort=number") == [first, second, old, of_return]
    assert on("?sort=-report") == [old, first, second, of_return]
    html = logged_in("ines").get("/reports/files/").content.decode()
    for sort in ("report", "person", "state"):
        assert f'href="?sort={sort}"' in html, "upwards at the first press"
    assert on("?person=mere") == [second]
    assert on("?report=payouts") == [old, first]
    assert on("?report=returns") == [of_return]
    assert on("?state=failed") == [first]
    since = (timezone.now() - dt.timedelta(days=4)).date()
    assert on(f"?to={since}") == [old]
    assert "No file matches" in page_of("ines", "/reports/files/?state=cancelled")


def test_what_was_just_asked_for_is_seen_whatever_view_is_kept(house: ClaimHouse) -> None:
    ines, days = logged_in("ines"), "from=2026-11-01&to=2026-11-02"
    form = {"page": "exports", "name": "Failed", "query": "state=failed", "is_default": "on"}
    ines.post("/views/", form)
    answer = ines.post(f"/reports/payouts/export/?{days}", {"format": ["csv"]})
    assert answer["Location"] == "/reports/files/?view=usual"
