"""What catches up with the order: claims for hits, payouts for what was paid."""

import pytest

from settlement.claims import services as claims
from settlement.models import Claim, Payout
from tables.models import Alarm
from tests.support.people.cast import EarlyHouse

pytestmark = pytest.mark.django_db


def test_a_payment_behind_which_nobody_stands_is_alarmed_and_breaks_no_page() -> None:
    """A command that was queued past the services: the register stays without it."""
    house = EarlyHouse()
    house.hit_royal()
    held = house.hit(1).held
    house.decide("confirm_claim", hit=1, amount=held, payees=[{"seat": 3, "amount": held}])
    house.decide("pay", second=None, hit=1, line=1, parts={"cash": held})
    assert claims.catch_up(house.system) == 1
    assert claims.catch_up(house.system) == 0
    assert Claim.objects.get().number == 1
    assert not Payout.objects.exists()
    assert "no action of a cashier" in Alarm.objects.get(kind="payout_without_action").message
