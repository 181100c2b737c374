"""Other hands near a hit: by which clock they came first, and what hangs on it (19.14(b)).

Order decides, never a clock; but who verifies a claim sees where a clock says otherwise.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Q

from jackpot.models import Entry, Hit
from jackpot.orders import Orders, orders
from tables.clocks import ClockError, EventKey, clock_errors
from tables.models import TableEvent

NEAR = dt.timedelta(minutes=5)
MOST = 8
# A unit that was cut off may have recorded its hand long before the console heard of it.
_HEARD_WITHIN = dt.timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Clocks:
    """When a hand was recorded by its unit's clock, when it came, and how far that clock was off.

    A hand that was entered on the console has no unit's clock.
    """

    received_at: dt.datetime
    recorded_at: dt.datetime | None = None
    error: ClockError | None = None

    @property
    def corrected(self) -> dt.datetime:
        """When the hand was recorded, as the console's clock would have said it."""
        if self.recorded_at is None or self.error is None:
            return self.received_at
        return self.error.on_the_console(self.recorded_at)

    @property
    def margin(self) -> dt.timedelta:
        """How sure `corrected` is."""
        return self.error.spread if self.error is not None else dt.timedelta(0)


@dataclass(frozen=True, slots=True)
class Nearby:
    """Another hand. `apart`: how long after this one, by the corrected clocks (below zero:
    before). `clocks_disagree`: they say the other order, beyond what they may err.
    """

    hit: Hit
    clocks: Clocks
    apart: dt.timedelta
    comes_first: bool  # by the order
    clocks_disagree: bool
    orders: Orders | None  # None: the order changes nothing


def nearby(hit: Hit) -> tuple[Clocks, list[Nearby]]:
    """The clocks of a hit, and the hands near it on other tables, the nearest first."""
    clocks = _clocks_around(hit)
    own = clocks.pop(hit.number)
    near = sorted(
        (number for number, its in clocks.items() if _is_near(own, its)),
        key=lambda number: abs(clocks[number].corrected - own.corrected),
    )[:MOST]
    if not near:
        return own, []
    found = Hit.objects.filter(system=hit.system_id, number__in=near)
    others = {each.number: each for each in found.select_related("tier", "table", "system")}
    hang = orders(hit, near)
    return own, [
        _nearby(hit, others[number], own, clocks[number], hang.get(number)) for number in near
    ]


def _clocks_around(hit: Hit) -> dict[int, Clocks]:
    """The clocks of this hit and of those on other tables that it may have come close to."""
    around = (hit.at - _HEARD_WITHIN, hit.at + _HEARD_WITHIN)
    of_system = Hit.objects.filter(system=hit.system_id)
    asked = of_system.filter(Q(number=hit.number) | ~Q(table=hit.table_id) & Q(at__range=around))
    places: dict[int, list[int]] = defaultdict(list)  # claims of one hand share one
    for number, place in asked.values_list("number", "place"):
        places[place].append(number)
    entries = list(
        Entry.objects.filter(system=hit.system_id, seq__in=list(places))
        .select_related("event")
        .defer("event__body")
        .order_by("-seq")
    )
    errors = clock_errors(hit.system_id, [_key(each.event) for each in entries if each.event])
    return {
        number: Clocks(entry.at)
        if entry.event is None
        else Clocks(entry.event.received_at, entry.event.recorded_at, errors[_key(entry.event)])
        for entry in entries
        for number in places[entry.seq]
    }


def _key(event: TableEvent) -> EventKey:
    return event.table_id, event.boot, event.seq


def _is_near(own: Clocks, other: Clocks) -> bool:
    return (
        abs(own.received_at - other.received_at) <= NEAR
        or abs(own.corrected - other.corrected) <= NEAR
    )


def _nearby(hit: Hit, other: Hit, own: Clocks, its: Clocks, hang: Orders | None) -> Nearby:
    apart = its.corrected - own.corrected
    comes_first = other.place < hit.place
    against = -apart if not comes_first else apart  # how far the clocks speak for the other order
    disagree = against > own.margin + its.margin
    return Nearby(other, its, apart, comes_first, disagree, hang)
