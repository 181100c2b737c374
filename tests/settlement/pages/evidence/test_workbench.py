"""The workbench on the claim's page: what people see and gather before they verify."""

import datetime as dt
import uuid
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from settlement.claims import services as claims
from settlement.models import Attachment, Claim, DeckTick, Footage, IdentificationLook, Note
from tables.models import DisplayReading
from tests.support.cases.claims.evidence import JPEG, PDF
from tests.support.cases.confirmed_house import person
from tests.support.cases.hands.clocked_hands import ClockHouse, two_in_question
from tests.support.pages.page_staff import ADDRESS, logged_in, page_of, post, refused, reply, words
from tests.support.pages.workbench import REVIEW
from tests.support.people.cast import ClaimHouse
from tests.support.people.identification import NAME, NUMBER
from tests.support.people.roles import owner_without_guards
from tests.support.suite.kept_house import kept_house

PLAYER = {
    "seat": "3",
    "name": NAME,
    "born": "1980-02-29",
    "document": "passport",
    "document_number": NUMBER,
}
PLAYERS = f"{ADDRESS}identification/"


@pytest.fixture
def quick(settings: Settings) -> None:
    settings.CLAIM_WAIT_S = 0
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    house.hit_royal()
    return house


house = kept_house(build_house, CLAIM_WAIT_S=0)


# --- the report as it was sent -----------------------------------------------------------------


def test_the_report_as_the_dealer_sent_it(house: ClaimHouse) -> None:
    page = page_of("sione")
    place = f"sequence no. {house.hit(1).report_entry}"
    assert f"This is the report as Table 3 sent it: {place}" in page
    report: dict[str, Any] = house.hit(1).report or {}
    seat = {**report["hands"][0], "hole": ["As", "Kh"], "exposed": "not_requested"}
    claims.amend(Claim.objects.get(), person("anahera"), {**report, "hands": [seat]})
    house.post()
    page = page_of("sione")
    assert "The hand that counts now" in page
    assert "As the dealer sent it Version 1, entry" in page
    assert "The report that counts now is above, version 2." in page
    assert "Seat 3, exposed yes not asked for" in page
    assert "Seat 3, hole cards" in page
    assert "First board As sent" not in page  # it is the same


# --- the deck ----------------------------------------------------------------------------------


def test_the_deck_is_ticked_off_on_the_page(house: ClaimHouse) -> None:
    page = page_of("sione")
    assert "Left in the deck: 45 cards" in page
    assert "0 of 8 Spades" in page
    page = reply("sione", f"{ADDRESS}deck/", seen="", card=["9s", "8s"])
    assert "2 cards were saved." in page
    assert "2 of 8 Spades" in page
    assert "Counted by sione (2, last at" in page
    assert "2 of 45 cards ticked off" in page  # at its point of the checklist
    reply("anahera", f"{ADDRESS}deck/", seen="", card=["7s"])  # opened before sione saved
    assert set(DeckTick.objects.values_list("card", flat=True)) == {"9s", "8s", "7s"}
    page = reply("sione", f"{ADDRESS}deck/", seen="9s 8s 7s", card=["9s", "7s"])
    assert "One card was saved." in page
    assert "2 of 8 Spades" in page
    assert "is not a card of the rest of the deck" in reply("sione", f"{ADDRESS}deck/", card=["As"])


def test_who_does_not_verify_sees_the_count_and_changes_nothing(house: ClaimHouse) -> None:
    reply("sione", f"{ADDRESS}deck/", seen="", card=["9s"])
    assert "Save the count" not in page_of("mere")
    assert "1 of 8 Spades" in page_of("mere")
    before = DeckTick.objects.count()
    assert "Your role does not allow" in reply("mere", f"{ADDRESS}deck/", card=["8s"])
    assert DeckTick.objects.count() == before
    assert post("tane", f"{ADDRESS}deck/", card=["8s"]).status_code == 403


# --- evidence ----------------------------------------------------------------------------------


def test_footage_is_noted_in_the_casinos_time(house: ClaimHouse) -> None:
    house.system.casino.timezone = "Pacific/Auckland"
    house.system.casino.save()
    page = reply("tane", f"{ADDRESS}footage/", **REVIEW)
    assert "The footage review is saved." in page
    assert "12, 21 Nov 2026, 23:10:00 to 21 Nov 2026, 23:18:00" in page
    assert Footage.objects.get().since == dt.datetime(2026, 11, 21, 10, 10, tzinfo=dt.UTC)
    assert "Tane Rua, DVR-4411" in page_of("sione")  # at its point of the checklist
    wrong = {**REVIEW, "until": "2026-11-21T23:00:00", "finding": "What was typed"}
    page = refused("tane", f"{ADDRESS}footage/", **wrong)
    assert "ends before it begins" in page
    assert "What was typed" in page
    assert "Add a review of footage" not in page_of("aroha")


def test_a_note_stands_as_it_was_written(house: ClaimHouse) -> None:
    reply("aroha", f"{ADDRESS}notes/", text="Waits in the <b>lounge</b>")
    answer = logged_in("mere").get(ADDRESS).content.decode()
    assert "Waits in the &lt;b&gt;lounge&lt;/b&gt;" in answer
    assert "Write the note." in refused("aroha", f"{ADDRESS}notes/", text="")
    assert Note.objects.count() == 1


def attach(name: str, content: bytes, called: str) -> Any:
    return post(
        name, f"{ADDRESS}files/", caption="Layout", file=SimpleUploadedFile(called, content)
    )


def test_a_file_is_taken_by_its_content_and_given_back(house: ClaimHouse) -> None:
    assert attach("sione", JPEG, "evil.html").status_code == 302
    assert attach("sione", PDF, "x").status_code == 302
    answer = attach("sione", b"<html><script>alert(1)</script>", "layout.jpg")
    assert answer.status_code == 422
    assert "This file is neither" in words(answer)
    photograph, scan = Attachment.objects.order_by("id")
    response = logged_in("mere").get(f"{ADDRESS}files/{photograph.pk}/")
    assert response.content == JPEG
    assert response["Content-Type"] == "image/jpeg"
    assert response["Content-Disposition"] == f'inline; filename="main-1-{photograph.pk}.jpeg"'
    assert response["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert response["X-Content-Type-Options"] == "nosniff"
    response = logged_in("mere").get(f"{ADDRESS}files/{scan.pk}/")
    assert response["Content-Disposition"].startswith("attachment;")
    assert "1 picture attached" in page_of("sione")


def test_a_file_belongs_to_its_claim_and_to_who_may_look(house: ClaimHouse) -> None:
    house.hit_royal("t7")
    attach("sione", JPEG, "x")
    address = f"files/{Attachment.objects.get().pk}/"
    assert logged_in("mere").get(f"/claims/main/2/{address}").status_code == 404
    assert logged_in("nobody").get(f"{ADDRESS}{address}").status_code == 403
    assert Client().get(f"{ADDRESS}{address}").status_code == 302


def test_a_file_that_was_changed_is_not_given(house: ClaimHouse) -> None:
    attach("sione", JPEG, "x")
    with owner_without_guards("settlement_attachment"), connection.cursor() as cursor:
        cursor.execute("ALTER TABLE settlement_attachment DROP CONSTRAINT attachment_is_its_hash")
        Attachment.objects.update(content=JPEG + b"x")
    answer = logged_in("mere").get(f"{ADDRESS}files/{Attachment.objects.get().pk}/")
    assert answer.status_code == 404


# --- players -----------------------------------------------------------------------------------


def identify(client: Client, **otherwise: str) -> Any:
    return client.post(PLAYERS, {**PLAYER, "key": str(uuid.uuid4()), **otherwise})


def test_players_stand_on_a_page_of_their_own(house: ClaimHouse) -> None:
    client = logged_in("sione")
    assert identify(client).status_code == 302
    assert "The player of seat 3 is saved." in words(client.get(PLAYERS))
    assert NAME not in page_of("sione", PLAYERS)  # before somebody says what for
    answer = logged_in("aroha").post(PLAYERS, {"do": "look", "purpose": "pay"})
    page = words(answer)
    assert f"Seat 3: {NAME}" in page
    assert "Born 29 Feb 1980" in page
    assert NUMBER in page
    assert "no-store" in answer["Cache-Control"]
    assert "aroha" in page.partition("Access log")[2]
    assert IdentificationLook.objects.count() == 1
    assert "Seat 3 is identified" in page_of("tane")


@pytest.mark.parametrize(
    "address", [ADDRESS, f"{ADDRESS}print/", "/claims/", "/payouts/", "/", PLAYERS]
)
def test_no_other_page_says_who_they_are(house: ClaimHouse, address: str) -> None:
    identify(logged_in("sione"))
    answer = logged_in("mere").get(address).content.decode()
    assert NAME not in answer
    assert NUMBER not in answer


def test_who_does_not_need_it_finds_no_page(house: ClaimHouse) -> None:
    assert logged_in("tane").get(PLAYERS).status_code == 403
    assert "Player identification" not in page_of("tane")
    assert logged_in("tane").post(PLAYERS, {"do": "look", "purpose": "pay"}).status_code == 403
    assert identify(logged_in("ines")).status_code == 403  # looks, and records nothing
    assert not IdentificationLook.objects.exists()


def test_an_identification_that_cannot_be_read_comes_back(house: ClaimHouse) -> None:
    answer = identify(logged_in("sione"), born="1850-01-01")
    assert answer.status_code == 422
    assert "This date of birth is not possible" in words(answer)


# --- displays and hands near by ----------------------------------------------------------------


def test_what_the_displays_read_back_around_the_hand(house: ClaimHouse) -> None:
    assert "No display of this table has read back" in page_of("sione")
    hit = house.hit(1)
    for apart, value in ((-40, 1), (-30, 2), (-20, 3), (-10, 4), (10, 5)):
        at = hit.at + dt.timedelta(seconds=apart)
        DisplayReading.objects.create(
            table=hit.table,
            display="wall",
            said_at=at,
            received_at=at,
            system_seq=hit.place,
            terms=1,
            shown={"royal": 100_000 + value},
        )
    page = page_of("sione")
    assert "1,000.01" not in page  # the three before are enough
    assert "1,000.04" in page
    assert "10.0 s before the hand" in page
    assert "10.0 s after the hand" in page
    assert "4 readings of displays around the hand" in page


def build_near() -> ClockHouse:
    """Table 7 made its hand first by the clocks, though table 3 was recorded first."""
    house = ClockHouse()
    two_in_question(house)
    return house


near = kept_house(build_near, CLAIM_WAIT_S=0)


def test_a_hand_near_by_with_both_clocks_and_both_orders(near: ClockHouse) -> None:
    page = page_of("sione").partition("Other recent hands")[2]
    assert "MAIN-2, Table 7" in page
    assert "In the order After this hand" in page
    assert "Order in question" in page
    assert "2.000 s before this hand" in page
    assert "0.000 s behind, ± 0.000 s, by 15 events" in page
    one, other = (near.hit(number).held // 10**6 for number in (1, 2))
    assert f"As recorded: this claim first {one:,}.00 {other:,}.00" in page
    assert f"In the other order {other:,}.00 {one:,}.00" in page
    assert "1 hand within 5 minutes on other tables" in page_of("sione")


def test_a_clock_that_is_off_says_nothing_of_the_order(db: None, quick: None) -> None:
    house = ClockHouse()
    house.behind["t7"] = -3600.0
    house.hit_royal("t3")
    house.hit_royal("t7")
    page = page_of("sione").partition("Other recent hands")[2]
    assert "3,600.000 s ahead, by 4 events (low confidence)" in page
    assert "after this hand" in page
    assert "Clocks suggest a different order" not in page


def test_hands_near_by_cost_the_same_however_many(
    near: ClockHouse, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client, costs = logged_in("sione"), []
    for number in (3, 8):
        while near.head.hit_number < number:
            near.hit_royal("t8")
        client.get(ADDRESS)
        with django_assert_max_num_queries(62) as captured:
            client.get(ADDRESS)
        costs.append(len(captured))
    assert costs[0] == costs[1]


def test_the_paper_carries_what_was_gathered(house: ClaimHouse) -> None:
    reply("sione", f"{ADDRESS}deck/", seen="", card=["9s"])
    reply("tane", f"{ADDRESS}footage/", **REVIEW)
    reply("mere", f"{ADDRESS}notes/", text="Manager on call was told")
    page = page_of("ines", f"{ADDRESS}print/")
    for text in ("1 of 8 Spades", "DVR-4411", "Manager on call was told"):
        assert text in page
    assert "Save the count" not in page
    assert "Write a note" not in page


def test_the_page_notices_what_colleagues_gather(house: ClaimHouse) -> None:
    client = logged_in("mere")
    first_version = client.get(f"{ADDRESS}version/").content
    reply("sione", f"{ADDRESS}deck/", seen="", card=["9s"])
    ticked = client.get(f"{ADDRESS}version/").content
    reply("tane", f"{ADDRESS}notes/", text="Reviewed")
    assert len({first_version, ticked, client.get(f"{ADDRESS}version/").content}) == 3
