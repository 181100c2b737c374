"""What is asked of a unit, second part: resends, eras, broken connections, its display."""

from __future__ import annotations

import datetime as dt
import re
import sqlite3
import time
from itertools import pairwise

from conformance import wire
from conformance.against_unit.console import Event, Presence
from conformance.against_unit.trial import Trial
from conformance.line import remembered
from conformance.scene import NotPossible, Scene

AT_ONCE = 200
LEAST_PAUSE_S = 0.5
_JITTER_S = 0.3
_PAUSES = 3  # of which the last is clearly longer than the first
_TERMS = 3


def resend(trial: Trial) -> None:
    """What no receipt covers comes again, more and more rarely, until one covers it."""
    console, times = trial.console, trial.times
    console.is_answering = False
    event = trial.any_event()
    mark = len(console.events)
    console.ask_again(event.boot, event.seq)
    console.wait(lambda: len(console.copies(mark, event.seq)) > _PAUSES, times.resend_s)
    copies = [each.at for each in console.copies(mark, event.seq)]
    trial.check("U-02", copies, "asked for again, it did not come")
    pauses = [later - earlier for earlier, later in pairwise(copies)]
    fits = len(pauses) >= _PAUSES and pauses[0] >= LEAST_PAUSE_S - _JITTER_S
    is_rarer = fits and pauses[_PAUSES - 1] > pauses[0] + _JITTER_S
    trial.check("U-65", is_rarer, f"{len(copies)} times, pauses of {_in_seconds(pauses)}")
    console.record(event)
    console.pause(_JITTER_S)  # what was on its way
    mark = len(console.events)
    trial.check("U-61", console.quiet(mark, times.quiet_s), "sent again though it is covered")


def _in_seconds(pauses: list[float]) -> str:
    return f"{', '.join(f'{each:.1f}' for each in pauses) or 'none'} s"


def parts(trial: Trial) -> None:
    """Of many events a part comes, and the next one when that is covered."""
    console, times = trial.console, trial.times
    console.is_answering = False
    mark = len(console.events)
    trial.unit.acts.do("many")
    console.wait(lambda: len(console.new_events(mark)) > AT_ONCE, times.answer_s)
    events = console.new_events(mark)
    if len(events) <= AT_ONCE:
        raise NotPossible(f"{len(events)} events came; more than {AT_ONCE} are needed")
    boot, first = events[0].boot, events[0].seq
    mark = len(console.events)
    console.ask_again(boot, first)
    console.wait(lambda: console.copies(mark, first + AT_ONCE - 1), times.answer_s)
    console.pause(_JITTER_S)
    copies = [each.seq for each in console.events[mark:] if each.is_copy]
    last = max(copies, default=first - 1)
    trial.check("U-63", last < first + AT_ONCE, f"events {first} to {last} at once")
    mark = len(console.events)
    console.cover(boot, first + AT_ONCE - 1)
    console.ask_again(boot, first + AT_ONCE)
    is_next = console.wait(lambda: console.copies(mark, first + AT_ONCE), times.answer_s)
    trial.check("U-64", is_next, f"event {first + AT_ONCE} did not follow")


def eras(trial: Trial) -> None:
    """Receipts that say less ask for nothing, unless a restored console sends them."""
    console, times = trial.console, trial.times
    event = trial.any_event()
    console.pause(_JITTER_S)
    console.is_answering = False
    for clause, era, evidence in (
        ("U-53", console.era, "an overtaken receipt of this era was obeyed"),
        ("U-55", console.era - 1, "a receipt of an earlier era was obeyed"),
    ):
        mark = len(console.events)
        console.ask_again(event.boot, event.seq, era=era)
        if not trial.check(clause, console.quiet(mark, times.quiet_s), evidence):
            console.record(event)
            console.pause(_JITTER_S)
    console.era += 7
    mark = len(console.events)
    console.ask_again(event.boot, event.seq)
    again = console.wait(lambda: console.copies(mark, event.seq), times.answer_s)
    trial.check("U-54", again, "a restored console asked again from below, in vain")


def broken_line(trial: Trial) -> None:
    """The connection breaks: the unit comes back, under a greater number."""
    console, times, tap = trial.console, trial.times, trial.unit.tap
    if tap is None:
        raise NotPossible("only with --tap")
    number, before = len(tap.connections), console.last_online
    mark, first_attempt = len(console.presences), len(tap.attempts)
    broken_at = time.monotonic()
    tap.cut(refuse=_PAUSES - 1)
    instants = [
        tap.wait_attempt(first_attempt + each, times.reconnect_s) for each in range(_PAUSES)
    ]
    attempts = [each for each in instants if each is not None]
    pauses = [later - earlier for earlier, later in pairwise([broken_at, *attempts])]
    fits = len(pauses) == _PAUSES and pauses[0] >= times.retry_s / 2
    is_rarer = fits and pauses[-1] > pauses[0] + times.retry_s / 2
    evidence = f"{len(pauses)} attempts, after {_in_seconds(pauses)}"
    trial.check("U-10", is_rarer and tap.wait(number, times.answer_s), evidence)
    will = console.next_presence(mark, times.will_s, lambda each: not each.is_online)
    trial.check("U-11", will, "no last will was heard")
    mark = console.presences.index(will) if will else mark
    present = console.next_presence(mark, times.will_s, lambda each: each.is_online)
    trial.check("U-17", present, "no presence on connecting")
    number = before.connection if before else 0
    anew_s = 2 * times.presence_s + 2
    other = console.next_presence(
        mark, anew_s, lambda each: each.is_online and each.connection != number
    )
    _check_connection(trial, before, other or present)


def _check_connection(trial: Trial, before: Presence | None, present: Presence | None) -> None:
    if before and present and before.boot == present.boot:
        numbers = before.connection, present.connection
        trial.check("U-47", numbers[0] < numbers[1], "connection {1} after {0}".format(*numbers))


def power_cut(trial: Trial) -> None:
    """The power goes before a receipt comes: the will is heard, the unit goes on where it was."""
    console, times = trial.console, trial.times
    console.is_answering = False
    event = trial.any_event()
    console.wait(lambda: console.last_online, times.presence_s)
    before = console.last_online
    mark = len(console.presences)
    trial.unit.acts.do("cut_power")
    will = console.next_presence(mark, times.will_s, lambda each: not each.is_online)
    expected = (before.boot, before.connection) if before else None
    names = (will.boot, will.connection) if will else None
    trial.check("U-11", names == expected, f"the will names {names}; presence named {expected}")
    topic = trial.unit.place.topic("presence")
    memory = remembered(trial.broker, trial.log, topic, times.quiet_s)
    fields = wire.read(memory, trial.unit.place.key).fields if memory else {}
    trial.check("U-11", fields.get("state") == "offline", "the last will is not retained")
    mark, events = len(console.presences), len(console.events)
    console.is_answering = True
    trial.unit.acts.do("switch_on")
    present = console.next_presence(mark, times.will_s, lambda each: each.is_online)
    if present is None:
        raise NotPossible("the unit did not come back")
    boot, last_seq = present.boot, present.fields.get("last_seq")
    is_whole = (boot, last_seq) == (event.boot, event.seq)
    trial.check(
        "U-67", is_whole, f"boot, last_seq {boot, last_seq}; {event.boot, event.seq} before"
    )
    _check_connection(trial, before, present)
    console.wait(lambda: console.copies(events, event.seq), times.answer_s if is_whole else 0)
    copies = console.copies(events, event.seq)
    evidence = "came with other bytes" if copies else "did not come again"
    is_same = bool(copies) and copies[0].payload == event.payload
    trial.check("U-01", is_same, f"event {event.seq}, of before the power cut, {evidence}")
    _check_next_round(trial, event)


def _check_next_round(trial: Trial, event: Event) -> None:
    """The count goes on, of events and of rounds."""
    console, times = trial.console, trial.times
    console.wait(lambda: console.last_online and console.last_online.boot, 2 * times.presence_s + 2)
    trial.wait_for_button()
    following = trial.event_of("press", "round_started", "U-39")
    goes_on = (following.boot, following.seq) == (event.boot, event.seq + 1)
    trial.check("U-67", goes_on, f"boot {following.boot}, seq {following.seq} came next")


def display(trial: Trial) -> None:
    """The display shows the newest values, and reads them back."""
    console = trial.console
    if not trial.unit.has_display:
        raise NotPossible("only with --display")
    trial.check(
        "D-02",
        _is_shown(trial, 10, seconds=0),
        f"no reading shows what was sent: {console.readings[-1:]}",
    )
    _is_shown(trial, 9, seconds=-30)
    stands = console.readings[-1].get("system_seq") if console.readings else None
    trial.check("D-04", stands == 10, f"shows {stands} after an older message")
    trial.check("D-04", _is_shown(trial, 5, seconds=30), "does not follow a restored console")


def _is_shown(trial: Trial, system_seq: int, seconds: float) -> bool:
    """Send values as of some seconds from now; whether the display reads them back."""
    console, place = trial.console, trial.unit.place
    message = {
        "v": 1,
        "system_seq": system_seq,
        "at": (dt.datetime.now(dt.UTC) + dt.timedelta(seconds=seconds)).isoformat(),
        "terms": _TERMS,
        "state": "live",
        "test": False,
        "test_tables": [],
        "out_of_play": [],
        "tiers": [
            {"tier": "royal", "name": "Royal Flush", "value": 1000_00 + system_seq,
             "state": "open", "period": None}
        ],
        "messages": [],
    }  # fmt: skip
    trial.line.say(place.display, wire.encode(message), retain=True)
    mark = len(console.readings)
    tiers = [{"tier": "royal", "value": 1000_00 + system_seq}]

    def is_read_back() -> bool:
        return any(
            (each.get("system_seq"), each.get("terms"), each.get("shown"))
            == (system_seq, _TERMS, tiers)
            for each in console.readings[mark:]
        )

    return console.wait(is_read_back, 2.2 * trial.times.reading_s + 0.5)


def leave(trial: Trial) -> None:
    """Switched off in order, the unit says so itself."""
    console, tap = trial.console, trial.unit.tap
    mark = len(console.presences)
    trial.unit.acts.do("switch_off")
    offline = console.next_presence(mark, trial.times.answer_s, lambda each: not each.is_online)
    steps = ["offline", "disconnect"]
    if tap and tap.connections:
        steps = tap.wait_step(steps[-1], trial.times.answer_s)
    elif offline:
        raise NotPossible("only with --tap: the last will looks the same")
    by_itself = steps[-1:] == ["disconnect"] and "offline" in steps
    evidence = "only its last will was heard" if offline else "nothing was heard"
    trial.check("U-12", offline and by_itself, evidence)


def memory_of_broker(trial: Trial) -> None:
    """Presence is retained; events and readings are not."""
    wait_s = min(trial.times.quiet_s, 1.0)
    for kind, clause, is_wanted in (
        ("presence", "U-17", True),
        ("events", "U-15", False),
        ("readings", "U-15", False),
    ):
        memory = remembered(trial.broker, trial.log, trial.unit.place.topic(kind), wait_s)
        trial.check(clause, (memory is not None) is is_wanted, f"{kind}: {memory!r}")


def journal(trial: Trial) -> None:
    """The file holds each event that was heard, byte for byte."""
    if trial.unit.journal is None:
        raise NotPossible("only with --journal")
    try:
        with sqlite3.connect(f"file:{trial.unit.journal}?mode=ro", uri=True) as database:
            rows = database.execute("SELECT boot, seq, payload, written_at FROM event").fetchall()
    except sqlite3.Error as error:
        trial.check("U-62", False, str(error))
        return
    held = {(boot, seq): bytes(payload) for boot, seq, payload, _ in rows}
    missing = [
        f"{event.boot}/{event.seq}"
        for event in trial.console.events
        if not event.is_copy and held.get((event.boot, event.seq)) != event.payload
    ]
    trial.check("U-62", not missing, f"not in the journal, or otherwise: {', '.join(missing)}")
    trial.check("U-62", all(row[3] > 0 for row in rows), "written_at is no time since 1970")


def connections(trial: Trial) -> None:
    """What the tap saw of every connection."""
    tap, place = trial.unit.tap, trial.unit.place
    if tap is None or not tap.connections:
        raise NotPossible("only with --tap")
    names = {connection.connect.client_id for connection in tap.connections}
    trial.check("U-07", len(names) == 1 and "" not in names, f"client ids: {sorted(names)}")
    for connection in tap.connections:
        packet = connection.connect
        trial.check("U-03", packet.version in (4, 5), f"protocol level {packet.version}")
        if packet.username is None:
            trial.report.skip("U-06", "no user name: with a certificate the broker's log shows it")
        else:
            own = rf"{place.system}/{place.table}(\.\d+)?"
            trial.check("U-06", re.fullmatch(own, packet.username), packet.username)
        trial.check("U-08", packet.is_clean and not packet.expiry_s, "the session is kept")
        trial.check("U-09", 0 < packet.keepalive_s <= 30, f"{packet.keepalive_s} s")
        topic, payload, qos, retained = packet.will or ("", b"", 0, False)
        will = wire.read(payload, place.key)
        is_right = (topic, qos, retained) == (place.topic("presence"), 1, True)
        names_it = will.fields.get("state") == "offline" and "connection" in will.fields
        trial.check("U-11", is_right and names_it and not will.faults, f"will: {packet.will}")
        steps = [step for step in dict.fromkeys(connection.steps) if step in _ORDER]
        is_in_order = steps == [step for step in _ORDER if step in steps]
        trial.check("U-13", is_in_order, " then ".join(connection.steps[:6]))


_ORDER = ("subscribe", "suback", "presence", "events")

NIGHT = (
    Scene(resend, "U-02 U-61 U-65"),
    Scene(parts, "U-63 U-64"),
    Scene(eras, "U-53 U-54 U-55"),
    Scene(broken_line, "U-10"),
    Scene(display, "D-02 D-04"),
    Scene(power_cut, "U-01 U-11 U-47 U-67"),
)
END = (
    Scene(leave, "U-12"),
    Scene(memory_of_broker, "U-15 U-17"),
    Scene(journal, "U-62"),
    Scene(connections, "U-03 U-06 U-07 U-08 U-09 U-13"),
)
