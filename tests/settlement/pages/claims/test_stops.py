"""Disputes and regulator's holds on the claim's page and the overview."""

import uuid

import pytest

from settlement.models import Proposal
from tests.support.pages.claim_stops import STOP, house, stop
from tests.support.pages.page_staff import ADDRESS, cashed, confirm, logged_in, page_of, post, reply
from tests.support.people.cast import PASSWORD, ClaimHouse

__all__ = ["house"]

pytestmark = pytest.mark.django_db


def test_a_dispute_from_the_table_to_its_end(house: ClaimHouse) -> None:
    assert "You confirm" in page_of("mere")
    assert "Queued" in stop(house, "aroha", "dispute", "Seat 4 says the hand was folded")
    for name in ("mere", "aroha", "tane"):
        page = page_of(name)
        assert "dispute stops this claim." in page
        assert "Seat 4 says the hand was folded" in page
        assert "Disputed" in page
    assert "You confirm" not in page_of("mere")
    board = page_of("tane", "/")
    assert "Disputed, held by the regulator, or in question" in board
    assert "Stopped" in board
    end = f"{ADDRESS}stops/{house.hit(1).stops[0]['entry']}/end/"
    page = reply("anahera", end, finding="Camera 4: it was not folded")
    assert "stays stopped until somebody else approves it" in page
    assert "anahera proposes to resolve a dispute" in page_of("david", "/")
    assert "Approve: resume the claim" in page_of("david")
    agree = f"/proposals/{Proposal.objects.get().pk}/agree/"
    assert "not your password" in reply("david", agree, password="guess")
    reply("david", agree, password=PASSWORD)
    house.post()
    page = page_of("mere")
    assert "You confirm" in page
    assert "stops this claim" not in page
    assert "Agreed to resolve the dispute" in page
    assert "Dispute resolved" in page
    assert "Disputed, held" not in page_of("tane", "/")
    confirm(house)
    assert house.hit(1).state == "confirmed"


def test_a_hold_after_the_payment_stays_on_the_overview(house: ClaimHouse) -> None:
    confirm(house)
    cashed(house.hit(1).held // 1_000_000)
    house.post()
    assert house.hit(1).state == "paid"
    assert "Place a regulator" not in page_of("mere")
    stop(house, "ines", "hold", "Inspector's letter 7")
    assert "Held by the regulator" in page_of("tane")
    board = page_of("mere", "/")
    assert "Disputed, held by the regulator, or in question" in board
    assert "Regulator hold" in board
    assert "Regulator hold" in page_of("mere", "/claims/?standing=closed")


def test_who_may_not_is_told(house: ClaimHouse) -> None:
    assert "Your role does not allow this" in reply("mere", STOP, kind="hold", reason="x")
    assert "Enter what is disputed" in reply("mere", STOP, kind="dispute", reason=" ")
    assert post("mere", STOP, kind="whim", reason="x").status_code == 400
    client = logged_in("nobody")
    answer = client.post(STOP, {"key": str(uuid.uuid4()), "kind": "dispute", "reason": "x"})
    assert answer.status_code == 403
    page = stop(house, "mere", "dispute", "Seat 4")
    assert "Queued" in page
    end = f"{ADDRESS}stops/{house.hit(1).stops[0]['entry']}/end/"
    assert "Your role does not allow this" in reply("aroha", end, finding="x")
    assert "Enter what was found" in reply("mere", end, finding="")
    assert "ended already, or was never opened" in reply(
        "mere", f"{ADDRESS}stops/1/end/", finding="x"
    )


def test_the_paper_shows_it(house: ClaimHouse) -> None:
    stop(house, "mere", "dispute", "Seat 4 says the hand was folded")
    assert "Seat 4 says the hand was folded" in page_of("tane", f"{ADDRESS}print/")
