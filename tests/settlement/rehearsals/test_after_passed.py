"""Play in a rehearsal that passed alarms a casino that is open."""

import pytest

from settlement.models import SetUpChange
from settlement.rehearsals import watch
from settlement.tasks import watch_rehearsals
from tables.alarms import clear_alarm
from tables.models import Alarm
from tests.support.houses.rehearsals import CODE, passed
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]

house = kept_house(ClaimHouse, CLAIM_WAIT_S=0)


def opened(house: ClaimHouse) -> None:
    SetUpChange.objects.create(
        by="hana", kind="casino", casino=house.system.casino, what="opened", before={}, after={}
    )


def alarms() -> list[Alarm]:
    with acting_as("worker"):
        watch_rehearsals()
    return list(Alarm.objects.filter(kind=watch.ALARM).order_by("id"))


def test_play_in_it_alarms_once_the_casino_is_open(house: ClaimHouse) -> None:
    rehearsal = passed(house)
    rehearsal.press("t3")
    rehearsal.post()
    assert alarms() == []
    opened(house)
    assert alarms() == []  # it was before
    rehearsal.press("t3")
    rehearsal.post()
    (alarm,) = alarms()
    assert (alarm.system, alarm.subject) == (house.system, CODE)
    assert "Give the unit the code of its real table" in alarm.message
    clear_alarm(alarm, "mere", "Done")
    assert len(alarms()) == 1
    rehearsal.press("t3")
    rehearsal.post()
    assert len(alarms()) == 2


def test_an_open_casino_rehearses_another_system_in_peace(house: ClaimHouse) -> None:
    opened(house)
    passed(house)
    assert alarms() == []
