"""Screens that fell silent while their casino plays: somebody must look at the television."""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from jackpot.models import Screen
from settlement.core.words.house_alarms import HouseAlarm
from tables.alarms import raise_alarm
from tables.models import Alarm, GamingTable, JackpotSystem, TableEvent
from tables.protocol.messages import SessionOpened

ALARM = "screen_silent"


def silent(now: dt.datetime) -> QuerySet[Screen]:
    """Not heard for so long in a casino with a table that has been open for as long, with
    `heard_at`: when they were heard last; before a first report when they were paired."""
    limit = now - dt.timedelta(seconds=settings.SCREEN_SILENT_AFTER_S)
    open_tables = (
        GamingTable.objects.filter(
            system__casino=OuterRef("casino"), in_service=True, state__session__isnull=False
        )
        .annotate(opened_at=_opened())
        .filter(Q(opened_at__lt=limit) | Q(opened_at=None))
    )
    rows = Screen.objects.filter(Exists(open_tables), ended_at=None)
    rows = rows.annotate(heard_at=Coalesce("screen_report__at", "made_at"))
    return rows.filter(heard_at__lt=limit).select_related("casino").defer("digest").order_by("pk")


def _opened() -> Subquery:
    """When the session of a table began, whatever changed in it since."""
    events = TableEvent.objects.filter(
        system=OuterRef("system"),
        table=OuterRef("pk"),
        boot=OuterRef("state__boot"),
        seq__lte=OuterRef("state__seq"),
        type=SessionOpened.type,
    )
    return Subquery(events.order_by("-seq").values("received_at")[:1])


def raise_for_silent(now: dt.datetime) -> None:
    """An alarm for each of them, once for each silence; a person clears it."""
    for screen in silent(now):
        heard_at: dt.datetime = screen.heard_at  # type: ignore[attr-defined]
        subject = f"{screen.casino.code}: {screen.name}, no. {screen.pk}"
        alarms = Alarm.objects.filter(kind=ALARM, subject=subject)
        if alarms.filter(last_at__gte=heard_at).exists():
            continue
        raise_alarm(
            ALARM,
            subject,
            HouseAlarm.SILENT_SCREEN
            % {
                "screen": screen.name,
                "place": screen.place or screen.casino.name,
                "at": screen.casino.local_minute(heard_at),
            },
            JackpotSystem.objects.for_money()
            .filter(casino=screen.casino_id)
            .order_by("pk")
            .first(),
        )
