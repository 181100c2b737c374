"""Commands that say what was done elsewhere: a decision on a claim given to a third person, an
excluded person who is paid all the same, files, counts, remitted tax, and hashes of what people
recorded. Remitted tax alone moves money."""

from __future__ import annotations

from collections.abc import Callable

from verifier.database.rows import Entry
from verifier.fold.books.state import State
from verifier.fold.entries.device_events import Body, Outcome
from verifier.fold.entries.payments import ANY, EVIDENCE, hit_of, two_people
from verifier.fold.terms.shapes import (
    Refusal,
    day,
    each,
    fields,
    flag,
    maybe,
    one_of,
    require,
    text,
    whole,
)

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


def _release_excluded(state: State, entry: Entry, body: Body) -> Outcome:
    needed = {"hit": ANY, "seat": whole(1, 23), "reason": EVIDENCE}
    fields(body, {**needed, "matches": each(whole(1), 1, 500)})
    two_people(entry)
    hit = hit_of(state, body)
    require(hit.state in ("held", "confirmed", "paid"), "nothing of it is left to pay")
    return {"hit": hit.number, "seat": body["seat"]}


def _same_player(state: State, entry: Entry, body: Body) -> Outcome:
    needed = {"hit": ANY, "seat": whole(1, 23), "player": whole(1), "other": whole(1)}
    fields(body, {**needed, "is_one": flag, "reason": EVIDENCE})
    two_people(entry)
    hit = hit_of(state, body)
    require(body["player"] != body["other"], "these are not two numbers")
    return {"hit": hit.number, "seat": body["seat"]}


def _attach_file(state: State, _entry: Entry, body: Body) -> Outcome:
    fields(body, {"hit": ANY, "sha256": text(64, 64), "size": whole(1)})
    if not set(body["sha256"]) <= set("0123456789abcdef"):
        raise Refusal("that is no hash")
    return {"hit": hit_of(state, body).number}


_MOST = 10**17
_COUNT = {
    "day": text(10, 10),
    "expected": whole(-_MOST, _MOST),
    "file": text(64),
    "corrects": maybe(whole(1)),
    "note": text(500),
}


def _count_drop(_state: State, entry: Entry, body: Body) -> Outcome:
    fields(body, {**_COUNT, "table": text(32, 1), "amount": whole(0, _MOST)})
    _possible(entry, body)
    return {"table": body["table"], "day": body["day"]}


def _enter_balance(_state: State, entry: Entry, body: Body) -> Outcome:
    fields(body, {**_COUNT, "amount": whole(-_MOST, _MOST)})
    _possible(entry, body)
    return {"day": body["day"]}


def _possible(entry: Entry, body: Body) -> None:
    day(body["day"])
    is_hash = len(body["file"]) in (0, 64) and set(body["file"]) <= set("0123456789abcdef")
    require(is_hash, "that is no hash")
    corrects = body["corrects"]
    is_earlier = corrects is None or corrects < (entry.command or 0)
    require(is_earlier, "it corrects what was not there before it")


def _remit_tax(state: State, _entry: Entry, body: Body) -> Outcome:
    fields(body, {"amount": whole(1, _MOST), "reference": text(100, 1)})
    amount = body["amount"]
    require(amount <= state.balances["withheld_tax"], "so much is not withheld")
    state.move("withheld_tax", "remitted_tax", amount)
    return {"remitted": amount}


def _reverse_remittance(state: State, entry: Entry, body: Body) -> Outcome:
    fields(body, {"remittance": whole(1), "amount": whole(1, _MOST), "reason": EVIDENCE})
    amount = body["amount"]
    require(body["remittance"] < (entry.command or 0), "it reverses what was not there before it")
    require(amount <= state.balances["remitted_tax"], "so much was not remitted")
    state.move("remitted_tax", "withheld_tax", amount)
    return {"remitted": -amount}


def _seal_records(_state: State, _entry: Entry, body: Body) -> Outcome:
    fields(body, {})
    return {}


RECORDS: dict[str, Callable[[State, Entry, Body], Outcome]] = {
    "delegate_claim": _delegate_claim,
    "release_excluded": _release_excluded,
    "same_player": _same_player,
    "attach_file": _attach_file,
    "count_drop": _count_drop,
    "enter_balance": _enter_balance,
    "remit_tax": _remit_tax,
    "reverse_remittance": _reverse_remittance,
    "seal_records": _seal_records,
}
