"""Several transactions at once: nothing that is committed late is lost, and nothing comes twice."""

import datetime as dt
import threading
from unittest.mock import patch

from django.db import connection, transaction
from django.utils import timezone

from settlement.events import reading
from settlement.models import EventMark, WebhookDelivery, WebhookEndpoint, WebhookEvent
from settlement.webhooks import endpoints, outbox
from settlement.webhooks.endpoints import NewEndpoint
from tables.alarms import raise_alarm
from tables.models import Alarm
from tests.support.cases.confirmed_house import person
from tests.support.people.at_once import People
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.waiting import wait_until

ENDPOINT = NewEndpoint("Signage", "https://receiver.example/", ("alarm.raised", "claim.held"))


def collect() -> int:
    with acting_as("worker"):
        return reading.collect(outbox.give_out)


def test_a_lower_number_that_is_committed_later_is_not_lost(fresh_database: FreshDatabase) -> None:
    """However long its transaction took, by whichever clock."""
    house = ClaimHouse()
    endpoints.make(person("hana"), house.system.casino, ENDPOINT)
    collect()
    draw, commit = threading.Event(), threading.Event()

    def late() -> None:
        with transaction.atomic():
            raise_alarm("late", "a", "Late")
            draw.set()
            commit.wait(60)
        connection.close()

    thread = threading.Thread(target=late)
    thread.start()
    try:
        assert draw.wait(30)
        long_ago = timezone.now() - dt.timedelta(hours=1)
        with patch("django.utils.timezone.now", return_value=long_ago):  # of a slow clock
            raise_alarm("early", "b", "Early")
        for _ in range(2):
            collect()
    finally:
        commit.set()
        thread.join()

    collect()
    alarms = [each.data["alarm"] for each in WebhookEvent.objects.order_by("id")]
    assert alarms == ["early", "late"]

    def is_through() -> bool:
        # Transactions of other databases of the server hold marks back, too: other tests' here,
        # some of which are one transaction for minutes.
        collect()
        mark = EventMark.objects.get(source="alarms")
        return (mark.through, mark.handled) == (Alarm.objects.latest("id").pk, [])

    wait_until(is_through, timeout=600, what="the mark behind both alarms")
    assert WebhookEvent.objects.count() == 2


def test_two_collectors_at_once(fresh_database: FreshDatabase) -> None:
    house = ClaimHouse()
    endpoints.make(person("hana"), house.system.casino, ENDPOINT)
    house.hit_royal()
    raise_alarm("broker", "b1", "Away")
    people = People()
    try:
        people.press(WebhookEndpoint.objects.all(), collect, collect)
    finally:
        people.close()
    assert collect() == 0
    numbers = WebhookDelivery.objects.order_by("number").values_list("number", flat=True)
    assert list(numbers) == [1, 2]
