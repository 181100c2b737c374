"""Staff who play, and the second manager, on the pages."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from jackpot.terms.money import MICROS
from settlement.claims import services as claims
from settlement.models import Action, Footage, Note, SecondManagerLimit, StaffPlay
from tables.models import GamingTable
from tests.support.cases.confirmed_house import person
from tests.support.pages.page_staff import ADDRESS, confirm, logged_in, page_of, reply, verify
from tests.support.people.cast import PASSWORD, ClaimHouse
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db
PLAYS = "/staff-at-play/"


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    house.hit_royal()
    claims.catch_up(house.system)
    return house


house = kept_house(build_house, CLAIM_WAIT_S=0)


def test_who_sits_down_is_seen_and_decides_nothing_there(house: ClaimHouse) -> None:
    assert "No staff at play" in page_of("tane", PLAYS)
    table = GamingTable.objects.get(code="t3")
    fields = {"person": person("sione").pk, "table": table.pk, "ago": "60", "note": "day off"}
    page = reply("sione", PLAYS, **fields)
    assert "sione Table 3, Main floor: day off" in page
    assert "recorded as playing at Table 3 already" in reply("tane", PLAYS, **fields)
    assert "You were dealt into this hand" in page_of("sione")
    assert "Verify" not in page_of("sione", "/claims/").split("Main floor")[-1]
    assert "sione was dealt in and cannot decide on this hand" in page_of("mere")
    assert logged_in("sione").post(ADDRESS, {"do": "verify"}).status_code == 422
    verify(house, "anahera")
    play = StaffPlay.objects.get()
    assert "Only that person" in reply("anahera", f"{PLAYS}{play.pk}/leave/")
    assert "Has left the table" not in page_of("anahera", PLAYS)
    page = reply("sione", f"{PLAYS}{play.pk}/leave/")
    assert "sione has left Table 3" in page
    assert "No staff at play" in page


def test_a_colleague_is_named_at_the_claim(house: ClaimHouse) -> None:
    page = reply("tane", f"{ADDRESS}player/", person=person("mere").pk, note="Camera 4")
    assert "mere was named as dealt in and cannot decide on this hand until" in page
    assert "Recorded by tane" in page
    assert "“Camera 4”" in page
    verify(house)
    assert "Confirm: You were dealt into this hand" in page_of("mere")
    assert "Waits for a casino manager to confirm" in page_of("mere", "/")
    assert "for one hand" in page_of("tane", PLAYS)
    answer = logged_in("tane").post(f"{ADDRESS}player/", {"person": "999999"})
    assert answer.status_code == 404


def test_a_large_amount_takes_two_managers_on_the_page(house: ClaimHouse) -> None:
    SecondManagerLimit.objects.create(
        casino=house.system.casino, amount=1000 * MICROS, first="mere", second="david"
    )
    verify(house)
    assert "Approve as the first of two managers" in page_of("mere", "/")
    assert "Waits for the first of two managers" in page_of("sione", "/")
    page = page_of("mere")
    assert "Above NZD 1,000.00 a claim takes two managers" in page
    assert "You confirm" not in page
    fields: dict[str, Any] = {"do": "approve", "amount": house.hit(1).held}
    assert "Approved. Nothing is paid" in reply("mere", password=PASSWORD, **fields)
    assert "You approved the amount of this claim. Another casino manager must confirm" in page_of(
        "mere"
    )
    assert "you are the second manager" in page_of("david")
    for other in ("mere", "sione"):
        page = page_of(other)
        assert "Approved by mere" in page
        assert "you are the second manager" not in page
    assert "approved as the first of two managers" in page_of("tane").lower()
    confirm(house, "david")
    assert Action.objects.filter(kind="confirm").count() == 1
    assert house.hit(1).state == "confirmed"


def test_the_list_asks_no_more_for_more_plays(house: ClaimHouse) -> None:
    client = logged_in("tane")
    client.get(PLAYS)

    def query_count() -> int:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert client.get(PLAYS).status_code == 200
        return len(queries)

    table = GamingTable.objects.get(code="t3")
    reply("sione", PLAYS, person=person("sione").pk, table=table.pk, ago="0")
    before = query_count()
    for name in ("mere", "david", "aroha"):
        reply("tane", PLAYS, person=person(name).pk, table=table.pk, ago="0")
    assert query_count() == before


def test_the_second_word_is_asked_for_and_given(house: ClaimHouse) -> None:
    page = reply("tane", f"{ADDRESS}player/", person=person("mere").pk, note="Camera 4")
    assert "mere was named as dealt in and cannot decide on this hand until" in page
    assert "1 needs a second person" in page_of("sione", "/")
    assert "mere Table 3, Main floor" in page_of("tane", PLAYS)
    assert "You named mere: somebody else must confirm or contradict it" in page_of("tane", PLAYS)
    own = page_of("mere", PLAYS)
    assert "Yes, I was dealt in" in own
    assert "Contradict" not in own
    play = StaffPlay.objects.get()
    refusal = reply("sione", f"{PLAYS}{play.pk}/word/", word="no", note="")
    assert "Enter what was seen" in refusal
    page = reply("sione", f"{PLAYS}{play.pk}/word/", word="no", note="F-7: seat 5 is a guest")
    assert "mere may decide again" in page
    assert "Contradicted by sione: F-7: seat 5 is a guest" in page
    assert "Needs a second person" not in page
    page = page_of("mere")
    assert "mere was not dealt in. Named by tane, contradicted by sione" in page
    assert "You were dealt in" not in page
    assert "second person" not in page_of("sione", "/")


def test_a_confirmed_word_stands_without_an_end(house: ClaimHouse) -> None:
    reply("tane", f"{ADDRESS}player/", person=person("mere").pk)
    assert "needs a second person" in page_of("sione", "/handover/")
    page = reply("mere", f"{PLAYS}{StaffPlay.objects.get().pk}/word/", word="yes")
    assert "mere cannot decide on hands of that time" in page
    page = page_of("sione")
    assert "mere was dealt in and cannot decide on this hand." in page
    assert "Confirmed by mere" in page


def test_who_was_dealt_in_has_no_form_to_gather_with(house: ClaimHouse) -> None:
    forms = ("Write a note", "Add a review of footage", "Attach a file", "Save the count")
    page = page_of("sione")
    assert all(form in page for form in forms)
    reply("tane", f"{ADDRESS}player/", person=person("sione").pk)
    page = page_of("sione")
    assert not any(form in page for form in forms)
    for form in (
        {"text": "All clear"},
        {"reviewer": "T", "camera": "4", "reference": "F", "finding": "-"},
    ):
        where = "notes" if "text" in form else "footage"
        logged_in("sione").post(f"{ADDRESS}{where}/", form)
    assert not Note.objects.exists()
    assert not Footage.objects.exists()
