"""What is whose: sessions, rounds and hands that devices sent. One function a kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from verifier.database.rows import Entry
from verifier.fold.books.pools import Adjustment
from verifier.fold.books.rounds import (
    TO_RETURN,
    Added,
    Figures,
    Round,
    Session,
    at_completion,
    changed,
    differences,
    disagree,
    figures,
    odd,
    together,
)
from verifier.fold.books.state import State
from verifier.fold.books.tier_balance import Hit
from verifier.fold.claims.candidates import known_of
from verifier.fold.claims.claims import UNDECIDED, is_for, share_out, weigh
from verifier.fold.claims.clock_disputes import clock_in
from verifier.fold.claims.hands import prizes
from verifier.fold.claims.unjudged_hands import settle
from verifier.fold.terms.press_rate import too_fast
from verifier.fold.terms.terms import Terms

Body = dict[str, Any]
Outcome = dict[str, Any]  # what became of it: the part of an outcome that the fold answers for


def session(state: State, entry: Entry, event: Body) -> Outcome:
    """Game, deck and seats from now on; rounds in play keep theirs."""
    if _comes_behind(state, entry):
        return {"flags": {"overtaken"}}
    seats = len(set(event["seats_in_play"]))
    state.sessions[_table(entry)] = Session(
        event["game"], event["deck"], seats, event.get("stakes")
    )
    return {}


def closing(state: State, entry: Entry, event: Body) -> Outcome:  # noqa: ARG001 one shape for all
    """The table takes no part until it opens again."""
    if _comes_behind(state, entry):
        return {"flags": {"overtaken"}}
    state.sessions[_table(entry)] = None
    return {}


def _comes_behind(state: State, entry: Entry) -> bool:
    """Whether the unit's own counters put it before what its table said last; that stands."""
    own = (entry.boot or 0, entry.event_seq or 0)
    last = state.session_at.get(_table(entry), own)
    state.session_at[_table(entry)] = max(last, own)
    return own < last


def started(state: State, entry: Entry, event: Body) -> Outcome:
    """The button at the commencement of a round: the operator's contribution (19.9)."""
    table = _table(entry)
    earlier = state.rounds.find(table, event["round"])
    if earlier is not None and earlier.is_started:
        return {"flags": {"repeat"}}
    round_ = state.round(table, event["round"], event.get("seats_dealt"))
    round_.is_started = True
    _count(state, entry, event, round_)
    start = state.start(table, round_)
    due, round_.operator_waits = _parted(round_, start.parts)
    flags = {*start.flags, *_decided(round_)}
    if round_.is_held:
        flags.add("over_pace")
    outcome: Outcome = {}
    if round_.is_missed:
        flags.add("adjusted_before")
        if differences(due, round_.by_operator):
            flags.add("figures_differ")
            outcome["figures"] = {"players": [round_.priced, round_.dealt or 0]}
    credit(state, entry.seq, due, round_.by_operator)
    round_.by_operator = due
    return {"flags": flags} | outcome | judged(state, table, event["round"], entry.seq)


def complete(state: State, entry: Entry, event: Body) -> Outcome:
    """The completion of a round: pot, commission and drop (19.10)."""
    table = _table(entry)
    earlier = state.rounds.find(table, event["round"])
    if earlier is not None and earlier.is_completed:
        return {"flags": {"repeat"}}
    round_ = state.round(table, event["round"], event.get("seats_dealt"))
    round_.is_completed = True
    new, implausible = figures(event, state.unit)
    old = round_.amounts
    round_.say(together(new, old))
    round_.flop = event.get("flop_dealt")
    known_figures = Figures(*round_.amounts)
    flags = {*state.start(table, round_).flags, *implausible}
    if not round_.is_started:
        flags.add("no_start")
    if round_.is_held:
        flags.add("over_pace")
    parts: dict[str, Sequence[Added]] = {}
    outcome: Outcome = {}
    dealing = round_.dealt_out
    taking = state.taking(table, round_)
    for terms in taking:
        parts[terms.code], missing = at_completion(terms, known_figures, dealing)
        flags |= missing | odd(terms, known_figures, event, dealing)
    parts |= {"": unposted(taking, known_figures.drop)}
    due, waits = _parted(round_, parts)
    if not round_.is_void:  # else the players have their money back (20.1)
        flags |= {TO_RETURN for added in due if added[0] == TO_RETURN}
        if any(amount is not None for amount in old):  # a supervisor was before it
            flags.add("adjusted_before")
            if disagree(new, old) or differences(due, round_.by_players):
                flags.add("figures_differ")
                outcome["figures"] = changed(old, round_.amounts)
        credit(state, entry.seq, due, round_.by_players)
        round_.by_players, round_.players_wait = due, waits
    outcome |= judged(state, table, event["round"], entry.seq)
    return {"flags": flags | _decided(round_)} | outcome


def unposted(taking: list[Terms], drop: int | None) -> list[Added]:
    """A drop that none of the jackpots of the round takes is the players' still."""
    parts = (part.source for terms in taking for tier in terms.tiers for part in tier.increments)
    return [] if not drop or "drop" in parts else [(TO_RETURN, "pool", "drop", drop)]


def _count(state: State, entry: Entry, event: Body, round_: Round) -> None:
    """A press at a table of which jackpots take only so many within a minute."""
    if not state.start(_table(entry), round_).is_limited:
        return
    count = state.buttons[_table(entry)].press(event["recorded_at"], entry.at)
    if not round_.is_missed:
        round_.too_fast = tuple(too_fast(state.taking(_table(entry), round_), count))
        round_.is_held = bool(round_.too_fast)
        if round_.is_held:
            state.held[_table(entry), event["round"]] = entry.seq


def _parted(
    round_: Round, parts: Mapping[str, Sequence[Added]]
) -> tuple[tuple[Added, ...], tuple[Added, ...]]:
    """What counts now, and what waits until people have decided; `parts` by jackpot."""
    waiting = _waiting(round_)
    now = tuple(added for code, some in parts.items() if code not in waiting for added in some)
    return now, tuple(added for code, some in parts.items() if code in waiting for added in some)


def _waiting(round_: Round) -> tuple[str, ...]:
    """The jackpots that get nothing of it until people have decided."""
    return round_.too_fast if round_.is_held else ()


def operator_gives(state: State, table: str, round_: Round, dealt: int) -> tuple[Added, ...]:
    """What the operator adds for a round with so many players, by its terms (19.9)."""
    parts = state.start(table, replace(round_, dealt=dealt)).parts.values()
    return tuple(added for some in parts for added in some)


def credit(state: State, seq: int, due: Iterable[Added], before: tuple[Added, ...] = ()) -> None:
    """Post what is due beyond what was credited before; too much goes back, here."""
    if not before:
        for added in due:
            state.feed(*added)
        return
    back: dict[str, list[Added]] = defaultdict(list)
    for (tier, into, source), amount in differences(due, before).items():
        if amount >= 0:
            state.feed(tier, into, source, amount)
            continue
        if tier == TO_RETURN:
            refund = min(-amount, state.balances[tier])
            state.move(tier, source, refund)
            state.move("operator", source, -amount - refund)
            continue
        home = state.pool_account_of(tier).removesuffix(
            ":pool"
        )  # of a closed one, where its pools went
        back[home].append((home, into, source, amount))
    for tier, parts in back.items():
        if tier not in state.pools:  # the operator's again
            for _, _, source, amount in parts:
                state.move(tier, source, -amount)
            continue
        adjustment = Adjustment(
            *(sum(p[3] for p in parts if p[1] == to) for to in ("pool", "reserve"))
        )
        state.correct(tier, seq, adjustment, [(source, n) for _, _, source, n in parts])


def _decided(round_: Round) -> set[str]:
    """What a supervisor had decided about the round before this came."""
    flags = {"void": round_.is_void, "cancelled": round_.is_cancelled}
    return {flag for flag, holds in flags.items() if holds}


def called(state: State, entry: Entry, event: Body) -> Outcome:
    """Three taps hold the place (19.11, 19.14(b))."""
    round_ = state.rounds.find(_table(entry), event["round"])
    if round_ is not None and round_.hit is not None:
        return {"flags": {"repeat"}, "hit": round_.hit}
    hit, outcome = opened(state, entry, _table(entry), event["round"], event.get("seats_dealt"))
    hit.seats = frozenset(event["seats"])
    if event.get("tier") is not None and not is_called(state, hit, event["tier"], entry.seq):
        outcome["flags"].add("unknown_tier")
    out_of_play(state, hit, outcome)
    return outcome | stands(state, hit)


def is_called(state: State, hit: Hit, tier: str, seq: int) -> bool:
    """Let a hand act on the prize that it was called for, if that is played at its table."""
    if tier not in state.pools or all(each.code != tier for each in state.prizes(hit)):
        return False
    is_for(state, hit, tier, seq)
    return True


def reported(state: State, entry: Entry, event: Body) -> Outcome:
    """The hand as typed: it takes a place, or corrects the report before it."""
    round_ = state.rounds.find(_table(entry), event["round"])
    outcome: Outcome = {}
    if round_ is not None and round_.hit is not None:
        hit = state.hits[round_.hit]
        if all(claim.state not in UNDECIDED for claim in state.hand(hit)):
            keep(state, hit, event, entry.seq)
            return {"flags": {"after_decision"}, "hit": hit.number}
    else:
        dealt = event.get("seats_dealt")
        hit, outcome = opened(state, entry, _table(entry), event["round"], dealt)
    read(state, hit, event, entry.seq)
    if outcome:
        out_of_play(state, hit, outcome)
    return outcome | stands(state, hit)


def request(state: State, entry: Entry, event: Body) -> Outcome:  # noqa: ARG001
    """It takes its place and moves nothing: a supervisor decides."""
    return {"flags": {"request"}}


def nothing(state: State, entry: Entry, event: Body) -> Outcome:  # noqa: ARG001
    """It only takes its place."""
    return {}


def read(state: State, hit: Hit, report: Body, seq: int) -> None:
    """A report in the place of the one before, for the claims of the hand that nobody decided."""
    for claim in state.hand(hit):
        if claim.state in UNDECIDED:
            claim.report_entry, claim.report = seq, report
    keep(state, hit, report, seq)
    share_out(state, state.hand(hit), won_by(state, hit, report), seq)
    weigh(state, state.hand(hit), seq)


def keep(state: State, hit: Hit, report: Body, seq: int) -> None:
    """A report stands beside the claims of the hand that are decided already."""
    for claim in state.hand(hit):
        if claim.state not in UNDECIDED:
            claim.corrected = (seq, report)


def judged(state: State, table: str, number: int, seq: int) -> Outcome:
    """A figure of the round is known now: its hand is judged by it. What that changed."""
    round_ = state.rounds.find(table, number)
    if round_ is None or round_.hit is None:
        return {}
    first = state.hits[round_.hit]
    before = [(claim.tier, claim.state) for claim in state.hand(first)]
    reports = [each.report for each in state.hand(first) if each.state in UNDECIDED]
    if not reports or reports[0] is None or first.is_required:
        return {}
    share_out(state, state.hand(first), won_by(state, first, reports[0]), seq)
    weigh(state, state.hand(first), seq)
    after = [(claim.tier, claim.state) for claim in state.hand(first)]
    return {} if before == after else stands(state, first)


def won_by(state: State, hit: Hit, report: Body) -> list[str]:
    """The prizes that the hand is for: of each jackpot the highest, or each, as it is posted.

    Of the highest alone a confirmed claim is the one prize, until people reverse it.
    """
    if not settle(state, hit):
        return []
    codes = prizes(report, known_of(state, hit), state.prizes(hit))
    granted = {each.tier for each in state.hand(hit) if each.state in ("confirmed", "paid")}
    prize_codes: list[str] = []
    for terms in state.in_effect(hit.terms):
        if not terms.at_table(hit.table):
            continue
        own = [tier.code for tier in terms.tiers]
        won = [code for code in codes if code in own]
        if won and not terms.each:
            won = [code for code in own if code in granted] or won[:1]
        prize_codes += won
    return prize_codes


def stands(state: State, hit: Hit) -> Outcome:
    """Where a hit stands after an entry that touched it, and the other claims of its hand."""
    outcome: Outcome = {"hit": hit.number, "tier": hit.tier, "held": hit.held}
    hand = state.hand(hit)
    if len(hand) > 1:
        outcome["claims"] = [[each.number, each.tier, each.state, each.held] for each in hand]
    return outcome


def opened(
    state: State, entry: Entry, table: str, number: int, dealt: list[int] | None
) -> tuple[Hit, Outcome]:
    """A hand takes the next number and its place, whatever its cards say."""
    round_ = state.round(table, number, dealt)
    display = entry.outcome.get("shown") or {}
    values = display.get("values") or {}
    hit = Hit(
        number=len(state.hits) + 1,
        place=entry.seq,
        acts_at=entry.seq,
        table=table,
        round=number,
        terms=round_.terms,
        on_display={code: value for code, value in values.items() if code in state.pools},
        shown_at=display.get("seq") or 0,
        clock=clock_in(entry),
    )
    round_.hit = hit.number
    state.hits[hit.number] = state.open[hit.number] = hit
    worth = {code: state.worth(code) for code in state.pools}
    for pool in state.pools.values():
        pool.place(hit, entry.seq)
    flags = set() if round_.is_started else {"no_start"}  # a winning hand all the same (19.19)
    return hit, {"flags": flags | _decided(round_), "values": worth}


def out_of_play(state: State, hit: Hit, outcome: Outcome) -> None:
    """A hand of a prize or a table that was suspended holds its prize; it is flagged."""
    for terms in state.in_effect(hit.terms):
        if hit.tier in terms.suspended and terms.at_table(hit.table):
            outcome["flags"].add("suspended")
        if hit.table in terms.silent_tables:
            outcome["flags"].add("suspended")


def _table(entry: Entry) -> str:
    return entry.table or ""


EVENTS: dict[str, Callable[[State, Entry, Body], Outcome]] = {
    "session_opened": session,
    "session_changed": session,
    "session_closed": closing,
    "round_started": started,
    "round_completed": complete,
    "rounds_missed": request,
    "void_requested": request,
    "hand_withdrawn": request,
    "events_lost": nothing,
}
