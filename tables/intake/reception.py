"""Taking in a batch of messages: decode, record all of it, say what to answer.

The intake without MQTT. Nothing that a device sends makes it fail: a batch that meets an
unforeseen fault is taken in by halves, until the culprit is alone and goes to quarantine.
"""

import datetime as dt
import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from django.db import transaction

from tables.intake import inbox, key_faults, new_keys, presence, quarantine, readings
from tables.intake.boots.redeliveries import Hearer
from tables.intake.event_limit import EventLimit
from tables.intake.traces import intake_traces
from tables.process.transient_errors import is_outage
from tables.protocol import topics
from tables.protocol.decode import (
    WRONG_MAC,
    Decoded,
    Refused,
    decode_event,
    decode_presence,
    decode_reading,
    refuse,
    refuse_unproven,
)
from tables.protocol.inbound_message import InboundMessage
from tables.protocol.messages import Reading, Receipt, Result, encoder
from tables.protocol.table_ref import TableRef, table_refs_of
from tables.telemetry import traces
from tables.telemetry.json_logs import event_identity

log = logging.getLogger(__name__)

_UNKNOWN = "No table of this system has this code."


class Answer(NamedTuple):
    """A message for the units, to be published after the commit."""

    topic: str
    payload: bytes


def receive(
    messages: Sequence[InboundMessage],
    now: dt.datetime,
    beat: Callable[[], None] = lambda: None,
    hearer: Hearer = inbox.NOBODY,
    limit: EventLimit | None = None,
) -> list[Answer]:
    """Record a batch that an intake heard; the receipts to publish now that it is committed.

    `limit`: of events of one unit, None where there is none. `beat` is called between the parts of
    a batch that met a fault: many faults take long.
    Raises what `is_outage` calls an outage, with nothing, or a part, of the batch recorded:
    the same batch again does no harm.
    """
    try:
        return _receive(messages, now, hearer, limit)
    except Exception as error:
        if is_outage(error):
            raise
        if len(messages) == 1:
            return _quarantine(messages[0], error, now, hearer)
        log.exception("A batch of %d messages met a fault; taking it by halves", len(messages))
    half = len(messages) // 2
    answers = []
    for part in (messages[:half], messages[half:]):
        beat()
        answers += receive(part, now, beat, hearer, limit)
    return answers


@transaction.atomic
def _receive(
    messages: Sequence[InboundMessage],
    now: dt.datetime,
    hearer: Hearer,
    limit: EventLimit | None,
) -> list[Answer]:
    addresses = [topics.parse(message.topic) for message in messages]
    table_refs = table_refs_of(address for address in addresses if address)
    events: list[Decoded | Refused] = []
    presence_messages: list[presence.PresenceReport] = []
    pairs: list[tuple[TableRef, Reading]] = []
    for message, address in zip(messages, addresses, strict=True):
        if address is None:
            events.append(refuse(message, None, "bad_topic", "No unit writes to this topic."))
            continue
        table_ref = table_refs.get((address.system, address.table))
        if table_ref is None and message.retained:
            continue  # the broker remembers a table that was removed; nobody spoke
        if table_ref is None:
            events.append(refuse(message, None, "unknown_table", _UNKNOWN))
        elif address.kind == "events":
            events.append(decode_event(message, table_ref))
        elif address.kind == "presence":
            if isinstance(heard := decode_presence(message, table_ref), Refused):
                # What the broker remembers from before a key was set is not said now.
                if not (message.retained and heard.reason == WRONG_MAC):
                    events.append(heard)
            else:
                presence_messages.append(
                    presence.PresenceReport(table_ref, heard, message.retained)
                )
        elif isinstance(read := decode_reading(message, table_ref), Refused):
            events.append(read)
        else:
            pairs.append((table_ref, read))
    new_keys.end_overlaps(messages, addresses, table_refs)
    key_faults.tell_shut(table_refs.values())
    outcome = inbox.record(limit.within(events) if limit else events, now, hearer)
    readings.record(pairs, now)
    if traces.is_on():
        transaction.on_commit(partial(intake_traces.read_back, pairs, now), robust=True)
    receipts = [*outcome.receipts, *presence.record(presence_messages, now)]
    return [_answer(table_ref, receipt) for table_ref, receipt in receipts] + _answers_to_strangers(
        events
    )


def _answer(table_ref: TableRef, receipt: Receipt) -> Answer:
    return Answer(topics.receipts(table_ref.system, table_ref.table), encoder.encode(receipt))


def _answers_to_strangers(events: Sequence[Decoded | Refused]) -> list[Answer]:
    """A unit at a table that nobody has entered gets that answer, if its counters are readable."""
    answers = []
    for item in events:
        if not isinstance(item, Refused) or item.table_ref or item.boot is None or item.seq is None:
            continue
        if address := topics.parse(item.message.topic):
            result = Result(seq=item.seq, outcome="quarantined", reason=item.reason)
            receipt = Receipt(
                era=0,
                boot=item.boot,
                committed_seq=0,
                next_boot=item.boot,
                resend_from=None,
                results=[result],
            )
            answers.append(
                Answer(topics.receipts(address.system, address.table), encoder.encode(receipt))
            )
    return answers


def _identity_of(message: InboundMessage) -> dict[str, object]:
    """What can be read of whose event it is, for the log."""
    address, read = topics.parse(message.topic), refuse(message, None, "internal", "")
    if address is None:
        return {}
    return event_identity(address.system, address.table, read.boot, read.seq)


def _quarantine(
    message: InboundMessage, fault: Exception, now: dt.datetime, hearer: Hearer
) -> list[Answer]:
    log.error(
        "A message on %r is quarantined",
        message.topic[:200],
        exc_info=fault,
        extra=_identity_of(message),
    )
    explanation = f"This message met a fault of the console: {type(fault).__name__}: {fault}"
    address = topics.parse(message.topic)
    try:
        table_refs = table_refs_of([address]) if address else {}
        table_ref = table_refs.get((address.system, address.table)) if address else None
        refused = refuse_unproven(message, table_ref, "internal", explanation)
        outcome = inbox.record([refused], now, hearer)
    except Exception as error:
        if is_outage(error):
            raise
        log.exception("The quarantine of that message met a fault too; it is kept without place")
        refused = Refused(message, None, "internal", explanation)
        quarantine.keep([refused], now, hearer.intake)
        return []
    return [_answer(table_ref, receipt) for table_ref, receipt in outcome.receipts]
