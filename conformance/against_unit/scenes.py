"""What is asked of a unit, first part: its start, its dealer, its handset."""

from __future__ import annotations

import time

from conformance import wire
from conformance.against_unit.console import FIRST_BOOT
from conformance.against_unit.trial import Trial
from conformance.scene import NothingToTry, Scene

_RECORDED = "RECORDED"
_REFUSED = "NOT RECORDED"


def _is_recorded(text: str) -> bool:
    return _RECORDED in text and _REFUSED not in text


def start_without_memory(trial: Trial) -> None:
    """No answer at first: the unit says its presence again, records nothing, waits for a boot."""
    console, times = trial.console, trial.times
    console.names_boot = False
    mark = len(console.presences)
    trial.unit.acts.do("forget")
    first = console.next_presence(mark, times.will_s, lambda each: each.is_online)
    if first is None:
        raise NothingToTry("no presence was heard")
    if not trial.check("U-49", first.boot == 0, f"boot {first.boot} with its memory cleared"):
        return
    trial.check("U-49", "last_seq" not in first.fields, f"{first.fields}")
    again = console.next_presence(
        mark + 1, 1.5 * times.presence_s + 1, lambda each: each.is_online and each.boot == 0
    )
    trial.check("U-51", again, f"silent for {1.5 * times.presence_s + 1:.1f} s without an answer")
    events, heard = len(console.events), console.on_events
    trial.unit.acts.do("press")
    trial.pressed_at = time.monotonic()
    early = console.wait(lambda: console.on_events > heard, times.quiet_s)
    trial.check("U-14", not early, "an event without a boot")
    mark = len(console.presences)
    console.names_boot = True
    console.answer(0)
    presence = console.next_presence(mark, 2 * times.presence_s + 2, lambda each: each.boot != 0)
    boot = presence.boot if presence else 0
    trial.check("U-50", boot == FIRST_BOOT, f"boot {boot} where {FIRST_BOOT} was named")
    if presence:
        is_new = presence.connection > first.connection
        trial.check("U-50", is_new, "the same connection after the boot was named")
        late = console.next_event(events, times.quiet_s)
        trial.check("U-52", late is None, "an event of the time without a boot")
    trial.pressed_at = time.monotonic()


def start(trial: Trial) -> None:
    """The unit is there, and says so again and again."""
    console, times = trial.console, trial.times
    if console.last_online is None:
        trial.unit.acts.do("switch_on")
    if not console.wait(lambda: console.last_online and console.last_online.boot, times.will_s):
        raise NothingToTry("no presence with a boot was heard")
    mark = len(console.presences)
    patience_s = 1.3 * times.presence_s + 0.5
    for number in range(2):
        each = console.next_presence(mark + number, patience_s, lambda each: each.is_online)
        trial.check("U-17", each, f"no presence for {patience_s:.1f} s")


def session(trial: Trial) -> None:
    """The table opens, and something of its session changes."""
    event = trial.event_of("open_session", "session_opened", "U-37")
    if event.boot == FIRST_BOOT:
        first = min(trial.console.streams[event.boot].payloads)
        trial.check("U-50", first == 1, f"the first event has seq {first}")
    event = trial.event_of("change_session", "session_changed", "U-37")
    console, mark = trial.console, len(trial.console.presences)
    patience_s = 1.3 * trial.times.presence_s + 0.5
    present = console.next_presence(mark, patience_s, lambda each: each.is_online)
    last_seq = present.fields.get("last_seq") if present else None
    trial.check("U-48", not present or last_seq == event.seq, f"{last_seq} at event {event.seq}")


def press(trial: Trial) -> None:
    """One press is one event, a second one at once is none; without a receipt: not recorded."""
    console, times = trial.console, trial.times
    trial.wait_for_button()
    console.is_answering = False
    mark = len(console.events)
    event = trial.event_of("press", "round_started", "U-39")
    trial.pressed_at = time.monotonic()
    trial.unit.acts.do("press_again")
    second = console.wait(lambda: len(console.new_events(mark)) > 1, times.quiet_s)
    trial.check("U-66", not second, "a second event")
    trial.check("U-39", not second, "one press, several events")
    text = trial.unit.acts.handset(event.boot, event.seq)
    trial.check("U-57", not _is_recorded(text.upper()), f"{text!r} without a receipt")
    console.pause(event.at + times.handset_s - time.monotonic())
    is_right, text = trial.shows(event, lambda panel: _REFUSED in panel)
    trial.check(
        "U-59", is_right, f"{text} {times.handset_s:.0f} s after an event without a receipt"
    )
    console.record(event)
    is_right, text = trial.shows(event, _is_recorded)
    trial.check("U-57", is_right, f"{text} after its receipt")
    number = console.sequence(event)
    is_right, text = trial.shows(event, lambda panel: _is_recorded(panel) and str(number) in panel)
    trial.check("U-58", is_right, f"{text} when sequenced as {number}")


def hand(trial: Trial) -> None:
    """A round with a hand, and what may follow."""
    trial.event_of("call_hand", "hand_called", "U-43")
    trial.event_of("report_hand", "hand_reported", "U-44")
    trial.event_of("withdraw", "hand_withdrawn", "U-45")
    trial.event_of("complete", "round_completed", "U-40")
    trial.event_of("void", "void_requested", "U-42")


def missed_rounds(trial: Trial) -> None:
    """The button was forgotten."""
    trial.any_event()


def lost_events(trial: Trial) -> None:
    """A range in rising order, below its own seq."""
    event = trial.event_of("lose", "events_lost", "U-46")
    fields = wire.read(event.payload, trial.unit.place.key).fields
    first, last = fields.get("from_seq"), fields.get("to_seq")
    in_order = isinstance(first, int) and isinstance(last, int) and first <= last < event.seq
    trial.check("U-46", in_order, f"{first} to {last} in event {event.seq}")


def refusals(trial: Trial) -> None:
    """What is quarantined is not recorded, and what is recorded stays so."""
    console = trial.console
    console.is_answering = False
    event = trial.any_event()
    refused = {"seq": event.seq, "outcome": "quarantined", "reason": "bad_schema"}
    console.record(event)
    trial.shows(event, _is_recorded)
    console.answer(event.boot, refused)
    console.pause(min(trial.times.quiet_s, 0.5))
    text = trial.unit.acts.handset(event.boot, event.seq)
    trial.check("U-56", _is_recorded(text.upper()), f"{text!r} after a refusal of other bytes")
    other = trial.any_event()
    console.cover(other.boot, other.seq)
    console.answer(other.boot, refused | {"seq": other.seq})
    is_right, text = trial.shows(other, lambda panel: _REFUSED in panel)
    trial.check("U-59", is_right, f"{text} when quarantined")


def unknown_words(trial: Trial) -> None:
    """A console of a later release says more: the unit takes what it knows."""
    console = trial.console
    console.is_answering = False
    event = trial.any_event()
    later = {"seq": event.seq, "outcome": "celebrated", "with": ["music"]}
    recorded = {"seq": event.seq, "outcome": "recorded", "confidence": "high"}
    console.cover(event.boot, event.seq)
    console.answer(event.boot, later, recorded, mood="cheerful", weather={"sky": "clear"})
    is_right, text = trial.shows(event, _is_recorded)
    trial.check("U-21", is_right, f"{text} after a receipt with unknown fields and outcomes")


def close(trial: Trial) -> None:
    """The table closes."""
    trial.event_of("close_session", "session_closed", "U-38")


DAY = (
    Scene(start_without_memory, "U-14 U-49 U-50 U-51 U-52"),
    Scene(start, "U-17"),
    Scene(session, "U-37"),
    Scene(press, "U-39 U-57 U-58 U-59 U-66"),
    Scene(hand, "U-24 U-40 U-42 U-43 U-44 U-45"),
    Scene(missed_rounds, "U-41"),
    Scene(lost_events, "U-46"),
    Scene(refusals, "U-56 U-59"),
    Scene(unknown_words, "U-21"),
)
EVENING = (Scene(close, "U-38"),)
