"""Closing a gaming day or a month, by two people: it moves nothing. Days and months once, in order.

Whether the figures are the balances at its end: `verifier.order.closes`.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from verifier.database.rows import Entry
from verifier.fold.books.state import State
from verifier.fold.entries.device_events import Body, Outcome
from verifier.fold.entries.payments import two_people
from verifier.fold.terms.shapes import day, fields, require, text, whole

_DAY = timedelta(days=1)
_ACCOUNTS = frozenset({
    "operator", "pot", "commission", "drop", "rounding", "payable", "paid_chips", "paid_cash",
    "paid_equivalent", "adjustments", "unclaimed", "to_return", "withheld_tax", "remitted_tax",
})  # fmt: skip
_OF_TIERS = ("pool", "reserve", "overflow", "held")


def _figures(value: Any) -> None:
    require(isinstance(value, dict), "its figures are no object")
    each = whole(-(2**63), 2**63 - 1)
    for amount in value.values():
        each(amount)


_SHAPE = {"through_seq": whole(0), "through_transfer": whole(0), "figures": _figures}


def last_of(month: str) -> date:
    """The last day of `2026-11`."""
    return (day(f"{month}-01") + 31 * _DAY).replace(day=1) - _DAY


def _close_day(state: State, entry: Entry, body: Body) -> Outcome:
    fields(body, {"day": text(10, 10), **_SHAPE})
    two_people(entry)
    closed = day(body["day"])
    follows = not state.day_closed or closed == day(state.day_closed) + _DAY
    require(follows, "it does not follow the last day that was closed")
    _possible(state, entry, body)
    state.held_at_close[entry.seq] = [
        place for place, seq in state.held.items() if seq <= body["through_seq"]
    ]
    state.day_closed = body["day"]
    return {"day": body["day"], "through_seq": body["through_seq"]}


def _close_month(state: State, entry: Entry, body: Body) -> Outcome:
    fields(body, {"month": text(7, 7), **_SHAPE})
    two_people(entry)
    last = last_of(body["month"])
    if state.month_closed:
        due = last_of(state.month_closed) + _DAY
        require(last.replace(day=1) == due, "it does not follow the last month that was closed")
    require(state.day_closed >= last.isoformat(), "its last day is not closed")
    _possible(state, entry, body)
    state.month_closed = body["month"]
    return {"month": body["month"], "through_seq": body["through_seq"]}


def _possible(state: State, entry: Entry, body: Body) -> None:
    require(body["through_seq"] < entry.seq, "it is of a place that is not before it")
    require(body["through_transfer"] <= state.transfers, "there is no such transfer before it")
    unknown = [code for code in body["figures"] if not _is_account(state, code)]
    require(not unknown, f"there is no account {sorted(unknown)[:1]}")
    require(sum(body["figures"].values()) == 0, "the accounts do not come to nothing")


def _is_account(state: State, code: str) -> bool:
    tier, _, kind = code.partition(":")
    return code in _ACCOUNTS or (tier in state.pools and kind in _OF_TIERS)


CLOSES: dict[str, Callable[[State, Entry, Body], Outcome]] = {
    "close_day": _close_day,
    "close_month": _close_month,
}
