"""The trial of a console: the kit plays a unit, and the scenes say what is asked of the console."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from conformance import wire
from conformance.against_console.unit import PlayedUnit, SentEvent
from conformance.clauses import clauses
from conformance.line import Broker, Log, Place
from conformance.report import Report
from conformance.scene import NothingToTry, Scene

SESSION: dict[str, Any] = {
    "game": "holdem",
    "deck": 52,
    "dealer": "Kit",
    "seats_in_play": [1, 2, 3, 4, 5],
}


@dataclass(frozen=True, slots=True)
class Times:
    """How long the kit waits for an answer, for the order's number, and for nothing to come."""

    answer_s: float = 10.0
    sequenced_s: float = 10.0
    display_s: float = 6.0
    quiet_s: float = 2.0


@dataclass
class Trial:
    """What the scenes share."""

    unit: PlayedUnit
    broker: Broker
    log: Log
    times: Times
    report: Report
    is_sequencing: bool = False  # whether numbers of the order were heard

    def check(self, id_: str, holds: object, evidence: str = "") -> bool:
        return self.report.check(id_, holds, evidence)

    def outcome(self, sent_event: SentEvent, *outcomes: str, mark: int = 0) -> str:
        """What became of an event: its outcome, and the reason of a refusal."""
        expected = outcomes or ("recorded", "duplicate", "quarantined")
        result = self.unit.result(sent_event, self.times.answer_s, *expected, mark=mark)
        return (
            " ".join(str(result[name]) for name in ("outcome", "reason") if result.get(name))
            if (result)
            else "no result"
        )

    def recorded(self, clause: str, sent_event: SentEvent) -> bool:
        """Whether an event is recorded, which this clause asks for."""
        outcome = self.outcome(sent_event)
        return self.check(clause, outcome == "recorded", f"event {sent_event.seq}: {outcome}")

    def refused(self, clause: str, reason: str, sent_event: SentEvent, mark: int = 0) -> bool:
        """Whether an event is quarantined for this reason, which this clause asks for."""
        outcome = self.outcome(sent_event, "quarantined", mark=mark)
        self.check("C-41", outcome != "quarantined", f"event {sent_event.seq}: no reason")
        return self.check(
            clause, outcome == f"quarantined {reason}", f"event {sent_event.seq}: {outcome}"
        )

    def raw(self, payload: bytes, seq: int) -> SentEvent:
        """Say these bytes as they are, in the place of an event."""
        self.unit.say("events", payload)
        return SentEvent(self.unit.boot, seq, payload)

    def signed(self, fields: dict[str, Any]) -> bytes:
        return wire.sign(wire.encode(fields), self.unit.place.key)


def try_console(
    place: Place,
    broker: Broker,
    scenes: Sequence[Scene[Trial]],
    *,
    times: Times | None = None,
    log: Log | None = None,
) -> Report:
    """Play the scenes with a console; what was seen of each clause. Raises NoBroker, and
    whatever the kit itself failed at while it heard a message."""
    log = log or Log()
    report = Report(clauses("console"))
    unit = PlayedUnit(place, broker, log, report)
    trial = Trial(unit, broker, log, times or Times(), report)
    unit.connect()
    try:
        for scene in scenes:
            scene.perform(trial, report)
            log.raise_fault()
    except NothingToTry as why:
        for id_, clause in report.clauses.items():
            if clause.kit:
                report.skip(id_, str(why))
    finally:
        unit.disconnect()
    log.raise_fault()
    return report
