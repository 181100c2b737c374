"""Webhooks under the roles of the database: who makes an endpoint, and what the worker does."""

from ipaddress import ip_network

import pytest
from django.db import ProgrammingError, connection, transaction
from django.utils import timezone
from pytest_django import Settings

from settlement.core.errors import WrongState
from settlement.events import reading
from settlement.models import WebhookDelivery, WebhookEvent
from settlement.webhooks import endpoints, outbox, sending
from settlement.webhooks.endpoints import NewEndpoint
from tables.alarms import raise_alarm
from tables.models import Casino
from tests.support.cases.confirmed_house import person
from tests.support.cases.webhook_receiver import receiving
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.suite.databases import FreshDatabase

ENDPOINT = NewEndpoint("x", "https://receiver.example/", ("claim.held",))


def test_the_database_asks_who_makes_an_endpoint(fresh_database: FreshDatabase) -> None:
    ClaimHouse()
    hana, casino = person("hana"), Casino.objects.get()
    with acting_as("web", logged_in=False):
        with pytest.raises(ProgrammingError, match="is not there"), transaction.atomic():
            endpoints.make(hana, casino, ENDPOINT)
        with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
            WebhookEvent.objects.create(kind="x", at=timezone.now(), data={}, source="x", row=1)
    with acting_as("web"):
        endpoint, _ = endpoints.make(hana, casino, ENDPOINT)
        with (
            pytest.raises(ProgrammingError, match="permission denied"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute("SELECT secret FROM settlement_webhookendpoint")
        endpoints.end(hana, endpoint)
        with pytest.raises(WrongState):
            endpoints.end(hana, endpoint)


def test_the_worker_does_all_of_it_by_its_own_role(
    fresh_database: FreshDatabase, settings: Settings
) -> None:
    settings.WEBHOOK_NETWORKS = [ip_network("127.0.0.0/8")]
    house = ClaimHouse()
    with receiving() as receiver:
        values = NewEndpoint("Signage", receiver.url, ("alarm.raised", "claim.held"))
        endpoint, _ = endpoints.make(person("hana"), house.system.casino, values)
        with acting_as("worker"):
            reading.collect(outbox.give_out)
        house.hit_royal()
        raise_alarm("broker", "b1", "Away")
        with acting_as("worker"):
            reading.collect(outbox.give_out)
            for number in sending.due():
                sending.send(number)
    assert receiver.numbers == [1, 2]
    endpoint.refresh_from_db()
    assert endpoint.last_number == 2
    assert {each.state for each in WebhookDelivery.objects.all()} == {"delivered"}
