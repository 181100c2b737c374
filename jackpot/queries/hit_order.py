"""What two hits of one tier come to in the order that counts, and in the other one (19.14(b)).

Nothing is decided here: people see what hangs on the order before they apply the posted policy.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from jackpot.domain.state.books import Books
from jackpot.domain.state.hits import Element, PlacedHit, Start, replay_tier
from jackpot.domain.state.rebalance import timeline
from jackpot.hits.states import OUT
from jackpot.models import Head, Hit
from jackpot.storage.loading import Plan, load, steps_of
from jackpot.storage.snapshot import snapshot


@dataclass(frozen=True, slots=True)
class Orders:
    """Micros that `one` and `other` come to."""

    one: int
    other: int
    one_exchanged: int
    other_exchanged: int


def either_order(start: Start, elements: Sequence[Element], one: int, other: int) -> Orders:
    """Both replays; in the second the two hits have exchanged their places.

    What a display showed, and what had been contributed, belongs to a place; the posted reset,
    unit and share belong to the hand's round.
    """
    placed_hits = {element.hit: element for element in elements if isinstance(element, PlacedHit)}
    moved = {one: _at_the_place_of(placed_hits[one], placed_hits[other])}
    moved[other] = _at_the_place_of(placed_hits[other], placed_hits[one])
    otherwise = [
        moved.get(element.hit, element) if isinstance(element, PlacedHit) else element
        for element in elements
    ]
    as_it_is = _held(start, elements)
    exchanged = _held(start, sorted(otherwise, key=lambda element: element.place))
    return Orders(as_it_is[one], as_it_is[other], exchanged[one], exchanged[other])


def orders(hit: Hit, others: Iterable[int]) -> dict[int, Orders]:
    """For each other hit that stands on the tier of this one: what each order comes to.

    Hits of other tiers, those that are rejected or withdrawn and those whose prize nobody knows are
    left out: they change nothing. A fixed number of queries.
    """
    other_numbers = set(others) - {hit.number}
    if hit.tier is None or hit.state in OUT or hit.strength is not None or not other_numbers:
        return {}  # of high hands of a period the order says nothing
    with snapshot():
        standing = Hit.objects.filter(tier=hit.tier).exclude(state__in=OUT).order_by("acts_at")
        places = dict(standing.filter(number__in=other_numbers).values_list("number", "acts_at"))
        if not places:
            return {}
        ends = (*places.values(), hit.acts_at)
        stretch = standing.filter(acts_at__range=(min(ends), max(ends)))
        numbers = list(stretch.values_list("number", flat=True))
        before = standing.filter(acts_at__lt=min(ends)).values_list("acts_at", flat=True).last()
        plan = Plan(hits=set(numbers), with_closes=False, with_sessions=False)
        loaded = load(Head.objects.get(system=hit.system_id), plan)
        # The replay begins at the first of them, whether it is decided or not.
        anchors = {**loaded.books.anchors, hit.tier.code: min(ends) - 1}
        steps = steps_of(hit.system_id, loaded.tiers, anchors)
    books = loaded.books
    books.anchors, books.steps = anchors, steps
    start = _start(books, hit.tier.code, numbers[0], before or 0)
    elements = timeline(books, hit.tier.code, [books.hits[number] for number in numbers])
    return {other: either_order(start, elements, hit.number, other) for other in places}


def _at_the_place_of(placed_hit: PlacedHit, there: PlacedHit) -> PlacedHit:
    return replace(
        placed_hit, place=there.place, fed=there.fed, shown=there.shown, shown_at=there.shown_at
    )


def _held(start: Start, elements: Iterable[Element]) -> dict[int, int]:
    return {
        holding.placed_hit.hit: holding.held for holding in replay_tier(start, elements).holdings
    }


def _start(books: Books, tier: str, first: int, before: int) -> Start:
    hit = books.hits[first]
    if hit.before is None:
        raise ValueError(f"hit {first} stands on {tier} without what it found there")
    return Start(hit.before, hit.fed_of(tier), books.limit_at(tier, hit.acts_at), before)
