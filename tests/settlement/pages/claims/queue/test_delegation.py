"""Whom to call where it is somebody else's turn, and what the page does where nobody is left."""

import pytest

from settlement.models import Proposal
from tests.support.cases.confirmed_house import person
from tests.support.pages.page_staff import ADDRESS, confirm, page_of, reply, verify
from tests.support.people.cast import PASSWORD, ClaimHouse
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
DELEGATE = f"{ADDRESS}delegate/"


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    house.hit_royal()
    page_of("tane")  # opens the claim
    return house


house = kept_house(build_house)


def sat(*names: str) -> None:
    for name in names:
        reply(name, f"{ADDRESS}player/", person=person(name).pk)


def test_the_page_says_whom_to_call(house: ClaimHouse) -> None:
    assert "Call one of: anahera, sione." in page_of("mere")
    verify(house)
    assert "Call one of: david, mere." in page_of("sione")
    sat("mere")
    assert "Call david." in page_of("sione")
    assert "Call david." in page_of("mere")
    assert "Call" not in page_of("david").split("Your turn")[1].split("Progress")[0]


def test_where_nobody_is_left_it_names_who_may_be_asked(house: ClaimHouse) -> None:
    verify(house)
    sat("mere", "david")
    page = page_of("sione")
    assert "Nobody is left to confirm it." in page
    assert "Call a casino manager of another house, or compliance: ines." in page
    assert "Delegate a decision" in page
    assert "Delegate a decision" not in page_of("mere")  # was dealt in
    assert "Delegate a decision" not in page_of("aroha")
    fields = {"person": person("ines").pk, "capacity": "manager", "reason": "Both were dealt in"}
    assert "Enter why nobody else can decide" in reply(
        "anahera", DELEGATE, **{**fields, "reason": ""}
    )
    assert "Choose who decides" in reply("anahera", DELEGATE, **{**fields, "person": ""})
    page = reply("anahera", DELEGATE, **fields)
    assert "anahera proposes: ines decides as casino manager. Both were dealt in" in page
    assert "delegate a decision" in page_of("mere", "/")
    assert "Approve: ines decides" in page_of("sione")
    for name in ("anahera", "ines", "mere", "tane"):
        assert "Approve: ines decides" not in page_of(name)
    agree = f"/proposals/{Proposal.objects.get().pk}/agree/"
    assert "Agreed and queued" in reply("sione", agree, password=PASSWORD)
    house.post()
    page = page_of("ines")
    assert "ines decides as casino manager. Proposed by anahera, approved by sione" in page
    assert "Your turn" in page
    assert "Confirm" in page_of("ines", "/").split("Needs you now")[1].split("Other")[0]
    confirm(house, "ines")
    assert house.hit(1).state == "confirmed"
    assert "agreed to delegate a decision" in page_of("tane").lower()


def test_a_cage_without_a_cashier_is_told_so(house: ClaimHouse) -> None:
    verify(house)
    confirm(house)
    sat("aroha")
    page = page_of("mere")
    assert "Nobody is left to pay it." in page
    assert "Have another one added who was not at the table" in page
