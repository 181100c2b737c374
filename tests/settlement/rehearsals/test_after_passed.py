"""A rehearsal that passed and goes on taking play is shown outside, and alarms an open casino."""

import pytest
from django.utils import timezone

from settlement.models import SetUpChange
from settlement.rehearsals import watch
from settlement.set_up.rehearsal_steps import rehearsals
from settlement.tasks import watch_rehearsals
from tables.alarms import clear_alarm
from tables.models import Alarm, DisplayReading, GamingTable, UnitPresence
from tests.support.houses.rehearsals import CODE, RehearsalHouse
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]


house = kept_house(ClaimHouse, CLAIM_WAIT_S=0)


def passed(house: ClaimHouse) -> RehearsalHouse:
    rehearsal = RehearsalHouse(house)
    rehearsal.take_to_the_end()
    table = GamingTable.objects.get(system=rehearsal.system, code="t3")
    now = timezone.now()
    UnitPresence.objects.create(
        table=table, online=False, boot=1, connection=1, last_seq=0, said_at=now, heard_at=now
    )
    DisplayReading.objects.create(
        table=table, display="d", said_at=now, received_at=now, system_seq=1, terms=1, shown={}
    )
    (row,) = rehearsals([house.system.casino])
    assert row.is_passed
    return rehearsal


def overview() -> str:
    return words(logged_in("mere").get("/"))


def opened(house: ClaimHouse) -> None:
    SetUpChange.objects.create(
        by="hana", kind="casino", casino=house.system.casino, what="opened", before={}, after={}
    )


def alarms() -> list[Alarm]:
    with acting_as("worker"):
        watch_rehearsals()
    return list(Alarm.objects.filter(kind=watch.ALARM).order_by("id"))


def test_the_overview_shows_it_while_it_is_in_use(house: ClaimHouse) -> None:
    rehearsal = passed(house)
    assert "still in use" not in overview()
    UnitPresence.objects.filter(table__system=rehearsal.system).update(online=True)
    assert "has passed, and is still in use" in overview()
    UnitPresence.objects.filter(table__system=rehearsal.system).update(online=False)
    assert "still in use" not in overview()
    rehearsal.hit_royal()
    assert "decide the open claims" in overview()


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
