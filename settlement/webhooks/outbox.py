"""The outbox: what happened becomes events, and each endpoint's deliveries."""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from settlement.events.sources import Happening
from settlement.models import WebhookDelivery, WebhookEndpoint, WebhookEvent
from settlement.people.rights.roles import held
from tables.models import Casino


def give_out(happenings: list[Happening]) -> None:
    """Each endpoint's deliveries, numbered without a gap under a lock of the endpoint; events of
    what an endpoint wants alone."""
    endpoints = list(
        WebhookEndpoint.objects.filter(ended_at=None).order_by("pk").select_for_update()
    )
    rows_by_endpoint = {
        endpoint.pk: [each for each in happenings if _is_for(each, endpoint)]
        for endpoint in endpoints
    }
    events = {
        each.key: WebhookEvent(
            kind=each.kind,
            system=each.system,
            at=each.at,
            data=each.data,
            source=each.source,
            row=each.row,
        )
        for each in happenings
        if any(each in rows for rows in rows_by_endpoint.values())
    }
    WebhookEvent.objects.bulk_create(events.values())
    now = timezone.now()
    for endpoint in endpoints:
        rows = rows_by_endpoint[endpoint.pk]
        WebhookDelivery.objects.bulk_create(
            WebhookDelivery(
                endpoint=endpoint, number=number, event=events[each.key], next_at=now, wanted_at=now
            )
            for number, each in enumerate(rows, start=endpoint.last_number + 1)
        )
        if rows:
            mine = WebhookEndpoint.objects.filter(pk=endpoint.pk)
            mine.update(last_number=F("last_number") + len(rows))


def _is_for(event: Happening, endpoint: WebhookEndpoint) -> bool:
    """An alarm of no system is of every casino: for endpoints of who sees them all."""
    system = event.system
    if event.kind not in endpoint.events or (system is not None and system.is_rehearsal):
        return False
    if system is None:
        person = get_user_model().objects.defer("password").get(pk=endpoint.person_id)
        sees_all = held(person).is_everywhere or Casino.objects.count() == 1
        return endpoint.systems is None and sees_all
    if endpoint.systems is not None:
        return system.pk in endpoint.systems
    return system.casino_id == endpoint.casino_id


def prune() -> int:
    """Remove deliveries that were taken WEBHOOK_KEEP_DAYS ago, and events of none; how many."""
    oldest = timezone.now() - dt.timedelta(days=settings.WEBHOOK_KEEP_DAYS)
    deliveries = WebhookDelivery.objects.filter(state="delivered", ended_at__lt=oldest)
    count: int = deliveries.delete()[0]
    of_it = WebhookDelivery.objects.filter(event=OuterRef("pk"))
    WebhookEvent.objects.filter(~Exists(of_it), at__lt=oldest).delete()
    return count
