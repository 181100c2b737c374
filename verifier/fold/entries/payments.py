"""Handing over what was confirmed (19.15), and what becomes of it when nobody takes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from verifier.database.rows import Entry
from verifier.fold.books.pools import Adjustment
from verifier.fold.books.state import State
from verifier.fold.books.tier_balance import Hit
from verifier.fold.entries.device_events import Body, Outcome
from verifier.fold.terms.payees import METHODS, TAX, Line
from verifier.fold.terms.shapes import Refusal, fields, require, text, whole

ANY = whole(-(2**63))
EVIDENCE = text(500, 1)
PARTS = dict.fromkeys(METHODS, whole(0))
_LINE = {"hit": ANY, "line": ANY}


def pay(state: State, entry: Entry, body: Body) -> Outcome:
    """The cage pays one line, or a part of it."""
    fields(body, {**_LINE, "parts": lambda parts: fields(parts, {}, {**PARTS, TAX: whole(0)})})
    hit, line = _line(state, body)
    not_stopped(hit)
    require(line.state in ("due", "part_paid", "unclaimed"), "it is withheld, or all was done")
    amounts = {method: body["parts"].get(method, 0) for method in METHODS}
    tax = body["parts"].get(TAX, 0)
    total = sum(amounts.values()) + tax
    require(0 < total <= line.rest, "the parts come to nothing, or to more than is due")
    for method, amount in amounts.items():
        state.move(line.account, f"paid_{method}", amount)
        line.parts[method] += amount
    if tax:
        state.move(line.account, "withheld_tax", tax)
        line.parts[TAX] = line.parts.get(TAX, 0) + tax
    line.payments.append(entry.seq)
    if line.rest == 0:
        line.state = "paid"
    elif line.state != "unclaimed":
        line.state = "part_paid"
    hit.settle()
    part = len(line.payments)
    return {"hit": hit.number, "line": line.line, "part": part, "seat": line.seat, "paid": total}


def withhold(state: State, entry: Entry, body: Body) -> Outcome:  # noqa: ARG001 one shape for all
    """It is not paid for now; nothing moves."""
    fields(body, {**_LINE, "reason": EVIDENCE})
    hit, line = _line(state, body)
    require(line.state in ("due", "part_paid"), "it is not due")
    return _stands(hit, line, "withheld")


def release(state: State, entry: Entry, body: Body) -> Outcome:  # noqa: ARG001
    """What was withheld or unclaimed is due again."""
    fields(body, {**_LINE, "reason": EVIDENCE})
    hit, line = _line(state, body)
    require(line.state in ("withheld", "unclaimed"), "it is neither withheld nor unclaimed")
    state.move(line.account, "payable", line.rest)
    return _stands(hit, line, "part_paid" if line.payments else "due")


def unclaimed(state: State, entry: Entry, body: Body) -> Outcome:  # noqa: ARG001
    """Nobody came for it."""
    fields(body, _LINE)
    hit, line = _line(state, body)
    not_stopped(hit)
    require(line.state != "unclaimed", "it is booked so already")
    state.move("payable", "unclaimed", line.rest)
    return _stands(hit, line, "unclaimed")


def forfeit(state: State, entry: Entry, body: Body) -> Outcome:
    """Two people decide that it is not paid any more: it enters the present pool."""
    fields(body, {**_LINE, "reason": EVIDENCE})
    two_people(entry)
    hit, line = _line(state, body)
    not_stopped(hit)
    state.correct(hit.tier or "", entry.seq, Adjustment(line.rest), [(line.account, line.rest)])
    return _stands(hit, line, "forfeited")


def not_stopped(hit: Hit) -> None:
    """No dispute and no regulator's hold is open."""
    require(all(stop.lifted for stop in hit.stops), "the claim is stopped")


def two_people(entry: Entry) -> None:
    """Nobody decides this alone."""
    require(entry.second is not None and entry.second != entry.first, "this takes two people")


def hit_of(state: State, body: Any) -> Hit:
    """The hit that a decision names."""
    hit = state.hits.get(body["hit"])
    if hit is None:
        raise Refusal("there is no such hit")
    return hit


def _line(state: State, body: Body) -> tuple[Hit, Line]:
    """A line of a confirmed claim of which something is left to hand over."""
    hit = hit_of(state, body)
    require(hit.state in ("confirmed", "paid"), "only a confirmed claim is paid")
    for line in hit.payees:
        if line.line == body["line"] and line.rest:
            return hit, line
    raise Refusal("there is no such payee, or nothing is left to hand over")


def _stands(hit: Hit, line: Line, state: str) -> Outcome:
    line.state = state
    hit.settle()
    return {"hit": hit.number, "line": line.line, "seat": line.seat, "state": state}


PAYMENTS: dict[str, Callable[[State, Entry, Body], Outcome]] = {
    "pay": pay,
    "withhold": withhold,
    "release": release,
    "unclaimed": unclaimed,
    "forfeit": forfeit,
}
