"""Credentials for many tables in one go, and the sheet of their cards."""

import datetime as dt
import re
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries, Settings

from settlement.core.errors import NotPermitted
from settlement.devices import authority, many
from settlement.devices.credentials import PASSWORD, Kind
from tables.models import DeviceCredential, DeviceEnd, GamingTable, UnitKey
from tests.support.pages.page_staff import logged_in, page_of, words
from tests.support.people.roles import acting_as
from tests.support.people.set_up import user
from tests.support.units.devices import holding, issue, unit_of

pytestmark = pytest.mark.django_db
PAGE = "/devices/systems/main/"
FIELDS = {"way": "password", "hours": "24"}


def test_each_unit_without_a_credential_gets_one_and_a_card(
    t7: GamingTable, settings: Settings
) -> None:
    settings.UNIT_BROKER_URL = "mqtts://broker.example.com:8883"
    issue(unit_of(t7))
    hana = logged_in("hana")
    assert PAGE in hana.get("/devices/").content.decode()
    page = hana.get(PAGE).content.decode()
    assert 'value="t3"' in page
    assert 'value="t7"' not in page
    with acting_as("web"):
        answer = hana.post(PAGE, FIELDS | {"tables": ["t3"]})
    html = answer.content.decode()
    assert html.count("data-card>") == 1
    assert "Print the sheet now" in words(answer)
    assert "main/t3" in words(answer)
    assert answer["Cache-Control"].count("no-store")
    (password,) = re.findall(r'Password <code class="secret">([a-z0-9-]{27})<', html)
    t3 = GamingTable.objects.get(code="t3")
    assert holding(unit_of(t3)) == ["main/t3"]
    assert password not in hana.get(PAGE).content.decode()
    assert "Every device has a credential" in page_of("hana", PAGE)


def test_one_refusal_stops_no_other(t7: GamingTable) -> None:
    issue(unit_of(t7))
    hana = logged_in("hana")
    with acting_as("web"):
        nothing = hana.post(PAGE, FIELDS)
        elsewhere = hana.post(PAGE, FIELDS | {"tables": ["t99"]})
        answer = hana.post(PAGE, FIELDS | {"tables": ["t3", "t7"]})
    assert "Choose at least one table" in nothing.content.decode()
    assert {nothing.status_code, elsewhere.status_code} == {422}
    assert answer.content.decode().count("data-card>") == 1
    assert "has another credential that holds" in words(answer)
    assert DeviceCredential.objects.count() == 2


def test_displays_have_a_sheet_of_their_own_and_parts_are_cards_alone(t7: GamingTable) -> None:
    hana = logged_in("hana")
    with acting_as("web"):
        answer = hana.post(
            f"{PAGE}?kind=display",
            {"way": "password", "tables": ["t3", "t7"]},
            headers={"X-Console-Part": "1"},
        )
    html = answer.content.decode()
    assert html.count("data-card>") == 2
    assert "<html" not in html
    assert "Key of the table" not in html, "a display signs with the key of the unit"
    kinds = DeviceCredential.objects.values_list("kind", "username")
    assert set(kinds) == {("display", "main/t3/readings"), ("display", "main/t7/readings")}


def test_certificates_are_files_of_their_cards(
    t7: GamingTable, settings: Settings, tmp_path: Path
) -> None:
    settings.DEVICE_CA_DIR, settings.DEVICE_CA_SECRET = str(tmp_path), "secret of the tests"
    authority.make("Harbour")
    hana = logged_in("hana")
    with acting_as("web"):
        answer = hana.post(PAGE, FIELDS | {"way": "certificate", "tables": ["t3", "t7"]})
    html = answer.content.decode()
    assert html.count("data-file=") == 2
    assert 'download="main-t7-1.pem"' in html


def test_who_may_not_set_up_issues_none(t7: GamingTable) -> None:
    assert logged_in("david").post(PAGE, FIELDS | {"tables": ["t3"]}).status_code == 403
    with pytest.raises(NotPermitted):
        many.issue_all(user("david"), Kind.UNIT, [t7], PASSWORD, None)
    assert not DeviceCredential.objects.exists()


def test_two_hundred_tables_have_two_hundred_cards(
    t7: GamingTable, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    GamingTable.objects.bulk_create(
        GamingTable(system=t7.system, code=f"x{number}", name=f"Table {number}")
        for number in range(198)
    )
    hana = logged_in("hana")
    with django_assert_max_num_queries(30):
        assert hana.get(PAGE).content.decode().count('name="tables"') == 200
    codes = [each.code for each in many.without_one(t7.system, Kind.UNIT)]
    with acting_as("web"), django_assert_max_num_queries(12 * 200):
        answer = hana.post(PAGE, FIELDS | {"tables": codes})
    assert answer.content.decode().count("data-card>") == 200
    assert DeviceCredential.objects.count() == 200
    keys = re.findall(r'Key of the table <code class="secret">(\w{64})<', answer.content.decode())
    assert len(set(keys)) == 200


def test_many_are_rotated_and_the_old_ones_hold_until_the_new_are_heard(t7: GamingTable) -> None:
    t3 = GamingTable.objects.get(code="t3")
    for table in (t3, t7):
        issue(unit_of(table))
    hana = logged_in("hana")
    page = hana.get(f"{PAGE}?do=rotate&tables=t7").content.decode()
    assert page.count('name="tables"') == 2
    assert page.count(" checked") == 1, "what was ticked on the page Devices"
    with acting_as("web"):
        answer = hana.post(f"{PAGE}?do=rotate", FIELDS | {"tables": ["t3", "t7"]})
        again = hana.post(f"{PAGE}?do=rotate", FIELDS | {"tables": ["t3", "t7"]})
    assert answer.content.decode().count("data-card>") == 2
    assert holding(unit_of(t7)) == ["main/t7", "main/t7.2"]
    assert again.content.decode().count("data-refusal") == 2
    assert "Two credentials hold already" in words(again)
    assert DeviceCredential.objects.count() == 4


def test_many_are_revoked_with_one_reason_and_one_refusal_stops_no_other(t7: GamingTable) -> None:
    t3 = GamingTable.objects.get(code="t3")
    issue(unit_of(t7))
    hana = logged_in("hana")
    with acting_as("web"):
        nothing = hana.post(f"{PAGE}?do=revoke", {"tables": ["t7"], "note": ""})
        assert nothing.status_code == 422
        answer = hana.post(f"{PAGE}?do=revoke", {"tables": ["t3", "t7"], "note": "Stolen"})
    assert "Revoked: main/t7." in words(answer)
    assert "No credential of this device holds." in words(answer)
    assert holding(unit_of(t7)) == holding(unit_of(t3)) == []
    assert list(DeviceEnd.objects.values_list("by", "reason")) == [("hana", "Stolen")]
    assert not UnitKey.objects.get(table=t7).sealed_key, "the intake refuses what it signed"
    assert hana.get(f"{PAGE}?do=other").status_code == 404


def test_who_may_not_set_up_rotates_and_revokes_none(t7: GamingTable) -> None:
    issue(unit_of(t7))
    for do, body in (("rotate", FIELDS), ("revoke", {"note": "Lost"})):
        answer = logged_in("david").post(f"{PAGE}?do={do}", body | {"tables": ["t7"]})
        assert answer.status_code == 403
    with pytest.raises(NotPermitted):
        many.rotate_all(user("david"), Kind.UNIT, [t7], PASSWORD, dt.timedelta(hours=1))
    with pytest.raises(NotPermitted):
        many.revoke_all(user("david"), Kind.UNIT, [t7], "Lost")
    assert holding(unit_of(t7)) == ["main/t7"]


def test_the_page_devices_leads_to_what_is_ticked(t7: GamingTable) -> None:
    page = logged_in("hana").get("/devices/").content.decode()
    assert page.count('name="tables"') == 2
    assert {f'name="do" value="{do}"' in page for do in ("issue", "rotate", "revoke")} == {True}


def test_queries_of_rotating_and_revoking_grow_by_those_of_a_record_alone(
    t7: GamingTable,
) -> None:
    """As many as issuing takes for each; what holds is asked once for all."""
    tables = [t7, *GamingTable.objects.filter(code="t3")]
    tables += GamingTable.objects.bulk_create(
        GamingTable(system=t7.system, code=f"x{number}", name=f"Table {number}")
        for number in range(18)
    )
    hana, hour = user("hana"), dt.timedelta(hours=1)
    many.issue_all(hana, Kind.UNIT, tables, PASSWORD, None)
    counts = {}
    for name, act in {
        "rotate": lambda some: many.rotate_all(hana, Kind.UNIT, some, PASSWORD, hour),
        "revoke": lambda some: many.revoke_all(hana, Kind.UNIT, some, "Closed room"),
    }.items():
        for size in (2, 18):
            some = tables[:size] if size == 2 else tables[2:]
            with acting_as("web"), CaptureQueriesContext(connection) as queries:
                assert not act(some)[1]
            counts[name, size] = len(queries)
    grows = {name: (counts[name, 18] - counts[name, 2]) / 16 for name in ("rotate", "revoke")}
    assert grows["rotate"] <= 12, "as issuing"
    assert grows["revoke"] <= 2 * 4, "two credentials of each"
