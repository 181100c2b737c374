"""Hands that the console could not judge: its own rules failed on their reports (19.20).

That they failed is a fact of the moment: the outcome of the entry names such hands by their first
claim. Such a hand wins nothing that somebody would have to read in its cards, and its claims are
stopped until an entry judges a report of it, or people reject them.
"""

from __future__ import annotations

from verifier.database.rows import Entry
from verifier.fold.books.state import State
from verifier.fold.books.tier_balance import Halt, Hit

_OPEN = ("held", "withdrawn")


def begin(state: State, entry: Entry) -> None:
    """Which hands the console could not judge at this entry."""
    state.seq = entry.seq
    state.unjudged = frozenset(entry.outcome.get("no_verdict") or ())


def flags_of(state: State) -> set[str]:
    """The flags that go with it."""
    return {"no_verdict"} if state.unjudged else set()


def is_unjudged(state: State, hit: Hit) -> bool:
    """Whether the console could not judge the hit's hand at this entry."""
    return state.hand(hit)[0].number in state.unjudged


def waits(hit: Hit) -> bool:
    """Whether a claim has been stopped by that, and no report was judged since."""
    return any(stop.kind == "verdict" and stop.lifted is None for stop in hit.stops)


def settle(state: State, hit: Hit) -> bool:
    """Stop the open claims of a hand without a verdict, or let them go on; whether it has one."""
    missing = is_unjudged(state, hit)
    for claim in state.hand(hit):
        if claim.state not in _OPEN:
            continue
        if not missing:
            lift(state, claim)
        elif not waits(claim):
            claim.stops.append(Halt(state.seq, "verdict"))
    return not missing


def lift(state: State, hit: Hit) -> None:
    """A claim waits for no verdict any more."""
    for stop in hit.stops:
        if stop.kind == "verdict" and stop.lifted is None:
            stop.lifted = state.seq
