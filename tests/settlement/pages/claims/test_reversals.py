"""Reversing a paid claim on its page."""

import pytest

from settlement.claims import services as claims
from settlement.models import Proposal
from tests.support.pages.page_staff import (
    ADDRESS,
    cashed,
    confirm,
    logged_in,
    page_of,
    refused,
    reply,
    verify,
)
from tests.support.people.cast import PASSWORD, ClaimHouse
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db
FORM = f"{ADDRESS}reverse/"
FIELDS = {"reason": "R13", "evidence": "Camera 4", "cash": "100.00"}


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    house.hit_royal()
    verify(house)
    confirm(house)
    cashed(house.hit(1).held // 1_000_000)
    house.post()
    claims.catch_up(house.system)
    return house


house = kept_house(build_house, CLAIM_WAIT_S=0)


def test_one_proposes_and_another_agrees_with_the_password(house: ClaimHouse) -> None:
    assert "Propose a reversal" not in page_of("mere")  # who confirmed does not undo
    assert "Propose a reversal" in page_of("anahera")
    page = reply("anahera", FORM, **FIELDS)
    assert "A reversal is proposed" in page
    assert "NZD 100.00 in cash" in page
    assert "anahera proposes to reverse a claim" in page_of("david", "/")
    assert "Approve reversal" not in page_of("mere")
    agree = f"/proposals/{Proposal.objects.get().pk}/agree/"
    assert "confirmed or paid this claim" in reply("mere", agree, password=PASSWORD)
    assert "not your password" in reply("david", agree, password="guess")
    assert "Agreed and queued" in reply("david", agree, password=PASSWORD)
    house.post()
    page = page_of("tane")
    assert "Reversed: R13" in page
    assert "Proposed by anahera" in page
    assert "david agreed" in page
    assert "Agreed to reverse" in page
    assert "Claim reversed" in page
    assert "Reversed: R13" in page_of("tane", f"{ADDRESS}print/")
    register = page_of("tane", "/payouts/")
    assert "Reversal: recovered" in register
    assert "-100.00" in register or "−100.00" in register
    assert "Reversed claim: recovered in cash" in page_of("tane", "/pools/main/royal/")


def test_what_is_wrong_is_said(house: ClaimHouse) -> None:
    page = refused("anahera", FORM, cash="lots")
    assert "Choose one of the reasons." in page
    assert "Enter the evidence." in page
    assert "This is not an amount" in page
    assert "More chips were recovered" in refused("anahera", FORM, **FIELDS, chips="1")
    assert "You cannot propose this now." in page_of("mere", FORM)
    assert logged_in("aroha").get(FORM).status_code == 403


def test_it_can_be_withdrawn(house: ClaimHouse) -> None:
    reply("anahera", FORM, **FIELDS)
    withdraw = f"/proposals/{Proposal.objects.get().pk}/withdraw/"
    page = reply("anahera", withdraw, note="Another hand")
    assert "Withdrew the proposal to reverse Another hand" in page
    assert "A reversal is proposed" not in page
