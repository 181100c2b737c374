"""What stops a claim: one person's dispute or hold, or the clocks; two people let it go on."""

from __future__ import annotations

from collections.abc import Callable

from verifier.database.rows import Entry
from verifier.fold.books.state import State
from verifier.fold.books.tier_balance import Halt
from verifier.fold.entries.device_events import Body, Outcome
from verifier.fold.entries.payments import ANY, EVIDENCE, hit_of, two_people
from verifier.fold.terms.shapes import Refusal, fields

Decide = Callable[[State, Entry, Body], Outcome]


def _opening(kind: str) -> Decide:
    def decide(state: State, entry: Entry, body: Body) -> Outcome:
        fields(body, {"hit": ANY, "reason": EVIDENCE})
        hit = hit_of(state, body)
        hit.stops.append(Halt(entry.seq, kind))
        return {"hit": hit.number, "stop": entry.seq}

    return decide


def _ending(kind: str) -> Decide:
    def decide(state: State, entry: Entry, body: Body) -> Outcome:
        fields(body, {"hit": ANY, "stop": ANY, "finding": EVIDENCE})
        two_people(entry)
        hit = hit_of(state, body)
        for stop in hit.stops:
            if (stop.entry, stop.kind, stop.lifted) == (body["stop"], kind, None):
                stop.lifted = entry.seq
                return {"hit": hit.number, "stop": stop.entry}
        raise Refusal("no such stop is open")

    return decide


STOPS: dict[str, Decide] = {
    "dispute": _opening("dispute"),
    "resolve_dispute": _ending("dispute"),
    "hold_claim": _opening("hold"),
    "lift_hold": _ending("hold"),
    "settle_order": _ending("order"),
}
