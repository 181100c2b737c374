"""A hit whose claim the worker has not opened yet: who reads waits, who acts opens it."""

import pytest

from settlement.core.activity import activity
from settlement.models import Claim
from settlement.tasks import catch_up, open_claims
from tests.support.pages.entrances import PAGES, address_of
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.cast import EarlyHouse, action, as_
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]

SOON = "This hand has just been reported; its claim opens in a moment."


def build_house() -> EarlyHouse:
    house = EarlyHouse()
    house.hit_royal()
    assert not Claim.objects.exists()
    return house


house = kept_house(build_house)


def test_its_page_says_so_and_opens_nothing(house: EarlyHouse) -> None:
    answer = logged_in("sione").get("/claims/main/1/")
    assert (answer.status_code, answer["Retry-After"]) == (202, "1")
    assert SOON in words(answer)
    assert 'data-live="page"' in answer.content.decode()
    assert not Claim.objects.exists()


def test_no_address_opens_it(house: EarlyHouse) -> None:
    client = logged_in("mere")
    for page in PAGES.values():
        client.get(address_of(page))
    assert not Claim.objects.exists()


def test_lists_show_the_hand_at_once(house: EarlyHouse) -> None:
    client = logged_in("mere")
    for address in ("/", "/claims/", "/handover/"):
        assert "main/1/" in client.get(address).content.decode(), address
    assert [row["claim"] for row in as_("mere").get("/api/claims/").json()["results"]] == ["main-1"]


def test_a_program_is_told_to_come_again(house: EarlyHouse) -> None:
    answer = as_("mere").get("/api/claims/main-1/")
    assert (answer.status_code, answer["Retry-After"]) == (404, "1")
    assert (answer.json()["code"], answer.json()["detail"]) == ("not_open_yet", SOON)
    assert as_("mere").get("/api/claims/main-2/").json()["code"] == "not_found"


@pytest.mark.parametrize("name", ["hint", "beat"])
def test_the_worker_opens_it_and_pages_hear_of_it(house: EarlyHouse, name: str) -> None:
    before = activity()
    if name == "hint":
        open_claims(house.system.pk)
    else:
        catch_up()
    assert activity() != before
    assert logged_in("sione").get("/claims/main/1/").status_code == 200
    assert as_("mere").get("/api/claims/main-1/").status_code == 200


def test_it_can_be_opened_by_hand_while_the_worker_is_away(house: EarlyHouse) -> None:
    answer = logged_in("sione").post("/claims/main/1/", {"open": "yes"})
    assert (answer.status_code, answer["Location"]) == (302, "/claims/main/1/")
    assert logged_in("sione").get("/claims/main/1/").status_code == 200


def test_an_act_opens_it(house: EarlyHouse) -> None:
    assert action("mere", "notes", text="Seen at the table").status_code == 200
    assert Claim.objects.get().notes.count() == 1
