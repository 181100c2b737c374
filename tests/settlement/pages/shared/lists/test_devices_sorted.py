"""The list of devices in the order that somebody asks for, and keeps."""

import datetime as dt
import re

import pytest
from django.utils import timezone

from settlement.models import SavedView
from tables.models import GamingTable, JackpotSystem, Stream, UnitPresence
from tests.support.pages.page_staff import logged_in
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.suite.kept_house import kept_house
from tests.support.units.devices import issue, unit_of

pytestmark = pytest.mark.django_db
DEVICES = "/devices/"
TABLES = ("t3", "t7", "t12")


def build_house() -> ClaimHouse:
    return ClaimHouse(royal_terms(), tables=TABLES)


house = kept_house(build_house)


def names_on_page(query: str = "") -> list[str]:
    answer = logged_in("hana").get(f"{DEVICES}{query}")
    assert answer.status_code == 200
    return re.findall(r'href="/devices/tables/main/(\w+)/"', answer.content.decode())


def heard(
    system: JackpotSystem, code: str, ago_s: float, off_s: float = 0, resent: int = 0
) -> None:
    now = timezone.now()
    heard_at = now - dt.timedelta(seconds=ago_s)
    said_at = heard_at + dt.timedelta(seconds=off_s)
    table = GamingTable.objects.get(system=system, code=code)
    values = {"online": True, "boot": 1, "heard_at": heard_at, "said_at": said_at}
    UnitPresence.objects.update_or_create(table=table, defaults={**values, "resent": resent})


def test_every_column_sorts_the_tables_of_a_system(house: ClaimHouse) -> None:
    system = house.system
    UnitPresence.objects.all().delete()
    heard(system, "t7", 1, off_s=2, resent=1)
    heard(system, "t12", 2, off_s=-40)
    t3 = GamingTable.objects.get(system=system, code="t3")
    issue(unit_of(t3))
    assert names_on_page("?view=usual") == ["t3", "t7", "t12"]
    assert names_on_page("?sort=table") == ["t3", "t7", "t12"]  # by name, as people count
    assert names_on_page("?sort=-table") == ["t12", "t7", "t3"]
    GamingTable.objects.filter(pk=t3.pk).update(name="Zebra")
    assert names_on_page("?view=usual") == ["t7", "t12", "t3"], "as the heading says"
    GamingTable.objects.filter(pk=t3.pk).update(name="Table 3")
    assert names_on_page("?sort=unit") == ["t3", "t12", "t7"]  # never heard, 2 s ago, 1 s ago
    assert names_on_page("?sort=-clock") == ["t12", "t7", "t3"]  # 40 s slow, 2 s fast, unknown
    assert names_on_page("?sort=-credentials")[0] == "t3"
    assert names_on_page("?sort=-events")[0] == "t7"
    with acting_as("intake"):
        stream = Stream.objects.create(system=system, table=t3, boot=9)
        Stream.objects.filter(pk=stream.pk).update(last_seq=5)
    assert names_on_page("?sort=-events")[0] == "t3"  # a gap goes before what was sent again
    assert names_on_page("?sort=-macs") == ["t3", "t7", "t12"]
    assert names_on_page("?sort=secret") == ["t3", "t7", "t12"]


def test_a_view_is_kept_opens_the_list_and_stops_no_form(house: ClaimHouse) -> None:
    hana = logged_in("hana")
    form = {"page": "devices", "name": "Silent first", "query": "sort=unit", "is_default": "on"}
    assert hana.post("/views/", form)["Location"] == f"{DEVICES}?sort=unit"
    assert SavedView.objects.get().query == "sort=unit"
    assert hana.get(DEVICES)["Location"] == f"{DEVICES}?sort=unit"
    assert hana.post(DEVICES, {"name": "intake-2"})["Location"] == "/devices/intakes/intake-2/"
    refused = hana.post(DEVICES, {"name": "Intake 2"})
    assert refused.status_code == 422
    assert "Silent first" in refused.content.decode()
