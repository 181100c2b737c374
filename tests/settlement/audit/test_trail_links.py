"""Entries of the audit trail lead to their object, and one says who was given a file of a claim."""

from typing import Any

import pytest
from django.test import Client

from settlement.audit import trail
from settlement.audit.trail import Question
from settlement.audit.trail_words import ACCESS, AREAS, KINDS, SOURCES
from settlement.evidence import attachments
from settlement.models import Claim
from settlement.pages.audit.trail_links import LINKS, address
from settlement.people.shared import security_log
from tables.models import JackpotSystem
from tests.support.cases.claims.evidence import PNG
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.pages.entrances import PAGES
from tests.support.pages.every_address import parts_of, seed_data
from tests.support.pages.page_staff import logged_in, page_of
from tests.support.people.roles import owner_without_guards
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]

TRAIL = "/audit-trail/"
EVERYTHING = Question(areas=tuple(AREAS))
# Entries of a kind that has a page, about something that has none, with the reason.
NO_PAGE: dict[str, str] = {}
house = kept_house(ConfirmedHouse)


def kinds() -> set[str]:
    """Every kind of entry; of a table whose rows have no kinds, the table."""
    with_kinds = {kind.partition(":")[0] for kind in KINDS}
    sources = {source for sources in SOURCES.values() for source in sources}
    return {*KINDS, *(sources - with_kinds), ACCESS, f"{ACCESS}:file"}


def test_every_kind_of_entry_leads_to_a_page_or_says_why_not() -> None:
    without = {k for k in kinds() if k not in LINKS and k.partition(":")[0] not in LINKS}
    assert without == NO_PAGE.keys()
    assert {link.page for link in LINKS.values() if link.page} <= PAGES.keys()


def rows_of(systems: dict[str, JackpotSystem], name: str) -> dict[str, tuple[Any, str]]:
    """An entry of each kind that is there, and its address for this person."""
    user = person(name)
    return {row["kind"]: (row, address(row, systems, user)) for row in trail.page(EVERYTHING, 500)}


def test_the_pages_are_there_for_whoever_may_open_them() -> None:
    seed_data()
    with owner_without_guards("tables_jackpotsystem"):  # the code under which it was written down
        JackpotSystem.objects.update(code="main")
    system = JackpotSystem.objects.get()
    parts_of(system)  # a row of nearly everything
    systems = {system.code: system}
    rows_by_person = {name: rows_of(systems, name) for name in ("mere", "ines", "hana")}
    read: set[str] = set()
    for name, rows in rows_by_person.items():
        client, links = logged_in(name), {link for _row, link in rows.values() if link}
        for link in sorted(links):
            assert client.get(link).status_code == 200, (name, link)
        read |= {kind for kind, (_row, link) in rows.items() if link}
    nobodys = {kind for kind, (row, _link) in rows_by_person["mere"].items() if row["who"]} - read
    assert not nobodys
    assert len(read) > 25
    hana, mere = rows_by_person["hana"], rows_by_person["mere"]  # who sets up sees no claims
    assert not any(link.startswith("/claims/") for _row, link in hana.values())
    assert hana["set_up:table"][1] == f"/set-up/systems/{system.code}/"
    assert mere["set_up:table"][1] == f"/tables/{system.code}/t3/"


def attach() -> int:
    claim = Claim.objects.get(number=1)
    attachments.attach(claim, person("mere"), "The hand as it was tabled", PNG)
    return claim.attachments.get().pk


def opened(username: str) -> list[str]:
    notes = security_log.AccessNote.objects.filter(what="file_opened", username=username)
    return list(notes.order_by("id").values_list("detail", flat=True))


def test_who_opens_a_file_of_a_claim_stands_in_the_trail(house: ConfirmedHouse) -> None:
    file = attach()
    path = f"/claims/main/1/files/{file}/"
    assert logged_in("tane").get(path, REMOTE_ADDR="10.0.0.7").status_code == 200
    row = next(each for each in trail.page(EVERYTHING, 50) if each["act"] == "file_opened")
    about = (row["who"], row["address"], row["subject"], row["after"])
    assert about == ("tane", "10.0.0.7", "main-1", {"detail": f"main-1 file {file}"})
    page = logged_in("ines").get(TRAIL, {"subject": "MAIN-1"}).content.decode()
    assert "Opened a file of a claim" in page
    assert 'href="/claims/main/1/"' in page
    page_of("mere")  # the claim's page names the file, and opens none
    assert opened("mere") == []


def test_every_opening_counts_and_a_small_picture_once_an_hour(house: ConfirmedHouse) -> None:
    path = f"/claims/main/1/files/{attach()}/"
    tane, small = logged_in("tane"), {"headers": {"Sec-Fetch-Dest": "image"}}
    for how in (small, small, {}, {}):
        assert tane.get(path, **how).status_code == 200  # type: ignore[arg-type]
    assert len(opened("tane")) == 3


def test_no_noise_hides_the_opening_of_a_file(house: ConfirmedHouse) -> None:
    """Notes beyond the most of a minute are left out; this one is not."""
    path = f"/claims/main/1/files/{attach()}/"
    for _ in range(security_log.MOST_A_MINUTE + 5):
        security_log.note(None, "failed", None)
    client: Client = logged_in("tane")
    client.get(path, REMOTE_ADDR="")
    assert len(opened("tane")) == 1


def test_who_may_not_see_the_claim_opens_nothing(house: ConfirmedHouse) -> None:
    path = f"/claims/main/1/files/{attach()}/"
    assert logged_in("nobody").get(path).status_code == 403
    assert opened("nobody") == []
