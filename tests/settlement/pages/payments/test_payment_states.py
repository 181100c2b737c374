"""Payments that are withheld, unclaimed or forfeited, on the claim's page."""

import pytest
from pytest_django import Settings

from settlement.models import Proposal
from tests.support.cases.confirmed_house import ConfirmedHouse
from tests.support.pages.page_staff import page_of, refused, reply
from tests.support.people.cast import PASSWORD
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db


house = kept_house(ConfirmedHouse, CLAIM_WAIT_S=0)


def test_withhold_and_release(house: ConfirmedHouse) -> None:
    assert "Enter a reason." in refused("aroha", do="withhold", line="1", reason="")
    reply("aroha", do="withhold", line="1", reason="No passport yet")
    house.post()
    page = page_of("aroha")
    assert "Seat 3 Withheld" in page
    assert "A payment is withheld" in page
    assert "Pay seat 3" not in page
    assert "Withheld a payment Seat 3: No passport yet" in page
    assert "Payment withheld" in page
    reply("mere", do="release", line="1", reason="The passport is here")
    house.post()
    assert "Pay seat 3" in page_of("aroha")


def test_unclaimed_is_offered_once_the_time_is_over(
    house: ConfirmedHouse, settings: Settings
) -> None:
    assert "can be booked as unclaimed from" in page_of("mere")
    assert "Book as unclaimed" not in page_of("mere")
    assert "are not over" in refused("mere", do="unclaimed", line="1")
    settings.UNCLAIMED_AFTER_DAYS = 0
    assert "Book as unclaimed" not in page_of("aroha")
    assert "Book as unclaimed" in page_of("mere")
    reply("mere", do="unclaimed", line="1")
    house.post()
    page = page_of("aroha")
    assert "Seat 3 Unclaimed" in page
    assert "Pay seat 3" in page


def test_forfeit_by_two(house: ConfirmedHouse) -> None:
    page = reply("aroha", do="propose_forfeit", line="1", reason="Barred by law")
    assert "to forfeit the payment to seat 3: Barred by law Somebody else must approve it." in page
    assert "aroha proposes to forfeit a payment" in page_of("david", "/")
    agree = f"/proposals/{Proposal.objects.get().pk}/agree/"
    assert "not your password" in reply("david", agree, password="guess")
    assert "Agreed and queued" in reply("david", agree, password=PASSWORD)
    house.post()
    page = page_of("tane")
    assert "Seat 3 Forfeited" in page
    assert "Closed, partly unpaid" in page
    assert "Agreed to forfeit" in page
    assert "Payment forfeited" in page
    assert "Forfeited prize returned" in page_of("tane", "/pools/main/royal/")
    assert "Other options for seat" not in page


def test_what_cannot_be_read_is_said(house: ConfirmedHouse) -> None:
    assert "cannot be read" in refused("aroha", do="withhold", line="first", reason="x")
    assert "Only a confirmed claim has payments" in refused(
        "aroha", do="withhold", line="7", reason="x"
    )
