"""What people do to claims: verify, amend, confirm, reject, pay (19.11, 19.12, 19.15).

The same functions serve page, API and command line. Each action is recorded with who and on which
version of the report; what moves money is a command that the one writer takes into the order.
A function returns the writer's answer; an answer without a number means "queued".
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict, Unpack

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from jackpot.domain.command_handlers import IRREGULARITIES, REJECTIONS
from jackpot.hits.states import DECIDED, HitState
from jackpot.models import Entry, Hit
from jackpot.queries.payout_bounds import bounds_of_claim
from jackpot.writer import commands
from settlement.approvals import action_log, second_manager
from settlement.approvals.action_log import Decision
from settlement.approvals.capacities import require_for
from settlement.claims.pairing import require_settled
from settlement.claims.payable import amounts_of, payment_record
from settlement.claims.payout_registration import register_payouts
from settlement.claims.typed_reports import read_report
from settlement.core.errors import (
    BadReason,
    ChecklistIncomplete,
    SamePerson,
    WrongState,
)
from settlement.core.input import required_text
from settlement.evidence import checklist, deck
from settlement.evidence import records as evidence
from settlement.evidence.assessment import examine, no_verdict, payees
from settlement.jurisdiction.payments import NOTHING_STATED, PayeeStatement
from settlement.models import Action, Claim
from settlement.people.rights import staff_play
from settlement.people.rights.permissions import Reauthenticated, require
from tables.models import JackpotSystem

Kind = Action.Kind
REJECTION = (Kind.PROPOSE_REJECTION, Kind.WITHDRAW_REJECTION, Kind.SECOND_REJECTION)
# An agreement whose command the order has taken spends its proposal: a claim that came back from a
# wrong rejection is rejected again.
REJECTING = ~Q(kind=Kind.SECOND_REJECTION) | Exists(
    Entry.objects.filter(system=OuterRef("claim__system"), command=OuterRef("command"))
)


def catch_up(system: JackpotSystem) -> int:
    """Open a claim for each hit that has none, and register what was paid. Idempotent."""
    numbers = Claim.objects.filter(system=system).values("number")
    fresh = Hit.objects.filter(system=system).exclude(number__in=numbers)
    opened = Claim.objects.bulk_create(
        [Claim(system=system, number=hit.number, opened_at=timezone.now()) for hit in fresh],
        ignore_conflicts=True,
    )
    register_payouts(system)
    return len(opened)


def hit_of(claim: Claim) -> Hit:
    """The hit behind a claim, with what pages and services need of it."""
    return Hit.objects.select_related("tier", "table", "system__casino").get(
        system=claim.system_id, number=claim.number
    )


def verification_of(claim: Claim, hit: Hit) -> Action | None:
    """The verification of the present version of the report, if there is one; not that of
    somebody of whom it turned out that they were dealt in, nor, while it can be done again, of
    somebody who may not log in any more: the database takes no confirmation on it."""
    rows = claim.actions.filter(kind=Kind.VERIFY, report_entry=hit.report_entry)
    if hit.state == HitState.HELD:
        rows = rows.filter(person__is_active=True)
    apart = rows.alias(own=staff_play.WasDealtIn("claim", "person")).filter(own=False)
    return apart.select_related("person").last()


def open_proposal(claim: Claim, hit: Hit) -> Action | None:
    """A rejection that one person proposed and that waits for a second."""
    if hit.state != HitState.HELD:
        return None
    newest = claim.actions.filter(REJECTING, kind__in=REJECTION).select_related("person").last()
    return newest if newest is not None and newest.kind == Kind.PROPOSE_REJECTION else None


def answer_checklist(
    claim: Claim,
    user: Any,
    answers: Mapping[str, str],
    notes: Mapping[str, str],
    typed: evidence.Typed | None = None,
) -> None:
    """Keep answers of the checklist; several people may fill it in together.

    `typed`: what answers a point that claims a thing, where no record of the workbench does.
    """
    require_for(claim, user, "verify_claim")
    with action_log.locked(claim):
        staff_play.require_apart(claim, user)
        shows = evidence.require_taken(claim, hit_of(claim), answers, typed or {})
        checklist.record(claim, user, answers, notes, shows)


def verify(claim: Claim, user: Any, *, note: str = "", key: uuid.UUID | None = None) -> Action:
    """A game supervisor verifies the claim: checklist complete and the rules satisfied."""
    require_for(claim, user, "verify_claim")
    with action_log.locked(claim):
        if earlier := action_log.already_done(claim, Kind.VERIFY, user, key, note=note):
            return earlier
        hit = hit_of(claim)
        _require_open(hit)
        _require_no_proposal(claim, hit)
        if hit.is_unjudged:
            raise no_verdict()
        if hit.report is None:
            raise WrongState(
                _("There is only a call so far: wait for the dealer's report, or enter it.")
            )
        require_settled(hit)
        if verification_of(claim, hit) is not None:
            raise WrongState(_("This report is verified already."))
        if left := checklist.lacking(checklist.answers_of(claim), ()):
            raise ChecklistIncomplete(
                _("Still to answer: %(left)s.") % {"left": "; ".join(item.text for item in left)}
            )
        evidence.require(claim, hit)
        examination = examine(hit)
        payees(hit, hit.held, examination)  # raises where nobody is to be paid
        deck.require_whole(claim, examination.remaining)
        return action_log.record(claim, hit, user, Decision(Kind.VERIFY, {"note": note}), key)


def amend(
    claim: Claim, user: Any, form: Mapping[str, Any], *, key: uuid.UUID | None = None
) -> commands.Answer:
    """Correct the report at the hand's own place (19.21); any verification is cancelled."""
    require(user, "amend_claim", claim.system)
    report = read_report(form)
    with action_log.locked(claim):
        action = action_log.already_done(claim, Kind.AMEND, user, key, report=report)
        if action is None:
            hit = hit_of(claim)
            if hit.state != HitState.WITHDRAWN:  # its hand may have other claims
                _require_open(hit)
            body = {"hit": hit.number, "report": report}
            number = action_log.queue(claim, "amend_hand", body, user)
            decision = Decision(Kind.AMEND, {"report": report}, number)
            action = action_log.record(claim, hit, user, decision, key)
    return _answer(claim, action)


def approve(
    claim: Claim, person: Reauthenticated, amount: int, *, key: uuid.UUID | None = None
) -> Action:
    """The first of two managers approves `amount` micros, as `confirm` would take it."""
    user = person.user
    require_for(claim, user, "confirm_claim")
    with action_log.locked(claim):
        if earlier := action_log.already_done(claim, Kind.APPROVE, user, key, amount=amount):
            return earlier
        hit = hit_of(claim)
        _require_confirmable(claim, hit, user, amount)
        if not second_manager.is_required(hit, amount):
            raise WrongState(_("One manager is enough for this amount: confirm it."))
        if second_manager.approval_of(claim, hit, amount) is not None:
            raise WrongState(_("This amount is approved already: another manager confirms it."))
        body = second_manager.body_of(hit, amount)
        return action_log.record(claim, hit, user, Decision(Kind.APPROVE, body), key)


def confirm(
    claim: Claim, person: Reauthenticated, amount: int, *, key: uuid.UUID | None = None
) -> commands.Answer:
    """A second person confirms `amount` micros of the verified claim (19.12).

    All that it holds; while earlier claims are open the safe amount; later the supplement. Where
    the hand won an empty pool that is nothing, which closes the claim.
    """
    user = person.user
    require_for(claim, user, "confirm_claim")
    with action_log.locked(claim):
        action = action_log.already_done(claim, Kind.CONFIRM, user, key, amount=amount)
        if action is None:
            hit = hit_of(claim)
            verified = _require_confirmable(claim, hit, user, amount)
            second_manager.require(claim, hit, user, amount)
            body = {
                "hit": hit.number,
                "report_entry": hit.report_entry,
                "amount": amount,
                "payees": payees(hit, amount),
            }
            number = action_log.queue(claim, "confirm_claim", body, verified.person, user)
            decision = Decision(Kind.CONFIRM, {"amount": amount}, number)
            action = action_log.record(claim, hit, user, decision, key)
    return _answer(claim, action)


class RejectionGround(TypedDict):
    """Why a claim is rejected. `irregularity`: which misdeal (R08) it was, or what made the hand
    dead (R10)."""

    reason: str
    evidence: str
    affected: bool
    irregularity: NotRequired[str | None]


def propose_rejection(
    claim: Claim, user: Any, *, key: uuid.UUID | None = None, **ground: Unpack[RejectionGround]
) -> Action:
    """Propose to reject a claim for a closed reason; nothing moves before a second person."""
    require(user, "propose_rejection", claim.system)
    reason, irregularity = ground["reason"], ground.get("irregularity")
    if reason not in REJECTIONS:
        raise BadReason(_("Choose one of the reasons R01 to R14."))
    require_irregularity(reason, irregularity)
    evidence = required_text(
        ground["evidence"], _("Enter the evidence: footage reference, statement, photograph.")
    )
    body = {"reason": reason, "evidence": evidence, "affected": ground["affected"]}
    action_body = body | {"irregularity": irregularity}
    with action_log.locked(claim):
        if earlier := action_log.already_done(
            claim, Kind.PROPOSE_REJECTION, user, key, **action_body
        ):
            return earlier
        hit = hit_of(claim)
        _require_open(hit)
        _require_no_proposal(claim, hit)
        body |= {"irregularity": irregularity} if irregularity else {}
        return action_log.record(claim, hit, user, Decision(Kind.PROPOSE_REJECTION, body), key)


def require_irregularity(reason: str, irregularity: str | None) -> None:
    """With R08 the misdeal is named, with R10 what made the hand dead, and with no other reason."""
    if irregularity not in IRREGULARITIES.get(reason, (None,)):
        text = _(
            "With R08 choose the misdeal, with R10 what made the hand dead; with other"
            " reasons leave it empty."
        )
        raise BadReason(text)


def withdraw_rejection(
    claim: Claim, user: Any, *, note: str, key: uuid.UUID | None = None
) -> Action:
    """Take a proposed rejection back, with a note that says why: the claim goes on."""
    require(user, "propose_rejection", claim.system)
    note = required_text(note, _("Enter why the rejection is withdrawn."))
    with action_log.locked(claim):
        body = {"note": note}
        if earlier := action_log.already_done(claim, Kind.WITHDRAW_REJECTION, user, key, **body):
            return earlier
        hit = hit_of(claim)
        if open_proposal(claim, hit) is None:
            raise WrongState(_("No rejection of this claim is proposed."))
        return action_log.record(claim, hit, user, Decision(Kind.WITHDRAW_REJECTION, body), key)


def second_rejection(
    claim: Claim, person: Reauthenticated, *, key: uuid.UUID | None = None
) -> commands.Answer:
    """A second person agrees: the tier is replayed without the hit."""
    user = person.user
    require_for(claim, user, "second_rejection")
    with action_log.locked(claim):
        action = action_log.already_done(claim, Kind.SECOND_REJECTION, user, key)
        if action is None:
            hit = hit_of(claim)
            _require_open(hit)
            proposal = open_proposal(claim, hit)
            if proposal is None:
                raise WrongState(_("Nobody has proposed to reject this claim."))
            if proposal.person_id == user.pk:
                raise SamePerson(_("You proposed the rejection: somebody else must approve it."))
            staff_play.require_apart(claim, proposal.person)
            if proposal.report_entry != hit.report_entry:
                raise WrongState(
                    _(
                        "The report was amended since the rejection was proposed: withdraw the "
                        "proposal, read the report and decide again."
                    )
                )
            body = {"hit": hit.number, "report_entry": hit.report_entry, **proposal.body}
            number = action_log.queue(claim, "reject_claim", body, proposal.person, user)
            which = {"proposal": str(proposal.key)}
            decision = Decision(Kind.SECOND_REJECTION, which, number)
            action = action_log.record(claim, hit, user, decision, key)
    return _answer(claim, action)


def pay(
    claim: Claim,
    person: Reauthenticated,
    line: int,
    parts: Mapping[str, int],
    *,
    statement: PayeeStatement = NOTHING_STATED,
    key: uuid.UUID | None = None,
) -> commands.Answer:
    """The cage pays one payee, a line of `Hit.payees`, all that is due or a part of it now.

    `parts` in micros by chips, cash and cash equivalent (19.15), and as `tax` what is withheld.
    """
    return _answer(claim, queue_payment(claim, person, line, parts, statement=statement, key=key))


def queue_payment(
    claim: Claim,
    person: Reauthenticated,
    line: int,
    parts: Mapping[str, int],
    *,
    statement: PayeeStatement = NOTHING_STATED,
    key: uuid.UUID | None = None,
) -> Action:
    """The action of a payment, with its command queued; the writer has not answered yet."""
    user = person.user
    require(user, "pay_claim", claim.system)
    amounts = amounts_of(parts)
    with action_log.locked(claim):
        action = action_log.already_done(claim, Kind.PAY, user, key, line=line, parts=amounts)
        if action is None:
            hit = hit_of(claim)
            body = payment_record(claim, hit, line, amounts, statement)
            number = action_log.queue(
                claim, "pay", {"hit": hit.number, "line": line, "parts": amounts}, user
            )
            action = action_log.record(claim, hit, user, Decision(Kind.PAY, body, number), key)
    return action


def _require_open(hit: Hit) -> None:
    if hit.state != HitState.HELD:
        raise WrongState(
            _("This claim has been %(state)s already: nothing was changed.") % {"state": hit.state}
        )


def _require_confirmable(claim: Claim, hit: Hit, user: Any, amount: int) -> Action:
    """The verification on which this person may confirm the amount."""
    if hit.state not in (HitState.HELD, *DECIDED):
        _require_open(hit)
    _require_no_proposal(claim, hit)
    action_log.require_no_stop(hit)
    require_settled(hit)
    verified = verification_of(claim, hit)
    if verified is None:
        raise WrongState(_("The claim is not verified yet, or its report was amended since."))
    if verified.person_id == user.pk:
        raise SamePerson(_("You verified this claim: somebody else must confirm it."))
    _require_due(claim, amount)
    evidence.require(claim, hit, hit.confirmed + amount)
    return verified


def _require_due(claim: Claim, amount: int) -> None:
    bounds = bounds_of_claim(claim.system, claim.number)
    if bounds is None or (bounds.due == 0 and not bounds.is_nothing):
        raise WrongState(
            _(
                "Nothing of this claim can be confirmed now: it has been confirmed"
                " already, or it depends on earlier claims that are open."
            )
        )
    if amount != bounds.due:
        raise WrongState(_("The amount changed while you looked at it: read it again."))


def _require_no_proposal(claim: Claim, hit: Hit) -> None:
    if open_proposal(claim, hit) is not None:
        raise WrongState(
            _(
                "A rejection of this claim is proposed: a second person approves it,"
                " or it is withdrawn, before anything else is decided."
            )
        )


def _answer(claim: Claim, action: Action) -> commands.Answer:
    """The writer's answer; Declined if it judged otherwise at the command's place."""
    answer = action_log.answer_of(claim, action)
    catch_up(claim.system)
    return answer
