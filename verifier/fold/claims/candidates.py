"""Candidates for a high hand: in which period they are, what they are worth, who wins."""

from __future__ import annotations

from typing import Any

from verifier.database.rows import Entry
from verifier.fold.books.pools import End
from verifier.fold.books.state import State
from verifier.fold.books.tier_balance import Contradiction, Hit
from verifier.fold.claims.hands import Figures, strength
from verifier.fold.claims.unjudged_hands import is_unjudged
from verifier.fold.terms.calendar import Calendar


def known_of(state: State, hit: Hit) -> Figures:
    """What is known of a hand's round now; a void one is no game that wins anything (20.1)."""
    round_ = state.round(hit.table, hit.round, None)
    game = None if round_.is_void else round_.game
    return Figures(game, round_.deck, round_.dealt, round_.pot(state.unit))


def stand_for(state: State, hit: Hit, tier: str, seq: int, *, is_back: bool) -> None:
    """A candidate of the period in which its place lies, or of the present one: where it would
    lower what is confirmed for somebody, or where that period still runs. `is_back`: its rejection
    is reversed, and it lowers nothing."""
    before, pool = hit.tier, state.pools[tier]
    hit.tier, hit.held, hit.is_best = tier, 0, False
    state.met.add(hit.number)
    hit.strength = worth_of(state, hit, tier)
    if before is not None:
        state.replay(before)
    end = pool.end_after(hit.acts_at)
    if end is None:
        return
    lacked = pool.short(state.tier)
    hit.ended = hit.acts_at = end.seq
    if all(other is not hit for other in end.hits):  # it may have been one before
        end.hits.append(hit)
    lacks = pool.short(state.tier)
    if not is_back and any(lacks[number] > lacked.get(number, 0) for number in lacks):
        hit.ended, hit.acts_at = None, seq
        end.hits.remove(hit)
        return
    state.replay(tier)
    others = (each for each in end.candidates(tier) if each is not hit)
    if not hit.is_best and any(other.state != "held" for other in others):
        hit.state = "outranked"
        state.open.pop(hit.number, None)


def worth_of(state: State, hit: Hit, tier: str) -> list[int]:
    if is_unjudged(state, hit):
        return []
    prizes = state.prizes(hit)
    posted = next(each for each in prizes if each.code == tier)
    return strength(hit.report, known_of(state, hit), prizes, posted)


def period_closed(
    state: State, entry: Entry, fact: dict[str, Any], calendar: Calendar
) -> dict[str, Any]:
    """A period of a high hand ended: its best candidates hold the prize, or it rolls over."""
    tier, ends = fact["tier"], fact["ends"]
    if state.pool_account_of(tier) != f"{tier}:pool":
        return {"tier": tier, "flags": {"closed"}}
    pool = state.pools[tier]
    posted = state.tier(tier, len(state.terms))
    qualifying = posted.qualifying
    due = calendar.next_end(pool.began, qualifying["period_minutes"])
    if ends != due or ends > entry.at:
        raise Contradiction(f"a period of {tier} is closed at {ends}, it ends at {due}")
    pool.began = ends
    display = entry.outcome.get("shown") or {}
    showed = (display.get("values") or {}).get(tier, 0)
    value = state.worth(tier)
    in_play = all(tier not in terms.suspended for terms in state.in_effect(len(state.terms)))
    added = in_play and qualifying.get("unclaimed") == "added"
    candidates = [hit for hit in state.open.values() if hit.tier == tier and hit.ended is None]
    candidates.sort(key=lambda hit: hit.number)  # one that came back stands among them
    for hit in candidates:
        hit.ended = hit.acts_at = entry.seq
        state.met.add(hit.number)
    prize = (posted.prize or 0) if added else 0
    pool.end(End(entry.seq, showed, display.get("seq") or 0, prize, list(candidates)))
    state.replay(tier)
    return {"tier": tier, "value": value, "candidates": [[h.number, h.held] for h in candidates]}


def leave(hit: Hit) -> None:
    """It is no candidate any more, and acts at its own place."""
    if hit.strength is not None:
        hit.strength, hit.ended, hit.acts_at, hit.held = None, None, hit.place, 0
        hit.is_best = False
