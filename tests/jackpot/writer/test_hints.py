"""What the writer hints at after a commit."""

import pytest

from settlement.tasks import open_claims
from tests.support.play.books import royal_terms
from tests.support.play.house import House

pytestmark = pytest.mark.django_db

DISPLAYS, CLAIMS = "jackpot.display.tasks.refresh_display", open_claims.name


def test_displays_hear_of_every_entry_and_claims_of_those_about_a_hit() -> None:
    house = House(royal_terms())
    house.open("t3")
    house.press("t3")
    house.post()
    assert set(house.poster.hints._due) == {(DISPLAYS, house.system.pk)}
    house.call("t3")
    house.post()
    assert set(house.poster.hints._due) == {(DISPLAYS, house.system.pk), (CLAIMS, house.system.pk)}
