"""The overview of the console shows a rehearsal that passed and is still in use."""

import pytest

from tables.models import UnitPresence
from tests.support.houses.rehearsals import passed
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.cast import ClaimHouse
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]

house = kept_house(ClaimHouse, CLAIM_WAIT_S=0)


def overview() -> str:
    return words(logged_in("mere").get("/"))


def test_the_overview_shows_it_while_it_is_in_use(house: ClaimHouse) -> None:
    rehearsal = passed(house)
    assert "still in use" not in overview()
    UnitPresence.objects.filter(table__system=rehearsal.system).update(online=True)
    assert "has passed, and is still in use" in overview()
    UnitPresence.objects.filter(table__system=rehearsal.system).update(online=False)
    assert "still in use" not in overview()
    rehearsal.hit_royal()
    assert "decide the open claims" in overview()
