"""What a claim may come to while earlier claims are open: the least and the most, exactly.

Each open claim stands or falls, so n of them have 2 to the power of n outcomes. Nobody has to try
them: an outcome leaves to those behind it the balances of the tier alone, and whether what a
display showed to the claim still counts. So the claims are taken in their order, and behind each
place stand the balances that some outcome leaves there.

Every step is monotone: of two sets of balances the one with no less of anything stays that one,
whoever takes from both. For the least therefore only those count of which no other holds less
throughout, for the most those of which no other holds more. A claim that stands mostly leaves less
than one that falls; only where a correction took the pool below its reset does it leave a fuller
pool. So few of them are left, however many claims are open. Proven against trying all outcomes in
`tests/jackpot/domain/payout/test_outcomes.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter

import msgspec

from jackpot.domain.state.hits import (
    Closing,
    ContributionTotals,
    Correction,
    Element,
    Holding,
    Limit,
    PlacedHit,
    Start,
    TierBalances,
    correct,
    hold,
    part_of,
)

Amounts = tuple[int, int]  # the least and the most, micros


class _Reached(msgspec.Struct, frozen=True):
    """What some outcome leaves; `counts`: whether what displays showed to the claim still does."""

    balances: TierBalances
    counts: bool

    def holds_no_more_than(self, other: _Reached) -> bool:
        ours, theirs = self.balances, other.balances
        return (
            ours.rolled == theirs.rolled
            and ours.pool <= theirs.pool
            and ours.reserve <= theirs.reserve
            and ours.overflow <= theirs.overflow
            and self.counts <= other.counts
        )

    def fed(
        self, before: ContributionTotals, after: ContributionTotals, limit: int | None
    ) -> _Reached:
        return _Reached(self.balances.fed(before, after, limit), self.counts)

    def corrected(self, correction: Correction) -> _Reached:
        return _Reached(correct(self.balances, correction)[0], self.counts)

    def rolled(self, prize: int) -> _Reached:
        """Nobody won a period: its fixed prize is added to the next one."""
        balances = msgspec.structs.replace(self.balances, rolled=self.balances.rolled + prize)
        return _Reached(balances, self.counts)

    def behind(self, stands: PlacedHit, placed_hit: PlacedHit) -> _Reached:
        """What a hit leaves to the claim if it stands."""
        return _Reached(hold(self.balances, stands).after, stands.place <= placed_hit.shown_at)

    def hold(self, stands: PlacedHit, placed_hit: PlacedHit) -> Holding:
        """What a hit takes, with the display that counts for the claim."""
        return hold(self.balances, stands, 0 if self.counts else placed_hit.shown_at + 1)

    def share(self, won: _Won | None, placed_hit: PlacedHit) -> int:
        """The part of the claim in what those take who win its period."""
        if won is None or won.number is None:
            return 0
        return part_of(self.hold(won.first, placed_hit), won.equals, won.number)


class _Won(msgspec.Struct, frozen=True):
    """Who wins a period by some outcome: the first of so many equals; `number`: whether the claim
    is among them, and at which place."""

    first: PlacedHit
    equals: int
    number: int | None


def outcomes(
    start: Start, maybe: Sequence[PlacedHit], rest: Sequence[Element], placed_hit: PlacedHit
) -> Amounts:
    """The least and the most that `placed_hit` comes to, whatever becomes of `maybe`.

    The least is the safe amount. It is not always "all earlier claims stand". What is confirmed for
    the claim never falls, whatever its tier gives.
    """
    # Where a hit acts at a decision's own place the decision's correction comes before it.
    before = [element for element in rest if element.place <= placed_hit.place]
    timeline = sorted([*before, *maybe, placed_hit], key=attrgetter("place"))
    undecided = {each.hit for each in maybe}
    least = min(_amounts(start, timeline, undecided, placed_hit, _lowest))
    most = max(_amounts(start, timeline, undecided, placed_hit, _highest))
    return max(least, placed_hit.least), max(most, placed_hit.least)


def decisive(
    start: Start, maybe: Sequence[PlacedHit], rest: Sequence[Element], placed_hit: PlacedHit
) -> list[int]:
    """The numbers of those hits whose decision, whatever becomes of the others, raises the least or
    lowers the most; where no single one does, all. None where both are the same already."""
    now = outcomes(start, maybe, rest, placed_hit)
    if now[0] == now[1]:
        return []
    numbers = []
    for one in maybe:
        others = [other for other in maybe if other is not one]
        falls, stands = (
            outcomes(start, others, elements, placed_hit) for elements in (rest, [*rest, one])
        )
        if falls != now or stands != now:
            numbers.append(one.hit)
    return sorted(numbers or (each.hit for each in maybe))


def _amounts(
    start: Start,
    timeline: Iterable[Element],
    undecided: Collection[int],
    placed_hit: PlacedHit,
    keep: Callable[[set[_Reached]], set[_Reached]],
) -> set[int]:
    """What the claim comes to by the outcomes that `keep` leaves; the story ends with it."""
    reached, fed, limit = (
        {_Reached(start.balances, start.place <= placed_hit.shown_at)},
        start.fed,
        start.limit,
    )
    for element, candidates in _by_places(timeline):
        reached = {each.fed(fed, element.fed, limit) for each in reached}
        fed = element.fed
        match element:
            case PlacedHit(strength=None) if element.hit == placed_hit.hit:
                return {each.hold(placed_hit, placed_hit).held for each in reached}
            case PlacedHit(strength=None):
                stands = {each.behind(element, placed_hit) for each in reached}
                reached = stands | reached if element.hit in undecided else stands
            case Correction():
                reached = {each.corrected(element) for each in reached}
            case Limit():
                limit = element.limit
            case Closing() | PlacedHit():
                won = _who_wins(candidates, undecided, placed_hit)
                if any(each.hit == placed_hit.hit for each in candidates):
                    return {each.share(winner, placed_hit) for each in reached for winner in won}
                prize = element.prize if isinstance(element, Closing) else 0
                reached = {
                    each.rolled(prize) if winner is None else each.behind(winner.first, placed_hit)
                    for each in reached
                    for winner in won
                }
        reached = keep(reached)
    raise ValueError(f"hit {placed_hit.hit} has no place in its timeline")


def _by_places(timeline: Iterable[Element]) -> Iterator[tuple[Element, list[PlacedHit]]]:
    """The elements in their order; with the end of a period its candidates, who act before all
    else at its place. Of an end without a prize the first of them has the place."""
    for _, here in groupby(timeline, key=attrgetter("place")):
        elements = list(here)
        candidates = [e for e in elements if isinstance(e, PlacedHit) and e.strength is not None]
        ends: list[Element] = [e for e in elements if isinstance(e, Closing)]
        for end in ends or candidates[:1]:
            yield end, candidates
        for element in elements:
            if element not in candidates and element not in ends:
                yield element, []


def _who_wins(
    candidates: Iterable[PlacedHit], undecided: Collection[int], placed_hit: PlacedHit
) -> set[_Won | None]:
    """Who may win a period; None: nobody, as all its candidates may fall."""
    in_order = sorted(candidates, key=attrgetter("hit"))
    winners: set[_Won | None] = {None}
    for each in sorted(in_order, key=lambda each: each.strength or (), reverse=True):
        stands: set[_Won | None] = {_beside(won, each, placed_hit) for won in winners}
        winners = winners | stands if each.hit in undecided else stands
    return winners


def _beside(won: _Won | None, next_best: PlacedHit, placed_hit: PlacedHit) -> _Won:
    """Who wins if the next best candidate stands, too."""
    is_it = next_best.hit == placed_hit.hit
    if won is None:
        return _Won(next_best, 1, 0 if is_it else None)
    if not won.first.shared or won.first.strength != next_best.strength:
        return won
    return _Won(won.first, won.equals + 1, won.equals if is_it else won.number)


def _lowest(states: set[_Reached]) -> set[_Reached]:
    """Those of which no other holds less."""
    return {e for e in states if not any(o != e and o.holds_no_more_than(e) for o in states)}


def _highest(states: set[_Reached]) -> set[_Reached]:
    """Those of which no other holds more."""
    return {e for e in states if not any(o != e and e.holds_no_more_than(o) for o in states)}
