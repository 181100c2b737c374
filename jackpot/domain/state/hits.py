"""What a hit takes from its tier, and what the tier comes to without it.

Pure functions over frozen values; amounts in micros. `replay_tier` is the heart of "order decides
money": the fold of a tier with the hits that stand, each at its own place. A rejection, an
amendment or a hand whose tier becomes known later is the difference between two replays.

Between two elements of a replay only the sum of what was contributed matters, so each carries a
reading of counters (`ContributionTotals`) and no round is folded again. What is not a contribution
and moves a pool is an element of its own: a hit, a correction at its own place, a new limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import attrgetter
from typing import Protocol

import msgspec

from jackpot.terms.money import round_up, share_of


class ContributionTotals(msgspec.Struct, frozen=True):
    """All that was ever contributed to a tier, by the account that it was meant for.

    Rising counters: a difference of two readings is what was contributed between two places.
    What a limit turned away into the overflow counts as meant for the pool.
    """

    pool: int = 0
    reserve: int = 0
    overflow: int = 0


class TierBalances(msgspec.Struct, frozen=True):
    """The balances of a tier that a hit draws on.

    `rolled` is no balance: what fixed prizes that nobody won add to the next one of a high hand.
    """

    pool: int = 0
    reserve: int = 0
    overflow: int = 0
    rolled: int = 0

    def fed(
        self, before: ContributionTotals, after: ContributionTotals, limit: int | None = None
    ) -> TierBalances:
        """The balances after what was contributed between two readings of the counters.

        A limit stops contributions and never cuts a pool: what is above goes to the overflow.
        """
        added = after.pool - before.pool
        to_pool = added if limit is None else min(added, max(0, limit - self.pool))
        return TierBalances(
            self.pool + to_pool,
            self.reserve + after.reserve - before.reserve,
            self.overflow + after.overflow - before.overflow + added - to_pool,
            self.rolled,
        )


@dataclass(frozen=True, slots=True)
class PlacedHit:
    """A hit at its place in the replay of its tier, with the terms of its round.

    `shown`: what the display showed by the message that was sent at entry `shown_at`. Outcomes
    are sequential (19.14(b)): a message from before the hit before this one shows a prize that
    somebody else has hit, and does not count.
    """

    hit: int
    place: int
    fed: ContributionTotals
    reset: int
    unit: int
    share: int
    shown: int = 0
    shown_at: int = 0
    prize: int | None = None  # a fixed amount instead of a share of the pool
    # Of a high hand: what the hand is worth (empty while nobody knows), and whether equal hands
    # share. Its place is then the closing of its period, which all its candidates have.
    strength: tuple[int, ...] | None = None
    shared: bool = False
    least: int = 0  # what is confirmed for it and never falls


@dataclass(frozen=True, slots=True)
class Closing:
    """The end of a period of a high hand: its candidates act here, by the last display message.

    `prize`: what the next prize is more by if nobody wins this one.
    """

    place: int
    fed: ContributionTotals
    shown: int = 0
    shown_at: int = 0
    prize: int = 0


@dataclass(frozen=True, slots=True)
class Correction:
    """What a decision gives to a tier (above 0) or takes back (below), at its own place.

    A void, a missed round, an adjustment, the reversal of a paid claim: none changes an earlier
    hit. Nothing is refused for want of money: what is taken back comes from the account that it
    was meant for, then from the other, then from the operator.
    """

    place: int
    fed: ContributionTotals
    pool: int = 0
    reserve: int = 0


@dataclass(frozen=True, slots=True)
class Limit:
    """From here on contributions stop at this pool; None: no limit."""

    place: int
    fed: ContributionTotals
    limit: int | None


Element = PlacedHit | Correction | Limit | Closing
Step = Correction | Limit | Closing  # what is no hit


@dataclass(frozen=True, slots=True)
class Holding:
    """What a hit holds and where it came from; `before` are the balances at its place."""

    placed_hit: PlacedHit
    before: TierBalances
    held: int
    from_pool: int
    from_operator: int  # rounding, and a display that stood higher than the ledger (19.14(a))
    top_up_overflow: int
    top_up_reserve: int
    top_up_operator: int
    added: int = 0  # by the operator: what a fixed prize needs beyond its pool

    @property
    def after(self) -> TierBalances:
        """The balances after the hold and the reset."""
        topped = self.top_up_overflow + self.top_up_reserve + self.top_up_operator
        return TierBalances(
            self.before.pool - self.from_pool + topped,
            self.before.reserve - self.top_up_reserve,
            self.before.overflow - self.top_up_overflow,
        )


class Start(msgspec.Struct, frozen=True):
    """Where a replay begins: just before its first element; `place`: of the hit before."""

    balances: TierBalances = TierBalances()
    fed: ContributionTotals = ContributionTotals()
    limit: int | None = None
    place: int = 0


@dataclass(frozen=True, slots=True)
class TierReplay:
    """What a stretch of a tier's story comes to: its hits, and what others gave for it."""

    holdings: tuple[Holding, ...]
    balances: TierBalances  # at its end
    operator: int  # resets, and what could not be taken back from the tier
    rounding: int  # the operator's too: up to the payable unit, and up to what a display showed
    prizes: int = 0  # the operator's part of fixed prizes: what they need beyond their pool
    # By hit: what the operator covers of what is confirmed for it, which the tier does not give.
    covers: Mapping[int, int] = field(default_factory=dict)

    @property
    def held(self) -> dict[int, int]:
        """What each hit holds, by number; a candidate that was beaten holds nothing."""
        amounts = {holding.placed_hit.hit: holding.held for holding in self.holdings}
        return amounts | {hit: amounts.get(hit, 0) + more for hit, more in self.covers.items()}


def hold(balances: TierBalances, placed_hit: PlacedHit, previous_place: int = 0) -> Holding:
    """Hold a tier's share and reset its pool (19.14(a)); `previous_place`: of the hit before.

    The value is rounded up to the payable unit, then the share taken, then rounded up again;
    the operator funds both. What is not awarded stays unrounded in the pool. A fixed prize, with
    those that rolled over, comes from its pool first, the rest from the operator.
    """
    on_display = placed_hit.shown if placed_hit.shown_at >= previous_place else 0
    added = 0
    if placed_hit.prize is None:
        value = round_up(max(balances.pool, on_display), placed_hit.unit)
        held = round_up(share_of(value, placed_hit.share), placed_hit.unit)
        from_pool = share_of(balances.pool, placed_hit.share)
    else:
        prize = placed_hit.prize + balances.rolled
        held = round_up(max(prize, on_display), placed_hit.unit)
        from_pool = min(balances.pool, prize)
        added = prize - from_pool
    need = max(0, placed_hit.reset - (balances.pool - from_pool))
    overflow = min(need, balances.overflow)
    reserve = min(need - overflow, balances.reserve)
    return Holding(
        placed_hit,
        balances,
        held,
        from_pool,
        held - from_pool - added,
        overflow,
        reserve,
        need - overflow - reserve,
        added,
    )


def correct(balances: TierBalances, correction: Correction) -> tuple[TierBalances, int]:
    """The balances after a correction, and what the operator gave because it held too little."""
    pool, reserve, operator = balances.pool, balances.reserve, 0
    if correction.pool >= 0:
        pool += correction.pool
    else:
        pool, reserve, short = _take(pool, reserve, -correction.pool)
        operator += short
    if correction.reserve >= 0:
        reserve += correction.reserve
    else:
        reserve, pool, short = _take(reserve, pool, -correction.reserve)
        operator += short
    return TierBalances(pool, reserve, balances.overflow, balances.rolled), operator


def _take(first: int, second: int, amount: int) -> tuple[int, int, int]:
    """Both balances after taking an amount, the first before the second; what was missing."""
    from_first = min(first, amount)
    from_second = min(second, amount - from_first)
    return first - from_first, second - from_second, amount - from_first - from_second


def replay_tier(
    start: Start, timeline: Iterable[Element], now: ContributionTotals | None = None
) -> TierReplay:
    """The elements in the order of their places, each meeting what it finds there.

    `now`: the counters at the end; without it the replay ends just behind its last element.
    """
    balances, fed, limit = start.balances, start.fed, start.limit
    elements, holdings = list(timeline), list[Holding]()
    operator, rounding, prizes, place = 0, 0, 0, start.place
    for element, equals in _standing(elements):
        balances, fed = balances.fed(fed, element.fed, limit), element.fed
        match element:
            case PlacedHit():
                holding = hold(balances, element, place)
                holdings += _shares(holding, [element, *equals])
                balances, place = holding.after, element.place
                operator += holding.top_up_operator
                prizes += holding.added
                rounding += holding.from_operator
            case Correction():
                balances, short = correct(balances, element)
                operator += short
            case Limit():
                limit = element.limit
            case Closing():  # nobody won it
                balances = msgspec.structs.replace(balances, rolled=balances.rolled + element.prize)
    if now is not None:
        balances = balances.fed(fed, now, limit)
    return TierReplay(
        tuple(holdings), balances, operator, rounding, prizes, _covers(elements, holdings)
    )


def _covers(timeline: Iterable[Element], holdings: Iterable[Holding]) -> dict[int, int]:
    """What the hits are short of what is confirmed for them: no money of the tier."""
    amounts = {holding.placed_hit.hit: holding.held for holding in holdings}
    short = {e.hit: e.least - amounts.get(e.hit, 0) for e in timeline if isinstance(e, PlacedHit)}
    return {hit: more for hit, more in short.items() if more > 0}


def best(candidates: Sequence[PlacedHit]) -> list[PlacedHit]:
    """Who wins a period: the highest hand; of equal ones the first, or all where they share."""
    top = max(placed_hit.strength or () for placed_hit in candidates)
    level = sorted(
        (placed_hit for placed_hit in candidates if (placed_hit.strength or ()) == top),
        key=lambda placed_hit: placed_hit.hit,
    )
    return level if level[0].shared else level[:1]


def _standing(timeline: Iterable[Element]) -> list[tuple[Element, list[PlacedHit]]]:
    """The elements without the candidates that were beaten, and without the ends of periods that
    somebody won; with a winner those equal to it."""
    groups: list[tuple[Element, list[PlacedHit]]] = []
    for _, here in groupby(timeline, key=attrgetter("place")):
        elements = list(here)
        candidates = [e for e in elements if isinstance(e, PlacedHit) and e.strength is not None]
        if candidates:
            first, *equals = best(candidates)
            groups.append((first, equals))
            elements = [e for e in elements if not isinstance(e, Closing)]
        groups += [(e, []) for e in elements if not isinstance(e, PlacedHit) or e.strength is None]
    return groups


def part_of(holding: Holding, winners: int, number: int) -> int:
    """The part of the `number`-th winner, from 0: equal parts in payable units, an odd one each to
    who came first."""
    if winners == 1:
        return holding.held
    units, odd = divmod(holding.held // holding.placed_hit.unit, winners)
    return (units + (number < odd)) * holding.placed_hit.unit


def _shares(holding: Holding, winners: Sequence[PlacedHit]) -> list[Holding]:
    """A holding for each winner."""
    return [
        replace(holding, placed_hit=placed_hit, held=part_of(holding, len(winners), number))
        for number, placed_hit in enumerate(winners)
    ]


class _Candidate(Protocol):
    number: int
    closing: int | None
    strength: list[int] | None


def is_level(other: _Candidate, hit: _Candidate) -> bool:
    """Whether another candidate of the hit's period may turn out as high as it is, or higher.

    Of one whose cards nobody knows that may always be.
    """
    if hit.closing is None or other.closing != hit.closing or other.number == hit.number:
        return False
    return not other.strength or other.strength >= (hit.strength or [])
