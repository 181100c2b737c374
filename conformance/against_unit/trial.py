"""The trial of a unit: the kit plays the console, and the scenes say what is asked of the unit."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from conformance.against_unit.acts import Acts
from conformance.against_unit.console import Event, PlayedConsole
from conformance.against_unit.tap import Tap
from conformance.clauses import clauses
from conformance.line import Broker, Line, Log, Place
from conformance.report import Report
from conformance.scene import NothingToTry, NotPossible, Scene


@dataclass(frozen=True, slots=True)
class Times:
    """The times of the protocol, and how long the kit waits for an answer, and for nothing."""

    presence_s: float = 10.0
    handset_s: float = 5.0
    guard_s: float = 15.0
    reading_s: float = 10.0
    answer_s: float = 10.0
    quiet_s: float = 2.0
    resend_s: float = 20.0  # in which what nothing covers comes four times
    retry_s: float = 1.0  # of a unit whose connection broke, before its first attempt
    will_s: float = 60.0  # a broker notices a power cut after one and a half keep-alives
    reconnect_s: float = 20.0  # 15 s, and room for moments of its own


@dataclass(frozen=True, slots=True)
class UnitUnderTest:
    """The unit, and by what it can be reached beside the broker."""

    place: Place
    acts: Acts
    tap: Tap | None = None  # between unit and broker
    journal: Path | None = None
    has_display: bool = False


@dataclass
class Trial:
    """What the scenes share."""

    unit: UnitUnderTest
    broker: Broker
    log: Log
    times: Times
    report: Report
    console: PlayedConsole
    line: Line
    pressed_at: float = float("-inf")

    def check(self, id_: str, holds: object, evidence: str = "") -> bool:
        return self.report.check(id_, holds, evidence)

    def event_of(self, act: str, type_: str, clause: str) -> Event:
        """Have something done, and take the event of it; NotPossible where none comes."""
        mark = len(self.console.events)
        self.unit.acts.do(act)
        event = self.console.next_event(mark, self.times.answer_s)
        evidence = event.type if event else "no event"
        if not self.check(clause, event and event.type == type_, f"{act}: {evidence}") or not event:
            raise NotPossible(f"{act}: {evidence} was heard")
        return event

    def wait_for_button(self) -> None:
        """Until a press is no second one."""
        self.console.pause(self.pressed_at + self.times.guard_s - time.monotonic())

    def any_event(self) -> Event:
        """An event that can come at any time."""
        return self.event_of("miss_rounds", "rounds_missed", "U-41")

    def shows(self, event: Event, is_right: Callable[[str], bool]) -> tuple[bool, str]:
        """Whether the handset comes to show the right thing of an event, and what it shows."""
        text = ""

        def is_shown() -> bool:
            nonlocal text
            text = self.unit.acts.handset(event.boot, event.seq)
            return is_right(text.upper())

        if self.unit.acts.is_asked_once:
            return is_shown(), repr(text)
        waited_s, step_s = 0.0, 0.05
        while not is_shown() and waited_s < self.times.answer_s:
            self.console.pause(step_s)
            waited_s += step_s
        return is_right(text.upper()), repr(text)


def try_unit(
    unit: UnitUnderTest,
    broker: Broker,
    scenes: Sequence[Scene[Trial]],
    *,
    times: Times | None = None,
    log: Log | None = None,
) -> Report:
    """Play the scenes with a unit; what was seen of each clause. NoBroker where there is none;
    whatever the kit itself failed at while it heard a message."""
    log = log or Log()
    report = Report(clauses("unit"))
    line = Line(broker, log, hear=lambda delivery: console.hear(delivery))
    console = PlayedConsole(unit.place, report, line.say)
    line.open()
    console.join(line)
    trial = Trial(unit, broker, log, times or Times(), report, console, line)
    try:
        for scene in scenes:
            scene.perform(trial, report)
            console.resume()
            log.raise_fault()
    except NothingToTry as why:
        for id_, clause in report.clauses.items():
            if clause.kit:
                report.skip(id_, str(why))
    finally:
        line.close()
    log.raise_fault()
    return report
