"""Promise: one order. Entries are numbered 1 to the head without a gap; each is an event of the
inbox, a command of the queue or a fact; no event and no command has two. A table's events stand
in the order of its own counter, except those flagged late and hands taken ahead of a gap; what
was passed over was released by a fact, quarantined or given up. Commands stand in the order of
their numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from verifier.database.report import Scope
from verifier.database.rows import Entry, Sealed, parsed

KIND = "order"
HANDS = frozenset({"hand_called", "hand_reported"})  # they never wait (19.11, 19.14(b))

Range = tuple[int, int]  # first and last seq
Accounted = Callable[[str, int, int, int], bool]  # table, boot, first, last: held otherwise


@dataclass(slots=True)
class _Stream:
    """One boot of one table: how far it was taken."""

    through: int = 0
    ahead: set[int] = field(default_factory=set)  # hands beyond `through`
    released: list[Range] = field(default_factory=list)
    passed: list[Range] = field(default_factory=list)  # without an event so far


class Order:
    """Follows the order. `accounted` says whether intake holds something else in a gap."""

    def __init__(self, scope: Scope, accounted: Accounted) -> None:
        self._scope, self._accounted = scope, accounted
        self._seq = 0
        self.command = 0
        self._at = ""
        self._streams: dict[tuple[str, int], _Stream] = {}

    def block(self, sealed: Sealed) -> None:
        """Follow the entries of a block."""
        for entry in sealed.entries:
            if entry.seq != self._seq + 1:
                self._say(entry, f"entry {self._seq + 1} is missing before it")
            if entry.at < self._at:
                self._say(entry, "its time is before that of the entry before it")
            self._seq, self._at = entry.seq, entry.at
            check = _KINDS.get(entry.kind)
            if check is None:
                self._say(entry, f"an entry is no {entry.kind}")
            else:
                check(self, entry)

    def end(self, last_seq: int, last_command: int | None) -> None:
        """Hold the end against the head, and against the queue where all was taken."""
        if self._seq != last_seq:
            sentence = f"it names entry {last_seq}, the last row is {self._seq}"
            self._scope.add(KIND, "head", sentence)
        if last_command is not None and self.command != last_command:
            sentence = f"command {self.command} is the last with an entry, {last_command} is queued"
            self._scope.add(KIND, "commands", sentence)

    def _event(self, entry: Entry) -> None:
        if entry.event_body is None or not entry.is_its_event:
            self._say(entry, "the inbox has no event of this identity behind it")
        table, boot, seq = entry.table, entry.boot, entry.event_seq
        if table is None or boot is None or seq is None:
            self._say(entry, "an event has a table, a boot and a seq")
            return
        stream = self._streams.get((table, boot))
        if stream is None:
            stream = self._streams[table, boot] = _Stream()
        flags = entry.flags
        if "late" in flags:
            self._late(entry, stream, seq)
        elif "ahead_of_gap" in flags:
            if entry.type not in HANDS:
                self._say(entry, f"{entry.type} was taken ahead of a gap: only a hand may be")
            if seq in stream.ahead or not _holes(stream, seq):
                self._say(
                    entry, f"{_event_name(entry)} is flagged ahead of a gap where there is none"
                )
            stream.ahead.add(seq)
        elif seq == stream.through + 1:
            stream.through = seq
        else:
            self._beyond(entry, stream, seq)

    def _beyond(self, entry: Entry, stream: _Stream, seq: int) -> None:
        """An event in order that does not follow the one before it directly."""
        if seq <= stream.through or seq in stream.ahead:
            self._say(entry, f"{_event_name(entry)} comes twice, or late without being flagged")
            return
        for first, last in _holes(stream, seq):
            for low, high in _without((first, last), stream.released):
                if not self._accounted(_table(entry), entry.boot or 0, low, high):
                    self._say(
                        entry, f"it goes past seq {low} to {high} of its table without a fact"
                    )
            stream.passed.append((first, last))
        stream.released = [each for each in stream.released if each[1] > seq]
        stream.through = seq
        stream.ahead = {each for each in stream.ahead if each > seq}

    def _late(self, entry: Entry, stream: _Stream, seq: int) -> None:
        for first, last in stream.passed:
            if first <= seq <= last:
                stream.passed.remove((first, last))
                rest = [(first, seq - 1), (seq + 1, last)]
                stream.passed += [each for each in rest if each[0] <= each[1]]
                return
        self._say(entry, f"{_event_name(entry)} is flagged late and nothing went past it")

    def _command(self, entry: Entry) -> None:
        if entry.command != self.command + 1:
            self._say(entry, f"command {self.command + 1} is expected, it carries {entry.command}")
        if entry.command_text is None:
            self._say(entry, f"the queue has no command {entry.command}")
        elif entry.command_kind != entry.type:
            self._say(entry, f"it says {entry.type}, its command says {entry.command_kind}")
        self.command = entry.command or self.command

    def _fact(self, entry: Entry) -> None:
        if entry.type in ("period_closed", "display_dark"):
            return  # the fold knows whether it belongs there
        if entry.type != "gap_released":
            self._say(entry, f"this verifier knows no fact {entry.type}: take a newer one")
            return
        body = parsed(entry.body_text or "{}")
        first, last = body.get("from_seq"), body.get("to_seq")
        if type(first) is not int or type(last) is not int or body.get("boot") != entry.boot:
            self._say(entry, "the released gap cannot be read")
            return
        stream = self._streams.setdefault((_table(entry), entry.boot or 0), _Stream())
        if first > last or first <= stream.through:
            self._say(entry, f"it releases seq {first} to {last}, which the order is past already")
        stream.released.append((first, last))

    def _say(self, entry: Entry, sentence: str) -> None:
        self._scope.add(KIND, f"entry {entry.seq}", sentence)


_KINDS = {"event": Order._event, "command": Order._command, "fact": Order._fact}


def _table(entry: Entry) -> str:
    return entry.table or ""


def _event_name(entry: Entry) -> str:
    return f"event {entry.table}/{entry.boot}/{entry.event_seq}"


def _holes(stream: _Stream, seq: int) -> list[Range]:
    """What nobody took between the end of the stream and `seq`."""
    holes, first = [], stream.through + 1
    for number in sorted(each for each in stream.ahead if each < seq):
        if first < number:
            holes.append((first, number - 1))
        first = number + 1
    return [*holes, (first, seq - 1)] if first < seq else holes


def _without(hole: Range, released: list[Range]) -> list[Range]:
    """What of a hole no fact released."""
    rest, first = [], hole[0]
    for low, high in sorted(released):
        if low > first:
            rest.append((first, min(low - 1, hole[1])))
        first = max(first, high + 1)
        if first > hole[1]:
            return rest
    return [*rest, (first, hole[1])]
