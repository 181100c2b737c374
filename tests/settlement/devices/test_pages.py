"""The pages of devices, and what they say of the broker."""

import datetime as dt
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django import Settings

from tables.models import BrokerAccounts, DeviceCredential, GamingTable
from tests.support.pages.page_staff import page_of, post, refused, words
from tests.support.units.devices import DAY, issue, revoke, rotate, unit_of

pytestmark = pytest.mark.django_db


def test_an_administrator_walks_the_pages(t7: GamingTable, settings: Settings) -> None:
    settings.UNIT_BROKER_URL = "mqtts://broker.example.com:8883"
    assert "None issued" in page_of("hana", "/devices/")
    assert "kept by hand" in page_of("hana", "/devices/")
    page = "/devices/tables/main/t7/"
    answer = post("hana", page, do="issue", kind="unit", way="password", hours="24")
    text = words(answer)
    assert "this page is not shown again" in text
    html = answer.content.decode()
    assert "jackpot-unit:1?b=mqtts%3A%2F%2Fbroker.example.com%3A8883" in html
    assert answer["Cache-Control"].count("no-store")
    assert "main/t7" in page_of("hana", "/devices/")
    rotated = post("hana", page, do="rotate", kind="unit", number="1", way="password", hours="1")
    assert "main/t7.2" in words(rotated)
    assert "until the new one is used" in page_of("hana", page)
    assert "Enter why" in refused("hana", page, do="revoke", kind="unit", number="1", note="")
    assert post("hana", page, do="revoke", kind="unit", number="1", note="Lost").status_code == 302
    assert "Revoked" in page_of("hana", page)
    assert "Device main/t7" in page_of("hana", "/audit-trail/?area=set_up")
    assert post("hana", "/devices/", name="intake-2").status_code == 302
    intake = post("hana", "/devices/intakes/intake-2/", do="issue", kind="intake", way="password")
    assert "console/intake-2" in words(intake)
    name = "intake-2-stand-in"
    assert "Choose another name, such as intake-2" in refused("hana", "/devices/", name=name)
    issue_it = {"do": "issue", "kind": "intake", "way": "password"}
    assert "Choose another name" in refused("hana", f"/devices/intakes/{name}/", **issue_it)
    assert post("david", page, do="issue", kind="unit", way="password").status_code == 403
    for wrong in ({"do": "x"}, {"do": "revoke", "kind": "unit", "number": "x"}):
        assert post("hana", page, **wrong).status_code == 400


def test_a_page_says_what_the_broker_has_not_yet(
    t7: GamingTable, settings: Settings, tmp_path: Path
) -> None:
    """No worker runs here: what is written stays as it is."""
    settings.BROKER_ACCOUNTS_DIR = str(tmp_path)
    first = issue(unit_of(t7))
    pages = ("/devices/", "/devices/tables/main/t7/")

    def is_behind() -> bool:
        texts = [page_of("hana", page) for page in pages]
        assert sum("up to date" in text for text in texts) in (0, len(pages))
        assert ("not at the broker yet" in texts[0]) != ("up to date" in texts[0])
        return "up to date" not in texts[0]

    def write() -> None:
        now = timezone.now()
        BrokerAccounts.objects.update_or_create(pk=1, defaults={"written_at": now, "taken_at": now})

    write()
    assert not is_behind()
    second = rotate(first)
    assert is_behind()
    write()
    revoke(second)
    assert is_behind()
    write()
    assert not is_behind()
    now = timezone.now()
    DeviceCredential.objects.create(
        kind="unit",
        table=t7,
        number=3,
        username="main/t7.3",
        password_hash="x",
        replaces=first.credential,
        issued_at=now - DAY,
        overlap_until=now + dt.timedelta(milliseconds=1),
        issued_by="hana",
    )
    assert is_behind()
