"""Displays that are dark: when the writer is asked to take a table out of play (19.7(c)).

Silence is counted only while the table is open and its unit is heard, look by look: an outage of
intake, broker, network or Celery's beat is not the display's, and the count begins again behind it.
A display that never read anything back is watched from the opening of its table like any other.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from django.db import connection, transaction
from django.db.models import OuterRef, Q, Subquery
from django.utils import timezone

from jackpot.display.values import in_effect
from jackpot.models import DarkCall, DisplaySilence, Head
from tables.intake.presence import SILENT_AFTER_S, is_heard
from tables.models import DisplayReading, GamingTable, UnitPresence

LOOKS_APART = dt.timedelta(seconds=SILENT_AFTER_S)  # longer pauses between looks say nothing
LIT_FOR = dt.timedelta(seconds=SILENT_AFTER_S)  # by a reading


def last_read() -> Subquery:
    """When a display of a table last read back, for a query over tables."""
    newest = DisplayReading.objects.filter(table=OuterRef("pk")).order_by("-received_at")
    return Subquery(newest.values("received_at")[:1])


def is_lit(read: dt.datetime | None, now: dt.datetime) -> bool:
    """Whether a display reads back at present; `read`: when it did last."""
    return read is not None and now - read <= LIT_FOR


def watch_displays() -> int:
    """Look at the tables that terms speak of, and call for those dark too long; how many calls.

    Safe to run twice, and by two workers at once. The writer carries a call out in the order, at
    the time of the look, however long it was away.
    """
    now = timezone.now()
    with transaction.atomic():
        silences, calls = [], []
        for table in _watched():
            silence = _silence(table, now)
            silences.append(silence)
            if _is_lost(table, silence):
                calls.append(DarkCall(table=table, since=silence.since, until=silence.until))
        DisplaySilence.objects.bulk_create(
            silences,
            update_conflicts=True,
            unique_fields=["table"],
            update_fields=["since", "until"],
        )
        if calls:
            DarkCall.objects.bulk_create(calls, ignore_conflicts=True)
            with connection.cursor() as cursor:
                cursor.execute("NOTIFY jackpot_inbox")
    return len(calls)


def _watched() -> Iterator[GamingTable]:
    """Open tables in service, where the terms ask for it."""
    impatient = Q(pk=None)
    for head in Head.objects.all():
        posted = in_effect(head.system_id, head.terms_number)
        if any(terms.dark_minutes is not None for terms in posted):
            impatient |= Q(system=head.system_id)
    tables = GamingTable.objects.filter(impatient, in_service=True, state__session__isnull=False)
    tables = tables.annotate(last_read=last_read())
    yield from tables.select_related("presence", "displaysilence", "system__head").order_by("pk")


def _silence(table: GamingTable, now: dt.datetime) -> DisplaySilence:
    """For how long nothing was read back, as far as anybody could have heard it."""
    before: DisplaySilence | None = getattr(table, "displaysilence", None)
    presence: UnitPresence | None = getattr(table, "presence", None)
    since = now
    if before and now - before.until <= LOOKS_APART and presence and is_heard(presence, now):
        read: dt.datetime | None = table.last_read  # type: ignore[attr-defined]
        since = before.since if read is None else max(before.since, read)
    return DisplaySilence(table=table, since=since, until=now)


def _is_lost(table: GamingTable, silence: DisplaySilence) -> bool:
    posted = in_effect(table.system_id, table.system.head.terms_number)
    return any(terms.is_lost_to(table.code, silence.until - silence.since) for terms in posted)
