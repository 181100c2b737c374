"""What a claim may still come to, whatever becomes of the open claims before it: exactly.

Its tier is replayed once. Behind each step stand the balances that it may have led to by
then: with an open claim each of them goes on as it is and without what the claim takes. Balances
that are alike are one. Where they become many only those go on that may lead to the least, or to
the most: balances that hold at least as much as another in all its accounts never pays less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import astuple, replace

from verifier.fold.books.pools import BEST, End, PlacedHit, Pool, plain, win
from verifier.fold.books.state import State
from verifier.fold.books.tier_balance import Contradiction, Hit, TierBalance, take
from verifier.fold.claims.possible_prizes import may_turn_out
from verifier.fold.terms.terms import Tier

MANY = 32  # sets of balances behind one step


def competing_claims(state: State, hit: Hit) -> list[Hit]:
    """Open hits before it that may change what it comes to."""
    tier = hit.tier or ""
    return [
        other
        for other in state.open.values()
        if (other.acts_on(tier) < hit.acts_at or _is_level(other, hit))
        and (other.tier == tier or _may_come(state, other, tier))
    ]


def bounds(state: State, hit: Hit) -> tuple[int, int]:
    """The least and the most that a hit comes to; what is confirmed for it never falls."""
    others = competing_claims(state, hit)
    if not others:
        return hit.held, hit.held
    timeline = _Timeline(state, hit, others)
    least, most = min(timeline.amounts(_poorest)), max(timeline.amounts(_richest))
    return max(hit.least, least), max(hit.least, most)


def safe(state: State, hit: Hit) -> int:
    """The least that a hit comes to, whatever becomes of the open claims before it."""
    return bounds(state, hit)[0]


def is_settled(state: State, hit: Hit) -> bool:
    """Whether no open claim before it changes what it comes to. Where a period came to nothing it
    matters all the same whose it was."""
    least, most = bounds(state, hit)
    return least == most and (hit.strength is None or most > 0 or not competing_claims(state, hit))


def _may_come(state: State, other: Hit, tier: str) -> bool:
    """Whether a hand may turn out to be for a prize, at its own place: behind it nobody is
    confirmed, else it would act where that turns out (decision 0006)."""
    if any(later.state != "held" for later in state.pools[tier].later(other.acts_on(tier))):
        return False
    return tier in may_turn_out(state, other)


def _is_level(other: Hit, hit: Hit) -> bool:
    """Whether another candidate of its period may be as high, or higher; unread ones may be."""
    if hit.ended is None or other.ended != hit.ended or other is hit:
        return False
    return not other.strength or other.strength >= (hit.strength or [])


Keep = Callable[[list[TierBalance]], list[TierBalance]]


class _Timeline:
    """The story of a hit's tier with its open claims."""

    def __init__(self, state: State, hit: Hit, others: list[Hit]) -> None:
        self.pool: Pool = state.pools[hit.tier or ""]
        self.posted, self.hit = state.tier, hit
        self.undecided = {other.number for other in others}
        self.unread = [other for other in others if other.tier != hit.tier]
        ends = (step for step in self.pool.timeline if isinstance(step, End))
        own = next((end for end in ends if end.seq == hit.ended), None)
        self.shown_at = hit.shown_at if own is None else own.shown_at

    def amounts(self, keep: Keep) -> set[int]:
        """What the hit comes to, by the outcomes that `keep` lets go on."""
        balances = [replace(self.pool.start)]
        for step in self.pool.timeline:
            if isinstance(step, End):
                cases = list(self._cases(step))
                if step.seq == self.hit.ended:
                    return {
                        self._won(balance, step, case)[1] for balance in balances for case in cases
                    }
                balances = [
                    self._won(balance, step, case)[0] for balance in balances for case in cases
                ]
            elif not isinstance(step, PlacedHit):
                for balance in balances:
                    plain(balance, step)
            elif step.hit is self.hit and self.pool.actions(step):
                return {take(balance, self.hit, self._terms(self.hit)) for balance in balances}
            elif self._may_act(step):
                after = [replace(balance) for balance in balances]
                for balance in after:
                    take(balance, step.hit, self._terms(step.hit))
                is_open = step.hit.number in self.undecided
                balances = [*balances, *after] if is_open else after
            balances = self._alike_are_one(balances)
            if len(balances) > MANY:
                balances = keep(balances)
        raise Contradiction(f"hit {self.hit.number} has no place in the story of {self.pool.code}")

    def _terms(self, hit: Hit) -> Tier:
        return self.posted(self.pool.code, hit.terms)

    def _may_act(self, step: PlacedHit) -> bool:
        if step.hit.number in self.undecided and not self.pool.is_high_hand:
            return step.hit.acts_on(self.pool.code) == step.seq
        return self.pool.actions(step)

    def _alike_are_one(self, balances: list[TierBalance]) -> list[TierBalance]:
        """Of what was taken before only whether the display still counts makes a difference."""
        distinct = {}
        for balance in balances:
            last = 0 if balance.last <= self.shown_at else self.shown_at + 1
            reduced = TierBalance(
                balance.pool,
                balance.reserve,
                balance.overflow,
                last=last,
                limit=balance.limit,
                rolled=balance.rolled,
            )
            distinct[astuple(reduced)] = reduced
        return list(distinct.values())

    def _won(self, balance: TierBalance, end: End, case: list[Hit]) -> tuple[TierBalance, int]:
        left = replace(balance)
        held = win(left, end, case, self.posted, self.pool.code, self.undecided)
        return left, held.get(self.hit.number, 0)

    def _cases(self, end: End) -> Iterator[list[Hit]]:
        """Who may be the best of a period and who shares with them, one case for all that are
        alike: the first one's terms count, and how many share before and behind the hit."""
        contest = [
            *end.candidates(self.pool.code),
            *(o for o in self.unread if self.pool.end_after(o.acts_on(self.pool.code)) is end),
        ]
        worth = {other.number: self._worth(other) for other in contest}
        for value in sorted({tuple(each) for each in worth.values()}, reverse=True):
            level = sorted((o for o in contest if tuple(worth[o.number]) == value), key=_number)
            for at, first in enumerate(level):
                yield from self._sharing(first, level[at + 1 :])
                if first.number not in self.undecided:
                    return
        yield []

    def _sharing(self, first: Hit, others: list[Hit]) -> Iterator[list[Hit]]:
        sure = [other for other in others if other.number not in self.undecided]
        if self.hit not in (first, *sure):
            yield [first, *sure]
            return
        perhaps = [other for other in others if other.number in self.undecided]
        before = [other for other in perhaps if other.number < self.hit.number]
        behind = [other for other in perhaps if other.number > self.hit.number]
        for some in range(len(before) + 1):
            for more in range(len(behind) + 1):
                yield [first, *sure, *before[:some], *behind[:more]]

    def _worth(self, other: Hit) -> list[int]:
        nobody_knows = BEST if other.number in self.undecided else []
        return other.strength or nobody_knows


def _number(hit: Hit) -> int:
    return hit.number


def _holds_it_all(balance: TierBalance, other: TierBalance) -> bool:
    """Whether balances hold in each account what the other ones do, or more."""
    return (
        balance.rolled == other.rolled
        and balance.last <= other.last
        and min(
            balance.pool - other.pool,
            balance.reserve - other.reserve,
            balance.overflow - other.overflow,
        )
        >= 0
    )


def _poorest(balances: list[TierBalance]) -> list[TierBalance]:
    return [p for p in balances if not any(o is not p and _holds_it_all(p, o) for o in balances)]


def _richest(balances: list[TierBalance]) -> list[TierBalance]:
    return [p for p in balances if not any(o is not p and _holds_it_all(o, p) for o in balances)]
