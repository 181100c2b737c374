"""An intake with another sealing key than the one that sealed the keys of its units."""

from collections.abc import Callable, Mapping

from pytest_django import Settings

from tables.intake.key_faults import ALARM
from tables.intake.loop import Intake
from tables.intake.readiness import intake_checks
from tables.models import Alarm, Quarantine, TableEvent
from tables.unit.unit import TableUnit
from tests.support.servers.services import Broker
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.waiting import wait_until
from tests.support.units.running_intake import RunningIntake, new_instance
from tests.support.units.table_units import KEY, make_table

MakeUnit = Callable[..., TableUnit]
OLD, NEW = "11" * 32, "22" * 32


def faults(intake: Intake) -> Mapping[str, str]:
    """As its readiness says them."""
    return dict(intake_checks(intake))["keys"]()


def test_it_acknowledges_nothing_says_why_and_loses_nothing(
    fresh_database: FreshDatabase, broker: Broker, make_unit: MakeUnit, settings: Settings
) -> None:
    settings.UNIT_KEYS_KEY = OLD
    table_ref, instance = make_table(key=KEY), new_instance()
    with RunningIntake(instance) as running:
        unit = make_unit(table_ref)
        unit.press()
        assert unit.wait_recorded(1)
        settings.UNIT_KEYS_KEY = NEW
        for _ in range(3):
            unit.press()
        wait_until(lambda: faults(running.intake), 60)  # which it says once the alarm is raised
        (fault,) = faults(running.intake).values()
        assert "of this process" in fault
        assert unit.receipts.committed_seq == 1
        assert (TableEvent.objects.count(), Quarantine.objects.count()) == (1, 0)
        settings.UNIT_KEYS_KEY = f"{NEW} {OLD}"
        assert unit.wait_recorded(4)
        assert not faults(running.intake)
    alarm = Alarm.objects.get(kind=ALARM)
    assert alarm.subject == f"intake {instance}"
    assert "Put that key there, too, behind the present one" in alarm.message
    assert alarm.count == 1  # of many attempts
    assert (TableEvent.objects.count(), Quarantine.objects.count()) == (4, 0)
