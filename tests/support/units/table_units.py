"""A small floor for the tests: a casino, a system, its tables, and what their units say."""

import datetime as dt
import itertools
from typing import Any

import msgspec

from tables import keys
from tables.intake.reception import Answer, receive
from tables.models import Casino, GamingTable, JackpotSystem
from tables.protocol import topics
from tables.protocol.inbound_message import InboundMessage
from tables.protocol.messages import Receipt, encoder
from tables.protocol.signature import signed
from tables.protocol.table_ref import TableRef, table_ref_of

NOON = dt.datetime(2026, 11, 21, 12, tzinfo=dt.UTC)
KEY = "00112233445566778899aabbccddeeff"

_systems = itertools.count(1)
_receipts = msgspec.json.Decoder(Receipt)


def make_system() -> JackpotSystem:
    """A system with a code of its own: tests share one broker."""
    code = f"sys-{dt.datetime.now(dt.UTC).timestamp():.6f}-{next(_systems)}".replace(".", "-")
    casino, _ = Casino.objects.get_or_create(code="harbour", name="Harbour", currency="NZD")
    return JackpotSystem.objects.create(casino=casino, code=code, name="Main room")


def make_table(
    code: str = "t-1", *, key: str = "", system: JackpotSystem | None = None
) -> TableRef:
    """A table of a new system, or of the given one."""
    system = system or make_system()
    table = GamingTable.objects.create(system=system, code=code, name=code)
    if key:
        keys.give(table, key)
    return table_ref_of(table, key)


def event(table_ref: TableRef, seq: int, *, boot: int = 1, **fields: Any) -> bytes:
    """The JSON bytes of an event; a start of round `seq` unless the caller says otherwise."""
    body = {
        "v": 1,
        "type": "round_started",
        "system": table_ref.system,
        "table": table_ref.table,
        "boot": boot,
        "seq": seq,
        "recorded_at": "2026-11-21T12:00:00.000+13:00",
        **fields,
    }
    if body["type"] == "round_started":
        body.setdefault("round", seq)
    return encoder.encode(body)


def message_of(
    table_ref: TableRef, body: bytes, *, kind: str = "events", key: str = ""
) -> InboundMessage:
    """The message as the broker delivers it."""
    return InboundMessage.of(
        f"{topics.PREFIX}/{table_ref.system}/{table_ref.table}/{kind}", signed(body, key)
    )


def messages_of(table_ref: TableRef, *seqs: int, boot: int = 1) -> list[InboundMessage]:
    """Plain events with these numbers."""
    return [message_of(table_ref, event(table_ref, seq, boot=boot)) for seq in seqs]


def take_in(*messages: InboundMessage, now: dt.datetime = NOON) -> list[Receipt]:
    """Take the messages in as one batch; the receipts that the units get."""
    return [read_receipt(answer) for answer in receive(messages, now)]


def read_receipt(answer: Answer | bytes) -> Receipt:
    """A receipt as a unit reads it."""
    return _receipts.decode(answer if isinstance(answer, bytes) else answer.payload)


def outcomes(receipt: Receipt) -> dict[int, str]:
    """Outcome, or reason of the quarantine, by seq."""
    return {result.seq: result.reason or result.outcome for result in receipt.results}
