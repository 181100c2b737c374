"""The text that says what is new: lists, alarms and notifications each have a part of it."""

import pytest

from settlement.core.activity import activity
from settlement.tasks import collect_webhooks
from tables.alarms import raise_alarm
from tests.support.people.cast import ClaimHouse

pytestmark = pytest.mark.django_db


def test_each_part_changes_by_its_own() -> None:
    house = ClaimHouse()
    collect_webhooks()
    start = activity().split(".")
    raise_alarm("gap", "t3", "An alarm of the test", house.system)
    with_alarm = activity().split(".")
    assert [with_alarm[at] == start[at] for at in range(3)] == [True, False, True]
    collect_webhooks()
    notified = activity().split(".")
    assert [notified[at] == with_alarm[at] for at in range(3)] == [True, True, False]
    house.hit_royal("t3")
    hit = activity().split(".")
    assert [hit[at] == notified[at] for at in range(3)] == [False, True, True]
