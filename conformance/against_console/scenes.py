"""What is asked of a console, first part: presence, a day, gaps, its order, its displays."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from conformance import wire
from conformance.against_console.trial import SESSION, Trial
from conformance.against_console.unit import SentEvent
from conformance.line import Line, NoBroker, remembered
from conformance.scene import NothingToTry, NotPossible, Scene

_LEAST_PAUSE_S, _LONGEST_PAUSE_S = 0.15, 2.0
_JITTER_S = 0.1
_LATE_S = 3.0  # a worker that has much to do
_YEARS_AGO = "2025-01-01T00:00:00.000+00:00"
_FIVE_ACES: dict[str, Any] = {
    "boards": [["As", "As", "As", "2d", "7c"]],
    "hands": [
        {"seat": 3, "hole": ["As", "Zz"], "exposed": "yes", "folded": False,
         "participating": True, "won_pot": True}
    ],
}  # fmt: skip


def presence_without_memory(trial: Trial) -> None:
    """A unit without memory is given its boot."""
    unit, times = trial.unit, trial.times
    mark = unit.present()
    receipt = unit.receipt(mark, times.answer_s, lambda each: each.get("boot") == 0)
    trial.check("C-28", receipt, "a presence was not answered")
    if receipt is None:
        raise NothingToTry("the console does not answer: is the table entered, and its key right?")
    boot = receipt.get("next_boot", 0)
    if not trial.check("C-30", isinstance(boot, int) and boot >= 1, f"next_boot {boot}"):
        raise NothingToTry("without a boot nothing can be said")
    unit.begin(boot)
    unit.disconnect()
    unit.connect()
    trial.check("C-31", unit.committed(times.answer_s, 0) == 0, "more is held than was said")


def day(trial: Trial) -> None:
    """A session, rounds, and requests: each is recorded, whatever its cards."""
    unit = trial.unit
    opened = unit.play("session_opened", **SESSION)
    started = unit.press(seats_dealt=[1, 2, 3])
    for sent_event in (opened, started):
        trial.recorded("C-03", sent_event)
    round_ = {"round": unit.round}
    trial.recorded("C-21", unit.play("round_completed", **round_))
    requests = (
        unit.play("rounds_missed", count=1),
        unit.play("void_requested", reason="cards_exposed", **round_),
        unit.play("hand_withdrawn", reason="wrong table"),
    )
    for sent_event in requests:
        trial.recorded("C-23", sent_event)
    trial.recorded("C-06", unit.play("rounds_missed", count=1, qos=0))
    held = unit.committed(trial.times.answer_s, unit.seq)
    trial.check("C-31", held == unit.seq, f"committed_seq {held} after event {unit.seq}")
    late = unit.event("session_changed", **SESSION)
    trial.outcome(unit.play("session_changed", **SESSION))
    trial.recorded("C-38", unit.send(late))
    again = unit.result(opened, trial.times.answer_s, "recorded")
    unit.say("events", opened.payload)
    second = trial.outcome(opened, "duplicate")
    trial.check("C-39", again and second == "duplicate", f"the first event again: {second}")


def sequenced(trial: Trial) -> None:
    """The number in the system's order comes later, of a hand with its claims."""
    unit, times = trial.unit, trial.times
    started = unit.press()
    called = unit.play("hand_called", round=unit.round, tier=None, seats=[3])
    number = unit.result(started, times.sequenced_s, "sequenced")
    if number is None:
        raise NotPossible("nothing was sequenced: does the poster run, and are terms posted?")
    trial.is_sequencing = True
    for sent_event in (started, called):
        result = unit.result(sent_event, times.sequenced_s, "sequenced") or {}
        trial.check(
            "C-42", isinstance(result.get("system_seq"), int), f"event {sent_event.seq}: {result}"
        )
    _numbers_against_clock(trial)
    hit = (unit.result(called, times.sequenced_s, "sequenced") or {}).get("hit")
    trial.check("C-42", isinstance(hit, list), f"a called hand names no claims: {hit}")
    mark = len(unit.heard.receipts)
    unit.say("events", started.payload)
    again = unit.result(started, times.answer_s, "sequenced", mark=mark)
    trial.check("C-40", again == number, f"sent again: {again}")
    unit.play("round_completed", round=unit.round)
    cards = unit.play("hand_reported", round=unit.round, called_seq=called.seq, **_FIVE_ACES)
    trial.recorded("C-24", cards)
    unit.play("hand_withdrawn", called_seq=called.seq, reported_seq=cards.seq, reason="a trial")


def _numbers_against_clock(trial: Trial) -> None:
    """What came later has the greater number, whatever its instant says."""
    unit = trial.unit
    pair = (
        unit.play("rounds_missed", count=1),
        unit.play("rounds_missed", count=1, recorded_at=_YEARS_AGO),
    )
    results = [unit.result(each, trial.times.sequenced_s, "sequenced") or {} for each in pair]
    first, second = (each.get("system_seq") for each in results)
    rises = isinstance(first, int) and isinstance(second, int) and first < second
    trial.check("C-11", rises, f"number {first}, then {second} with an instant of {_YEARS_AGO}")


def duplicates(trial: Trial) -> None:
    """The same bytes are a duplicate, other bytes a conflict."""
    unit = trial.unit
    fields = unit.event("rounds_missed", count=1)
    first = unit.send(fields)
    outcomes = [trial.outcome(first)]
    for _ in range(2):
        mark = len(unit.heard.receipts)
        unit.say("events", first.payload)
        outcomes.append(trial.outcome(first, "recorded", "duplicate", "quarantined", mark=mark))
    trial.check("C-18", outcomes == ["recorded", "duplicate", "duplicate"], ", ".join(outcomes))
    mark = len(unit.heard.receipts)
    other = unit.send(fields | {"count": 2})
    trial.refused("C-19", "conflict", other, mark)
    mark = len(unit.heard.receipts)
    unit.say("events", first.payload)
    stands = trial.outcome(first, "recorded", "duplicate", "quarantined", mark=mark)
    trial.check("C-19", stands == "duplicate", f"the first again: {stands}")


def gaps(trial: Trial) -> None:
    """What is missing is asked for; hands are not held by it."""
    unit, times = trial.unit, trial.times
    unit.committed(times.answer_s, unit.seq)
    missing = unit.event("rounds_missed", count=1)
    mark = len(unit.heard.receipts)
    behind = unit.press()
    called = unit.play("hand_called", round=unit.round, tier=None, seats=[2])
    asking = unit.receipt(mark, times.answer_s, lambda each: each.get("resend_from") is not None)
    place = (asking or {}).get("resend_from"), (asking or {}).get("committed_seq")
    expected = missing["seq"], missing["seq"] - 1
    trial.check("C-36", place == expected, f"resend_from, committed_seq {place}, not {expected}")
    if asking:
        trial.check("C-31", place[1] == expected[1], f"committed_seq {place[1]} below a gap")
    _numbers_over_gap(trial, behind, called)
    filled = unit.send(missing)
    trial.recorded("C-03", filled)
    mark = unit.present()
    whole = unit.receipt(mark, times.answer_s, lambda each: each.get("committed_seq") == unit.seq)
    trial.check("C-36", whole and whole.get("resend_from") is None, f"the gap is filled: {whole}")
    if trial.is_sequencing:
        number = unit.result(filled, times.sequenced_s, "sequenced")
        trial.check("C-58", number, "what came late has no number")
    unit.play("hand_withdrawn", called_seq=called.seq, reason="a trial")


def _numbers_over_gap(trial: Trial, behind: SentEvent, called: SentEvent) -> None:
    """While a gap stands: the hand has its number, the round in front of it has none."""
    if not trial.is_sequencing:
        trial.report.skip("C-56 C-57 C-58", "nothing was sequenced")
        return
    number = trial.unit.result(called, trial.times.sequenced_s, "sequenced")
    trial.check("C-57", number, "a hand behind a gap has no number")
    held = trial.unit.result(behind, 0, "sequenced")
    trial.check("C-56", number and held is None, "the round behind the gap has its number")


def reconnect(trial: Trial) -> None:
    """A presence tells what the unit has: the console answers, and asks for what it misses."""
    unit, times = trial.unit, trial.times
    unit.disconnect()
    unit.connect()
    held = unit.committed(times.answer_s, unit.seq)
    trial.check("C-28", held == unit.seq, f"committed_seq {held}, the unit has {unit.seq}")
    missing = unit.event("rounds_missed", count=1)
    mark = unit.present()
    asking = unit.receipt(mark, times.answer_s, lambda each: each.get("resend_from") is not None)
    place = (asking or {}).get("resend_from")
    trial.check("C-27", place == missing["seq"], f"resend_from {place}, not {missing['seq']}")
    trial.recorded("C-03", unit.send(missing))


def boots(trial: Trial) -> None:
    """The counter starts again: the next boot is taken, and the one after it is named."""
    unit = trial.unit
    boot = unit.boot + 1
    unit.begin(boot)
    trial.recorded("C-03", unit.play("session_opened", **SESSION))
    mark = unit.present(boot=0, last_seq=None)
    receipt = unit.receipt(mark, trial.times.answer_s, lambda each: each.get("boot") == 0)
    next_boot = (receipt or {}).get("next_boot")
    trial.check("C-30", next_boot == boot + 1, f"next_boot {next_boot} after boot {boot}")


def listening(trial: Trial) -> None:
    """The console says that it listens, retained."""
    unit = trial.unit
    unit.wait(lambda: "console" in unit.heard.retained, trial.times.answer_s)
    states: list[Any] = [each.get("state") for each in unit.heard.console]
    trial.check("C-09", "console" in unit.heard.retained, "nothing is retained on console/+")
    trial.check("C-09", "online" in states, f"states: {states}")


def displays(trial: Trial) -> None:
    """Values come, retained, and again while nothing changes."""
    unit, times = trial.unit, trial.times
    if not unit.wait(lambda: unit.heard.display, times.display_s):
        raise NotPossible("no display message: does the worker run, and are terms posted?")
    unit.wait(lambda: len(unit.heard.display_at) >= 3, times.display_s)
    memory = remembered(trial.broker, trial.log, unit.place.display, times.quiet_s)
    trial.check("C-08", memory is not None, "no display message is retained")
    pauses = [later - earlier for earlier, later in pairwise(unit.heard.display_at)]
    fits = pauses and min(pauses) >= _LEAST_PAUSE_S - _JITTER_S and max(pauses) <= _LATE_S
    trial.check("C-60", fits, f"pauses of {', '.join(f'{each:.2f}' for each in pauses)} s")
    terms = [each.get("terms", 0) for each in unit.heard.display]
    codes = [tier.get("tier") for each in unit.heard.display for tier in each.get("tiers", ())]
    trial.check("C-59", terms == sorted(terms) and all(codes), f"terms {terms}, prizes {codes}")


def memory_of_broker(trial: Trial) -> None:
    """Receipts are not retained, and the watermark never fell."""
    unit, times = trial.unit, trial.times
    topic = unit.place.topic("receipts")
    memory = remembered(trial.broker, trial.log, topic, min(times.quiet_s, 1.0))
    trial.check("C-07", memory is None, "a receipt is retained")
    receipts = [each for each in unit.heard.receipts if each.get("boot") == unit.boot]
    era = max(each.get("era", 0) for each in receipts)
    greatest = max(each.get("committed_seq", 0) for each in receipts if each.get("era") == era)
    last = unit.committed(times.answer_s, greatest)
    trial.check("C-34", last >= greatest, f"committed_seq {last} after {greatest}")


def access(trial: Trial) -> None:
    """The broker lets a unit do what is a unit's, and one connection stand for a client id."""
    unit, wait_s = trial.unit, min(trial.times.quiet_s, 1.0)
    ear = Line(trial.broker, trial.log, client_id=f"conformance-{unit.place.table}-ear")
    try:
        ear.open()
        ear.subscribe(unit.place.topic("events"))
        ear.subscribe(unit.place.topic("receipts"))
        forged = wire.encode({"v": 1, "era": 0, "boot": unit.boot, "committed_seq": 0,
                              "next_boot": 1, "resend_from": None, "results": []})  # fmt: skip
        ear.say(unit.place.topic("receipts"), forged)
        unit.play("rounds_missed", count=1)
        unit.wait(lambda: False, wait_s)
        heard = []
        while not ear.heard.empty():
            heard.append(ear.heard.get())
        foreign = [each.kind for each in heard if each.kind == "events" or each.payload == forged]
        trial.check("B-02", not foreign, f"this log-in heard {foreign}")
        second = Line(trial.broker, trial.log, client_id=f"conformance-{unit.place.table}-ear")
        second.open()
        trial.check("B-01", ear.wait_closed(trial.times.answer_s), "both connections stand")
        second.close()
    except NoBroker as why:
        raise NotPossible(str(why)) from None
    finally:
        ear.close()


DAY = (
    Scene(presence_without_memory, "C-30"),
    Scene(listening, "C-09"),
    Scene(day, "C-03 C-06 C-21 C-23 C-31 C-38 C-39"),
    Scene(sequenced, "C-11 C-24 C-40 C-42 C-56 C-57 C-58"),
    Scene(duplicates, "C-18 C-19"),
    Scene(gaps, "C-36"),
    Scene(reconnect, "C-27"),
)
END = (
    Scene(boots, "C-30"),
    Scene(displays, "C-08 C-59 C-60"),
    Scene(memory_of_broker, "C-07 C-34"),
    Scene(access, "B-01 B-02"),
)
