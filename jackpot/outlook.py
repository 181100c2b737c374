"""The prospect of a claim as the database has it now."""

from __future__ import annotations

from jackpot.books import OUT
from jackpot.loading import Plan, load
from jackpot.models import Head
from jackpot.prospects import Prospect, prospect_of
from jackpot.snapshot import snapshot
from tables.models import JackpotSystem


def prospect(system: JackpotSystem, number: int) -> Prospect | None:
    """The prospect of a hit that holds a prize; None where nothing can be confirmed any more."""
    with snapshot():
        head = Head.objects.get(system=system)
        books = load(head, Plan(hits={number})).books
    hit = books.hits.get(number)
    if hit is None or hit.tier is None or hit.state in (*OUT, "reversed"):
        return None
    return prospect_of(books, hit)
