"""What a hit takes from its tier: the hit, the balances, and what the rules make of both."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from verifier.fold.terms.payees import Line
from verifier.fold.terms.terms import Tier

BASIS = 10_000


class Contradiction(Exception):
    """The order asks for something that the rules rule out."""


@dataclass(slots=True)
class Halt:
    """What stops a claim: a dispute, a regulator's hold, or the order in question with `others`;
    the entries that opened and ended it."""

    entry: int
    kind: str
    lifted: int | None = None
    others: list[int] = field(default_factory=list)

    def row(self) -> dict[str, Any]:
        """As it stands beside the order."""
        row = {"entry": self.entry, "kind": self.kind, "lifted": self.lifted}
        return {**row, "with": self.others} if self.kind == "order" else row


@dataclass(frozen=True, slots=True)
class Clock:
    """When a unit recorded a hand by its clock set right, and how sure that is; microseconds."""

    at: int
    margin: int


@dataclass(slots=True)
class Hit:
    """A hand at its place. `acts_at` is its place, or that of a late amendment (decision 0006)."""

    number: int
    place: int
    acts_at: int
    table: str
    round: int
    terms: int  # the version that its round began under
    on_display: dict[str, int]  # by the last display message, micros
    shown_at: int
    tier: str | None = None
    state: str = "held"  # held, confirmed, paid, rejected, reversed or outranked
    held: int = 0  # what it comes to
    confirmed: int = 0  # of it, by two people so far
    report_entry: int | None = None
    report: dict[str, Any] | None = None
    # Since it was decided somebody reported this, by that entry.
    corrected: tuple[int, dict[str, Any]] | None = None
    payees: list[Line] = field(default_factory=list)
    stops: list[Halt] = field(default_factory=list)
    seats: frozenset[int] = frozenset()  # as called
    # See `verifier.fold.entries.entered_hands`; the claims of one hand share it.
    pairing: dict[str, Any] = field(default_factory=dict)
    strength: list[int] | None = None  # of a candidate for a high hand; empty: nobody knows
    ended: int | None = None  # the entry at which its period ended
    is_best: bool = False  # of its period, or one of those who share
    clock: Clock | None = None

    @property
    def least(self) -> int:
        """What it keeps: what was confirmed for it; all that it held, once it was reversed."""
        return self.held if self.state == "reversed" else self.confirmed

    def settle(self) -> None:
        """A claim is paid when nothing of it is left to confirm or to hand over."""
        is_settled = self.held == self.confirmed and not any(line.rest for line in self.payees)
        self.state = "paid" if is_settled else "confirmed"

    @property
    def corrected_at(self) -> int | None:
        """The entry of the report that came after the decision."""
        return None if self.corrected is None else self.corrected[0]

    def acts_on(self, tier: str | None) -> int:
        """Where it acts on a tier, or would: a candidate for a high hand that turns out to be for
        another prize acts at its own place."""
        return self.acts_at if self.strength is None or self.tier == tier else self.place

    @property
    def is_required(self) -> bool:
        """Whether a person has to say if it is a hand that was entered on the console."""
        return self.state == "held" and "same" in self.pairing and bool(self.pairing["waits"])


@dataclass(slots=True)
class TierBalance:
    """Where the story of a tier stands; micros.

    `held` is all that standing hits ever took; `operator` what that source gave for resets and for
    what a tier could not give back, `rounding` what that one gave. `last`: the place of the last
    hit that stands; `limit`: where contributions to the pool stop; `rolled`: fixed prizes of a high
    hand that nobody won, which the next one is more by.
    """

    pool: int = 0
    reserve: int = 0
    overflow: int = 0
    held: int = 0
    operator: int = 0
    rounding: int = 0
    last: int = 0
    limit: int | None = None
    rolled: int = 0
    lent: int = 0  # of `operator`: what fixed prizes needed beyond their pool
    covered: int = 0  # of `operator`: what hits were confirmed for and do not come to any more

    def cover(self, amount: int) -> None:
        """The operator gives for a hit what the tier does not."""
        self.held += amount
        self.operator += amount
        self.covered += amount

    def feed(self, pool: int, reserve: int) -> int:
        """Play adds; what does not fit under the limit is the overflow's. How much that was."""
        fits = pool if self.limit is None else max(0, min(pool, self.limit - self.pool))
        self.pool += fits
        self.overflow += pool - fits
        self.reserve += reserve
        return pool - fits

    def correct(self, pool: int, reserve: int) -> None:
        """Give, or take back: from the one, then from the other, then from the operator."""
        if pool < 0:
            self.pool, self.reserve = self._take(-pool, self.pool, self.reserve)
        else:
            self.pool += pool
        if reserve < 0:
            self.reserve, self.pool = self._take(-reserve, self.reserve, self.pool)
        else:
            self.reserve += reserve

    def _take(self, amount: int, first: int, second: int) -> tuple[int, int]:
        left = first + second - amount
        if left < 0:
            self.operator -= left
            return 0, 0
        return max(0, first - amount), min(second, left)


def take(balance: TierBalance, hit: Hit, tier: Tier) -> int:
    """What a hit holds, taken from the balances; the pool starts again (19.13, 19.14(a)).

    The larger of the pool and what displays showed, rounded up to the payable unit; its share,
    rounded up again. Displays count unless their message is from before the hit before (0004),
    or the hit acts at another place than its own.
    """
    place = hit.acts_on(tier.code)
    counts = place == hit.place and hit.shown_at >= balance.last
    return pay(balance, tier, hit.on_display.get(tier.code, 0) if counts else 0, place)


def pay(balance: TierBalance, tier: Tier, on_display: int, place: int) -> int:
    """What is paid at a place, where displays showed so much."""
    if tier.prize is None:
        value = _up(max(balance.pool, on_display), tier.unit)
        held = _up(value * tier.share // BASIS, tier.unit)
        from_pool, lent = balance.pool * tier.share // BASIS, 0
    else:  # from its pool first, the rest from the operator
        prize = tier.prize + balance.rolled
        held = _up(max(prize, on_display), tier.unit)
        from_pool = min(balance.pool, prize)
        lent = prize - from_pool
    balance.rolled = 0
    balance.pool -= from_pool
    balance.held += held
    balance.operator += lent
    balance.lent += lent
    balance.rounding += held - from_pool - lent
    balance.last = place
    missing = max(0, tier.reset - balance.pool)
    overflow = min(missing, balance.overflow)
    reserve = min(missing - overflow, balance.reserve)
    balance.overflow -= overflow
    balance.reserve -= reserve
    balance.operator += missing - overflow - reserve
    balance.pool += missing
    return held


def _up(amount: int, unit: int) -> int:
    return (amount + unit - 1) // unit * unit
