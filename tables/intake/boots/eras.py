"""Eras: a console that was restored from a backup says so, and may ask again from below.

Each system carries the number of its era; receipts tell it to the units. The number comes from
the clock: of a backup that is restored twice, the second restore knows nothing of the first, and
a unit that has read an era once takes it for the same for ever.
"""

from __future__ import annotations

import datetime as dt
import json
import time
import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from queue import Empty

from django.db import transaction
from django.utils import timezone

from tables.alarms import FloorAlarm, raise_alarm
from tables.models import EraBegun, JackpotSystem
from tables.mqtt.client import Delivery, Link
from tables.protocol import topics

CONNECTED_S = 15.0  # within so long the broker must take the connection
LISTENED_S = 6.0  # an intake that is connected says so every five seconds
FIRST_DAY = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)  # no era began before


@dataclass(slots=True)
class RetainedMessages:
    """What the broker says of some systems: who takes in, and what displays were last sent."""

    listening: set[str] = field(default_factory=set)  # topics of intakes
    display_entries: dict[str, int] = field(
        default_factory=dict
    )  # the entry that a display stands at
    shown_at: dt.datetime = FIRST_DAY  # when the last of them was sent


class NoBroker(Exception):
    """Nobody can say whether an intake is connected."""


def hear(codes: Collection[str]) -> RetainedMessages:
    """Listen to the broker for LISTENED_S. NoBroker where it is out of reach."""
    heard = RetainedMessages()
    filters = [topics.console("+", "+"), topics.display("+")]
    link = Link(f"jackpot-era-{uuid.uuid4().hex[:12]}", filters)
    link.start()
    try:
        if not link.wait_connected(CONNECTED_S):
            raise NoBroker("The broker is out of reach.")
        until = time.monotonic() + LISTENED_S
        while (left := until - time.monotonic()) > 0:
            try:
                delivery = link.deliveries.get(timeout=left)
            except Empty:
                break
            link.ack(delivery)
            _note(heard, delivery, codes)
    finally:
        link.stop()
    return heard


def _note(heard: RetainedMessages, delivery: Delivery, codes: Collection[str]) -> None:
    topic = delivery.message.topic
    try:
        payload = json.loads(delivery.message.body)
    except ValueError:
        return
    if not isinstance(payload, dict):
        return
    for code in codes:
        if topic == topics.display(code) and isinstance(payload.get("system_seq"), int):
            heard.display_entries[code] = payload["system_seq"]
            heard.shown_at = max(heard.shown_at, _instant(payload.get("at")))
        elif topics.is_console(topic) and topic.startswith(topics.console(code, "")):
            if delivery.message.retained:
                continue  # the broker's memory may be of an intake that has stopped
            if payload.get("state") == "online":
                heard.listening.add(topic)
            else:
                heard.listening.discard(topic)


def _instant(timestamp: object) -> dt.datetime:
    try:
        return dt.datetime.fromisoformat(str(timestamp)).astimezone(dt.UTC)
    except (ValueError, OverflowError):
        return FIRST_DAY


def _number(before: int, at: dt.datetime) -> int:
    """Above the era before, and above every one that began at an earlier moment."""
    return max(before + 1, int((at - FIRST_DAY).total_seconds()))


@transaction.atomic
def begin(
    last_texts: Mapping[int, list[str]], by: str, reason: str, shown_at: dt.datetime
) -> list[EraBegun]:
    """Raise the era of these systems, id -> what each of them knew last; one row says who, when
    and why, and an alarm stays until a person says what was repeated.

    `shown_at`: when displays were last sent something. This clock may stand behind it.
    """
    now = timezone.now()
    systems = JackpotSystem.objects.select_for_update(no_key=True).filter(pk__in=list(last_texts))
    rows = []
    for system in systems.order_by("pk"):
        system.era = _number(system.era, max(now, shown_at))
        system.save(update_fields=["era"])
        rows.append(
            EraBegun.objects.create(
                system=system,
                era=system.era,
                begun_at=now,
                begun_by=by,
                reason=reason,
                known=last_texts[system.pk],
            )
        )
        raise_alarm(
            "era_begun",
            f"{system.code}, era {system.era}",
            FloorAlarm.RESTORED
            % {
                "system": system.name,
                "by": by,
                "reason": reason,
                "last": "; ".join(last_texts[system.pk]),
            },
            system,
        )
    return rows
