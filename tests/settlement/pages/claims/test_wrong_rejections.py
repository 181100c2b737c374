"""Reversing a rejection on the claim's page: corrected report, proposal, agreement, lists."""

from typing import Any

import pytest

from jackpot.models import Entry
from settlement.claims import services as claims
from settlement.claims import workbench
from settlement.claims.derivation import steps_of
from settlement.core.gaming_day import Days
from settlement.models import Claim, Proposal
from settlement.payments.register import payout_register
from settlement.people.rights.permissions import Reauthenticated
from tests.support.cases.confirmed_house import person
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
from tests.support.people.cast import PASSWORD, REASON, ClaimHouse, action, rows_of
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db
FORM = f"{ADDRESS}reverse-rejection/"
FIELDS: dict[str, Any] = {"reason": "Typed as folded by a slip", "evidence": "Camera 4, 22:14"}
CORRECTED = "The report was corrected after the decision."


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    house.open("t3")
    house.press("t3")
    house.call("t3")
    house.report("t3", folded=True)
    house.post()
    claims.catch_up(house.system)
    claim = Claim.objects.get()
    claims.propose_rejection(claim, person("sione"), **REASON)
    claims.second_rejection(claim, Reauthenticated(person("mere")))
    house.post()
    return house


house = kept_house(build_house, CLAIM_WAIT_S=0)


def test_from_the_corrected_report_to_an_open_claim(house: ClaimHouse) -> None:
    assert CORRECTED not in page_of("anahera")
    assert "Report corrected after the decision" not in page_of("mere", "/")
    house.report("t3")
    house.post()
    assert CORRECTED in page_of("mere")
    assert "Report corrected after the decision" in page_of("mere", "/")
    assert "Corrected since" in page_of("sione", "/")
    assert "Reports corrected after the decision" in page_of("mere", "/handover/")
    assert "Propose to reverse the rejection" not in page_of("sione")  # who rejected it
    assert "Propose to reverse the rejection" in page_of("anahera")
    page = reply("anahera", FORM, **FIELDS)
    assert "A reversal of the rejection is proposed" in page
    assert "anahera proposes to reverse a rejection" in page_of("david", "/")
    assert "Approve reversal" not in page_of("mere")
    agree = f"/proposals/{Proposal.objects.get().pk}/agree/"
    assert "to reject this claim" in reply("mere", agree, password=PASSWORD)
    assert "not your password" in reply("david", agree, password="guess")
    assert "Agreed and queued" in reply("david", agree, password=PASSWORD)
    house.post()
    page = page_of("tane")
    assert "Rejection reversed: Typed as folded by a slip" in page
    assert "david agreed" in page
    assert "Agreed to reverse the rejection" in page
    assert "A rejection is proposed" not in page
    assert CORRECTED not in page
    assert "Rejection reversed" in page_of("tane", f"{ADDRESS}print/")
    assert "Report corrected after the decision" not in page_of("mere", "/")
    assert "rejection reversed" in page_of("mere", "/handover/")
    assert house.hit(1).state == "held"


def test_register_slip_and_csv_say_so(house: ClaimHouse) -> None:
    house.report("t3")
    house.post()
    reply("anahera", FORM, **FIELDS)
    reply("david", f"/proposals/{Proposal.objects.get().pk}/agree/", password=PASSWORD)
    house.post()
    verify(house)
    confirm(house)
    amount = str(house.hit(1).held // 1_000_000)
    cashed(amount)
    house.post()
    claims.catch_up(house.system)
    assert "Rejection reversed" in page_of("tane", "/payouts/")
    casino = house.system.casino
    (paid,) = payout_register(casino, Days()).rows(10)
    entry = Entry.objects.get(type="reverse_rejection")
    assert paid["unrejected"] == entry.seq
    steps = [step.text for step in steps_of(house.hit(1))]
    assert "Its rejection was reversed by anahera and david" in steps


def test_a_note_takes_it_off_the_list(house: ClaimHouse) -> None:
    house.report("t3", folded=True)
    house.post()
    assert "Report corrected after the decision" in page_of("mere", "/")
    workbench.add_note(Claim.objects.get(), person("mere"), "The same: he had folded, camera 4")
    assert "Report corrected after the decision" not in page_of("mere", "/")
    assert CORRECTED in page_of("mere")


def test_what_is_wrong_is_said(house: ClaimHouse) -> None:
    page = refused("anahera", FORM)
    assert "Enter why the rejection was wrong." in page
    assert "Enter the evidence." in page
    assert "You cannot propose this now." in page_of("mere", FORM)
    assert logged_in("aroha").get(FORM).status_code == 403


def test_a_correction_after_the_proposal_is_read_first(house: ClaimHouse) -> None:
    reply("anahera", FORM, **FIELDS)
    house.report("t3")
    house.post()
    page = page_of("david")
    assert "The report was corrected since" in page
    assert "Approve reversal" not in page
    withdraw = f"/proposals/{Proposal.objects.get().pk}/withdraw/"
    page = reply("anahera", withdraw, note="Read it first")
    assert "Withdrew the proposal to reverse the rejection" in page


def test_a_dispute_that_is_right_leads_there(house: ClaimHouse) -> None:
    reply("aroha", f"{ADDRESS}stop/", kind="dispute", reason="Seat 3 never folded")
    house.post()
    page = page_of("anahera")
    assert "If the player is right, two people reverse the rejection" in page
    assert "Propose to reverse the rejection" in page


def test_by_the_api(house: ClaimHouse) -> None:
    assert action("aroha", "propose-rejection-reversal", **FIELDS).status_code == 403
    assert action("sione", "propose-rejection-reversal", **FIELDS).json()["code"] == "same_person"
    assert action("anahera", "propose-rejection-reversal", **FIELDS).status_code == 200
    (row,) = rows_of("/api/proposals/")
    assert (row["kind"], row["subject"]) == ("reverse_rejection", "1")
