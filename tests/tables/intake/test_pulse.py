"""What an intake leaves of itself: when it was heard last, of which release, and its log-in."""

from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.utils import timezone
from pytest_django import Settings

from settlement.devices.intakes import intakes
from settlement.devices.unit_states import UnitState
from tables.intake.heartbeat import STAND_IN
from tables.intake.loop import Intake
from tables.intake.pulse import EVERY_S, Pulse
from tables.models import IntakePulse
from tests.support.people.roles import acting_as
from tests.support.servers.services import Broker
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.waiting import wait_until
from tests.support.units.running_intake import RunningIntake, drive, new_instance
from tests.support.units.table_units import make_table


def test_an_intake_leaves_when_it_was_heard_and_of_which_release(
    fresh_database: FreshDatabase, broker: Broker
) -> None:
    make_table()
    with RunningIntake() as running:
        wait_until(lambda: IntakePulse.objects.exists(), what="its own word from the broker")
    pulse = IntakePulse.objects.get()
    assert (pulse.name, pulse.release) == (running.intake.instance, settings.CONSOLE_VERSION)


def test_a_stand_in_leaves_that_it_works_for_the_one_of_its_name(
    fresh_database: FreshDatabase, broker: Broker
) -> None:
    make_table()
    name = new_instance()
    intake = Intake(name, is_stand_in=True)
    intake.start()
    try:
        assert intake.link.wait_connected(60)
        drive(intake, IntakePulse.objects.exists)
    finally:
        intake.stop()
    (state,) = intakes(timezone.now())
    assert (state.name, state.state) == (name, UnitState.STAND_IN)
    assert state.heard_at is None, "the intake itself was not heard"


@pytest.mark.django_db
def test_it_is_written_again_once_it_was_heard_and_ten_seconds_are_over(settings: Settings) -> None:
    settings.MQTT_URL = urlsplit("mqtt://console%2Fintake-1:secret@127.0.0.1")
    pulse = Pulse("intake-1")

    def after(now: float) -> IntakePulse | None:
        with acting_as("intake"):
            pulse.tend(now)
        return IntakePulse.objects.first()

    assert after(0.0) is None
    pulse.hear()
    first = after(0.0)
    assert first is not None
    assert first.username == "console/intake-1"
    pulse.hear()
    for now, is_newer in ((EVERY_S - 0.1, False), (EVERY_S, True)):
        row = after(now)
        assert row is not None
        assert (row.heard_at > first.heard_at) == is_newer
    last = after(5 * EVERY_S)
    assert last is not None
    assert row is not None
    assert last.heard_at == row.heard_at, "nothing was heard since"


@pytest.mark.django_db
@pytest.mark.parametrize("length", [71, 72, 80, 200])
def test_a_stand_in_of_a_long_name_writes_no_row_of_its_intake(length: int) -> None:
    def leave(name: str) -> UnitState:
        pulse = Pulse(name)
        pulse.hear()
        pulse.tend(0.0)
        (state,) = intakes(timezone.now())
        return state.state

    name = "i" * length
    assert leave(f"{name}{STAND_IN}") == UnitState.STAND_IN
    assert leave(name) == UnitState.ONLINE
    assert IntakePulse.objects.count() == 2
