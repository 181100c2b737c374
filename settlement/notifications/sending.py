"""Sending by mail and push: each delivery by one worker at a time, again with growing pauses.

What a person may no longer see is not sent, and in quiet hours nothing but what is urgent. An
attempt is counted, and the next one put off, before the call: a worker that dies in it has paused.
"""

from __future__ import annotations

import datetime as dt
import logging
import time

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from settlement.core.words.house_alarms import HouseAlarm
from settlement.models import NotificationDelivery, PushSubscription
from settlement.notifications import mail, push
from settlement.notifications.choices import chosen_of, quiet_until
from settlement.notifications.personal_list import is_allowed
from settlement.webhooks.calls import pause
from tables.alarms import raise_alarm

State = NotificationDelivery.State
UNDELIVERED = "notification_undelivered"  # an alarm
LONGEST_S = 60.0  # of one task
AT_ONCE = 2  # so that a mail server that does not answer leaves the worker its other processes
_ALONE = "SELECT pg_advisory_xact_lock(hashtext('notifications at once'), 0)"
log = logging.getLogger(__name__)

_HELD_BY_ONE = dt.timedelta(minutes=2)  # longer than any attempt


def send_due() -> int:
    """Everything that is due, the oldest first; how many attempts there were."""
    until = time.monotonic() + LONGEST_S
    count = 0
    while time.monotonic() < until and (delivery := _next()) is not None:
        try:
            _send(delivery)
        except Exception as fault:  # one that nothing foresaw holds none of the others back
            log.exception("a notification could not be sent")
            _put_off(delivery, type(fault).__name__)
        NotificationDelivery.objects.filter(pk=delivery.pk).update(held_until=None)
        count += 1
    return count


@transaction.atomic
def _next() -> NotificationDelivery | None:
    """One that no other process has, held for this one; None, too, where as many as may send."""
    now = timezone.now()
    with connection.cursor() as cursor:
        cursor.execute(_ALONE)
    waiting = NotificationDelivery.objects.filter(state=State.WAITING)
    if waiting.filter(held_until__gt=now).count() >= AT_ONCE:
        return None
    rows = waiting.filter(next_at__lte=now).order_by("next_at", "pk")
    rows = rows.select_related(
        "notification__person",
        "notification__system__casino",
        "notification__casino",
        "subscription",
    )
    delivery = rows.defer("notification__person__password").first()
    if delivery is not None:
        delivery.attempts += 1
        delivery.held_until = delivery.next_at = now + _HELD_BY_ONE
        delivery.save(update_fields=["attempts", "next_at", "held_until"])
    return delivery


def _send(delivery: NotificationDelivery) -> None:
    notification = delivery.notification
    person = notification.person
    now = timezone.now()
    if not is_allowed(person, notification):
        _end(delivery, State.DEAD, "The person may not see this any more.")
        return
    casino = notification.system.casino if notification.system else notification.casino
    quiet = quiet_until(chosen_of(person), notification.kind, casino, now)
    if quiet is not None:
        delivery.attempts -= 1
        delivery.next_at = quiet
        delivery.save(update_fields=["attempts", "next_at"])
        return
    if delivery.channel == NotificationDelivery.Channel.MAIL:
        fault = mail.fault_of(notification)
    else:
        fault = _push(delivery)
    if fault is None:
        _end(delivery, State.DELIVERED)
    elif delivery.state == State.WAITING:
        _put_off(delivery, fault)


def _push(delivery: NotificationDelivery) -> str | None:
    browser = delivery.subscription
    is_of_the_person = browser is not None and browser.person_id == delivery.notification.person_id
    if browser is None or browser.ended_at is not None or not is_of_the_person:
        _end(delivery, State.DEAD, "The browser takes no messages any more.")
        return ""
    status, fault = push.send(browser, delivery.notification)
    if status is not None and 200 <= status < 300:
        return None
    if status in push.UNKNOWN:
        PushSubscription.objects.filter(pk=browser.pk).update(ended_at=timezone.now())
        _end(delivery, State.DEAD, "The browser takes no messages any more.")
    return fault or f"The push service answered {status}."


def _put_off(delivery: NotificationDelivery, fault: str) -> None:
    now = timezone.now()
    following = now + pause(delivery.attempts)
    if following - delivery.wanted_at > dt.timedelta(hours=settings.NOTIFY_WITHIN_H):
        _end(delivery, State.DEAD, fault)
        raise_alarm(
            UNDELIVERED,
            delivery.channel,
            HouseAlarm.UNSENT % {"way": delivery.channel, "fault": fault},
        )
        return
    delivery.next_at, delivery.fault = following, fault[:200]
    delivery.save(update_fields=["next_at", "fault"])


def _end(delivery: NotificationDelivery, state: str, fault: str = "") -> None:
    delivery.state, delivery.fault, delivery.ended_at = state, fault[:200], timezone.now()
    delivery.save(update_fields=["state", "fault", "ended_at"])
