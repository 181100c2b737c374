"""The least and the most over all outcomes of open claims, against trying each of them."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jackpot.domain.payout.outcomes import decisive, outcomes
from jackpot.domain.state.hits import (
    Closing,
    ContributionTotals,
    Correction,
    Element,
    Limit,
    PlacedHit,
    Start,
    TierBalances,
    replay_tier,
)
from tests.support.proof.possible_prizes import Room, jackpot, tier
from tests.support.suite.run_length import examples

EXAMPLES = examples(300)
UNIT = 10
MOST_OPEN = 6
amounts = st.integers(0, 60)


@dataclass(frozen=True)
class Timeline:
    start: Start
    maybe: tuple[PlacedHit, ...]
    rest: tuple[Element, ...]
    placed_hit: PlacedHit

    @property
    def arguments(self) -> tuple[Start, Sequence[PlacedHit], Sequence[Element], PlacedHit]:
        return self.start, self.maybe, self.rest, self.placed_hit


def tried(
    start: Start, maybe: Sequence[PlacedHit], rest: Sequence[Element], placed_hit: PlacedHit
) -> set[int]:
    """What the claim comes to by each outcome: the reference."""
    payouts = set()
    before = [element for element in rest if element.place <= placed_hit.place]
    for size in range(len(maybe) + 1):
        for stands in combinations(maybe, size):
            timeline = sorted([*before, *stands, placed_hit], key=lambda element: element.place)
            payouts.add(replay_tier(start, timeline).held.get(placed_hit.hit, 0))
    return payouts


def bounds(*arguments: Any) -> tuple[int, int]:
    payouts = tried(*arguments)
    return min(payouts), max(payouts)


@st.composite
def timelines(draw: st.DrawFn, *, periods: bool) -> Timeline:
    """A replay with its claims, the last of which is asked for. Terms change within it."""
    fed = ContributionTotals(*(draw(amounts) for _ in range(3)))
    balances = TierBalances(draw(amounts), draw(amounts), draw(amounts))
    start = Start(balances, fed, draw(st.none() | amounts), draw(st.integers(0, 1)))
    elements: list[Element] = []
    fixed = draw(st.booleans())
    last = draw(st.integers(3, 12))
    for place in range(2, last + 1):
        fed = ContributionTotals(
            *(one + draw(st.integers(0, 25)) for one in (fed.pool, fed.reserve, fed.overflow))
        )
        kind = "hit" if place == last else draw(st.sampled_from(["hit", "hit", "taken", "limit"]))
        if kind == "taken":
            elements.append(
                Correction(place, fed, draw(st.integers(-60, 20)), draw(st.integers(-60, 20)))
            )
        elif kind == "limit":
            elements.append(Limit(place, fed, draw(st.none() | amounts)))
        else:
            on_display = draw(st.sampled_from([0, 0, 90])), draw(st.integers(0, place))
            placed_hit = PlacedHit(
                place * 10,
                place,
                fed,
                reset=draw(st.sampled_from([0, 15, 40])),
                unit=UNIT,
                share=10_000 if fixed else draw(st.sampled_from([10_000, 10_000, 5_000])),
                shown=on_display[0],
                shown_at=on_display[1],
                prize=draw(st.sampled_from([30, 50])) if fixed else None,
            )
            if not periods:
                elements.append(placed_hit)
                continue
            elements += _period(draw, placed_hit)
    placed_hits = [element for element in elements if isinstance(element, PlacedHit)]
    at_the_end = [each for each in placed_hits if each.place == last]
    own = draw(st.sampled_from(at_the_end)) if periods else placed_hits[-1]
    others = [each for each in placed_hits if each.hit != own.hit]
    elements.remove(own)
    own = replace(own, least=draw(st.sampled_from([0, 0, UNIT, 40])))  # confirmed so far
    maybe = [each for each in others if draw(st.sampled_from([True, True, False]))][:MOST_OPEN]
    if periods:
        maybe = [each for each in maybe if each.place < last or _may_matter(each, own)]
    rest = [element for element in elements if element not in maybe]
    return Timeline(start, tuple(maybe), tuple(rest), own)


def _period(draw: st.DrawFn, placed_hit: PlacedHit) -> list[Element]:
    """The end of a period, and up to three candidates."""
    prize = draw(st.sampled_from([0, 30]))
    ends = (
        [Closing(placed_hit.place, placed_hit.fed, placed_hit.shown, placed_hit.shown_at, prize)]
        if prize
        else []
    )
    strengths = st.sampled_from([(), (3,), (3,), (7, 2), (11,)])
    shared = draw(st.booleans())
    number = draw(st.integers(1, 3))
    return [
        *ends,
        *(
            replace(placed_hit, hit=placed_hit.hit + each, strength=draw(strengths), shared=shared)
            for each in range(number)
        ),
    ]


def _may_matter(placed_hit: PlacedHit, own: PlacedHit) -> bool:
    return (placed_hit.strength or ()) >= (own.strength or ())


@settings(max_examples=EXAMPLES, deadline=None)
@given(timelines(periods=False))
def test_whatever_becomes_of_each_the_bounds_are_exact(timeline: Timeline) -> None:
    assert outcomes(*timeline.arguments) == bounds(*timeline.arguments)


@settings(max_examples=EXAMPLES, deadline=None)
@given(timelines(periods=True))
def test_and_those_of_high_hands(timeline: Timeline) -> None:
    assert outcomes(*timeline.arguments) == bounds(*timeline.arguments)


@settings(max_examples=EXAMPLES // 3, deadline=None)
@given(timelines(periods=False) | timelines(periods=True))
def test_who_makes_the_difference(timeline: Timeline) -> None:
    """Whose decision alone moves the bounds; all, where no single one does and they differ."""
    start, maybe, rest, placed_hit = timeline.arguments
    least, most = bounds(*timeline.arguments)
    alone = {
        one.hit
        for one in maybe
        for elements in (rest, [*rest, one])
        if bounds(start, [m for m in maybe if m is not one], sorted_by_place(elements), placed_hit)
        != (least, most)
    }
    if least == most:
        assert decisive(*timeline.arguments) == []
    else:
        assert decisive(*timeline.arguments) == sorted(alone or {one.hit for one in maybe})


def sorted_by_place(elements: Sequence[Element]) -> list[Element]:
    return sorted(elements, key=lambda element: element.place)


def chain(
    number: int, share: int = 10_000
) -> tuple[Start, list[PlacedHit], list[Element], PlacedHit]:
    """So many open claims, 3 between each; behind every second one the pool is emptied."""
    placed_hits = [
        PlacedHit(n, 2 * n, ContributionTotals(3 * n), 20, 1, share) for n in range(1, number + 2)
    ]
    elements: list[Element] = [
        Correction(2 * n + 1, ContributionTotals(3 * n), pool=-30, reserve=15)
        for n in range(1, number, 2)
    ]
    return Start(TierBalances(100)), placed_hits[:-1], elements, placed_hits[-1]


@pytest.mark.parametrize("share", [10_000, 7_500])
def test_more_than_ten_open_claims_have_an_exact_amount(share: int) -> None:
    """Eleven and twelve, against 2,048 and 4,096 outcomes."""
    for number in (11, 12):
        assert outcomes(*chain(number, share)) == bounds(*chain(number, share))


@pytest.mark.parametrize("share", [10_000, 7_500])
def test_there_is_no_limit(share: int) -> None:
    """Two hundred open claims: nobody tries 2 to the power of 200 outcomes."""
    began = time.process_time()
    least, most = outcomes(*chain(200, share))
    assert time.process_time() - began < 5
    assert 0 < least < most


def test_the_least_is_not_always_that_all_earlier_claims_stand() -> None:
    """A void took the pool below its reset: a hit would have it topped up, no hit leaves it."""
    again = PlacedHit(1, 3, ContributionTotals(500), 400, UNIT, 1_000)
    void = Correction(2, ContributionTotals(500), pool=-300)
    late = PlacedHit(2, 4, ContributionTotals(500), 0, UNIT, 10_000)
    assert outcomes(Start(), [again], [void], late) == (200, 400)


def test_a_fixed_prize_is_the_same_whatever_becomes_of_earlier_claims() -> None:
    first, second = (
        PlacedHit(n, n, ContributionTotals(), 0, UNIT, 10_000, prize=500) for n in (1, 2)
    )
    assert outcomes(Start(TierBalances(700)), [first], [], second) == (500, 500)
    assert decisive(Start(TierBalances(700)), [first], [], second) == []


@pytest.mark.parametrize("share", [10_000, 7_500])
def test_the_verifier_says_the_same_behind_forty_open_claims(share: int) -> None:
    """By its own replay of the tier: balances that are alike are one, and many are sifted."""
    posted_tier = tier("royal", 1, "royal_flush") | {"share": share}
    room = Room(jackpot("house", posted_tier))
    body = {"tier": "royal", "source": "operator", "reason": "A04", "evidence": "count"}
    for number in range(1, 42):
        room.play(1 + number % 5)
        room.call("t7", "royal")
        amount = room.pool() // 2
        if number % 3 == 0:
            room.decide("adjust_pool", amount=-amount, below_reset="the jackpot ends", **body)
            room.decide("adjust_pool", amount=amount // 3, into="reserve", **body)
        elif number % 7 == 0:
            room.decide("reject_claim", hit=number, reason="R11", evidence="", affected=True)
    least, most, waits_for = room.comes_to(41)  # asks the verifier, too
    assert 0 < least < most
    assert set(waits_for) < {*range(1, 41)} - {7, 14, 28, 35}
    payees = [{"seat": 3, "amount": least}]
    confirmed = room.decide("confirm_claim", hit=41, amount=least, payees=payees)
    assert confirmed["confirmed"] == least
    for number in range(1, 41):
        if number % 7 or number % 3 == 0:
            room.decide("reject_claim", hit=number, reason="R11", evidence="", affected=True)
    assert room.comes_to(41) == (room.held(41), room.held(41), ())
    assert least <= room.held(41) <= most
