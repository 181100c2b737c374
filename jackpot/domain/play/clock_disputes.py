"""Hands whose clocks speak for another order than that of recording (19.14(b)).

The order decides what a hand comes to, never a clock. But where the unit's clock, set right by its
measured error, puts a hand before another one of its prize that stands before it in the order, and
that by more than both may err, both hands are in question: a stop of the kind `order` on each
(`jackpot.domain.command_handlers.stops`), which moves nothing. It is opened here, at the entry by
which the two meet, and two people end it.

What a clock said stands in the body of the hand's entry, put there by the writer: `clock` with
`at_us` (the corrected time, microseconds since 1970), `behind_us` (the measured error),
`margin_us` (how sure that is) and `events` (how many were compared). An entry without it is
compared with nothing.
"""

from __future__ import annotations

from collections import defaultdict

from jackpot.domain.state.books import Books, Hit
from jackpot.domain.state.entries import EventEntry
from jackpot.hits.columns import HandClock
from jackpot.hits.states import OUT, HitState, StopKind

FEWEST = 10  # events that a clock is measured by: of fewer nobody can say how far it was off


def clock_of(entry: EventEntry) -> HandClock | None:
    """When the unit recorded it, and how sure that is; None where nobody can say."""
    clock = (entry.body or {}).get("clock")
    if clock is None or clock["events"] < FEWEST:
        return None
    return HandClock(clock["at_us"], clock["margin_us"])


def put_in_question(books: Books, seq: int) -> list[list[int]]:
    """Stop the hands that this entry brought together and whose clocks speak against the order.

    The numbers of each two, the one that comes first in the order first. Claims of hands that met
    before are not stopped again: people have looked at them, or will.
    """
    if not books.joined:
        return []
    pairs = {
        (min(hit.number, other.number), max(hit.number, other.number))
        for hit in (books.hits[number] for number in books.joined)
        for other in _comparable(books, hit)
        if _speak_against_the_order(hit, other) and not _met_before(hit, other)
    }
    beside: dict[int, list[int]] = defaultdict(list)
    for one, other in sorted(pairs):
        beside[one].append(other)
        beside[other].append(one)
    for number, others in beside.items():
        kind = StopKind.ORDER.value
        stop = {"entry": seq, "kind": kind, "lifted": None, "with": sorted(others)}
        books.hits[number].stops.append(stop)
        books.dirty_hits.add(number)
    return sorted(sorted(pair, key=lambda number: books.hits[number].place) for pair in pairs)


def _comparable(books: Books, hit: Hit) -> list[Hit]:
    """Other hands of its prize with which its order may still change what somebody is paid:
    from the first open one on, and the last that stands before it."""
    if hit.tier is None or hit.clock is None or hit.state in OUT:
        return []
    standing = sorted(
        (
            other
            for other in books.hits.values()
            if other.tier == hit.tier
            and other.state not in OUT
            and (other.strength is None or other.closing is not None)  # its period has ended
        ),
        key=lambda other: (other.acts_at, other.number),
    )
    opened = (place for place, other in enumerate(standing) if other.state == HitState.HELD)
    unsettled = standing[max(0, next(opened, len(standing)) - 1) :]
    if hit not in unsettled:
        return []
    return [
        other
        for other in unsettled
        if other.place != hit.place and other.clock is not None and _matters(books, hit, other)
    ]


def _matters(books: Books, hit: Hit, other: Hit) -> bool:
    """Whether it matters which of the two comes first: not where both have a fixed prize.

    Of a high hand only for hands that are equal, where the first of them has it all.
    """
    terms = [books.tier_terms(hit.tier or "", each.terms) for each in (hit, other)]
    high_hands = [each.high_hand() for each in terms]
    if any(high_hands):
        first_only = all(each is not None and each.ties == "first" for each in high_hands)
        return first_only and (hit.closing, hit.strength) == (other.closing, other.strength)
    return any(each.prize is None for each in terms)


def _speak_against_the_order(one: Hit, other: Hit) -> bool:
    first, then = sorted((one, other), key=lambda hit: hit.place)
    if first.clock is None or then.clock is None:
        return False
    return first.clock.is_surely_behind(then.clock)


def _met_before(hit: Hit, other: Hit) -> bool:
    return any(other.number in stop.get("with", ()) for stop in hit.stops)
