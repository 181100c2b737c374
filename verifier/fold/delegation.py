"""A decision on a claim that two people gave to a third: nothing moves."""

from __future__ import annotations

from collections.abc import Callable

from verifier.database.rows import Entry
from verifier.fold.device_events import Body, UnitReport
from verifier.fold.payments import ANY, EVIDENCE, hit_of, two_people
from verifier.fold.shapes import each, fields, one_of, require, text
from verifier.fold.state import State

_NAME = text(150, 1)


def _delegate_claim(state: State, entry: Entry, body: Body) -> UnitReport:
    needed = {"hit": ANY, "person": _NAME, "reason": EVIDENCE}
    needed["capacity"] = one_of("manager", "supervisor")
    fields(body, needed, {"left": each(_NAME)})
    two_people(entry)
    hit = hit_of(state, body)
    require(hit.state in ("held", "confirmed", "paid"), "nothing of it is left to decide")
    require(body["person"] not in (entry.first, entry.second), "one gave it to themselves")
    return {"hit": hit.number, "delegate": body["person"]}


DELEGATIONS: dict[str, Callable[[State, Entry, Body], UnitReport]] = {
    "delegate_claim": _delegate_claim
}
