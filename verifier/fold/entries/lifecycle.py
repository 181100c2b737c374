"""The life of a jackpot: terms put into effect, what is suspended and resumed, tiers closed.

Every such decision makes a new version of the terms, under which rounds begin from there on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from verifier.database.rows import Entry
from verifier.fold.books.pools import Adjustment, Pool, Stop
from verifier.fold.books.state import State
from verifier.fold.books.tier_balance import Hit
from verifier.fold.claims.possible_prizes import may_turn_out
from verifier.fold.entries.device_events import Body, Outcome
from verifier.fold.entries.payments import EVIDENCE, two_people
from verifier.fold.terms.shapes import (
    Refusal,
    code,
    each,
    fields,
    maybe,
    one_of,
    require,
    text,
    whole,
)
from verifier.fold.terms.terms import Terms, within_words
from verifier.fold.terms.terms import read as read_terms

_ANY = text(2**31)
_STANDING = ("suspended", "suspended_tables", "closed", "moved")


def put_terms(state: State, entry: Entry, body: Body) -> Outcome:
    """Terms take effect; a tier that is new opens with its reset amount."""
    fields(body, {"terms": lambda _: None}, {"force": maybe(EVIDENCE)})
    two_people(entry)
    terms = read_terms(body["terms"])
    require(not any(body["terms"].get(name) for name in _STANDING), "people post no standing")
    require(within_words(terms, state.unit), "a figure is more than can be said")
    codes = {tier.code for tier in terms.tiers}
    before = _fitting(state, terms, codes)
    terms = replace(terms, moved=tuple(sorted(state.left.items())))
    forced: list[int] = []
    if before is not None:
        terms = replace(
            terms,
            suspended=before.suspended & codes,
            silent_tables=before.silent_tables,
            closed=before.closed,
        )
        forced = sorted(_in_the_way(state, before, terms))
        require(not forced or body.get("force") is not None, "a claim on it is open")
    state.terms.append(terms)
    for tier in terms.tiers:
        if tier.code not in state.pools:
            state.pools[tier.code] = Pool(tier.code)
            state.feed(tier.code, "pool", "operator", tier.reset)
            if tier.is_high_hand:
                state.pools[tier.code].is_high_hand = True
                state.pools[tier.code].began = entry.at
        pool = state.pools[tier.code]
        if tier.limit != pool.now.limit:
            pool.decide(entry.seq, Stop(tier.limit))
    outcome: Outcome = {"terms": len(state.terms)}
    if forced:
        outcome["forced"] = {"reason": body["force"], "hits": forced}
    return outcome


def _fitting(state: State, terms: Terms, codes: set[str]) -> Terms | None:
    """The jackpot's terms so far; nothing of the system's is in the way of the new ones."""
    before = None
    for tier in terms.tiers:
        pool = state.pools.get(tier.code)
        same_kind = pool is None or pool.is_high_hand == tier.is_high_hand
        require(same_kind, "a tier becomes a high hand, or ends to be one")
    for other in state.in_effect(len(state.terms)):
        require(
            not codes & {closed_code for closed_code, _ in other.closed},
            "a tier of that code was closed",
        )
        theirs = {tier.code for tier in other.tiers}
        if other.code == terms.code:
            before = other
            require(theirs <= codes, "a tier that has a pool is missing")
        elif theirs:
            require(not theirs & codes, "another jackpot has a tier of that code")
            apart = other.tables is not None and terms.tables is not None
            match_report = not apart or {*(other.tables or ())} & {*(terms.tables or ())}
            require(
                not (match_report and other.steps and terms.steps),
                "chips are dropped for one jackpot alone",
            )
    return before


def _in_the_way(state: State, before: Terms, after: Terms) -> Iterable[int]:
    """Open hits that are for a tier that changes, or may turn out to be."""
    alike = replace(before, tiers=()) == replace(after, tiers=())
    changed = {tier.code for tier in before.tiers if not alike or tier not in after.tiers}
    for hit in state.open.values():
        if changed & ({hit.tier} | may_turn_out(state, hit)):
            yield hit.number


def _prizes(state: State, hit: Hit) -> set[str]:
    return {tier.code for tier in state.prizes(hit)}


def suspend(state: State, entry: Entry, body: Body) -> Outcome:  # noqa: ARG001 one shape for all
    """Rounds that begin from here on take no part."""
    terms, tiers, tables = _scope(state, body)
    after = replace(
        terms,
        suspended=terms.suspended | tiers,
        silent_tables=terms.silent_tables | tables,
    )
    return _put(state, terms, after)


def resume(state: State, entry: Entry, body: Body) -> Outcome:  # noqa: ARG001
    """Rounds that begin from here on take part again."""
    terms, tiers, tables = _scope(state, body)
    after = replace(
        terms,
        suspended=terms.suspended - tiers,
        silent_tables=terms.silent_tables - tables,
    )
    return _put(state, terms, after)


def display_dark(state: State, fact: dict[str, Any]) -> Outcome:
    """A display was dark: its table, if it is open, leaves each jackpot that is so impatient."""
    table = fact["table"]
    first, last = (datetime.fromisoformat(fact[name]) for name in ("since", "until"))
    dark_s = (last - first).total_seconds()
    outcome: Outcome = {"jackpots": []}
    for terms in sorted(state.in_effect(len(state.terms)), key=lambda each: each.code):
        silent = terms.silent_tables
        patience_s = 60 * (terms.dark_minutes or 10**9)
        playing = state.sessions.get(table) is not None and terms.at_table(table)
        if playing and table not in silent and dark_s >= patience_s:
            state.terms.append(replace(terms, silent_tables=silent | {table}))
            outcome["jackpots"].append(terms.code)
    return {**outcome, "terms": len(state.terms)} if outcome["jackpots"] else {"flags": {"moot"}}


def _put(state: State, before: Terms, after: Terms) -> Outcome:
    require(after != before, "it stands so already")
    state.terms.append(after)
    return {"terms": len(state.terms)}


def _scope(state: State, body: Body) -> tuple[Terms, set[str], set[str]]:
    """The jackpot, and its tiers or tables that are meant."""
    further = {"tier": maybe(_ANY), "table": maybe(code)}
    fields(body, {"jackpot": _ANY, "reason": EVIDENCE}, further)
    terms = _jackpot(state, body)
    tier, table = body.get("tier"), body.get("table")
    if table is not None:
        require(tier is None and terms.at_table(table), "it is no table of this jackpot")
        return terms, set(), {table}
    codes = {each.code for each in terms.tiers}
    require(tier is None or tier in codes, "there is no such tier")
    return terms, codes if tier is None else {tier}, set()


def _jackpot(state: State, body: Body) -> Terms:
    for terms in state.in_effect(len(state.terms)):
        if terms.code == body["jackpot"] and terms.tiers:
            return terms
    raise Refusal("there is no such jackpot, or it was closed")


def close_tier(state: State, entry: Entry, body: Body) -> Outcome:
    """Two people end a tier of which nothing is in play or open; its pools go elsewhere."""
    further = {"to_tier": maybe(_ANY), "to_account": maybe(one_of("operator", "adjustments"))}
    fields(body, {"jackpot": _ANY, "tier": _ANY, "reason": EVIDENCE}, further)
    two_people(entry)
    terms, ended = _jackpot(state, body), body["tier"]
    tier = next((each for each in terms.tiers if each.code == ended), None)
    require(tier is not None, "there is no such tier")
    seated = [table for table, session in state.sessions.items() if session is not None]
    require(not any(map(terms.at_table, seated)), "a table of the jackpot is open")
    has_claims = any(ended in _prizes(state, hit) for hit in state.open.values())
    require(not has_claims and state.balances[f"{ended}:held"] == 0, "a claim may be for it")
    alone = len(terms.tiers) == 1
    drops = tier is not None and any(part.source == "drop" for part in tier.increments)
    require(alone or not drops, "it has a part of the drop")
    heir = _heir(state, terms, body)
    now = state.pools[ended].now
    before = [now.pool, now.reserve, now.overflow]
    _empty(state, entry.seq, ended, heir, body.get("to_account"))
    state.terms.append(
        replace(
            terms,
            tiers=tuple(each for each in terms.tiers if each.code != ended),
            suspended=terms.suspended - {ended},
            closed=tuple(sorted((*terms.closed, (ended, heir or body["to_account"])))),
        )
    )
    return {"terms": len(state.terms), "tier": ended, "before": before}


def _heir(state: State, terms: Terms, body: Body) -> str | None:
    """The pool of the tier that inherits; none where an account does."""
    to_tier, to_account = body.get("to_tier"), body.get("to_account")
    require((to_tier is None) != (to_account is None), "its pools go to one place")
    players = terms.funding == "players"
    require(not players or to_account != "operator", "players' money is not the operator's (19.2)")
    if to_tier is None:
        return None
    for other in state.in_effect(len(state.terms)):
        if to_tier != body["tier"] and any(tier.code == to_tier for tier in other.tiers):
            require(not players or other.funding == "players", "it takes no players' money (19.2)")
            return f"{to_tier}:pool"
    raise Refusal("there is no such tier to inherit")


def _empty(state: State, seq: int, ended: str, heir: str | None, account: str | None) -> None:
    """A reserve goes to the heir's reserve, everything else to its pool."""
    pool = state.pools[ended]
    left, reserve, above = pool.now.pool, pool.now.reserve, pool.now.overflow
    pool.decide(seq, Adjustment(-left, -reserve))
    code = (heir or "").removesuffix(":pool")
    state.move(f"{ended}:pool", account or f"{code}:pool", left)
    state.move(f"{ended}:reserve", account or f"{code}:reserve", reserve)
    state.move(f"{ended}:overflow", account or f"{code}:pool", above)
    if heir is not None:
        state.pools[code].decide(seq, Adjustment(left + above, reserve))


def _held(value: Any) -> None:
    """A boot, and how far it is held."""
    each(whole(0), 2, 2)(value)
    require(value[0] > 0, f"{value[0]} is no boot")


def move_table(state: State, entry: Entry, body: Body) -> Outcome:
    """Two people send a table to another system, closed and without an open claim."""
    table, other = {"table": code, "reason": EVIDENCE}, {"to_system": code, "to_table": code}
    fields(body, table | other | {"receipted": each(_held)})
    two_people(entry)
    table_code = body["table"]
    require(body["to_system"] != state.system, "it is of this system")
    require(table_code not in state.left, "it left before")
    require(state.sessions.get(table_code) is None, "it is open")
    require(all(hit.table != table_code for hit in state.open.values()), "a claim of it is open")
    standing = list(state.in_effect(len(state.terms)))
    require(bool(standing), "there are no terms to say so")
    state.left[table_code] = f"{body['to_system']}/{body['to_table']}"
    in_play = any(terms.tiers for terms in standing)
    for terms in standing:
        if terms.tiers or not in_play:
            silent, moved = terms.silent_tables - {table_code}, tuple(sorted(state.left.items()))
            state.terms.append(replace(terms, silent_tables=silent, moved=moved))
    return {"moved": state.left[table_code], "terms": len(state.terms)}


def receive_table(state: State, entry: Entry, body: Body) -> Outcome:
    """A table came from another system."""
    fields(body, {"table": code, "from_system": code, "from_table": code, "entry": whole(1)})
    two_people(entry)
    require(body["from_system"] != state.system, "it is of this system")
    return {"received": f"{body['from_system']}/{body['from_table']}", "entry": body["entry"]}


def reset_boots(state: State, entry: Entry, body: Body) -> Outcome:
    """Two people say which boot was a unit's last: a session of a later one is behind nothing."""
    fields(body, {"table": code, "boot": whole(0, 9_007_199_253), "reason": EVIDENCE})
    two_people(entry)
    said_by = state.session_at.get(body["table"])
    if said_by and said_by[0] > body["boot"]:
        state.session_at.pop(body["table"])
    return {}


LIFECYCLE: dict[str, Callable[[State, Entry, Body], Outcome]] = {
    "put_terms": put_terms,
    "suspend": suspend,
    "resume": resume,
    "close_tier": close_tier,
    "move_table": move_table,
    "receive_table": receive_table,
    "reset_boots": reset_boots,
}
