"""The life of a jackpot besides its terms: suspending, resuming, closing a prize.

Each makes a new version of the jackpot's terms, so that rounds in play finish as they began.
"""

from __future__ import annotations

import datetime as dt
from typing import Literal

from msgspec.structs import replace

from jackpot.domain.command_handlers.basis import Body, Reason, Refused, two_people
from jackpot.domain.command_handlers.terms import in_force, put
from jackpot.domain.state.books import Books, tier_account
from jackpot.domain.state.entries import CommandEntry, FactEntry, Outcome
from jackpot.domain.state.hits import Correction
from jackpot.hits.states import HitState
from jackpot.terms.document import FromDrop, JackpotTerms
from tables.protocol.messages import Code


class Suspend(Body, frozen=True, kw_only=True):
    """A tier, or a table; without either all tiers of the jackpot."""

    jackpot: str
    tier: str | None = None
    table: Code | None = None
    reason: Reason


class Resume(Suspend, frozen=True, kw_only=True):
    """The same, in play again."""


class CloseTier(Body, frozen=True, kw_only=True):
    """A tier ends; its pools go to another tier, or to an account of the system."""

    jackpot: str
    tier: str
    to_tier: str | None = None
    to_account: Literal["operator", "adjustments"] | None = None
    reason: Reason


def suspend(books: Books, entry: CommandEntry, body: Suspend) -> Outcome:  # noqa: ARG001
    """Rounds that begin from here on do not take part. A hand holds its prize all the same."""
    terms = _terms_of(books, body.jackpot)
    tiers, tables = _scope(terms, body)
    return _stands(
        books,
        terms,
        suspended={*terms.suspended, *tiers},
        tables={*terms.suspended_tables, *tables},
    )


def resume(books: Books, entry: CommandEntry, body: Resume) -> Outcome:  # noqa: ARG001
    """Rounds that begin from here on take part again."""
    terms = _terms_of(books, body.jackpot)
    tiers, tables = _scope(terms, body)
    return _stands(
        books,
        terms,
        suspended={*terms.suspended} - tiers,
        tables={*terms.suspended_tables} - tables,
    )


def suspend_dark(books: Books, entry: FactEntry) -> Outcome:
    """The display of an open table was dark for as long as posted (19.7): as if suspended there.

    `table`, `since` and `until`: nothing was read back in between. The outcome names the jackpots
    that the table is suspended from; none where somebody was faster, or the table was closed.
    """
    table = entry.body["table"]
    since, until = (dt.datetime.fromisoformat(entry.body[name]) for name in ("since", "until"))
    lost = [
        terms
        for terms in sorted(books.terms_at(books.terms_number), key=lambda terms: terms.code)
        if books.sessions.get(table) is not None and terms.is_lost_to(table, until - since)
    ]
    if not lost:
        return {"flags": ["moot"]}
    for terms in lost:
        put(books, replace(terms, suspended_tables=tuple(sorted({*terms.suspended_tables, table}))))
    return {"terms": books.terms_number, "jackpots": [terms.code for terms in lost]}


def _stands(books: Books, terms: JackpotTerms, *, suspended: set[str], tables: set[str]) -> Outcome:
    after = replace(
        terms, suspended=tuple(sorted(suspended)), suspended_tables=tuple(sorted(tables))
    )
    if after == terms:
        raise Refused("It stands so already: nothing was changed.")
    put(books, after)
    return {"terms": books.terms_number}


def _terms_of(books: Books, jackpot: str) -> JackpotTerms:
    terms = in_force(books, jackpot)
    if terms is None:
        raise Refused(f"There is no jackpot {jackpot} on this system.")
    if not terms.tiers:
        raise Refused(f"{terms.name} was closed.")
    return terms


def _scope(terms: JackpotTerms, body: Suspend) -> tuple[set[str], set[str]]:
    """The tiers and the tables that are meant."""
    codes = {tier.code for tier in terms.tiers}
    if body.table is not None:
        if body.tier is not None or not terms.is_at(body.table):
            raise Refused("Name a prize of the jackpot, or one of its tables.")
        return set(), {body.table}
    if body.tier is not None and body.tier not in codes:
        raise Refused(f"{terms.name} has no tier {body.tier}.")
    return codes if body.tier is None else {body.tier}, set()


def close_tier(books: Books, entry: CommandEntry, body: CloseTier) -> Outcome:
    """Two people end a prize: nothing of it is in play or open, and its pools go where they say.

    What comes late for it follows its pools.
    """
    two_people(entry)
    terms = _terms_of(books, body.jackpot)
    tier = body.tier
    _closable(books, terms, tier)
    to = _destination(books, terms, body)
    balances = books.balances_of(tier)
    for kind in ("pool", "reserve", "overflow"):
        account = to
        if body.to_tier is not None:  # a reserve stays a reserve
            account = tier_account(body.to_tier, "reserve" if kind == "reserve" else "pool")
        books.move(entry.seq, tier_account(tier, kind), account, getattr(balances, kind), "closing")
    correction = Correction(
        entry.seq, books.fed[tier], pool=-balances.pool, reserve=-balances.reserve
    )
    books.add_step(tier, correction)
    if body.to_tier is not None:
        amounts = {"pool": balances.pool + balances.overflow, "reserve": balances.reserve}
        books.add_step(body.to_tier, Correction(entry.seq, books.fed[body.to_tier], **amounts))
    books.limits.pop(tier, None)
    books.periods.pop(tier, None)
    books.rolled.pop(tier, None)
    books.closed[tier] = to
    after = replace(
        terms,
        tiers=tuple(each for each in terms.tiers if each.code != tier),
        suspended=tuple(code for code in terms.suspended if code != tier),
        closed={**terms.closed, tier: to},
    )
    put(books, after)
    before = [balances.pool, balances.reserve, balances.overflow]
    return {"terms": books.terms_number, "tier": tier, "before": before}


def _closable(books: Books, terms: JackpotTerms, tier: str) -> None:
    prize = next((each for each in terms.tiers if each.code == tier), None)
    if prize is None:
        raise Refused(f"{terms.name} has no tier {tier}.")
    playing = sorted(t for t, session in books.sessions.items() if session and terms.is_at(t))
    if playing:
        raise Refused(f"Table {playing[0]} is open: close the tables of {terms.name} first.")
    in_the_way = [
        hit.number
        for hit in books.hits.values()
        if hit.state == HitState.HELD and any(each.code == tier for each in books.prizes_for(hit))
    ]
    if in_the_way or books.balances[tier_account(tier, "held")]:
        raise Refused(f"A claim that may be for {prize.name} is open: decide it first.")
    drops = any(isinstance(part, FromDrop) for part in prize.increments)
    if drops and len(terms.tiers) > 1:
        raise Refused(
            f"{prize.name} has a part of the drop: first post terms that give it to the others."
        )


def _destination(books: Books, terms: JackpotTerms, body: CloseTier) -> str:
    """The account that the pools go to. Player money never reaches the operator (19.2)."""
    if (body.to_tier is None) == (body.to_account is None):
        raise Refused("Say where the pools go: to another prize, or to an account.")
    players = terms.funding == "players"
    if body.to_account is not None:
        if players and body.to_account == "operator":
            raise Refused("This is players' money: it does not go to the operator (19.2).")
        return body.to_account
    for other in books.terms_at(books.terms_number):
        for tier in other.tiers:
            if tier.code == body.to_tier != body.tier:
                if players and other.funding != "players":
                    raise Refused(f"{other.name} is not marked to take players' money (19.2).")
                return tier_account(tier.code, "pool")
    raise Refused("Choose another prize of this system that is in force.")
