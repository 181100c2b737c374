"""The page on which two people choose a casino's pack: what they read there, and who may what."""

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from pytest_django import Settings

from settlement.core.gaming_day import today
from settlement.jurisdiction.rules import digest_of
from settlement.models import JurisdictionChoice, SetUpProposal
from tables.models import Casino
from tests.support.pages.page_staff import logged_in, page_of, reply
from tests.support.people.cast import PASSWORD
from tests.support.people.roles import owner_without_guards
from tests.support.people.set_up import hana, harbour, join

__all__ = ["hana", "harbour"]

pytestmark = pytest.mark.django_db

PAGE = "/set-up/casinos/harbour/jurisdiction/"


def test_from_the_set_up_to_a_pack_that_two_people_chose(harbour: Casino, hana: Any) -> None:
    assert f'href="{PAGE}"' in logged_in("hana").get("/set-up/casinos/harbour/").content.decode()
    page = page_of("hana", PAGE)
    assert "Nobody has chosen a pack: Neutral holds" in page
    day = today(harbour)
    page = page_of("hana", f"{PAGE}?pack=new_zealand&since={day}")
    assert "Prescribed transaction report (cash), from NZD 10,000 in cash" in page
    assert "sections 48A and 48B; Prescribed Transactions" in page
    assert "Propose this pack" in page
    body = {"pack": "new_zealand", "since": str(day), "digest": digest_of("new_zealand")}
    assert "nothing changes until somebody else approves it" in reply("hana", PAGE, **body)
    proposal = SetUpProposal.objects.latest("id")
    rules = logged_in("mere").get("/house-rules/").content.decode()
    assert f'href="{PAGE}"' in rules
    assert f"/proposals/{proposal.pk}/agree/" not in rules
    waiting = page_of("mere", PAGE)
    assert "New Zealand holds from the gaming day" in waiting
    assert "Approve" in waiting
    User.objects.filter(username="mere").update(password=make_password(PASSWORD))
    agreed = f"/house-rules/proposals/{proposal.pk}/agree/"
    assert "Agreed and carried out" in reply("mere", agreed, password=PASSWORD)
    assert JurisdictionChoice.objects.get().second == "mere"
    assert "New Zealand since the gaming day" in page_of("mere", PAGE)


def test_a_file_that_was_not_read_is_not_proposed(harbour: Casino, hana: Any) -> None:
    body = {"pack": "new_zealand", "since": str(today(harbour)), "digest": "of another file"}
    assert "read it again" in reply("hana", PAGE, **body)
    body["pack"] = "nowhere"
    assert "There is no jurisdiction pack nowhere" in reply("hana", PAGE, **body)
    assert not SetUpProposal.objects.filter(kind="jurisdiction").exists()


def test_a_pack_in_another_currency_is_shown_and_not_proposed(harbour: Casino, hana: Any) -> None:
    page = page_of("hana", f"{PAGE}?pack=nevada&since={dt.date.max}")
    assert "is in USD, and Harbour Casino is not" in page
    assert "Propose this pack" not in page


def test_the_page_says_that_a_file_changed_since(
    harbour: Casino, hana: Any, settings: Settings, tmp_path: Path
) -> None:
    settings.JURISDICTION_DIR = str(tmp_path)
    file = tmp_path / "own.yaml"
    file.write_text("name: Own\ncurrency: NZD\nrules: []\n")
    row = {"casino": harbour, "first": "hana", "second": "mere", "at": "2026-01-01T00:00Z"}
    with owner_without_guards("settlement_jurisdictionchoice"):
        for name in ("new_zealand", "own"):
            JurisdictionChoice.objects.create(
                pack=name, digest=digest_of(name), since=today(harbour), **row
            )
    assert "since two people agreed to it" not in page_of("hana", PAGE)
    file.write_text("name: Own\ncurrency: NZD\nrules: []\n# another\n")
    assert "The file of Own has changed since two people agreed to it" in page_of("hana", PAGE)
    with owner_without_guards("settlement_jurisdictionchoice"):
        JurisdictionChoice.objects.filter(pack="own").update(pack="neutral", digest="before")
    assert "A release of the console has changed Neutral since" in page_of("hana", PAGE)


def test_who_sets_nothing_up_sees_nothing(harbour: Casino, hana: Any) -> None:
    join("hana", "aroha", "Cashier")
    assert logged_in("aroha").get(PAGE).status_code == 403
    assert logged_in("aroha").post(PAGE).status_code == 403
