"""Spans of what displays are shown: by the worker, and by a web process to browsers."""

from __future__ import annotations

import datetime as dt
import time
from typing import NamedTuple

from jackpot.models import Entry
from tables.telemetry import traces
from tables.telemetry.spans import EventRef, Span

MOST = 5_000  # entries of one message that are looked at


class DisplayStep(NamedTuple):
    """A display message of a system shows its order up to `through`; the one before, `after`."""

    system_id: int
    after: int
    through: int


@traces.harmless
def note(name: str, message: DisplayStep, began: dt.datetime) -> None:
    """Spans that end now, of the events that the message is the first to show."""
    traces.look_for_requests()
    entries = Entry.objects.filter(
        system=message.system_id, seq__gt=message.after, seq__lte=message.through, kind="event"
    )
    rows = entries.order_by("seq").values_list(
        "system__code", "table__code", "boot", "event_seq", "seq"
    )
    now_s, is_traced = time.time(), traces.choice()
    for system, table, boot, seq, number in rows[:MOST]:
        if boot and seq and is_traced(system, table, boot, seq):
            ref = EventRef(system, table, boot, seq)
            about = {"jackpot.entry": number, "jackpot.shown": message.through}
            traces.send(Span(name, ref, began.timestamp(), now_s, about))
