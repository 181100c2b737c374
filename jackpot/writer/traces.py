"""Spans of what the writer does: an event gets its place."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Sequence

from jackpot import models
from jackpot.writer.numbering import PendingEntry
from jackpot.writer.pending import Arrived
from tables.telemetry import traces
from tables.telemetry.spans import EventRef, Span

_codes: dict[int, str] = {}  # of systems, by id: they never change


@traces.harmless
def sequenced(head: models.Head, entries: Sequence[PendingEntry], began: dt.datetime) -> None:
    """They are committed as the head's block: from the beginning of the transaction to now."""
    if not entries:
        return
    traces.look_for_requests()
    now_s, is_traced = time.time(), traces.choice()
    system = _codes.get(head.system_id) or _codes.setdefault(head.system_id, head.system.code)
    about = {"jackpot.block": head.block_number, "jackpot.entries": len(entries)}
    for entry in entries:
        source = entry.source
        if isinstance(source, Arrived) and is_traced(system, source.table, source.boot, source.seq):
            ref = EventRef(system, source.table, source.boot, source.seq)
            numbered = {"jackpot.entry": entry.row.seq, **about}
            traces.send(Span("sequence", ref, began.timestamp(), now_s, numbered))
