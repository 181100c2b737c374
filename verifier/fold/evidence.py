"""Files that people attached, and what they recorded: nothing moves, their hashes are kept."""

from __future__ import annotations

from collections.abc import Callable

from verifier.database.rows import Entry
from verifier.fold.device_events import Body, UnitReport
from verifier.fold.payments import ANY, hit_of
from verifier.fold.shapes import Refusal, fields, text, whole
from verifier.fold.state import State


def _attach_file(state: State, _entry: Entry, body: Body) -> UnitReport:
    fields(body, {"hit": ANY, "sha256": text(64, 64), "size": whole(1)})
    if not set(body["sha256"]) <= set("0123456789abcdef"):
        raise Refusal("that is no hash")
    return {"hit": hit_of(state, body).number}


def _seal_records(_state: State, _entry: Entry, body: Body) -> UnitReport:
    fields(body, {})
    return {}


FILES: dict[str, Callable[[State, Entry, Body], UnitReport]] = {
    "attach_file": _attach_file,
    "seal_records": _seal_records,
}
