"""Credentials for many tables in one go, and the sheet of their cards."""

import re
from pathlib import Path

import pytest
from pytest_django import DjangoAssertNumQueries, Settings

from settlement.core.errors import NotPermitted
from settlement.devices import authority, many
from settlement.devices.credentials import PASSWORD, Kind
from tables.models import DeviceCredential, GamingTable
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
