"""From bytes to messages. Whatever the bytes are: a message or a refusal, never an exception."""

import datetime as dt
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from tables.protocol import signature
from tables.protocol.inbound_message import KEPT_BYTES, InboundMessage
from tables.protocol.messages import (
    MAX_BOOT,
    MAX_BYTES,
    MAX_INTEGER,
    AnyEvent,
    EventsLost,
    Presence,
    Reading,
    event_decoder,
)
from tables.protocol.table_ref import TableRef

# Beyond these years an instant may be sent, but not be read back from the database.
EARLIEST = dt.datetime(1900, 1, 1, tzinfo=dt.UTC)
LATEST = dt.datetime(3000, 1, 1, tzinfo=dt.UTC)

Message = TypeVar("Message")

# What fails its MAC is nobody's word: it moves no watermark and begins no boot. The quarantine
# keeps only the reason, so every refusal of an unproven message that names counters has this one.
WRONG_MAC = "wrong_mac"
# A boot far above all before, or one that two people discarded (`tables.floor.boot_counter`): it
# begins nothing.
IMPLAUSIBLE_BOOT = "implausible_boot"
NOT_HELD = (WRONG_MAC, IMPLAUSIBLE_BOOT)

_presence_decoder = msgspec.json.Decoder(Presence)
_reading_decoder = msgspec.json.Decoder(Reading)
_READABLE_FAULTS = RecursionError, ValueError  # msgspec's and Unicode's errors are ValueErrors


@dataclass(frozen=True, slots=True)
class Decoded:
    """An event that may be recorded at its table."""

    message: InboundMessage
    table_ref: TableRef
    event: AnyEvent
    body: bytes  # the JSON bytes without the MAC line


@dataclass(frozen=True, slots=True)
class Refused:
    """A message for the quarantine, with the counters where they can be read."""

    message: InboundMessage
    table_ref: TableRef | None
    reason: str  # stable slug
    explanation: str
    boot: int | None = None
    seq: int | None = None

    @property
    def is_held(self) -> bool:
        """Whether it counts as held: its counters can be read, and are its unit's own."""
        return self.seq is not None and self.reason not in NOT_HELD


class RefusalError(Exception):
    """A rule of the protocol that a message breaks; stays inside the decoding."""

    def __init__(self, reason: str, explanation: str) -> None:
        super().__init__(explanation)
        self.reason = reason
        self.explanation = explanation


def decode_event(message: InboundMessage, table_ref: TableRef) -> Decoded | Refused:
    """The event of this topic's table, or why it is refused."""
    try:
        event, body = _decode_signed(message, table_ref, event_decoder)
        if (event.system, event.table) != (table_ref.system, table_ref.table):
            raise RefusalError(
                "wrong_topic",
                f"The event names {event.system}/{event.table}, the topic"
                f" {table_ref.system}/{table_ref.table}.",
            )
        _check_instant(event.recorded_at, "recorded_at")
        _check_lost(event)
    except RefusalError as refusal:
        return refuse(message, table_ref, refusal.reason, refusal.explanation)
    return Decoded(message, table_ref, event, body)


def refuse(
    message: InboundMessage, table_ref: TableRef | None, reason: str, explanation: str
) -> Refused:
    """The refusal of a message, with its counters where they can be read."""
    return Refused(message, table_ref, reason, explanation, *readable(message))


def refuse_unproven(
    message: InboundMessage, table_ref: TableRef | None, reason: str, explanation: str
) -> Refused:
    """As `refuse`, for a message that perhaps was never decoded: counters only if its MAC fits."""
    if table_ref:
        try:
            _check_mac(*signature.split(message.body), table_ref)
        except RefusalError:
            return Refused(message, table_ref, reason, explanation)
    return refuse(message, table_ref, reason, explanation)


def decode_presence(message: InboundMessage, table_ref: TableRef) -> Presence | Refused:
    """What a unit says of itself, or why it is refused."""
    try:
        presence, _ = _decode_signed(message, table_ref, _presence_decoder)
        if presence.at is not None:
            _check_instant(presence.at, "at")
    except RefusalError as refusal:
        return Refused(message, table_ref, refusal.reason, refusal.explanation)
    return presence


def decode_reading(
    message: InboundMessage, table_ref: TableRef, *, is_proven: bool = False
) -> Reading | Refused:
    """What a display says that it shows, or why it is refused. `is_proven`: its address showed
    already whose word it is, and it carries no MAC."""
    try:
        if is_proven:
            _check_size(message, MAX_BYTES)
            reading = _parse(message.body, _reading_decoder)
        else:
            reading, _ = _decode_signed(message, table_ref, _reading_decoder)
        _check_instant(reading.at, "at")
    except RefusalError as refusal:
        return Refused(message, table_ref, refusal.reason, refusal.explanation)
    return reading


def readable(message: InboundMessage) -> tuple[int | None, int | None]:
    """`boot` and `seq` as far as they can be read, however broken the rest; both or neither."""
    if message.size > KEPT_BYTES:
        return None, None
    body, _ = signature.split(message.body)
    try:
        fields = msgspec.json.decode(body)
    except _READABLE_FAULTS:
        return None, None
    if not isinstance(fields, dict):
        return None, None
    boot, seq = _counter(fields.get("boot"), MAX_BOOT), _counter(fields.get("seq"), MAX_INTEGER)
    return (boot, seq) if boot and seq else (None, None)


def _counter(value: Any, greatest: int) -> int | None:
    return value if type(value) is int and 1 <= value <= greatest else None


def _decode_signed(
    message: InboundMessage, table_ref: TableRef, decoder: msgspec.json.Decoder[Message]
) -> tuple[Message, bytes]:
    """A message of at most 8 KiB and its JSON bytes; the MAC fits where the table has a key."""
    _check_size(message, KEPT_BYTES)  # beyond it the whole is not at hand, nor its counters
    body, mac = signature.split(message.body)
    _check_mac(body, mac, table_ref)
    _check_length(len(body))
    return _parse(body, decoder), body


def _check_size(message: InboundMessage, limit: int) -> None:
    if message.size > limit:
        raise RefusalError("oversize", f"{message.size} bytes; at most {MAX_BYTES} are allowed.")


def _check_length(length: int) -> None:
    if length > MAX_BYTES:
        raise RefusalError("oversize", f"{length} bytes; at most {MAX_BYTES} are allowed.")


def _check_mac(body: bytes, mac: bytes | None, table_ref: TableRef) -> None:
    """Before anything is parsed: what is not the unit's word need not be understood."""
    if not table_ref.mac_key:
        return  # a unit that already signs, at a table whose key is not yet set, is heard
    if mac is None:
        raise RefusalError(WRONG_MAC, "The MAC is missing; this table's unit has a key.")
    keys = [table_ref.mac_key, *([table_ref.other_key] if table_ref.other_key else [])]
    try:
        genuine = any(signature.is_genuine(body, mac, key) for key in keys)
    except ValueError:
        raise RefusalError(WRONG_MAC, "The key set for this table is not hexadecimal.") from None
    if not genuine:
        raise RefusalError(WRONG_MAC, "The MAC does not fit the message and this table's key.")


def _parse(body: bytes, decoder: msgspec.json.Decoder[Message]) -> Message:
    try:
        body.decode()
        return decoder.decode(body)
    except msgspec.ValidationError as error:
        raise _schema_refusal(str(error)) from None
    except UnicodeDecodeError as error:
        raise RefusalError(
            "undecodable", f"Not UTF-8: {error.reason}, byte {error.start}."
        ) from None
    except _READABLE_FAULTS as error:
        raise RefusalError("undecodable", f"Not JSON: {error}.") from None


def _schema_refusal(error: str) -> RefusalError:
    """The decoder's words as a sentence that a technician can act on."""
    fault, _, field = error.replace("`", "").partition(" - at $")
    field = field.removeprefix(".")
    if "matching regex" in fault:
        fault = "Text of the wrong form: control characters, or not a code of [a-z0-9-]{1,32}"
    where = f", in {field}" if field else ""
    if fault.startswith("Object contains unknown field"):
        return RefusalError("unknown_field", f"{fault}{where}.")
    if field == "v":
        return RefusalError("unknown_version", "This console speaks version 1 of the protocol.")
    return RefusalError("bad_schema", f"{fault}{where}.")


def _check_lost(event: AnyEvent) -> None:
    """A unit can have lost only what came before its own word for it: a range beyond would cover
    events that are still to come."""
    if isinstance(event, EventsLost) and not event.from_seq <= event.to_seq < event.seq:
        raise RefusalError(
            "bad_schema",
            f"Events {event.from_seq} to {event.to_seq} cannot be lost by the word of event"
            f" {event.seq}: from_seq is at most to_seq, and both are below its own seq.",
        )


def _check_instant(instant: dt.datetime, field: str) -> None:
    if not EARLIEST <= instant <= LATEST:
        raise RefusalError("bad_schema", f"A year between 1900 and 3000 is expected, in {field}.")
