"""The pace of presses at a table: what comes faster than posted is held for a supervisor.

A round that begins as one more than the terms allow within a minute takes its place, but adds
nothing to that jackpot until people have said whether it was played
(`jackpot.domain.command_handlers.held_rounds`). Hands are never held.

The time of a press is that of its unit's clock, since what was journalled while the unit was cut
off comes all at once. It counts as far as it can be believed: it may stand a minute above the
order's own time, and does not go back. Where it says neither, the order's time tells how much later
the press came than the one before. Both stand in the entry.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

import msgspec

from jackpot.terms.document import MOST_PRESSES

MINUTE = 60 * 10**6  # microseconds
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_MICROSECOND = dt.timedelta(microseconds=1)


class Presses(msgspec.Struct):
    """The presses of a table within the last minute, in microseconds since 1970.

    `at`: the order's time of the newest. It is kept as JSON (`TableState.presses`).
    """

    at: int
    times: list[int]

    def after(self, recorded_at: dt.datetime, at: dt.datetime) -> Presses:
        """With one more press, recorded and put in order then."""
        now = _micros(at)
        unit_time = min(_micros(recorded_at), now + MINUTE)
        last = self.times[-1]
        time = unit_time if unit_time > last else last + max(0, now - self.at)
        within = [each for each in self.times if each > time - MINUTE]
        return Presses(now, [*within, time][-(MOST_PRESSES + 1) :])


def first_press(recorded_at: dt.datetime, at: dt.datetime) -> Presses:
    """Where none was counted before."""
    now = _micros(at)
    return Presses(now, [min(_micros(recorded_at), now + MINUTE)])


def beyond(presses: Presses, limits: Iterable[int | None]) -> int | None:
    """How many presses its minute has, where that is more than one of the limits; else None."""
    count = len(presses.times)
    return count if any(limit is not None and count > limit for limit in limits) else None


def _micros(instant: dt.datetime) -> int:
    return (instant - _EPOCH) // _MICROSECOND
