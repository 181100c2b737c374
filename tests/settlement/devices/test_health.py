"""How devices are: the clock of a unit that is there, and gaps of every boot."""

import datetime as dt

import pytest
from django.utils import timezone

from settlement.devices.health import Health, health_of
from tables.models import GamingTable, Stream, UnitPresence
from tests.support.people.roles import acting_as

pytestmark = pytest.mark.django_db
HOUR = dt.timedelta(hours=1)


def test_a_clock_is_of_now_and_a_gap_of_any_boot(t7: GamingTable) -> None:
    def health() -> Health:
        (one,) = (each for each in health_of(t7.system) if each.table == t7)
        return one

    Stream.objects.filter(table=t7).delete()
    UnitPresence.objects.filter(table=t7).delete()
    assert (health().state, health().clock, health().is_ailing) == ("unheard", None, False)
    now = timezone.now()
    presence = UnitPresence.objects.create(
        table=t7, online=True, boot=7, said_at=now + HOUR, heard_at=now
    )
    assert (health().state, health().clock, health().is_ailing) == ("online", HOUR, True)
    for state, online, ago in (("offline", False, 0), ("silent", True, 60)):
        presence.online, presence.heard_at = online, now - dt.timedelta(seconds=ago)
        presence.save()
        assert (health().state, health().clock, health().is_ailing) == (state, None, False)
    row = {"system": t7.system, "table": t7}
    before, _newest = (Stream.objects.create(**row, boot=boot) for boot in (7, 8))
    with acting_as("intake"):  # it alone says what it holds
        Stream.objects.filter(pk=before.pk).update(last_seq=5)
    assert health().facts["boot"] == 8
    assert health().is_ailing
    Stream.objects.filter(pk=before.pk).update(discarded=True)
    assert not health().is_ailing
