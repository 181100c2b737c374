"""Printing the slip of a payment on the claim's page."""

import pytest
from pytest_django import Settings

from settlement.claims import services as claims
from settlement.models import Payout
from tests.support.pages.page_staff import cashed, confirm, logged_in, page_of, verify
from tests.support.people.cast import ClaimHouse

pytestmark = pytest.mark.django_db


def test_the_cashier_prints_the_slip_and_then_copies(settings: Settings) -> None:
    settings.CLAIM_WAIT_S = 0
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    house = ClaimHouse()
    house.hit_royal()
    verify(house)
    confirm(house)
    cashed(house.hit(1).held // 1_000_000)
    house.post()
    claims.catch_up(house.system)
    address = f"/payouts/{Payout.objects.get().pk}/slip/"
    assert "Print the slip" in page_of("aroha")
    assert "Print the slip" not in page_of("tane")
    for name in ("slip-MAIN-1-1-1.pdf", "slip-MAIN-1-1-1-copy-1.pdf"):
        answer = logged_in("aroha").post(address)
        assert answer["Content-Type"] == "application/pdf"
        assert answer["Content-Disposition"] == f'inline; filename="{name}"'
        assert answer.content.startswith(b"%PDF")
    assert "Print copy 2 of the slip" in page_of("mere")
    assert logged_in("aroha").get(address).status_code == 405  # looking prints nothing
    assert logged_in("tane").post(address).status_code == 403
    assert logged_in("aroha").post("/payouts/999999/slip/").status_code == 404
