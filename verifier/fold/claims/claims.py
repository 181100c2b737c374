"""The claims of one hand: for which prizes they are, each at the hand's place."""

from __future__ import annotations

from collections.abc import Iterable

from verifier.fold.books.state import State
from verifier.fold.books.tier_balance import Hit
from verifier.fold.claims.candidates import leave, stand_for, worth_of

UNDECIDED = ("held", "withdrawn")


def share_out(
    state: State, hand: list[Hit], won: list[str], seq: int, *, is_back: bool = False
) -> None:
    """Of the undecided claims those that fit stay; others move to prizes of the hand that nobody
    claims, then the rest is withdrawn. A hand that wins nothing keeps what it has."""
    if not won:
        return
    claims_by_tier = {claim.tier: claim for claim in hand if claim.state != "withdrawn"}
    resting = {claim.tier: claim for claim in hand if claim.state == "withdrawn"}
    # A decided claim keeps its prize; an open one keeps it if the hand wins it.
    misplaced = [claim for claim in hand if claim.state == "held" and not _fits(claim, won, hand)]
    for code in won:
        there = claims_by_tier.get(code)
        if there is not None and there not in misplaced:
            continue
        if code in resting:
            _enter(state, resting[code], code, seq, is_back)
        elif misplaced:
            is_for(state, misplaced.pop(0), code, seq, is_back=is_back)
        else:
            _enter(state, _another(state, hand[0]), code, seq, is_back)
    for claim in misplaced:
        claim.state, claim.held = "withdrawn", 0
        state.open.pop(claim.number, None)
        leave(claim)
        if claim.tier is not None:
            state.replay(claim.tier)


def is_for(state: State, hit: Hit, tier: str, seq: int, *, is_back: bool = False) -> None:
    """The hand is for that prize: it acts there at its own place, or, where a later hit of the
    tier is decided, here (decision 0006); in any case at its own if its rejection was wrong."""
    if hit.strength is not None:
        before, hit.tier = hit.tier, None
        leave(hit)
        if before is not None:
            state.replay(before)
    if state.pools[tier].is_high_hand:
        stand_for(state, hit, tier, seq, is_back=is_back)
        return
    before = hit.tier
    state.met.add(hit.number)
    decided = (later.state != "held" for later in state.pools[tier].later(hit.acts_at))
    if not is_back and any(decided):
        _moves(state, hit, seq)
    hit.tier = tier
    if before is not None:
        state.replay(before)
    state.replay(tier, joining=hit)


def weigh(state: State, hand: list[Hit], seq: int) -> None:
    """Compare candidates for a high hand again, where the report or a figure changed."""
    for claim in hand:
        if claim.state != "held" or claim.tier is None or claim.strength is None:
            continue
        if claim.strength != worth_of(state, claim, claim.tier):
            is_for(state, claim, claim.tier, seq)


def _fits(claim: Hit, won: list[str], hand: Iterable[Hit]) -> bool:
    decided = {other.tier for other in hand if other.state not in UNDECIDED}
    return claim.tier in won and claim.tier not in decided


def _another(state: State, first: Hit) -> Hit:
    """One more claim of the hand, beside the first in every story."""
    hit = Hit(
        number=len(state.hits) + 1,
        place=first.place,
        acts_at=first.place,
        table=first.table,
        round=first.round,
        terms=first.terms,
        on_display=first.on_display,
        shown_at=first.shown_at,
        state="withdrawn",
        seats=first.seats,
        pairing=first.pairing,
        clock=first.clock,
    )
    newest = next(each for each in state.hand(first) if each.state in UNDECIDED)
    hit.report_entry, hit.report = newest.report_entry, newest.report
    state.hits[hit.number] = hit
    state.beside.setdefault(first.number, []).append(hit)
    for pool in state.pools.values():
        pool.place_beside(first, hit)
    return hit


def come_back(state: State, hit: Hit, seq: int, *, is_back: bool = False) -> None:
    """It acts at its place; if all up to there is settled already, here."""
    if not is_back and all(hit.acts_at < other.acts_at for other in state.open.values()):
        _moves(state, hit, seq)
    hit.state, hit.tier = "held", None
    state.open[hit.number] = hit


def _enter(state: State, hit: Hit, tier: str, seq: int, is_back: bool) -> None:
    come_back(state, hit, seq, is_back=is_back)
    is_for(state, hit, tier, seq, is_back=is_back)


def _moves(state: State, hit: Hit, seq: int) -> None:
    hit.acts_at = seq
    for pool in state.pools.values():
        pool.place(hit, seq)
