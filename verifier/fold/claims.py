"""The claims of one hand: for which prizes they are, each at the hand's place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from verifier.fold.candidates import known_of, leave, stand_for, worth_of
from verifier.fold.hands import prizes
from verifier.fold.purse import Hit
from verifier.fold.state import State
from verifier.fold.terms import Tier
from verifier.fold.unjudged import is_unjudged, waits

UNDECIDED = ("held", "withdrawn")


def share_out(state: State, hand: list[Hit], won: list[str], seq: int) -> None:
    """Of the undecided claims those that fit stay; others move to prizes of the hand that nobody
    claims, then the rest is withdrawn. A hand that wins nothing keeps what it has."""
    if not won:
        return
    taken = {claim.tier: claim for claim in hand if claim.state != "withdrawn"}
    resting = {claim.tier: claim for claim in hand if claim.state == "withdrawn"}
    # A decided claim keeps its prize; an open one keeps it if the hand wins it.
    misplaced = [claim for claim in hand if claim.state == "held" and not _fits(claim, won, hand)]
    for code in won:
        there = taken.get(code)
        if there is not None and there not in misplaced:
            continue
        if code in resting:
            _enter(state, resting[code], code, seq)
        elif misplaced:
            is_for(state, misplaced.pop(0), code, seq)
        else:
            _enter(state, _another(state, hand[0]), code, seq)
    for claim in misplaced:
        claim.state, claim.held = "withdrawn", 0
        state.open.pop(claim.number, None)
        leave(claim)
        if claim.tier is not None:
            state.replay(claim.tier)


def may_turn_out(state: State, hit: Hit) -> set[str]:
    """Further prizes that the hand of an open claim may be for."""
    if hit.tier is not None and hit.report is not None and not waits(hit):
        hand = state.hand(hit)
        if hit is not next((claim for claim in hand if claim.state == "held"), None):
            return set()  # its first open claim speaks for the whole hand
        taken = {claim.tier for claim in hand if claim.state != "withdrawn"}
        return _possible(state, hit, hit.report) - taken
    found = {tier.code for tier in state.prizes(hit)}
    for terms in state.in_effect(hit.terms):
        called = next((tier for tier in terms.tiers if tier.code == hit.tier), None)
        if called is None or terms.each:
            continue
        # Of that jackpot it is for the prize that was called, or, where that has a minimum which
        # is not met, for a lower one.
        found -= {
            tier.code
            for tier in terms.tiers
            if tier.rank <= called.rank or not _has_minimum(called)
        }
    return found


def _possible(state: State, hit: Hit, report: dict[str, Any]) -> set[str]:
    """What a read hand is for if figures of its round that are still to come say nothing against
    it: the pot until the round's completion, who was dealt in until both ends of the round unless
    the report counts them."""
    round_, posted = state.round(hit.table, hit.round, None), state.prizes(hit)
    if is_unjudged(state, hit):
        return {tier.code for tier in posted}
    counted = bool(report.get("seats_dealt")) or (round_.is_started and round_.is_completed)
    if (round_.is_completed and counted) or not any(map(_has_minimum, posted)):
        return set()
    known = known_of(state, hit)
    if not counted:
        known = replace(known, dealt=None)
    if not round_.is_completed:
        known, report = replace(known, pot_minor=None), {**report, "pot": None}
    return {*prizes(report, known, posted)}


def _has_minimum(tier: Tier) -> bool:
    asked = tier.qualifying
    return any(asked.get(name) is not None for name in ("pot_min_minor", "players_dealt_min"))


def is_for(state: State, hit: Hit, tier: str, seq: int) -> None:
    """The hand is for that prize: it acts there at its own place, or, where a later hit of the
    tier is decided, here (decision 0006)."""
    if hit.strength is not None:
        before, hit.tier = hit.tier, None
        leave(hit)
        if before is not None:
            state.replay(before)
    if state.pools[tier].is_high_hand:
        stand_for(state, hit, tier, seq)
        return
    before = hit.tier
    state.met.add(hit.number)
    if any(later.state != "held" for later in state.pools[tier].later(hit.acts_at)):
        _moves(state, hit, seq)
    hit.tier = tier
    if before is not None:
        state.replay(before)
    state.replay(tier, joining=hit)


def weigh(state: State, hand: list[Hit], seq: int) -> None:
    """Compare candidates for a high hand anew, where the report or a figure changed."""
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
        shown=first.shown,
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


def come_back(state: State, hit: Hit, seq: int) -> None:
    """It acts at its place; if all up to there is settled already, here."""
    if all(hit.acts_at < other.acts_at for other in state.open.values()):
        _moves(state, hit, seq)
    hit.state, hit.tier = "held", None
    state.open[hit.number] = hit


def _enter(state: State, hit: Hit, tier: str, seq: int) -> None:
    come_back(state, hit, seq)
    is_for(state, hit, tier, seq)


def _moves(state: State, hit: Hit, seq: int) -> None:
    hit.acts_at = seq
    for pool in state.pools.values():
        pool.place(hit, seq)
