"""What stands in the JSON columns of a hit, as types for whoever reads rows. Pure.

The fold keeps these columns as the plain JSON that it writes; everybody else reads them through
`jackpot.models.Hit`, which converts each once. Amounts are micros, entries sequence numbers.
"""

from __future__ import annotations

from typing import Any

import msgspec

from jackpot.hits.payees import TAX, rest_of
from jackpot.hits.states import PAYABLE, PayeeState, StopKind


class PayeeLine(msgspec.Struct, frozen=True):
    """One payee's part of one confirmation; a supplement adds lines of its own."""

    line: int  # 1, 2, ...
    seat: int
    role: str
    amount: int
    parts: dict[str, int]  # paid so far, by method; TAX only where some was withheld
    payments: list[int]  # their entries
    state: PayeeState

    @property
    def paid(self) -> int:
        """What was paid so far: handed over, or withheld as tax."""
        return sum(self.parts.values())

    @property
    def tax(self) -> int:
        """What was withheld so far for the tax authority."""
        return self.parts.get(TAX, 0)

    @property
    def rest(self) -> int:
        """What is still to be handed over."""
        return rest_of(self.state, self.amount, self.parts)

    @property
    def is_payable(self) -> bool:
        """Whether the cage may pay something of it now, if nothing stops the claim."""
        return self.rest != 0 and self.state in PAYABLE


class Stop(msgspec.Struct, frozen=True):
    """One thing that stops a claim, until another entry lifts it."""

    entry: int  # that opened it
    kind: StopKind
    lifted: int | None  # the entry that ended it
    others: list[int] = msgspec.field(default_factory=list, name="with")  # of an order in question

    @property
    def is_open(self) -> bool:
        return self.lifted is None


def is_unjudged(stops: list[dict[str, Any]]) -> bool:
    """Whether a claim with these stops, as they are stored, waits for the rules' verdict."""
    return any((stop["kind"], stop["lifted"]) == (StopKind.VERDICT, None) for stop in stops)


class Pairing(msgspec.Struct, frozen=True):
    """What is between a hand entered on the console and its unit's hand; nothing for any other."""

    who: str = ""  # the log-in of who entered it
    waits: bool = False  # while nobody can say its round, or which of the two it is
    unit: int | None = None  # the newest entry of the unit that was paired with it
    differs: int | None = None  # the one of these whose differences nobody has settled
    tier: str | None = None  # of a unit's hand: as it was called
    same: int | None = None  # of a unit's hand: the hit that it is

    @property
    def is_entered(self) -> bool:
        """Whether the hand was entered on the console."""
        return bool(self.who)


class HandClock(msgspec.Struct, frozen=True):
    """When its unit recorded a hand, by a clock that was measured; a hand without it has none.

    See `jackpot.domain.play.clock_disputes`. In microseconds, `at_us` since 1970.
    """

    at_us: int  # set right by the clock's measured error
    margin_us: int  # how far that may be wrong

    def is_surely_behind(self, other: HandClock) -> bool:
        """Whether this hand was recorded after the other one by more than both may err."""
        return self.at_us - other.at_us > self.margin_us + other.margin_us


class ReportedSeat(msgspec.Struct, frozen=True):
    """One seat of a report, as it was typed: a card may be none."""

    seat: int
    hole: list[str]
    exposed: str  # yes, refused or not_requested
    folded: bool
    participating: bool
    won_pot: bool
    dead: str | None = None  # as a supervisor ruled (20)


class Report(msgspec.Struct, frozen=True):
    """A hand as a unit sent it or somebody typed it on the console."""

    boards: list[list[str]]
    hands: list[ReportedSeat]
    flop_on_request: bool = False
    seats_dealt: list[int] | None = None
    button_seat: int | None = None
    pot: int | None = None  # minor units

    @property
    def board(self) -> list[str]:
        """The first board: it counts (19.18)."""
        return self.boards[0] if self.boards else []


class Correction(msgspec.Struct, frozen=True):
    """A report that was sent after people had decided on the hand."""

    entry: int
    report: Report
