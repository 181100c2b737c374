"""What pages and API say of a payee who is on a list: what stops it, who must act."""

import uuid
from typing import Any

import pytest
from pytest_django import Settings

from settlement.exclusions import release, stops
from settlement.models import Exclusion, ExclusionLook, Proposal
from tables.models import Casino
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.cases.exclusions import WIREMU, excluded, identified
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.cast import PASSWORD, as_, read, rows_of
from tests.support.people.identification import NAME, PLAYER
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
CLAIM = "/claims/main/1/"
CAGE = "/claims/main/1/cage/"
PERSONS = [
    {
        "name": NAME,
        "born": "1980-02-29",
        "kind": "self",
        "since": "2025-01-01",
        "reference": "SE-118",
        "document": "passport",
        "document_number": "LK418805",
    }
]


def build_house() -> ConfirmedHouse:
    house = ConfirmedHouse()
    excluded(house.claim)
    return house


house = kept_house(build_house)


def test_the_cage_says_not_to_pay_and_whom_to_call(house: ConfirmedHouse) -> None:
    aroha = logged_in("aroha")
    assert "Do not pay" not in words(aroha.get(CAGE))
    identified(house.claim, "aroha")
    page = words(aroha.get(CAGE))
    assert "The player of seat 3 is on the list of excluded persons" in page
    assert "Do not pay: call compliance." in page
    assert "Self-exclusion, National register, reference SE-118" in page
    assert "Record the payment" not in page
    assert NAME not in page


def test_who_pays_and_identifies_at_once_is_told_and_pays_nothing(house: ConfirmedHouse) -> None:
    player = {
        "name": NAME,
        "born": "1980-02-29",
        "document": "passport",
        "document_number": "LK418805",
    }
    fields = {f"l1-{name}": value for name, value in player.items()}
    form = {"do": "pay", "l1-key": str(uuid.uuid4()), "l1-cash": "1", "password": PASSWORD}
    page = logged_in("aroha").post(CAGE, {**fields, **form})
    assert (page.status_code, house.state) == (422, "due")
    assert "Do not pay" in words(page)


def test_the_page_of_the_claim_and_the_queue(house: ConfirmedHouse) -> None:
    identified(house.claim)
    page = words(logged_in("aroha").get(CLAIM))
    assert "The player of seat 3 is on the list of excluded persons." in page
    assert "Recognised by the number of the document." in page
    assert "Call a casino manager or compliance" in page
    assert "Stopped: excluded person" in page
    assert "Excluded person: decide whether to pay" in words(logged_in("ines").get("/claims/"))
    queue = words(logged_in("aroha").get("/claims/"))
    assert "Excluded person" in queue
    assert "Stopped: excluded person" in queue


def test_the_page_says_what_becomes_of_the_winnings_and_leads_to_forfeiture(
    house: ConfirmedHouse, settings: Settings
) -> None:
    identified(house.claim)
    page = words(logged_in("mere").get(CLAIM))
    assert "Two people decide whether an excluded person’s winnings are paid or forfeited." in page
    assert "House policy; two people decide of each payment (house policy)." in page
    settings.JURISDICTIONS = {"harbour": "new_jersey"}
    Casino.objects.update(currency="USD")
    answer = logged_in("mere").get(CLAIM).content.decode()
    assert "Winnings of an excluded person are forfeited." in answer
    assert "N.J.A.C. 13:69G-3.2" in answer
    assert '<a class="tap" href="#options-1">Propose or approve forfeiture</a>' in answer
    assert 'id="options-1"' in answer
    assert "#options-1" not in logged_in("tane").get(CLAIM).content.decode()
    form = {"do": "propose_forfeit", "line": "1", "reason": "Notice 12", "key": str(uuid.uuid4())}
    logged_in("mere").post(CLAIM, form)
    proposal = Proposal.objects.get(kind="forfeit")
    logged_in("david").post(f"/proposals/{proposal.pk}/agree/", {"password": PASSWORD})
    house.post()
    assert house.hit(1).payees[0]["state"] == "forfeited"


def test_the_release_from_the_page(house: ConfirmedHouse) -> None:
    identified(house.claim)
    mere, ines = logged_in("mere"), logged_in("ines")
    assert "Propose to pay anyway" in words(mere.get(CLAIM))
    form = {"key": str(uuid.uuid4()), "seat": "3", "reason": "The order was lifted"}
    address = f"{CLAIM}release-excluded/"
    assert mere.post(address, {"seat": "3"}).status_code == 400
    assert "Enter why this person" in words(mere.post(address, {**form, "reason": ""}, follow=True))
    page = words(mere.post(address, form, follow=True))
    assert "mere proposes to pay anyway: The order was lifted" in page
    assert "Approve: pay this person" not in page
    assert "Approve: pay this person" in words(ines.get(CLAIM))
    agree = f"/proposals/{Proposal.objects.get().pk}/agree/"
    ines.post(agree, {"password": PASSWORD})
    house.post()
    page = words(ines.get(CLAIM))
    assert "is on the list of excluded persons" not in page
    assert "Agreed to pay an excluded person" in page
    assert stops.of_claim(house.claim) == {}


def test_before_it_is_confirmed_the_claim_says_so_already() -> None:
    house = ConfirmedHouse()
    house.hit_royal("t7")
    claim = type(house.claim).objects.select_related("system__casino").get(number=2)
    excluded(claim)
    identified(claim)
    assert "is on the list of excluded persons" in words(logged_in("mere").get("/claims/main/2/"))


def test_identifying_says_it_at_once(house: ConfirmedHouse) -> None:
    address = f"{CLAIM}identification/"
    player = {**PLAYER, "born": "1980-02-29", "key": str(uuid.uuid4())}
    page = logged_in("sione").post(address, player, follow=True)
    assert "seat 3 is on the list of excluded persons" in words(page)


# --- the API ----------------------------------------------------------------------------------


def post(name: str, address: str, body: dict[str, Any]) -> Any:
    return as_(name).post(address, body, format="json")


def test_the_api_takes_a_list_in_and_tells_nothing_of_who_is_on_it() -> None:
    ConfirmedHouse()
    address = "/api/exclusions/harbour/"
    body = {"list": "Register", "persons": PERSONS}
    assert post("mere", address, body).status_code == 403
    answer = post("ines", address, body)
    assert (answer.status_code, answer.json()["added"]) == (201, 1)
    again = post("ines", address, {**body, "is_whole": True}).json()
    assert (again["added"], again["known"], again["ended"]) == (0, 1, 0)
    (entry,) = rows_of(address, "ines")
    assert (entry["reference"], entry["list"], entry["ended"]) == ("SE-118", "Register", None)
    assert NAME not in str(entry)
    assert [row["person"] for row in rows_of(f"{address}imports/", "ines")] == ["ines", "ines"]
    for where in (address, f"{address}imports/"):
        assert as_("mere").get(where).status_code == 403
    assert post("ines", "/api/exclusions/nowhere/", body).status_code == 404


def test_the_api_says_which_person_cannot_be_entered() -> None:
    ConfirmedHouse()
    wrong = {**PERSONS[0], "until": "2024-12-31"}
    body = {"list": "Register", "persons": [PERSONS[0], wrong]}
    answer = post("ines", "/api/exclusions/harbour/", body)
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_exclusion")
    assert answer.json()["detail"] == "Person 2: It ends before it begins."
    assert not Exclusion.objects.exists()


def test_the_api_looks_and_ends(house: ConfirmedHouse) -> None:
    address = "/api/exclusions/harbour/look/"
    assert post("mere", address, {"sought": "wiremu"}).status_code == 403
    (row,) = post("ines", address, {"sought": "wiremu"}).json()["persons"]
    assert (row["name"], row["born"], row["reference"]) == (NAME, "1980-02-29", WIREMU.reference)
    assert ExclusionLook.objects.count() == 1
    end = f"/api/exclusion-entries/{row['entry']}/end/"
    assert post("ines", end, {"reason": "Lifted"}).json()["ended"] is not None
    assert post("ines", end, {"reason": "Lifted"}).status_code == 409
    assert post("ines", "/api/exclusion-entries/99999/end/", {"reason": "x"}).status_code == 404


def test_the_api_pays_nothing_and_says_why(house: ConfirmedHouse) -> None:
    identified(house.claim)
    pay = {"line": 1, "parts_micros": {"cash": house.amount}, "password": PASSWORD}
    answer = post("aroha", "/api/claims/main-1/pay/", pay)
    assert (answer.status_code, answer.json()["code"]) == (409, "excluded")
    sheet = read("/api/claims/main-1/", "aroha")
    assert (sheet["excluded_seats"], "excluded_person" in sheet["flags"]) == ([3], True)
    (row,) = rows_of("/api/claims/", "aroha")
    assert "excluded_person" in row["flags"]
    release_it = "/api/claims/main-1/propose-release-excluded/"
    body = {"seat": 3, "reason": "The order was lifted"}
    assert post("aroha", release_it, body).status_code == 403
    answer = post("mere", release_it, body)
    assert (answer.status_code, answer.json()["kind"]) == (201, "release_excluded")
    agree = f"/api/proposals/{answer.json()['proposal']}/agree/"
    assert post("mere", agree, {"password": PASSWORD}).status_code in (403, 409)
    assert post("ines", agree, {"password": PASSWORD}).status_code == 202
    house.post()
    post("aroha", "/api/claims/main-1/pay/", pay)
    house.post()
    assert house.state == "paid"
    assert rows_of("/api/claims/", "aroha")[0]["flags"] == []


def test_a_proposal_of_the_house_is_seen_by_its_reason_alone(house: ConfirmedHouse) -> None:
    identified(house.claim)
    with acting_as("web"):
        release.propose(house.claim, person("mere"), 3, "Letter of 3 May")
    (row,) = rows_of("/api/proposals/", "tane")
    assert (row["body"]["seat"], row["body"]["reason"]) == (3, "Letter of 3 May")
    assert NAME not in str(row)
