"""What the rules say of a reported hand, as people read it on the claim."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from jackpot.display.values import in_effect
from jackpot.domain.payout.division import Payee, UndividedError, divide, winners
from jackpot.domain.state.books import Round
from jackpot.domain.state.verdicts import NO_VERDICT, hand_report, is_missing, judged
from jackpot.models import Command, Entry, Hit, RoundState
from jackpot.terms.awards import plan_of
from jackpot.terms.document import JackpotTerms, Role, TierTerms, tiers_at
from rules.cards import Card
from rules.verdict import Verdict, remaining_by_suit
from settlement.core.errors import HandDoesNotQualify, WrongState
from settlement.core.words.translation import translated


@dataclass(frozen=True, slots=True)
class HandAssessment:
    """The verdict on the newest report of a hit, with the terms it was judged by."""

    round: RoundState
    terms: list[JackpotTerms]
    verdict: Verdict | None  # None while only a call is there
    remaining: dict[str, tuple[Card, ...]]

    def tier_terms(self, code: str) -> TierTerms:
        return next(t for terms in self.terms for t in terms.tiers if t.code == code)

    def winners(self, hit: Hit) -> dict[int, Role]:
        """By seat, in what capacity it wins the prize that the hit holds by its hand; none while
        a figure is missing."""
        if self.verdict is None or hit.tier is None:
            return {}
        tier = self.tier_terms(hit.tier.code)
        groups, plan = winners(tier, self.verdict), plan_of(tier)
        return {seat.seat: role for role, group in groups.items() if role in plan for seat in group}


def examine(hit: Hit) -> HandAssessment:
    """Judge the hit's report by the terms of its round (rules 9, 19)."""
    round_state = RoundState.objects.get(system=hit.system_id, table=hit.table_id, round=hit.round)
    terms = [
        jackpot for jackpot in in_effect(hit.system_id, hit.terms) if jackpot.is_at(hit.table.code)
    ]
    if hit.report is None:
        return HandAssessment(round_state, terms, None, {})
    digits = hit.system.casino.minor_digits
    report = hand_report(hit.report, _round(round_state), digits)
    report = replace(report, misdeal=misdeal_of(round_state))
    tiers = tiers_at(terms, hit.table.code)
    verdict = judged(report, {tier.code: tier.qualifies() for tier in tiers}, digits)
    return HandAssessment(
        round_state, terms, verdict, {} if is_missing(verdict) else remaining_by_suit(report)
    )


def misdeal_of(round_state: RoundState) -> str | None:
    """For which misdeal the round was declared void, where that was said."""
    if round_state.void is None:
        return None
    entries = Entry.objects.filter(system=round_state.system_id, seq=round_state.void)
    commands = Command.objects.filter(
        system=round_state.system_id, number__in=entries.values("command")
    )
    body = commands.values_list("body", flat=True).first() or {}
    code: str | None = body.get("misdeal")
    return code


def payees(hit: Hit, amount: int, examination: HandAssessment | None = None) -> list[Payee]:
    """Who is paid how much of `amount` micros, and in what capacity, by the posted share plan.

    A supplement brings everybody up to the share of the whole. Raises HandDoesNotQualify where
    nobody is to be paid.
    """
    examination = examination or examine(hit)
    verdict, report = examination.verdict, hit.report
    if hit.tier is None or report is None or verdict is None:
        raise HandDoesNotQualify(_("Nobody can be paid before a report names a prize: enter it."))
    tier = examination.tier_terms(hit.tier.code)
    try:
        return divide(tier, examination.round.game, report, verdict, amount, hit.payees)
    except UndividedError as error:
        raise HandDoesNotQualify(translated(error.phrase)) from error


def no_verdict() -> WrongState:
    """Nothing is decided on a hand that the rules fail on."""
    return WrongState(translated(NO_VERDICT.text))


def _round(row: RoundState) -> Round:
    return Round(
        row.terms,
        row.game,
        row.deck,
        row.dealt,
        row.started,
        row.completed,
        row.void,
        row.pot,
        row.hit,
        row.cancelled,
        row.priced,
        row.uncalled,
        row.commission,
        row.taken,
    )
