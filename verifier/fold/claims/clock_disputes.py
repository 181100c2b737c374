"""Hands whose clocks speak for another order than that in which they were recorded (19.14(b)).

The order decides every amount. Two hands of one prize are in question where the one that was
recorded later was, by the corrected clocks, recorded before the other, by more than both may err.
How far a unit's clock was off is a fact of the moment: it stands beside the event in its entry.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

from verifier.database.rows import Entry, parsed
from verifier.fold.books.pools import OUT
from verifier.fold.books.state import State
from verifier.fold.books.tier_balance import Clock, Halt, Hit

COMPARED = 10  # by fewer events no clock is measured
_START = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


def clock_in(entry: Entry) -> Clock | None:
    """The corrected time of a hand, if the writer could measure its unit's clock."""
    clock = _beside(entry)
    if clock is None or clock["events"] < COMPARED:
        return None
    return Clock(clock["at_us"], clock["margin_us"])


def wrong_in(entry: Entry, event: dict[str, Any]) -> str:
    """What cannot be in the figures beside a hand; empty where nothing speaks against them."""
    clock = _beside(entry)
    if clock is None:
        return ""
    recorded_at = dt.datetime.fromisoformat(event["recorded_at"].upper())
    corrected = (recorded_at - _START) // dt.timedelta(microseconds=1) + clock["behind_us"]
    if abs(corrected - clock["at_us"]) > 1:  # of a time finer than that one rounds, another cuts
        return "its corrected time is not what its unit said with the measured error"
    if clock["margin_us"] < 0 or clock["events"] < 1:
        return "its clock is surer than sure, or was measured by nothing"
    return ""


def put_in_question(state: State, seq: int) -> list[list[int]]:
    """Pairs that met by this entry: each of them is stopped; the one recorded first is named first.

    Claims that met before are left as people settled them, or will.
    """
    if not state.met:
        return []
    pairs = []
    for hit in [state.hits[number] for number in sorted(state.met)]:
        for other in _its_order_counts_against(state, hit):
            first, then = sorted((hit, other), key=lambda each: each.place)
            pair = [first.number, then.number]
            is_known = any(other.number in stop.others for stop in hit.stops)
            if pair not in pairs and not is_known and _contradict(first.clock, then.clock):
                pairs.append(pair)
    for number in {number for pair in pairs for number in pair}:
        others = {n for pair in pairs if number in pair for n in pair} - {number}
        state.hits[number].stops.append(Halt(seq, "order", others=sorted(others)))
    return sorted(pairs)


def _beside(entry: Entry) -> dict[str, int] | None:
    clock: dict[str, int] | None = parsed(entry.body_text or "{}").get("clock")
    return clock


def _contradict(first: Clock | None, then: Clock | None) -> bool:
    if first is None or then is None:
        return False
    return then.at + then.margin + first.margin < first.at


def _its_order_counts_against(state: State, hit: Hit) -> list[Hit]:
    """Hands of the same prize whose order to this one is not settled for good."""
    mine = [each for each in state.hits.values() if _stands(each, hit.tier)]
    first_open = min((_when(each) for each in mine if each.state == "held"), default=(2**63, 0))
    settled = [_when(each) for each in mine if _when(each) < first_open]
    since = max(settled, default=(0, 0))  # the last one before may still have to do with it
    if hit not in mine or _when(hit) < since:
        return []
    return [
        each
        for each in mine
        if _when(each) >= since and each.place != hit.place and _counts(state, hit, each)
    ]


def _stands(hit: Hit, tier: str | None) -> bool:
    period_runs = hit.strength is not None and hit.ended is None
    return tier is not None and hit.tier == tier and hit.state not in OUT and not period_runs


def _when(hit: Hit) -> tuple[int, int]:
    return hit.acts_at, hit.number


def _counts(state: State, one: Hit, other: Hit) -> bool:
    """Two fixed prizes are the same in either order; of a high hand only equal hands of one period
    are not, where the first of them has it all."""
    posted = [state.tier(one.tier or "", hit.terms) for hit in (one, other)]
    if state.pools[one.tier or ""].is_high_hand:
        first_has_all = all(tier.qualifying.get("ties", "first") == "first" for tier in posted)
        return first_has_all and (one.ended, one.strength) == (other.ended, other.strength)
    return not all(tier.prize is not None for tier in posted)
