"""Adjusting a pool on its page."""

import pytest
from pytest_django import Settings

from settlement.models import Proposal
from tests.pages.staff import logged_in, refused, shown, told
from tests.settlement.cast import PASSWORD, ClaimHouse

pytestmark = pytest.mark.django_db
POOL = "/pools/main/royal/"
FORM = f"{POOL}adjust/"
SAID = {
    "into": "pool",
    "way": "up",
    "amount": "25.50",
    "source": "drop",
    "reason": "A06",
    "evidence": "Count sheet 17",
}


@pytest.fixture
def house(settings: Settings) -> ClaimHouse:
    settings.CLAIM_WAIT_S = 0
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    return ClaimHouse()


def test_one_proposes_and_another_agrees_with_the_password(house: ClaimHouse) -> None:
    assert "A06 Count variance" in shown("sione", FORM)
    page = told("sione", FORM, **SAID)
    assert "nothing moves until somebody else agrees" in page
    assert "Pool up by NZD 25.50 from the drop" in page
    assert "somebody else must agree" in page
    assert "sione proposes to adjust a pool" in (page := shown("mere", "/"))
    assert "Royal Flush, Main floor" in page
    proposal = Proposal.objects.get()
    agree = f"/proposals/{proposal.pk}/agree/"
    assert "not your password" in told("mere", agree, password="guess")
    assert "Agreed and queued" in told("mere", agree, password=PASSWORD)
    house.post()
    page = shown("tane", POOL)
    assert "A06 Count variance Count sheet 17" in page
    assert "mere agreed" in page
    assert "1,000.00 1,025.50 Posted" in page
    assert "Adjusted up from the drop" in page
    assert "proposes to adjust" not in shown("mere", "/")
    assert "Adjusted up" in shown("tane", f"{POOL}?kind=adjustments")


def test_what_is_missing_is_said_beside_it(house: ClaimHouse) -> None:
    page = refused("sione", FORM, into="pool", way="down", source="drop", amount="0")
    assert "An adjustment by nothing changes nothing." in page
    assert "Choose one of the reasons." in page
    assert "Say what the evidence is." in page
    assert "This is not an amount" in refused("sione", FORM, **{**SAID, "amount": "lots"})
    assert "Give the amount." in refused("sione", FORM, **{**SAID, "amount": ""})
    assert not Proposal.objects.exists()


def test_it_can_be_withdrawn(house: ClaimHouse) -> None:
    told("sione", FORM, **{**SAID, "way": "down"})
    withdraw = f"/proposals/{Proposal.objects.get().pk}/withdraw/"
    assert "Say why the proposal is withdrawn" in told("sione", withdraw, note="")
    page = told("sione", withdraw, note="The count was right")
    assert "Pool down by NZD 25.50 back to the drop" in page
    assert "Withdrawn sione" in page
    assert "The count was right" in page


def test_only_those_who_may(house: ClaimHouse) -> None:
    assert logged_in("aroha").get(FORM).status_code == 403
    assert "Adjust" not in shown("aroha", POOL).split("What moved it")[0]
    told("mere", FORM, **SAID)
    agree = f"/proposals/{Proposal.objects.get().pk}/agree/"
    assert "You proposed this" in told("mere", agree, password=PASSWORD)
    assert "Your role does not allow this" in told("sione", agree, password=PASSWORD)
    assert logged_in("mere").post("/proposals/99/agree/").status_code == 404
