"""The inbox: nobody else writes events (their rows: `tables/intake/boots/event_rows.py`).

One call records one batch in one transaction. An event is identified by (system, table, boot,
seq): the same bytes again are a duplicate, other bytes are a conflict, of which the first
stands. Whoever calls sends the receipts after the commit, and only then acknowledges.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Literal

from django.db import transaction

from tables import metrics
from tables.intake import quarantine
from tables.intake.boots import event_rows, gaps, redeliveries
from tables.intake.boots.redeliveries import Hearer, Recorded
from tables.intake.boots.watermark import (
    BOOTS_AHEAD,
    Held,
    StreamKey,
    advance,
    lock_streams,
    read_streams,
    receipt,
)
from tables.intake.traces import intake_traces
from tables.process.prepared_statements import pipeline
from tables.protocol.decode import IMPLAUSIBLE_BOOT, Decoded, Refused
from tables.protocol.messages import EventsLost, Receipt, Result
from tables.protocol.table_ref import TableRef
from tables.telemetry import traces

NOBODY = Hearer()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a batch; the receipts are for sending after the commit."""

    recorded: int
    duplicates: int
    quarantined: int
    receipts: list[tuple[TableRef, Receipt]]


@transaction.atomic(savepoint=False)
def record(
    batch: Sequence[Decoded | Refused], now: dt.datetime, hearer: Hearer = NOBODY
) -> Outcome:
    """Record events in the order of their arrival, quarantine what was refused.

    `hearer`: the intake that heard them.
    """
    batch = _without_moved(batch)
    streams = lock_streams(
        (item.table_ref, boot)
        for item in batch
        if item.table_ref and (boot := _counters(item)[0]) and _is_held(item)
    )
    batch = _of_plausible_boots(batch, streams)
    # The events and the watermark wait together for the database's answer.
    with pipeline() if _are_few_and_new(batch, streams) else nullcontext():
        return _record(batch, streams, now, hearer)


def _record(
    batch: Sequence[Decoded | Refused],
    streams: dict[StreamKey, Held],
    now: dt.datetime,
    hearer: Hearer,
) -> Outcome:
    """Record them; all that they move is locked."""
    decoded = [item for item in batch if isinstance(item, Decoded)]
    new, repeats, conflicts = _insert(decoded, streams, event_rows.Arrival(now, hearer.intake))
    duplicates = [item for item, _ in repeats]
    gaps.declare_lost(new)
    redeliveries.note(repeats, hearer)
    refused = [item for item in batch if isinstance(item, Refused)]
    stored_refusals, copies = quarantine.keep([*refused, *conflicts], now, hearer.intake)
    _observe_commit(new, len(duplicates) + copies, len(stored_refusals) - copies)
    if traces.is_on():
        transaction.on_commit(partial(intake_traces.recorded, new, now), robust=True)
    results: dict[StreamKey, list[Result]] = defaultdict(list)
    held: dict[StreamKey, set[int]] = defaultdict(set)
    outcomes: list[tuple[Literal["recorded", "duplicate"], list[Decoded]]]
    outcomes = [("recorded", new), ("duplicate", duplicates)]
    for outcome, items in outcomes:
        for item in items:
            key = item.table_ref.table_id, item.event.boot
            results[key].append(Result(seq=item.event.seq, outcome=outcome))
            held[key].add(item.event.seq)
    for refusal in stored_refusals:
        if refusal.table_ref and refusal.boot and refusal.seq:
            key = refusal.table_ref.table_id, refusal.boot
            results[key].append(
                Result(seq=refusal.seq, outcome="quarantined", reason=refusal.reason)
            )
            if refusal.is_held:
                held[key].add(refusal.seq)
    advance(streams, held)
    streams |= _without_stream(stored_refusals, streams)
    receipts = [
        (
            stream.table_ref,
            receipt(stream, sorted(results[key], key=lambda result: result.seq)),
        )
        for key, stream in streams.items()
    ]
    return Outcome(len(new), len(duplicates), len(stored_refusals), receipts)


def _are_few_and_new(batch: Sequence[Decoded | Refused], streams: dict[StreamKey, Held]) -> bool:
    """Whether nothing is to be written but a few events, each beyond all that is held, and
    watermarks. What else there is asks how many rows it met, which a pipeline knows at its end
    alone."""
    if not 0 < len(batch) <= event_rows.MOST_IN_A_PIPELINE:
        return False
    last = {key: held.last_seq for key, held in streams.items()}
    for item in batch:
        if isinstance(item, Refused) or isinstance(item.event, EventsLost):
            return False
        table, boot, seq = event_rows.identity_of(item)
        if seq <= last[table, boot]:
            return False
        last[table, boot] = seq
    return True


def _without_stream(
    refusals: Sequence[Refused], streams: dict[StreamKey, Held]
) -> dict[StreamKey, Held]:
    """What failed its MAC, or names no boot of its unit, is answered too, and begins no stream."""
    return read_streams(
        (refusal.table_ref, refusal.boot)
        for refusal in refusals
        if refusal.table_ref
        and refusal.boot
        and (refusal.table_ref.table_id, refusal.boot) not in streams
    )


def _observe_commit(new: Sequence[Decoded], duplicates: int, quarantined: int) -> None:
    """Count the batch once it is committed; a fault in that is nobody's but its own."""

    def observe() -> None:
        metrics.RECORDED.observe_since(item.event.recorded_at.timestamp() for item in new)
        metrics.TAKEN_IN.labels("recorded").inc(len(new))
        metrics.TAKEN_IN.labels("duplicate").inc(duplicates)
        metrics.TAKEN_IN.labels("quarantined").inc(quarantined)

    transaction.on_commit(observe, robust=True)


def _without_moved(batch: Sequence[Decoded | Refused]) -> Sequence[Decoded | Refused]:
    """What is new from a table that moved to another system is refused; nothing is new of what
    was recorded before and comes again.
    """
    moved = [item for item in batch if isinstance(item, Decoded) and item.table_ref.moved_to]
    if not moved:
        return batch
    present = event_rows.stored(moved)
    return [
        _from_moved(item)
        if isinstance(item, Decoded)
        and item.table_ref.moved_to
        and event_rows.identity_of(item) not in present
        else item
        for item in batch
    ]


def _of_plausible_boots(
    batch: Sequence[Decoded | Refused], streams: dict[StreamKey, Held]
) -> Sequence[Decoded | Refused]:
    """What names a boot that is not its unit's is refused, unless it was recorded before."""
    strange = [item for item in batch if item.table_ref and _is_strange(item, streams)]
    if not strange:
        return batch
    present = event_rows.stored([item for item in strange if isinstance(item, Decoded)])
    return [
        _of_strange_boot(item, streams)
        if _is_strange(item, streams)
        and not (isinstance(item, Decoded) and event_rows.identity_of(item) in present)
        else item
        for item in batch
    ]


def _is_strange(item: Decoded | Refused, streams: dict[StreamKey, Held]) -> bool:
    """Whether its boot was left out of the locked streams, or was discarded by two people."""
    boot, _ = _counters(item)
    if item.table_ref is None or not boot or not _is_held(item):
        return False
    held = streams.get((item.table_ref.table_id, boot))
    return held is None or held.is_discarded


def _counters(item: Decoded | Refused) -> tuple[int | None, int | None]:
    return (item.event.boot, item.event.seq) if isinstance(item, Decoded) else (item.boot, item.seq)


def _is_held(item: Decoded | Refused) -> bool:
    return isinstance(item, Decoded) or item.is_held


def _insert(
    batch: Sequence[Decoded], streams: dict[StreamKey, Held], arrival: event_rows.Arrival
) -> tuple[list[Decoded], list[tuple[Decoded, Recorded]], list[Refused]]:
    """New events, duplicates with what stands there, conflicts; the streams of all are locked."""
    if not batch:
        return [], [], []
    first: dict[event_rows.Identity, Decoded] = {}
    behind: set[event_rows.Identity] = set()
    last = {key: held.last_seq for key, held in streams.items()}
    for decoded in batch:
        identity = event_rows.identity_of(decoded)
        if identity in first:
            continue
        first[identity] = decoded
        stream, seq = identity[:2], identity[2]
        if seq > last[stream]:
            last[stream] = seq
        else:
            behind.add(identity)
    # What lies beyond all that is held of its stream cannot be there: the stream is locked.
    if not behind:
        event_rows.insert_new(first.values(), arrival)
        if len(first) == len(batch):
            return list(batch), [], []
        inserted = set(first)
    else:
        inserted = event_rows.insert_missing(first.values(), behind, arrival)
    # What is in the batch twice came twice to this intake, whatever its id.
    stored = {identity: Recorded(first[identity].body, 0, arrival.intake) for identity in inserted}
    stored |= event_rows.stored([first[identity] for identity in first.keys() - inserted])

    new: list[Decoded] = []
    duplicates: list[tuple[Decoded, Recorded]] = []
    conflicts: list[Refused] = []
    for decoded in batch:
        identity = event_rows.identity_of(decoded)
        if identity in inserted and decoded is first[identity]:
            new.append(decoded)
        elif decoded.body == stored[identity].body:
            duplicates.append((decoded, stored[identity]))
        else:
            conflicts.append(_conflict(decoded))
    return new, duplicates, conflicts


def _from_moved(decoded: Decoded) -> Refused:
    event = decoded.event
    return Refused(
        decoded.message,
        decoded.table_ref,
        "table_moved",
        f"This table moved to {decoded.table_ref.moved_to}: set its unit to that address.",
        event.boot,
        event.seq,
    )


def _of_strange_boot(item: Decoded | Refused, streams: dict[StreamKey, Held]) -> Refused:
    boot, seq = _counters(item)
    table_ref = item.table_ref
    is_discarded = table_ref is not None and (table_ref.table_id, boot or 0) in streams
    why = (
        "was discarded by two people"
        if is_discarded
        else f"is more than {BOOTS_AHEAD:,} above every boot of this table before it"
    )
    return Refused(
        item.message,
        table_ref,
        IMPLAUSIBLE_BOOT,
        f"Boot {boot} {why}. Let the unit take the boot that the receipt names; if its own is"
        " right, two people say so on the table's page.",
        boot,
        seq,
    )


def _conflict(decoded: Decoded) -> Refused:
    event = decoded.event
    return Refused(
        decoded.message,
        decoded.table_ref,
        quarantine.CONFLICT,
        f"Boot {event.boot}, seq {event.seq} was recorded before with other content;"
        " the first stands.",
        event.boot,
        event.seq,
    )
