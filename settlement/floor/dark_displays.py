"""Displays that are dark: at an open table, and nothing was read back for a while (19.7).

A table needs its display. The console names those that are dark. Where the terms post for how long
a display may be, it suspends the table by itself (`jackpot.display.dark_displays`); else a person
does.
"""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.db.models import OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from jackpot.display.dark_displays import last_read
from tables.models import GamingTable, TableEvent


def dark_since(now: dt.datetime) -> dt.datetime:
    """A display whose last reading came before this is dark."""
    return now - dt.timedelta(seconds=settings.DISPLAY_DARK_AFTER_S)


def dark_displays(now: dt.datetime | None = None) -> list[GamingTable]:
    """Open tables in service whose display is dark, with `dark_from`: when it was read back last;
    where it never was, when its table said what is played.
    """
    return list(
        GamingTable.objects.filter(in_service=True, state__session__isnull=False)
        .annotate(dark_from=Coalesce(last_read(), _opened()))
        .filter(dark_from__lt=dark_since(now or timezone.now()))
        .select_related("system__casino")
        .order_by("system__name", "pk")
    )


def _opened() -> Subquery:
    """When the event came that the table's session stands on."""
    events = TableEvent.objects.filter(
        system=OuterRef("system"),
        table=OuterRef("pk"),
        boot=OuterRef("state__boot"),
        seq=OuterRef("state__seq"),
    )
    return Subquery(events.values("received_at")[:1])
