"""A claim on an empty pool is verified, confirmed for nothing and closed, in true words."""

from typing import Any

import pytest
from django.db import connection

from jackpot.display import values as display
from jackpot.models import DisplayMessage
from jackpot.terms.money import MICROS
from settlement.claims import services as claims
from tests.support.pages.page_staff import page_of, reply, verify
from tests.support.people.cast import PASSWORD, ClaimHouse, action, read
from tests.support.suite.kept_house import kept_house
from verifier.check import look

pytestmark = pytest.mark.django_db


def build_house() -> ClaimHouse:
    """The pool was emptied, and displays said so, before the hand."""
    house = ClaimHouse()
    house.open("t3")
    house.press("t3")
    house.post()
    body: dict[str, Any] = {"tier": "royal", "source": "operator", "amount": -1_000_500_000}
    body |= {"reason": "A09", "evidence": "Letter 4", "below_reset": "The jackpot ends tonight"}
    assert not house.decide("adjust_pool", with_actions=True, **body).refused
    display.refresh(house.system.pk)
    house.call("t3")
    house.report("t3")
    house.post()
    claims.catch_up(house.system)
    assert (house.hit(1).held, house.balance("royal:pool")) == (0, 1000 * MICROS)
    return house


house = kept_house(build_house, CLAIM_WAIT_S=0)


def test_it_is_closed_with_nothing_due(house: ClaimHouse) -> None:
    assert "Nothing reserved for Royal Flush: its pool was empty" in page_of("mere")
    verify(house)
    assert "Confirm that nothing is due" in page_of("mere", "/")
    page = page_of("mere")
    assert "Nothing is due. The pool was empty at the time of the hand." in page
    assert "Confirm: nothing due" in page
    reply("mere", do="confirm", amount="0", password=PASSWORD)
    house.post()
    page = page_of("mere")
    assert "Closed: nothing was due" in page
    assert "Confirmed that nothing is due: closed" in page
    assert "Nothing is due: the pool was empty" in page  # what mere did
    assert "This claim is closed" in page
    assert "Closed Nothing was due" in page
    assert house.hit(1).state == "paid"
    display.refresh(house.system.pk)
    newest = DisplayMessage.objects.latest("id").payload["messages"]
    assert [each["text"] for each in newest] == ["ROYAL FLUSH WIN, TABLE 3: THE POOL WAS EMPTY"]
    assert look(connection.connection, settled=False).ok


def test_by_the_api(house: ClaimHouse) -> None:
    verify(house)
    sheet = read("/api/claims/main-1/")
    assert (sheet["due_micros"], sheet["nothing_due"], sheet["standing"]) == (0, True, "verified")
    answer = action("mere", "confirm", amount_micros=0, password=PASSWORD)
    assert answer.status_code == 202, answer.content
    house.post()
    sheet = read("/api/claims/main-1/")
    assert (sheet["nothing_due"], sheet["standing"], sheet["payees"]) == (False, "closed", [])
    assert sheet["held_micros"] == sheet["confirmed_micros"] == 0
