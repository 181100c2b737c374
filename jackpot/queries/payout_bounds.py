"""The payout bounds of claims as the database has them now."""

from __future__ import annotations

from collections.abc import Collection

from jackpot.domain.payout.payout_bounds import PayoutBounds, bounds_of
from jackpot.hits.states import OUT, HitState
from jackpot.models import Head
from jackpot.storage.loading import Plan, load
from jackpot.storage.snapshot import snapshot
from tables.models import JackpotSystem


def bounds_of_claim(system: JackpotSystem, number: int) -> PayoutBounds | None:
    """The payout bounds of a hit that holds a prize; None where nothing can be confirmed now."""
    return bounds_of_claims(system.pk, [number]).get(number)


def bounds_of_claims(system_id: int, numbers: Collection[int]) -> dict[int, PayoutBounds]:
    """The same of several hits of a system, by number. A fixed number of queries."""
    with snapshot():
        head = Head.objects.get(system=system_id)
        plan = Plan(hits={*numbers}, with_closes=False, with_sessions=False)
        books = load(head, plan).books
    hits = (books.hits[number] for number in numbers if number in books.hits)
    return {
        hit.number: bounds_of(books, hit)
        for hit in hits
        if hit.tier is not None and hit.state not in (*OUT, HitState.REVERSED)
    }
