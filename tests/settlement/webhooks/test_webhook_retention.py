"""What is read from where, which rows are kept how long, and what the page says of them."""

import pytest
from django.db import IntegrityError, transaction
from pytest_django import Settings

from settlement import tasks
from settlement.models import WebhookDelivery, WebhookEvent
from settlement.webhooks import endpoints
from tables.alarms import raise_alarm
from tests.support.cases.webhook_receiver import Receiver, endpoint_of, send_all
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.cast import ClaimHouse

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]


def test_a_system_made_while_the_worker_was_away_is_told_whole(receiver: Receiver) -> None:
    house = ClaimHouse()
    endpoint_of(receiver, "claim.held")
    house.hit_royal()  # and nobody has read anything yet
    send_all()
    assert receiver.types == ["claim.held"]


def test_events_are_kept_where_a_webhook_wants_them(receiver: Receiver) -> None:
    house = ClaimHouse()
    endpoint_of(receiver, "alarm.raised")
    house.hit_royal()
    raise_alarm("broker", "b1", "Away")
    send_all()
    assert list(WebhookEvent.objects.values_list("kind", flat=True)) == ["alarm.raised"]


def test_what_was_taken_goes_and_what_waits_stays(receiver: Receiver, settings: Settings) -> None:
    house = ClaimHouse()
    endpoint = endpoint_of(receiver, "claim.held", "alarm.raised")
    house.hit_royal()
    send_all()
    receiver.status = 422
    raise_alarm("broker", "b1", "Away")
    send_all()
    settings.WEBHOOK_KEEP_DAYS = 0
    tasks.prune_exports()
    (left,) = WebhookDelivery.objects.all()
    assert (left.number, left.state, left.event.kind) == (2, "waiting", "alarm.raised")
    assert WebhookEvent.objects.count() == 1
    with pytest.raises(IntegrityError, match="was not taken"), transaction.atomic():
        left.delete()
    (row,) = endpoints.endpoints()
    assert (row.pk, getattr(row, "waiting", None), getattr(row, "dead", None)) == (
        endpoint.pk,
        1,
        0,
    )


def test_the_page_says_how_many_are_sent_again(receiver: Receiver) -> None:
    house = ClaimHouse()
    endpoint = endpoint_of(receiver, "claim.held")
    house.hit_royal()
    send_all()
    client = logged_in("hana")
    address = f"/webhooks/{endpoint.pk}/"
    again = client.post(address, {"do": "replay", "first": 1}, follow=True)
    assert "1 delivery will be sent again." in words(again)
    house.hit_royal("t7")
    send_all()
    again = client.post(address, {"do": "replay", "first": 1}, follow=True)
    assert "2 deliveries will be sent again." in words(again)
    receiver.status = 503
    send_all()
    assert "Not responding" in words(client.get(address))
