"""The outbox: what happened becomes events, and each endpoint's deliveries, in one transaction.

Events are read from committed rows. Hits and entries stand in a gapless order; verifications and
alarms do not, so that the newest minutes are looked through again, and none comes twice.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import F, Max, QuerySet
from django.utils import timezone

from jackpot.models import Entry, Head, Hit
from settlement.approvals.capacities import visible_to
from settlement.models import (
    Action,
    WebhookDelivery,
    WebhookEndpoint,
    WebhookEvent,
    WebhookMark,
)
from settlement.webhooks.kinds import ALARM, HELD, OF_ENTRIES, VERIFIED
from tables.models import Alarm, Casino, JackpotSystem

HITS, ENTRIES, ACTIONS, ALARMS = "hits", "entries", "actions", "alarms"
MOST_AT_ONCE = 500  # events of one source
_SETTLES = dt.timedelta(minutes=10)  # longer than any transaction


@dataclass(frozen=True, slots=True)
class Happening:
    """One row that an event is made of."""

    kind: str
    row: int
    at: dt.datetime
    data: dict[str, Any]
    system: JackpotSystem | None


def collect() -> int:
    """Read what is new, of every system; how many events it came to."""
    count = 0
    for system in JackpotSystem.objects.select_related("casino").order_by("pk"):
        count += _of_source(HITS, system) + _of_source(ENTRIES, system)
        count += _of_source(ACTIONS, system)
    return count + _of_source(ALARMS, None)


@transaction.atomic
def _of_source(source: str, system: JackpotSystem | None) -> int:
    marks = WebhookMark.objects.filter(source=source, system=system)
    mark = marks.select_for_update().first()
    if mark is None:  # what happened before anybody could listen is not told
        WebhookMark.objects.bulk_create(
            [WebhookMark(source=source, system=system, through=_end_of(source, system))],
            ignore_conflicts=True,
        )
        return 0
    happenings, through = _since(source, system, mark.through)
    if through > mark.through:
        marks.update(through=through)
    events = [
        WebhookEvent(
            kind=each.kind,
            system=each.system,
            at=each.at,
            data=each.data,
            source=source,
            row=each.row,
        )
        for each in happenings
    ]
    WebhookEvent.objects.bulk_create(events)
    _give_out(events)
    return len(events)


def _end_of(source: str, system: JackpotSystem | None) -> int:
    head = Head.objects.filter(system=system).first() if system is not None else None
    newest: int | None = None
    match source:
        case "hits":
            newest = head.hit_number if head else 0
        case "entries":
            newest = head.seq if head else 0
        case "actions":
            newest = Action.objects.aggregate(newest=Max("pk"))["newest"]
        case _:
            newest = Alarm.objects.aggregate(newest=Max("pk"))["newest"]
    return newest or 0


def _since(source: str, system: JackpotSystem | None, through: int) -> tuple[list[Happening], int]:
    if source == HITS:
        return _hits(system, through)
    if source == ENTRIES:
        return _entries(system, through)
    if source == ACTIONS:
        rows = Action.objects.filter(kind=Action.Kind.VERIFY, claim__system=system)
        return _unordered(
            source,
            rows.select_related("claim"),
            through,
            lambda row: Happening(
                VERIFIED, row.pk, row.at, _claim(system, row.claim.number), system
            ),
            "at",
        )
    return _unordered(
        source,
        Alarm.objects.select_related("system"),
        through,
        lambda row: Happening(
            ALARM, row.pk, row.raised_at, {**_system(row.system), "alarm": row.kind}, row.system
        ),
        "raised_at",
    )


def _hits(system: Any, through: int) -> tuple[list[Happening], int]:
    rows = list(
        Hit.objects.filter(system=system, number__gt=through).order_by("number")[:MOST_AT_ONCE]
    )
    happenings = [
        Happening(
            HELD, row.number, row.at, {**_claim(system, row.number), "entry": row.place}, system
        )
        for row in rows
    ]
    return happenings, rows[-1].number if rows else through


def _entries(system: Any, through: int) -> tuple[list[Happening], int]:
    """Those of a type that is told, up to the end of the order as it is now."""
    head = Head.objects.filter(system=system).first()
    end = head.seq if head else through
    rows = Entry.objects.filter(system=system, seq__gt=through, seq__lte=end, type__in=OF_ENTRIES)
    page = list(rows.order_by("seq")[:MOST_AT_ONCE])
    if len(page) == MOST_AT_ONCE:
        end = page[-1].seq
    happenings = [
        Happening(OF_ENTRIES[row.type], row.seq, row.at, _of_entry(system, row), system)
        for row in page
        if "refused" not in row.outcome
    ]
    return happenings, end


def _of_entry(system: JackpotSystem, entry: Entry) -> dict[str, Any]:
    about = _claim(system, entry.hit) if entry.hit is not None else _system(system)
    return {**about, "entry": entry.seq}


def _unordered(
    source: str, rows: QuerySet[Any], through: int, happening: Any, time: str
) -> tuple[list[Happening], int]:
    """Rows whose numbers are given before they are committed."""
    newer = rows.filter(pk__gt=through)
    known = WebhookEvent.objects.filter(source=source, row__gt=through).values("row")
    page = list(newer.exclude(pk__in=known).order_by("pk")[:MOST_AT_ONCE])
    settled = newer.filter(**{f"{time}__lt": timezone.now() - _SETTLES})
    if len(page) == MOST_AT_ONCE:
        settled = settled.filter(pk__lte=page[-1].pk)
    newest: int | None = settled.aggregate(newest=Max("pk"))["newest"]
    return [happening(row) for row in page], newest or through


def _system(system: JackpotSystem | None) -> dict[str, Any]:
    return {"system": system.code if system is not None else None}


def _claim(system: Any, number: int) -> dict[str, Any]:
    return {"system": system.code, "claim": f"{system.code}-{number}"}


def _give_out(events: list[WebhookEvent]) -> None:
    """Each endpoint's deliveries, numbered without a gap under a lock of the endpoint."""
    if not events:
        return
    now = timezone.now()
    endpoints = WebhookEndpoint.objects.filter(ended_at=None).order_by("pk")
    for endpoint in endpoints.select_for_update():
        wanted = [event for event in events if _is_for(event, endpoint)]
        if not wanted:
            continue
        WebhookDelivery.objects.bulk_create(
            WebhookDelivery(
                endpoint=endpoint, number=number, event=event, next_at=now, wanted_at=now
            )
            for number, event in enumerate(wanted, start=endpoint.last_number + 1)
        )
        WebhookEndpoint.objects.filter(pk=endpoint.pk).update(
            last_number=F("last_number") + len(wanted)
        )


def _is_for(event: WebhookEvent, endpoint: WebhookEndpoint) -> bool:
    """An alarm of no system is of every casino: for endpoints of who sees them all."""
    if event.kind not in endpoint.events:
        return False
    system = event.system
    if system is None:
        person = get_user_model().objects.defer("password").get(pk=endpoint.person_id)
        sees_all = visible_to(person) is None or Casino.objects.count() == 1
        return endpoint.systems is None and sees_all
    if endpoint.systems is not None:
        return system.pk in endpoint.systems
    return system.casino_id == endpoint.casino_id
