"""What is asked of a console, second part: what it refuses, why, and what of it counts as held."""

from __future__ import annotations

from conformance import wire
from conformance.against_console.trial import SESSION, Trial
from conformance.scene import NotPossible, Scene

_KEPT_BYTES = 64 * 1024
_BOOTS_AHEAD = 10_000
_OTHER_KEY = b"a key of nobody's unit"


def broken_events(trial: Trial) -> None:
    """Each is refused for its reason, and held: its seq can be read."""
    unit = trial.unit

    def missed(**fields: object) -> dict[str, object]:
        return unit.event("rounds_missed", **{"count": 1, **fields})

    incomplete = missed()
    del incomplete["count"]
    for fields, clause, reason in (
        (incomplete, "C-44", "bad_schema"),
        (missed(count="one"), "C-44", "bad_schema"),
        (missed(count=1001), "C-44", "bad_schema"),
        (missed(note="a\u0001b"), "C-44", "bad_schema"),
        (missed(recorded_at="2026-11-21T10:00:00"), "C-44", "bad_schema"),
        (missed(mood="good"), "C-45", "unknown_field"),
        (missed(v=2), "C-46", "unknown_version"),
        (missed(table=f"{unit.place.table[:30]}-x"), "C-10", "wrong_topic"),
        (missed(note="x" * wire.MOST_BYTES), "C-47", "oversize"),
    ):
        trial.refused(clause, reason, unit.send(fields))
    own = unit.event("events_lost", from_seq=unit.seq, to_seq=unit.seq + 1)
    trial.refused("C-20", "bad_schema", unit.send(own))
    held = unit.committed(trial.times.answer_s, unit.seq)
    trial.check("C-32", held == unit.seq, f"committed_seq {held} behind refused event {unit.seq}")


def unreadable(trial: Trial) -> None:
    """Whose numbers nobody can read has no result, and stops nothing."""
    unit = trial.unit
    huge = unit.event("rounds_missed", count=1, note="x" * _KEPT_BYTES)
    good = dict(huge, note="y")
    mark = len(unit.heard.receipts)
    for payload in (b"\xff\xfe not JSON", b"", b"[]", trial.signed(huge)):
        unit.say("events", payload)
    sent_event = unit.send(good)
    trial.check(
        "C-37", trial.outcome(sent_event) == "recorded", f"behind it: {trial.outcome(sent_event)}"
    )
    results = [
        each for receipt in unit.heard.receipts[mark:] for each in receipt.get("results", ())
        if each.get("outcome") == "quarantined"
    ]  # fmt: skip
    trial.check("C-37", not results, f"results: {results}")


def lost_events(trial: Trial) -> None:
    """What a unit declares lost is a gap no more."""
    unit = trial.unit
    first = unit.seq + 1
    unit.seq += 3
    unit.play("events_lost", from_seq=first, to_seq=unit.seq)
    held = unit.committed(trial.times.answer_s, unit.seq)
    trial.check(
        "C-32", held == unit.seq, f"committed_seq {held} behind lost events to {unit.seq - 1}"
    )


def repeated_name(trial: Trial) -> None:
    """The last one counts."""
    fields = trial.unit.event("rounds_missed", count=1)
    body = wire.encode(fields).replace(b'"seq":', b'"seq":1,"seq":', 1)
    sent_event = trial.raw(wire.sign(body, trial.unit.place.key), fields["seq"])
    trial.recorded("C-12", sent_event)


def macs(trial: Trial) -> None:
    """With a key: nothing else is the unit's word."""
    unit = trial.unit
    if not unit.place.key:
        raise NotPossible("only with --key")
    before = unit.committed(trial.times.answer_s, unit.seq)
    fields = unit.event("rounds_missed", count=1)
    body = wire.encode(fields)
    for payload in (body, wire.sign(body, _OTHER_KEY)):
        mark = len(unit.heard.receipts)
        trial.refused("C-48", "wrong_mac", trial.raw(payload, fields["seq"]), mark)
    unit.seq -= 1  # nothing that the unit recorded
    held = unit.committed(trial.times.answer_s, before)
    trial.check("C-33", held == before, f"committed_seq {held} with a wrong MAC, {before} before")
    unit.seq += 1
    upper = body + b"\n" + wire.mac_of(body, unit.place.key).upper()
    mark = len(unit.heard.receipts)
    outcome = trial.outcome(trial.raw(upper, fields["seq"]), "recorded", mark=mark)
    trial.check("C-13", outcome == "recorded", f"the MAC in upper case: {outcome}")
    trial.check("C-48", outcome == "recorded", f"with the right MAC: {outcome}")
    large = unit.event("hand_reported", round=unit.round, boards=[["As"]], hands=[])
    hand = {"seat": 1, "hole": ["Js", "Ts"], "exposed": "yes", "folded": False,
            "participating": True, "won_pot": True}  # fmt: skip
    large["hands"] = [hand]
    room = wire.MOST_BYTES - len(wire.encode(large))
    body = wire.encode(large)[:-1] + b" " * room + b"}"
    trial.recorded("C-14", trial.raw(wire.sign(body, unit.place.key), large["seq"]))


def unused_mac(trial: Trial) -> None:
    """Without a key: a unit may sign already."""
    unit = trial.unit
    if unit.place.key:
        raise NotPossible("only without --key, at a table that has none")
    fields = unit.event("rounds_missed", count=1)
    trial.recorded("C-15", trial.raw(wire.sign(wire.encode(fields), _OTHER_KEY), fields["seq"]))


def implausible_boot(trial: Trial) -> None:
    """A boot far above all before is not the unit's."""
    unit = trial.unit
    boot = unit.boot + 2 * _BOOTS_AHEAD
    fields = unit.event("session_opened", **SESSION) | {"boot": boot, "seq": 1}
    unit.seq -= 1
    mark = len(unit.heard.receipts)
    sent_event = unit.send(fields)
    trial.refused("C-49", "implausible_boot", sent_event, mark)
    receipt = unit.receipt(mark, 0, lambda each: each.get("boot") == boot) or {}
    held, next_boot = receipt.get("committed_seq"), receipt.get("next_boot")
    trial.check("C-33", held == 0, f"committed_seq {held} of an implausible boot")
    trial.check("C-49", next_boot == unit.boot + 1, f"next_boot {next_boot} after boot {unit.boot}")


REFUSALS = (
    Scene(broken_events, "C-10 C-20 C-32 C-41 C-44 C-45 C-46 C-47"),
    Scene(unreadable, "C-37"),
    Scene(lost_events, "C-32"),
    Scene(repeated_name, "C-12"),
    Scene(macs, "C-13 C-14 C-48"),
    Scene(unused_mac, "C-15"),
    Scene(implausible_boot, "C-33 C-49"),
)
