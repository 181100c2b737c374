"""Putting terms into effect (19.4, 19.5). Rounds in play finish under their own."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from jackpot.domain.command_handlers.basis import Body, Reason, Refused, two_people
from jackpot.domain.payout.competing_claims import CompetingClaims
from jackpot.domain.state.books import Books, Hit, tier_account
from jackpot.domain.state.entries import CommandEntry, Outcome
from jackpot.domain.state.hits import Limit
from jackpot.hits.states import HitState
from jackpot.terms.amount_limits import too_large
from jackpot.terms.document import JackpotTerms
from jackpot.terms.posted_terms import parse


class PutTerms(Body, frozen=True, kw_only=True):
    """The whole document of a jackpot (`jackpot.terms.posted_terms`).

    `force`: why it takes effect although a claim is open on a tier that it changes.
    """

    terms: dict[str, Any]
    force: Reason | None = None


def put_terms(books: Books, entry: CommandEntry, body: PutTerms) -> Outcome:
    """Terms take effect; a tier that is new opens with its reset amount."""
    two_people(entry)
    terms = parse(body.terms)
    if terms.suspended or terms.suspended_tables or terms.closed or terms.moved:
        raise Refused(
            "Suspending, closing and moving are decisions of their own: leave them out here."
        )
    _fits(books, terms)
    terms = replace(terms, moved=dict(books.moved))
    before = in_force(books, terms.code)
    if before is not None:
        suspended_codes = {*before.suspended} & {tier.code for tier in terms.tiers}
        terms = replace(
            terms,
            suspended=tuple(sorted(suspended_codes)),
            suspended_tables=before.suspended_tables,
            closed=before.closed,
        )
    in_question = _open_claims(books, _changed(before, terms)) if before else []
    if in_question and body.force is None:
        raise Refused(
            f"Claim {in_question[0]} on a prize that changes is open: decide it first, or say why"
            " the terms change meanwhile."
        )
    put(books, terms)
    for tier in terms.tiers:
        if tier.code not in books.fed:
            books.open_tier(tier.code)
            pool = tier_account(tier.code, "pool")
            books.move(entry.seq, "operator", pool, tier.reset, "opening")
            books.feed(tier.code, "pool", tier.reset)
            if tier.high_hand() is not None:
                books.periods[tier.code] = entry.at
        if tier.limit != books.limits.get(tier.code):
            books.add_step(tier.code, Limit(entry.seq, books.fed[tier.code], tier.limit))
    forced = {"forced": {"reason": body.force, "hits": in_question}} if in_question else {}
    return {"terms": books.terms_number, **forced}


def put(books: Books, terms: JackpotTerms) -> None:
    """This is the jackpot's newest version from here on."""
    books.terms_number += 1
    books.terms[books.terms_number] = terms


def in_force(books: Books, jackpot: str) -> JackpotTerms | None:
    """A jackpot's terms as they stand."""
    all_terms = books.terms_at(books.terms_number)
    return next((terms for terms in all_terms if terms.code == jackpot), None)


def may_be_for(books: Books, hit: Hit, tiers: set[str]) -> bool:
    """Whether an undecided hit is for one of the tiers, or may turn out to be."""
    if hit.state != HitState.HELD:
        return False
    claims = CompetingClaims(books)
    return hit.tier in tiers or any(claims.may_be_for(hit, tier) for tier in tiers)


def _open_claims(books: Books, tiers: set[str]) -> list[int]:
    return sorted(hit.number for hit in books.hits.values() if may_be_for(books, hit, tiers))


def _changed(before: JackpotTerms, after: JackpotTerms) -> set[str]:
    """The tiers that new terms change: all of them where the jackpot itself changes."""
    if replace(before, tiers=()) != replace(after, tiers=()):
        return {tier.code for tier in before.tiers}
    same = {tier.code for tier in after.tiers if tier in before.tiers}
    return {tier.code for tier in before.tiers} - same


def _fits(books: Books, terms: JackpotTerms) -> None:
    """New terms strand no pool, and no other jackpot of the system is in their way."""
    if why := too_large(terms, books.digits):
        raise Refused(why)
    codes = {tier.code for tier in terms.tiers}
    closed = sorted(codes & books.closed.keys())
    if closed:
        raise Refused(f"The tier {closed[0]} was closed: choose another code.")
    for tier in terms.tiers:
        if tier.code in books.fed and (tier.high_hand() is None) == (tier.code in books.periods):
            raise Refused(
                f"{tier.name} cannot become a high hand, or end to be one: give it another code."
            )
    for other in books.terms_at(books.terms_number):
        theirs = {tier.code for tier in other.tiers}
        if other.code == terms.code:
            missing_codes = sorted(theirs - codes)
            if missing_codes:
                raise Refused(f"The tier {missing_codes[0]} has a pool: new terms must keep it.")
            continue
        if not theirs:
            continue  # it was closed
        clash = sorted(theirs & codes)
        if clash:
            raise Refused(f"{other.name} has a tier {clash[0]} too: choose other codes.")
        match_report = (
            other.tables is None or terms.tables is None or {*other.tables} & {*terms.tables}
        )
        if match_report and other.drop_steps and terms.drop_steps:
            raise Refused(
                f"{other.name} is played at a table of this jackpot: chips are dropped for one of"
                " them alone. Name the tables of each."
            )
