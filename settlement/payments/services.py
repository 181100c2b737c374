"""What is done with a confirmed payment that is not handed over: withheld, unclaimed, forfeited.

Each is about one line of `Hit.payees`. One person withholds, releases and books as unclaimed;
two decide that a payment is forfeited, and what was left of it goes back to the pool.
"""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext

from jackpot.hits.columns import PayeeLine
from jackpot.hits.states import DECIDED, KEPT_BACK, UNPAID
from jackpot.models import Command, Entry, Hit
from jackpot.writer import commands
from settlement.approvals import action_log, proposals
from settlement.approvals.action_log import Decision
from settlement.claims.services import hit_of
from settlement.core.errors import WrongState
from settlement.core.input import required_text
from settlement.models import Action, Claim, Proposal
from settlement.people.rights import staff_play
from settlement.people.rights.permissions import Reauthenticated, require

Kind = Action.Kind


def withhold(
    claim: Claim, user: Any, line: int, reason: str, *, key: uuid.UUID | None = None
) -> commands.Answer:
    """Keep a payment back for now, for instance until an identity is established."""
    require(user, "withhold_payment", claim.system)
    return _change(
        claim, user, Kind.WITHHOLD, line, required_text(reason, gettext("Enter a reason.")), key
    )


def release(
    claim: Claim, user: Any, line: int, reason: str, *, key: uuid.UUID | None = None
) -> commands.Answer:
    """What was withheld, or booked as unclaimed, is due again."""
    require(user, "withhold_payment", claim.system)
    return _change(
        claim, user, Kind.RELEASE, line, required_text(reason, gettext("Enter a reason.")), key
    )


def book_unclaimed(
    claim: Claim, user: Any, line: int, *, key: uuid.UUID | None = None
) -> commands.Answer:
    """Book what nobody came for in the posted time; it can still be paid."""
    require(user, "book_unclaimed", claim.system)
    return _change(claim, user, Kind.UNCLAIMED, line, "", key)


def propose_forfeit(
    claim: Claim, user: Any, line: int, reason: str, *, key: uuid.UUID | None = None
) -> Proposal:
    """Propose that a payment is not paid any more."""
    require(user, "propose_forfeit", claim.system)
    reason_text = required_text(reason, gettext("Enter a reason."))
    with action_log.locked(claim):  # of two who propose at once the second sees the first
        hit = hit_of(claim)
        _line(hit, line)
        action_log.require_no_stop(hit)
        staff_play.require_apart(claim, user)
        open_proposal = open_forfeit(proposals.of_claim(claim), line)
        if open_proposal is not None and open_proposal.key != key:
            raise WrongState(gettext("This is proposed already: approve it, or withdraw it first."))
        body = {"hit": hit.number, "line": line, "reason": reason_text}
        kind = Proposal.Kind.FORFEIT
        return proposals.propose(claim.system, kind, str(claim.number), body, user, key)


def agree_forfeit(proposal: Proposal, person: Reauthenticated) -> commands.Answer:
    """A second person agrees: the rest of the payment goes back to the present pool."""
    claim = Claim.objects.select_related("system").get(
        system=proposal.system_id, number=int(proposal.subject)
    )

    def judge() -> None:
        Claim.objects.select_for_update().get(pk=claim.pk)  # nobody pays it meanwhile
        hit = hit_of(claim)
        _line(hit, proposal.body["line"])
        action_log.require_no_stop(hit)
        for each in (proposal.person, person.user):
            staff_play.require_apart(claim, each)

    return proposals.agree(proposal, person, judge)


def open_forfeit(claim_proposals: list[Proposal], line: int) -> Proposal | None:
    """The forfeit of a line that waits for a second person, among a claim's proposals."""
    return next(
        (
            each
            for each in claim_proposals
            if each.kind == Proposal.Kind.FORFEIT
            and each.body["line"] == line
            and not hasattr(each, "decision")
        ),
        None,
    )


def unclaimed_from(hit: Hit) -> dict[int, dt.datetime]:
    """From when on each line may be booked as unclaimed: UNCLAIMED_AFTER_DAYS after its own
    confirmation."""
    entries = Entry.objects.filter(
        system=hit.system_id, hit=hit.number, type="confirm_claim", outcome__refused__isnull=True
    ).order_by("seq")
    at = {entry.command: entry.at for entry in entries if entry.command is not None}
    bodies = Command.objects.filter(system=hit.system_id, number__in=list(at))
    payees = dict(bodies.values_list("number", "body"))
    wait = dt.timedelta(days=settings.UNCLAIMED_AFTER_DAYS)
    lines = [confirmed for number, confirmed in at.items() for _ in payees[number]["payees"]]
    return {number: confirmed + wait for number, confirmed in enumerate(lines, start=1)}


def _change(
    claim: Claim, user: Any, kind: Action.Kind, line: int, reason: str, key: uuid.UUID | None
) -> commands.Answer:
    with action_log.locked(claim):
        action = action_log.already_done(claim, kind, user, key, line=line, note=reason)
        if action is None:
            hit = hit_of(claim)
            payee = _line(hit, line)
            _require_state(hit, payee, kind)
            body = {"hit": hit.number, "line": line, **({"reason": reason} if reason else {})}
            number = action_log.queue(claim, kind, body, user)
            action_body = {"line": line, "seat": payee.seat, "note": reason}
            action = action_log.record(claim, hit, user, Decision(kind, action_body, number), key)
    return action_log.answer_of(claim, action)


def _require_state(hit: Hit, payee: PayeeLine, kind: Action.Kind) -> None:
    if kind == Kind.RELEASE:
        if payee.state not in KEPT_BACK:
            raise WrongState(gettext("This payment is neither withheld nor unclaimed."))
        return
    if payee.state not in UNPAID:
        raise WrongState(gettext("Only what is due can be withheld or booked as unclaimed."))
    if kind == Kind.UNCLAIMED:
        action_log.require_no_stop(hit)
    if kind == Kind.UNCLAIMED and timezone.now() < unclaimed_from(hit)[payee.line]:
        raise WrongState(
            gettext(
                "Not collected yet, but the %(unclaimed_after_days)s days from its"
                " confirmation are not over."
            )
            % {"unclaimed_after_days": settings.UNCLAIMED_AFTER_DAYS}
        )


def _line(hit: Hit, line: int) -> PayeeLine:
    payee = hit.payee_line(line)
    if hit.state not in DECIDED or payee is None:
        raise WrongState(gettext("Only a confirmed claim has payments (19.12)."))
    if payee.rest == 0:
        raise WrongState(gettext("Nothing of this payment is left to be handed over."))
    return payee
