"""Sending: each endpoint by one worker at a time, the oldest first, again with growing pauses.

An endpoint that does not answer, answers 5xx, 408 or 429, is left alone for a while with all that
waits for it; what it refuses otherwise is tried again by itself. After WEBHOOK_DAYS days a delivery
is given up, and an alarm says so. No redirect is followed; unless WEBHOOK_PRIVATE says otherwise,
only public addresses are called, over HTTPS; a name is looked up once for check and call alike.
"""

from __future__ import annotations

import datetime as dt
import ipaddress
import json
import secrets
import socket
import time

from django.conf import settings
from django.db.models import F, Min, Q, QuerySet
from django.utils import timezone

from jackpot.transparency import witness_client
from jackpot.transparency.witness_client import Silent
from settlement.models import WebhookDelivery, WebhookEndpoint
from settlement.people.sealing import unseal
from settlement.webhooks import signing
from tables.alarms import raise_alarm

State = WebhookDelivery.State
PURPOSE = "webhook"
DEAD = "webhook_dead"  # an alarm
WITHIN_S = 10.0  # of one attempt
LONGEST_S = 60.0  # of one endpoint, before others have their turn
_CLAIM = dt.timedelta(minutes=2)
_FIRST_S, _LONGEST_WAIT_S = 5.0, 3600.0
_DOWN = (408, 429)


def due() -> list[int]:
    """The endpoints for which something is to be sent now."""
    waiting = WebhookDelivery.objects.filter(state=State.WAITING, next_at__lte=timezone.now())
    endpoints = _open().filter(pk__in=waiting.values("endpoint"))
    return list(endpoints.values_list("pk", flat=True))


def send(number: int) -> None:
    """Everything that is due for one endpoint; nothing where another worker is at it."""
    now = timezone.now()
    if not _open().filter(pk=number).update(claimed_until=now + _CLAIM):
        return
    endpoint = WebhookEndpoint.objects.get(pk=number)
    until = time.monotonic() + LONGEST_S
    try:
        while (delivery := _next(endpoint)) and time.monotonic() < until:
            if not _attempt(endpoint, delivery):
                break
    finally:
        WebhookEndpoint.objects.filter(pk=number).update(claimed_until=None)


def _open() -> QuerySet[WebhookEndpoint]:
    now = timezone.now()
    free = Q(claimed_until=None) | Q(claimed_until__lt=now)
    rested = Q(not_before=None) | Q(not_before__lte=now)
    return WebhookEndpoint.objects.filter(free, rested, ended_at=None)


def _next(endpoint: WebhookEndpoint) -> WebhookDelivery | None:
    rows = WebhookDelivery.objects.filter(
        endpoint=endpoint, state=State.WAITING, next_at__lte=timezone.now()
    )
    return rows.select_related("event__system").order_by("number").first()


def _attempt(endpoint: WebhookEndpoint, delivery: WebhookDelivery) -> bool:
    """Whether the next one may be tried at once."""
    status, fault = _post(endpoint, delivery)
    now = timezone.now()
    own = WebhookDelivery.objects.filter(pk=delivery.pk)
    outcome = {"attempts": F("attempts") + 1, "status": status, "fault": fault[:200]}
    if status is not None and 200 <= status < 300:
        own.update(**outcome, state=State.DELIVERED, ended_at=now)
        WebhookEndpoint.objects.filter(pk=endpoint.pk).update(failures=0, not_before=None)
        return True
    wait = pause(delivery.attempts)
    if now + wait > delivery.wanted_at + dt.timedelta(days=settings.WEBHOOK_DAYS):
        own.update(**outcome, state=State.DEAD, ended_at=now)
        _tell(endpoint, delivery)
    else:
        own.update(**outcome, next_at=now + wait)
    is_down = status is None or status >= 500 or status in _DOWN
    WebhookEndpoint.objects.filter(pk=endpoint.pk).update(
        failures=F("failures") + 1,
        not_before=now + pause(endpoint.failures) if is_down else None,
    )
    return not is_down


def pause(failures: int) -> dt.timedelta:
    """Until the next attempt: 5 s, doubled each time up to an hour, and up to a fifth more."""
    seconds = min(_FIRST_S * 2 ** min(failures, 20), _LONGEST_WAIT_S)
    return dt.timedelta(seconds=seconds * (1 + secrets.randbelow(200) / 1000))


def body_of(delivery: WebhookDelivery) -> bytes:
    """What is sent: the same bytes at each attempt."""
    event = delivery.event
    data = {"number": delivery.number, **event.data}
    document = {"type": event.kind, "timestamp": event.at.isoformat(), "data": data}
    return json.dumps(document, separators=(",", ":")).encode()


def message_of(delivery: WebhookDelivery) -> str:
    """Its name, by which a receiver knows what it has already."""
    return f"msg_{delivery.endpoint_id}_{delivery.number}"


def _post(endpoint: WebhookEndpoint, delivery: WebhookDelivery) -> tuple[int | None, str]:
    """The status of the answer, if there was one, and what went wrong."""
    secret = unseal(bytes(endpoint.secret), PURPOSE)
    if secret is None:
        return None, "The secret cannot be opened: FACTOR_KEY is another one."
    body = body_of(delivery)
    headers = signing.headers(secret.decode(), message_of(delivery), timezone.now(), body)
    headers |= {"Content-Type": "application/json", "User-Agent": "jackpot-console"}
    try:
        reply = witness_client.ask(
            endpoint.url, body, WITHIN_S, headers=headers, connect=_connected
        )
    except Silent as silence:
        return None, str(silence)
    is_taken = 200 <= reply.status < 300
    return reply.status, "" if is_taken else reply.text[:200]


def _connected(host: str, port: int, within_s: float) -> socket.socket:
    """A line to a public address of that name; OSError where it has none."""
    fault: OSError | None = None
    for *_kind, address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
        number = str(address[0])
        if not settings.WEBHOOK_PRIVATE and not ipaddress.ip_address(number).is_global:
            fault = fault or OSError(f"{number} is a private address")
            continue
        try:
            return socket.create_connection((number, port), timeout=within_s)
        except OSError as refusal:
            fault = refusal
    raise fault or OSError("the name has no address")


def _tell(endpoint: WebhookEndpoint, delivery: WebhookDelivery) -> None:
    dead = WebhookDelivery.objects.filter(endpoint=endpoint, state=State.DEAD)
    first = dead.aggregate(first=Min("number"))["first"]
    raise_alarm(
        DEAD,
        f"{endpoint.pk} {endpoint.name}",
        f"The webhook {endpoint.name} did not take what happened for {settings.WEBHOOK_DAYS} days:"
        f" from number {first} on it was given up. When its receiver answers again,"
        " replay from there on the page Webhooks.",
        delivery.event.system,
    )
