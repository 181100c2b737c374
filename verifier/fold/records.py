"""Commands by which nothing moves: a decision on a claim that two people gave to a third, files
that people attached, and what they recorded, of which the hashes are kept."""

from __future__ import annotations

from collections.abc import Callable

from verifier.database.rows import Entry
from verifier.fold.device_events import Body, Outcome
from verifier.fold.payments import ANY, EVIDENCE, hit_of, two_people
from verifier.fold.shapes import Refusal, each, fields, one_of, require, text, whole
from verifier.fold.state import State

_NAME = text(150, 1)


def _delegate_claim(state: State, entry: Entry, body: Body) -> Outcome:
    needed = {"hit": ANY, "person": _NAME, "reason": EVIDENCE}
    needed["capacity"] = one_of("manager", "supervisor")
    fields(body, needed, {"left": each(_NAME)})
    two_people(entry)
    hit = hit_of(state, body)
    require(hit.state in ("held", "confirmed", "paid"), "nothing of it is left to decide")
    require(body["person"] not in (entry.first, entry.second), "one gave it to themselves")
    return {"hit": hit.number, "delegate": body["person"]}


def _attach_file(state: State, _entry: Entry, body: Body) -> Outcome:
    fields(body, {"hit": ANY, "sha256": text(64, 64), "size": whole(1)})
    if not set(body["sha256"]) <= set("0123456789abcdef"):
        raise Refusal("that is no hash")
    return {"hit": hit_of(state, body).number}


def _seal_records(_state: State, _entry: Entry, body: Body) -> Outcome:
    fields(body, {})
    return {}


RECORDS: dict[str, Callable[[State, Entry, Body], Outcome]] = {
    "delegate_claim": _delegate_claim,
    "attach_file": _attach_file,
    "seal_records": _seal_records,
}
