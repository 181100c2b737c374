"""Sending: each endpoint by one worker at a time, the oldest first, again with growing pauses.

An endpoint that does not answer, answers 5xx, 408 or 429, is left alone for a while with all that
waits for it, in its order; what it refuses otherwise is tried again by itself. After WEBHOOK_DAYS
days a delivery is given up, and an alarm says so: of an endpoint that does not answer, all that are
as old. An attempt is counted before the call, so that a worker that dies in it has paused, too.
"""

from __future__ import annotations

import datetime as dt
import json
import time

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, Min, Q, QuerySet
from django.utils import timezone

from settlement.core.errors import WrongState
from settlement.core.words.house_alarms import HouseAlarm
from settlement.models import WebhookDelivery, WebhookEndpoint
from settlement.people.shared.sealing import WEBHOOK, unseal
from settlement.webhooks import signing
from settlement.webhooks.calls import pause, post
from tables.alarms import raise_alarm

State = WebhookDelivery.State
DEAD = "webhook_dead"  # an alarm
AT_ONCE = 2  # endpoints; the worker's other processes are for the rest of its work
LONGEST_S = 60.0  # of one endpoint, before others have their turn
_CLAIM = dt.timedelta(minutes=2)
_DOWN = (408, 429)
_ALONE = "SELECT pg_advisory_xact_lock(hashtext('webhooks at once'), 0)"


def due() -> list[int]:
    """Endpoints for which something is to be sent now, as many as may be sent to beside those that
    are: whose turn was the longest ago first."""
    waiting = WebhookDelivery.objects.filter(state=State.WAITING, next_at__lte=timezone.now())
    endpoints = _open().filter(pk__in=waiting.values("endpoint"))
    turns = endpoints.order_by(F("claimed_until").asc(nulls_first=True), "pk")
    return list(turns.values_list("pk", flat=True)[: max(AT_ONCE - _busy(), 0)])


def send(number: int) -> None:
    """Everything that is due for one endpoint; nothing where another worker is at it, or as many
    as may be are at others."""
    if not _claimed(number):
        return
    endpoint = WebhookEndpoint.objects.get(pk=number)
    until = time.monotonic() + LONGEST_S
    try:
        while (delivery := _next(endpoint)) and time.monotonic() < until:
            if not _attempt(endpoint, delivery):
                break
    finally:
        WebhookEndpoint.objects.filter(pk=number).update(claimed_until=timezone.now())


@transaction.atomic
def _claimed(number: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(_ALONE)
    until = timezone.now() + _CLAIM
    return _busy() < AT_ONCE and bool(_open().filter(pk=number).update(claimed_until=until))


def _busy() -> int:
    return WebhookEndpoint.objects.filter(claimed_until__gt=timezone.now()).count()


def _open() -> QuerySet[WebhookEndpoint]:
    now = timezone.now()
    free = Q(claimed_until=None) | Q(claimed_until__lte=now)
    rested = Q(not_before=None) | Q(not_before__lte=now)
    return WebhookEndpoint.objects.filter(free, rested, ended_at=None)


def _next(endpoint: WebhookEndpoint) -> WebhookDelivery | None:
    rows = WebhookDelivery.objects.filter(
        endpoint=endpoint,
        endpoint__ended_at=None,
        state=State.WAITING,
        next_at__lte=timezone.now(),
    )
    return rows.select_related("event__system").order_by("number").first()


def _attempt(endpoint: WebhookEndpoint, delivery: WebhookDelivery) -> bool:
    """Whether the next one may be tried at once."""
    own = WebhookDelivery.objects.filter(pk=delivery.pk)
    here = WebhookEndpoint.objects.filter(pk=endpoint.pk)
    own.update(attempts=F("attempts") + 1)
    here.update(failures=F("failures") + 1, not_before=timezone.now() + pause(endpoint.failures))
    status, fault = _post(endpoint, delivery)
    now = timezone.now()
    own.update(status=status, fault=fault[:200])
    if status is not None and 200 <= status < 300:
        own.update(state=State.DELIVERED, ended_at=now)
        here.update(failures=0, not_before=None)
        endpoint.failures = 0
        return True
    if status is None or status >= 500 or status in _DOWN:
        rests_until = now + pause(endpoint.failures)
        here.update(not_before=rests_until)
        _give_up(endpoint, delivery, endpoint.deliveries.all(), rests_until)
        return False
    next_at = now + pause(delivery.attempts)
    own.update(next_at=next_at)
    here.update(not_before=None)
    endpoint.failures += 1
    _give_up(endpoint, delivery, own, next_at)
    return True


def _give_up(
    endpoint: WebhookEndpoint,
    delivery: WebhookDelivery,
    rows: QuerySet[WebhookDelivery],
    next_at: dt.datetime,
) -> None:
    """Those that would be too old at their next attempt, with one alarm."""
    oldest = next_at - dt.timedelta(days=settings.WEBHOOK_DAYS)
    late = rows.filter(state=State.WAITING, wanted_at__lt=oldest)
    if late.update(state=State.DEAD, ended_at=timezone.now()):
        _tell(endpoint, delivery)


def body_of(delivery: WebhookDelivery) -> bytes:
    """What is sent: the same bytes at each attempt."""
    event = delivery.event
    data = {"number": delivery.number, **event.data}
    document = {"type": event.kind, "timestamp": event.at.isoformat(), "data": data}
    return json.dumps(document, separators=(",", ":")).encode()


def message_of(delivery: WebhookDelivery) -> str:
    """Its name, by which a receiver knows what it has already.

    Drawn at random: numbers come again where the database is restored from a backup.
    """
    return f"msg_{delivery.message.hex}"


def _post(endpoint: WebhookEndpoint, delivery: WebhookDelivery) -> tuple[int | None, str]:
    """The status of the answer, if there was one, and what went wrong."""
    now = timezone.now()
    sealed = [bytes(endpoint.secret)]
    if endpoint.old_until is not None and endpoint.old_until > now:
        sealed.append(bytes(endpoint.old_secret or b""))
    try:
        secrets = [unseal(each, WEBHOOK) for each in sealed]
    except WrongState as fault:
        return None, str(fault)
    if secrets[0] is None:
        return None, "The secret cannot be opened: WEBHOOK_KEY is another one."
    body = body_of(delivery)
    texts = [each.decode() for each in secrets if each is not None]
    headers = signing.headers(texts, message_of(delivery), now, body)
    headers |= {"Content-Type": "application/json", "User-Agent": "jackpot-console"}
    return post(endpoint.url, body, headers)


def _tell(endpoint: WebhookEndpoint, delivery: WebhookDelivery) -> None:
    dead = WebhookDelivery.objects.filter(endpoint=endpoint, state=State.DEAD)
    first = dead.aggregate(first=Min("number"))["first"]
    raise_alarm(
        DEAD,
        f"{endpoint.pk} {endpoint.name}",
        HouseAlarm.DEAD_WEBHOOK
        % {"webhook": endpoint.name, "days": settings.WEBHOOK_DAYS, "number": first},
        delivery.event.system,
    )
