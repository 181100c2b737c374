"""Other hands near a hit: by which clock they came first, and what hangs on it (19.14(b)).

Order decides, never a clock; but who verifies a claim sees where a clock says otherwise. What a
clock said is what stands in the hand's entry (`jackpot.domain.play.clock_disputes`), measured again
only where the entry is from before that.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Q

from jackpot.domain.play.clock_disputes import FEWEST
from jackpot.hits.columns import HandClock
from jackpot.models import Entry, Hit
from jackpot.queries.hit_order import Orders, orders
from tables.floor.unit_clocks import ClockError, EventKey, clock_errors
from tables.models import TableEvent

NEARBY = dt.timedelta(minutes=5)
MOST = 8
# A unit that was cut off may have recorded its hand long before the console heard of it.
_HEARD_WITHIN = dt.timedelta(days=1)
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


@dataclass(frozen=True, slots=True)
class Clocks:
    """When a hand was recorded by its unit's clock, when it came, and how far that clock was off.

    `corrected`: when it was recorded, as the console's clock would have said it; `margin`: how
    sure that is, None where nobody can say. A hand that was entered on the console has no unit's
    clock until its unit has spoken of it.
    """

    received_at: dt.datetime
    corrected: dt.datetime
    margin: dt.timedelta | None = None
    recorded_at: dt.datetime | None = None
    behind: dt.timedelta | None = None
    events: int = 0


@dataclass(frozen=True, slots=True)
class Nearby:
    """Another hand. `apart`: how long after this one, by the corrected clocks (below zero:
    before). `clocks_disagree`: they say the other order, beyond what they may err.
    `in_question`: nobody has settled that yet.
    """

    hit: Hit
    clocks: Clocks
    apart: dt.timedelta
    comes_first: bool  # by the order
    clocks_disagree: bool
    in_question: bool
    orders: Orders | None  # None: the order changes nothing


def nearby(hit: Hit) -> tuple[Clocks, list[Nearby]]:
    """The clocks of a hit, and the hands near it on other tables, the nearest first.

    Before them, wherever they are, those with which its order is in question.
    """
    questioned = hit.in_question_with
    clocks = _clocks_around(hit, questioned)
    own = clocks.pop(hit.number)
    near = sorted(
        (number for number, its in clocks.items() if number in questioned or _is_nearby(own, its)),
        key=lambda n: (n not in questioned, abs(clocks[n].corrected - own.corrected)),
    )[:MOST]
    if not near:
        return own, []
    rows = Hit.objects.filter(system=hit.system_id, number__in=near)
    others = {each.number: each for each in rows.select_related("tier", "table", "system")}
    hang = orders(hit, near)
    return own, [
        _nearby(
            hit,
            others[number],
            own,
            clocks[number],
            hang.get(number),
            in_question=number in questioned,
        )
        for number in near
    ]


def _clocks_around(hit: Hit, questioned: list[int]) -> dict[int, Clocks]:
    """The clocks of this hit, of those on other tables that it may have come close to, and of
    those with which its order is in question."""
    around = (hit.at - _HEARD_WITHIN, hit.at + _HEARD_WITHIN)
    of_system = Hit.objects.filter(system=hit.system_id)
    hits = of_system.filter(
        Q(number__in=[hit.number, *questioned]) | ~Q(table=hit.table_id) & Q(at__range=around)
    )
    places: dict[int, list[Hit]] = defaultdict(list)  # claims of one hand share one
    for each in hits.only("number", "place", "clock"):
        places[each.place].append(each)
    entries = list(
        Entry.objects.filter(system=hit.system_id, seq__in=list(places))
        .select_related("event")
        .defer("event__body")
        .order_by("-seq")
    )
    before = [_key(each.event) for each in entries if each.event and each.body is None]
    errors = clock_errors(hit.system_id, before) if before else {}
    return {
        each.number: _entered(entry, each.unit_clock)
        if entry.event is None
        else _of_unit(entry.event, entry, errors)
        for entry in entries
        for each in places[entry.seq]
    }


def _entered(entry: Entry, clock: HandClock | None) -> Clocks:
    """A hand that was entered on the console; `clock`: by what its unit said later, if anything."""
    if clock is None:
        return Clocks(entry.at, entry.at)
    margin = dt.timedelta(microseconds=clock.margin_us)
    return Clocks(entry.at, _EPOCH + dt.timedelta(microseconds=clock.at_us), margin)


def _of_unit(event: TableEvent, entry: Entry, errors: dict[EventKey, ClockError]) -> Clocks:
    if entry.body is not None:
        clock = entry.body["clock"]
        behind, margin = (
            dt.timedelta(microseconds=clock[name]) for name in ("behind_us", "margin_us")
        )
        events = clock["events"]
    else:
        error = errors[_key(event)]
        behind, margin, events = error.behind, error.spread, error.events
    return Clocks(
        event.received_at,
        event.recorded_at + behind,
        margin if events >= FEWEST else None,
        event.recorded_at,
        behind,
        events,
    )


def _key(event: TableEvent) -> EventKey:
    return event.table_id, event.boot, event.seq


def _is_nearby(own: Clocks, other: Clocks) -> bool:
    return (
        abs(own.received_at - other.received_at) <= NEARBY
        or abs(own.corrected - other.corrected) <= NEARBY
    )


def _nearby(
    hit: Hit, other: Hit, own: Clocks, its: Clocks, hang: Orders | None, *, in_question: bool
) -> Nearby:
    apart = its.corrected - own.corrected
    comes_first = other.place < hit.place
    against = -apart if not comes_first else apart  # how far the clocks speak for the other order
    disagree = (
        own.margin is not None and its.margin is not None and against > own.margin + its.margin
    )
    return Nearby(other, its, apart, comes_first, disagree, in_question, hang)
