"""The outbox of people: what happened becomes notifications, each person's once, and deliveries.

When a switch of the network fails, all units and screens behind it are silent. Of units, and of
alarms of one kind that devices raise, a person is told the first few; the pages count all.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.utils import timezone

from settlement.events.kinds import ALARM, SILENT
from settlement.events.sources import Happening
from settlement.models import (
    Notification,
    NotificationChoice,
    NotificationDelivery,
    PushSubscription,
)
from settlement.notifications.choices import open_ways, ways_for
from settlement.notifications.kinds import (
    DEVICE_ALARMS,
    MAIL,
    PAGE,
    PUSH,
    kind_of,
    permission_for,
)
from settlement.people.rights.role_holders import holders
from settlement.people.rights.roles import held
from tables.models import Casino

Channel = NotificationDelivery.Channel
MOST_OF_WAVE = 3  # of a wave, to each person, until they read them or it is over
WAVE = dt.timedelta(minutes=10)


class _People:
    """Who has which permission where, and what they want; asked once."""

    def __init__(self) -> None:
        self._by_permission: dict[tuple[str, int | None], list[Any]] = {}
        self._choices: dict[int, NotificationChoice] = {}
        self._browsers: defaultdict[int, list[PushSubscription]] | None = None

    def with_permission(self, permission: str, casino: int | None) -> list[Any]:
        key = (permission, casino)
        if key not in self._by_permission:
            people = list(holders(permission, casino))
            if casino is None and Casino.objects.count() > 1:  # of every casino
                people = [each for each in people if held(each).is_everywhere]
            self._by_permission[key] = people
        return self._by_permission[key]

    @staticmethod
    def one(number: int) -> list[Any]:
        people = get_user_model().objects.filter(pk=number, is_active=True)
        return list(people.defer("password"))

    def browsers(self, person: Any) -> list[PushSubscription]:
        if self._browsers is None:
            self._browsers = defaultdict(list)
            for each in PushSubscription.objects.filter(ended_at=None):
                self._browsers[each.person_id].append(each)
        return self._browsers[person.pk]

    def choice(self, person: Any) -> NotificationChoice:
        if person.pk not in self._choices:
            row = NotificationChoice.objects.filter(person_id=person.pk).first()
            self._choices[person.pk] = row or NotificationChoice(person_id=person.pk)
        return self._choices[person.pk]


class _Waves:
    """How many alarms of devices, by kind, and silent units each person was told of lately and did
    not read; asked once."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[object, ...]] | None = None

    def tell(self, row: Notification) -> bool:
        """Whether it is still told."""
        if row.kind != SILENT and row.data.get("alarm") not in DEVICE_ALARMS:
            return True
        if self._counts is None:
            lately = Notification.objects.filter(
                kind__in=(ALARM, SILENT), read_at=None, at__gt=timezone.now() - WAVE
            )
            self._counts = Counter(map(_wave, lately))
        self._counts[_wave(row)] += 1
        return self._counts[_wave(row)] <= MOST_OF_WAVE


def _wave(row: Notification) -> tuple[object, ...]:
    return row.person_id, row.kind, row.data.get("alarm"), row.system_id


def give_out(happenings: list[Happening]) -> None:
    """Everybody's notifications of what happened, and their deliveries, in the caller's
    transaction."""
    people, waves = _People(), _Waves()
    rows: list[tuple[Notification, Any, tuple[str, ...]]] = []
    for event in happenings:
        kind = kind_of(event)
        if kind is None:
            continue
        permission = permission_for(kind, event)
        for person in _recipients(event, permission, people):
            ways = ways_for(kind, people.choice(person))
            row = _notification(event, kind, permission, person, ways)
            if ways and waves.tell(row):
                rows.append((row, person, ways))
    Notification.objects.bulk_create([row for row, _person, _ways in rows])
    deliveries = [each for row in rows for each in _deliveries(*row, people)]
    NotificationDelivery.objects.bulk_create(deliveries)


def _recipients(event: Happening, permission: str, people: _People) -> Iterable[Any]:
    """Not who did it: nobody is notified of what they have just done."""
    if not permission:
        return people.one(event.person) if event.person is not None else []
    casino = event.casino.pk if event.casino is not None else None
    if event.system is not None:
        casino = event.system.casino_id
    return [
        each
        for each in people.with_permission(permission, casino)
        if each.pk not in (event.by, event.not_to)
    ]


def _notification(
    event: Happening, kind: str, permission: str, person: Any, ways: tuple[str, ...]
) -> Notification:
    return Notification(
        person=person,
        kind=kind,
        system=event.system,
        casino=event.casino,
        permission=permission,
        data=event.data,
        at=event.at,
        source=event.source,
        row=event.row,
        on_page=PAGE in ways,
    )


def _deliveries(
    row: Notification, person: Any, ways: tuple[str, ...], people: _People
) -> Iterable[NotificationDelivery]:
    if row.system is not None and row.system.is_rehearsal:
        return  # told in the page alone: nothing of a rehearsal leaves the console
    now = timezone.now()
    reached = open_ways(person)
    if MAIL in ways and MAIL in reached:
        yield NotificationDelivery(
            notification=row, channel=Channel.MAIL, next_at=now, wanted_at=now
        )
    if PUSH in ways:
        for browser in people.browsers(person):
            yield NotificationDelivery(
                notification=row,
                channel=Channel.PUSH,
                subscription=browser,
                next_at=now,
                wanted_at=now,
            )


def prune() -> int:
    """Remove notifications of NOTIFICATION_DAYS ago; how many rows that were."""
    oldest = timezone.now() - dt.timedelta(days=settings.NOTIFICATION_DAYS)
    count: int = Notification.objects.filter(at__lt=oldest).delete()[0]
    return count
