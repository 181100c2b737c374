"""The audit trail: who did what, when, from where, on what, with before and after, for whom."""

import datetime as dt
import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from settlement.audit import trail
from settlement.audit.trail import Place, Question
from settlement.audit.trail_words import ACTS, AREAS, KINDS, SOURCES
from settlement.core.errors import NotPermitted
from settlement.models import Record
from settlement.people.rights import roles
from tables.models import Casino, JackpotSystem
from tables.visibility.scope import Visible, only
from tests.support.cases.claims.asked_for import identify
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.cast import PASSWORD, as_
from tests.support.suite.kept_house import kept_house
from verifier.people.decision_basis import SOURCES as RECORDED

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]

TRAIL, CLAIM = "/audit-trail/", "/claims/main/1/"
FROM = "10.0.0.5"
EVERYTHING = Question(areas=tuple(AREAS))
# Recorded, and not an act of somebody: roles and rules of the house stand with set-up.
NOT_SHOWN = {
    *("settlement_claim", "settlement_payout", "settlement_finding", "settlement_exclusion"),
    *("settlement_exclusionmatch", "settlement_rolechange", "settlement_rolepermissions"),
    *("settlement_secondmanagerlimit", "settlement_missedroundslimit", "settlement_termsfactor"),
    *("settlement_variancelimit", "settlement_signaturepolicy", "settlement_setupchange"),
    *("settlement_jurisdictionchoice", "settlement_countingrule"),
    "settlement_signature",  # behind the act that stands there
}


def build_house() -> ConfirmedHouse:
    """A claim verified by sione and confirmed by mere; its player identified by aroha, and looked
    at by ines; a note by mere and a proposal by sione from an address."""
    house = ConfirmedHouse()
    identify()
    for name, address, body in (
        ("mere", "claims/main-1/notes/", {"text": "The player waits in the lounge"}),
        ("sione", "claims/main-1/propose-reversal/", {"reason": "R1", "note": "Wrong seat"}),
    ):
        client: Any = as_(name)
        client.defaults["REMOTE_ADDR"] = FROM
        client.post(f"/api/{address}", body, format="json")
    ines = logged_in("ines")
    ines.post(f"{CLAIM}identification/", {"purpose": "review", "password": PASSWORD})
    house.post()
    return house


house = kept_house(build_house)


def page_of(name: str, **query: str) -> str:
    page = words(logged_in(name).get(TRAIL, query))
    return page.partition("Show all" if query else "Show ")[2]


def test_every_recorded_table_has_its_area_and_words() -> None:
    in_areas = {source for sources in SOURCES.values() for source in sources}
    assert in_areas | NOT_SHOWN == RECORDED.keys()
    assert not in_areas & NOT_SHOWN
    kinds = {kind.partition(":")[0] for kind in KINDS}
    assert in_areas <= kinds | set(ACTS)


def test_acts_with_who_from_where_on_what_and_their_place_in_the_order(
    house: ConfirmedHouse,
) -> None:
    rows = {row["words"]: row for row in trail.page(EVERYTHING, 200)}
    confirmed, note = rows["confirmed"], rows["Added a note"]
    entry = house.hit(1).payee_lines and confirmed["entry"]
    assert (confirmed["who"], confirmed["subject"], confirmed["system"]) == (
        "mere",
        "main-1",
        "main",
    )
    assert entry
    assert (note["who"], note["address"], note["subject"]) == ("mere", FROM, "main-1")
    assert note["after"] == {"text": "The player waits in the lounge"}
    assert rows["Identified a player"]["who"] == "aroha"
    assert "Rua" not in json.dumps(rows["Identified a player"]["after"])  # sealed stays sealed
    page = page_of("ines", subject="MAIN-1")
    assert "MAIN-1" in page
    assert "Added a note" in page
    assert "Logged in" not in page
    html = logged_in("ines").get(TRAIL, {"subject": "MAIN-1"}).content.decode()
    assert f'href="{CLAIM}"' in html
    assert f"entry={entry}" in html  # the ledger, for who opens reports


def test_set_up_has_before_and_after_and_old_addresses_lead_to_it(house: ConfirmedHouse) -> None:
    User.objects.filter(username="tane").update(last_name="Rangi")
    for name in ("ines", "mere", "hana"):
        assert "last name: Rangi" in page_of(name, area="set_up")
    ines = logged_in("ines")
    for old, area in (("/security-log/", "access"), ("/set-up/changes/", "set_up")):
        answer = ines.get(old, {"person": "mere", "kind": "role"})
        assert answer.status_code == 301
        assert answer["Location"] == f"{TRAIL}?person=mere&area={area}"


def test_who_reads_which_areas(house: ConfirmedHouse) -> None:
    assert set(trail.areas_of(person("ines"))) == AREAS.keys()
    assert trail.areas_of(person("hana")) == ["set_up"]
    assert set(trail.areas_of(person("mere"))) == AREAS.keys() - {"access"}
    with pytest.raises(NotPermitted):
        trail.areas_of(person("aroha"))
    apart = page_of("hana", area="claims")  # what is not hers is no choice
    assert "confirmed" not in apart.casefold()
    assert "Logged" not in page_of("mere", area="access")
    assert "As a report" not in words(logged_in("mere").get(TRAIL))
    assert "As a report" in words(logged_in("ines").get(TRAIL))


def test_nothing_of_another_casino(house: ConfirmedHouse) -> None:
    alpine = Casino.objects.create(code="alpine", name="Alpine", currency="NZD")
    JackpotSystem.objects.create(casino=alpine, code="alpine", name="Alpine floor")
    User.objects.create(username="stranger")
    roles.grant(person("stranger"), "Compliance", alpine)
    page = page_of("stranger", person="stranger")
    assert "Role" in words(logged_in("stranger").get(TRAIL))
    assert "main" not in page
    with only(Visible(frozenset({alpine.pk}), frozenset(), all_casinos=False)):
        rows = trail.page(EVERYTHING, 200)
    assert {row["who"] for row in rows} <= {"stranger", "jackpot", person("stranger").username}


def test_pages_go_on_where_the_last_one_ended(house: ConfirmedHouse) -> None:
    whole = trail.page(EVERYTHING, 500)
    pages, before = [], None
    while rows := trail.page(EVERYTHING, 7, before):
        pages += rows
        before = Place.parse(str(Place(rows[-1]["at"], rows[-1]["part"], rows[-1]["id"])))
    assert pages == whole
    assert len(whole) > 20
    assert Place.parse("yesterday") is None
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO settlement_accessnote (what, username, address, detail)"
            " SELECT 'failed', 'mere', '10.0.0.9', '' FROM generate_series(1, 250)"
        )
    client = logged_in("ines")
    page = client.get(TRAIL, {"address": "10.0.0.9"})
    assert "100 events on this page" in words(page)
    assert b"before=" in page.content


def test_the_oldest_first_is_the_same_the_other_way_round(house: ConfirmedHouse) -> None:
    newest = [(row["part"], row["id"]) for row in trail.page(EVERYTHING, 500)]
    oldest, place = [], None
    while rows := trail.page(EVERYTHING, 7, place, is_upwards=True):
        oldest += [(row["part"], row["id"]) for row in rows]
        place = Place(rows[-1]["at"], rows[-1]["part"], rows[-1]["id"])
    assert len(oldest) > 14
    assert oldest == newest[::-1]
    page = logged_in("mere").get(f"{TRAIL}?sort=at").content.decode()
    assert 'aria-sort="ascending"' in page
    assert 'aria-sort="descending"' in logged_in("mere").get(TRAIL).content.decode()


def test_a_page_reads_along_the_indexes(house: ConfirmedHouse) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO settlement_record (system_id, source, row, said)"
            " SELECT %s, 'settlement_note', 10000 + n, said FROM (SELECT said FROM"
            " settlement_record WHERE source = 'settlement_note' LIMIT 1) AS one,"
            " generate_series(1, 5000) AS n",
            [house.system.pk],
        )
        cursor.execute(
            "INSERT INTO settlement_accessnote (what, username, address, detail)"
            " SELECT 'failed', 'mere', '10.0.0.9', '' FROM generate_series(1, 5000)"
        )
        cursor.execute("ANALYZE")
    with CaptureQueriesContext(connection) as queries:
        trail.page(EVERYTHING, 100)
        trail.page(EVERYTHING, 100, is_upwards=True)
        trail.page(EVERYTHING, 100, Place(dt.datetime.now(dt.UTC), 0, 9_000_000))
    with connection.cursor() as cursor:
        for query in queries:
            cursor.execute(f"EXPLAIN {query['sql']}")
            plan = "\n".join(line for (line,) in cursor.fetchall())
            assert "Seq Scan on settlement_record" not in plan, plan
            assert "Seq Scan on settlement_accessnote" not in plan, plan


def test_what_is_beside_a_record_follows_from_it(house: ConfirmedHouse) -> None:
    for record in Record.objects.exclude(source__in=NOT_SHOWN):
        assert record.by, record.source
        assert record.subject.startswith("main"), record.source


def test_changes_of_set_up_are_under_the_hashes_of_the_order(house: ConfirmedHouse) -> None:
    User.objects.filter(username="tane").update(last_name="Rangi")
    change = Record.objects.filter(source="settlement_setupchange").latest("id")
    assert change.system == house.system
    assert json.loads(change.said)["after"]["last_name"] == "Rangi"
    later = JackpotSystem.objects.create(casino=house.system.casino, code="later", name="Later")
    count = Record.objects.filter(source="settlement_setupchange", system=house.system).count()
    assert Record.objects.filter(source="settlement_setupchange", system=later).count() == count


def test_a_request_says_its_address_and_leaves_none_behind(house: ConfirmedHouse) -> None:
    Client(REMOTE_ADDR=FROM).post("/login/", {"username": "mere", "password": PASSWORD})
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('jackpot.address', true)")
        assert cursor.fetchone()[0] in (None, "")
