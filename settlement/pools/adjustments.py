"""Manual adjustments of a pool: a closed reason, evidence, and two people.

Both see where it leaves the pool; above the house's amount another manager approves it first.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import msgspec
from django.utils.translation import gettext, gettext_noop

from jackpot.domain.command_handlers import ADJUSTMENTS
from jackpot.domain.command_handlers.pools import AdjustPool
from jackpot.models import Account, Entry, Tier
from jackpot.queries.dry_run import refusal
from jackpot.terms.contributions import TO_RETURN
from jackpot.writer import commands
from settlement.approvals import proposals, second_manager
from settlement.core import guards
from settlement.core.errors import BadReason, SamePerson, WrongState
from settlement.core.input import required_text
from settlement.core.words.rule_words import REASONS_TO_ADJUST
from settlement.core.words.translation import Labels
from settlement.models import Proposal, ProposalApproval, ProposalDecision
from settlement.people.rights.permissions import Reauthenticated, name_of, require
from settlement.signatures import acts, policy, signing

KIND = Proposal.Kind.ADJUST_POOL
# By the other side, and whether the pool or reserve is given money.
_OTHER_SIDE = Labels(
    {
        ("operator", True): gettext_noop("from the operator"),
        ("operator", False): gettext_noop("back to the operator"),
        ("pot", True): gettext_noop("from the pot"),
        ("pot", False): gettext_noop("back to the pot"),
        ("commission", True): gettext_noop("from the commission"),
        ("commission", False): gettext_noop("back to the commission"),
        ("drop", True): gettext_noop("from the drop"),
        ("drop", False): gettext_noop("back to the drop"),
        (TO_RETURN, True): gettext_noop("from the money to be returned to players"),
        (TO_RETURN, False): gettext_noop("back to the money to be returned to players"),
    }
)


@dataclass(frozen=True, slots=True)
class AdjustmentPreview:
    """Where an adjustment would leave the pool or reserve now; micros.

    `refused`: why the writer would refuse it now; empty where it would carry it out.
    """

    before: int
    after: int
    refused: str


def adjustment_preview(tier: Tier, body: dict[str, Any], first: str) -> AdjustmentPreview:
    """Where a command with that body, proposed by that log-in, would leave it now."""
    code = f"{tier.code}:{body['into']}"
    before = Account.objects.values_list("balance", flat=True).get(system=tier.system_id, code=code)
    refused = refusal(tier.system, KIND, body, first) or ""
    return AdjustmentPreview(before, before + int(body["amount"]), refused)


def preview_of(proposal: Proposal) -> AdjustmentPreview:
    """The same of what somebody proposed and nobody decided."""
    tier = Tier.objects.select_related("system").get(
        system=proposal.system_id, code=proposal.subject
    )
    return adjustment_preview(tier, proposal.body, proposal.person.get_username())


@dataclass(frozen=True, slots=True)
class PoolAdjustment:
    """`amount` micros given to a tier's pool or reserve, or below 0 taken back from it.

    `source` is the other side: operator, pot, commission, drop or to_return. `below_reset`: why the
    pool is left below its reset amount, or empty.
    """

    tier: Tier
    into: str
    source: str
    amount: int
    reason: str
    evidence: str
    below_reset: str = ""


def body_of(adjustment: PoolAdjustment) -> dict[str, Any]:
    """The body of the command; BadReason says what is missing."""
    if adjustment.reason not in ADJUSTMENTS:
        raise BadReason(gettext("Choose one of the reasons A01 to A10."))
    evidence = required_text(
        adjustment.evidence,
        gettext("Enter the evidence: count sheet, incident, footage reference."),
    )
    if adjustment.amount == 0:
        raise BadReason(gettext("Enter an amount other than zero."))
    body = {
        "tier": adjustment.tier.code,
        "into": adjustment.into,
        "source": adjustment.source,
        "amount": adjustment.amount,
        "reason": adjustment.reason,
        "evidence": evidence,
    }
    body |= {"below_reset": why} if (why := adjustment.below_reset.strip()) else {}
    try:
        msgspec.convert(body, AdjustPool)
    except msgspec.ValidationError as fault:
        raise BadReason(
            gettext("This adjustment cannot be read: %(fault)s.") % {"fault": fault}
        ) from fault
    return body


def propose(adjustment: PoolAdjustment, user: Any, *, key: uuid.UUID | None = None) -> Proposal:
    """Propose to adjust a tier's pool or reserve. What the writer would refuse now is refused."""
    tier = adjustment.tier
    require(user, proposals.PERMISSIONS[KIND][0], tier.system)
    body = body_of(adjustment)
    is_new = key is None or not Proposal.objects.filter(key=key).exists()
    if is_new and (refused := adjustment_preview(tier, body, user.get_username()).refused):
        raise BadReason(refused)
    return proposals.propose(tier.system, KIND, tier.code, body, user, key)


def approve(proposal: Proposal, person: Reauthenticated) -> ProposalApproval:
    """The first of two managers approves a large adjustment; nothing moves."""
    user = person.user
    require(user, proposals.PERMISSIONS[KIND][1], proposal.system)
    proposals.require_open(proposal)
    if proposal.kind != KIND or not second_manager.is_asked_of_adjustment(proposal):
        raise WrongState(gettext("One manager is enough for this adjustment: agree to it."))
    if proposal.person_id == user.pk:
        raise SamePerson(gettext("You proposed this: two other managers decide on it."))
    if second_manager.approval_of_adjustment(proposal) is not None:
        raise WrongState(
            gettext("This adjustment is approved already: another manager agrees to it.")
        )
    with guards.in_words(
        (("two_people: ", SamePerson, gettext("This needs two managers who can log in.")),)
    ):
        pen = signing.take_up(
            user,
            acts.on_proposal(proposal, user, acts.APPROVE),
            lambda: policy.is_asked_of_proposal(proposal),
        )
        approval = ProposalApproval.objects.create(proposal=proposal, person=user)
        pen.sign("settlement_proposalapproval", approval.pk)
        return approval


def agree(proposal: Proposal, person: Reauthenticated) -> commands.Answer:
    """A manager agrees; of a large adjustment the second one."""
    return proposals.agree(
        proposal, person, lambda: second_manager.require_for_adjustment(proposal, person.user)
    )


class AdjustmentState(StrEnum):
    """What became of a proposed adjustment."""

    OPEN = "open"
    QUEUED = "queued"
    POSTED = "posted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"


# It may still be posted.
PENDING = (AdjustmentState.OPEN, AdjustmentState.QUEUED)


@dataclass(frozen=True, slots=True)
class Adjustment:
    """A proposed adjustment and what became of it; amounts in micros.

    `before` and `after` are those of
    the pool or the reserve that it is about: as it was posted, or while it is open as it would be
    now. `approve`: it waits for the first of two managers; `approval`: who that was.
    """

    proposal: Proposal
    decision: ProposalDecision | None
    entry: Entry | None
    adjustment_preview: AdjustmentPreview | None = None  # while it is open
    approve: bool = False
    approval: ProposalApproval | None = None

    @property
    def state(self) -> AdjustmentState:
        if self.decision is None:
            return AdjustmentState.OPEN
        if not self.decision.agreed:
            return AdjustmentState.WITHDRAWN
        if self.entry is None:
            return AdjustmentState.QUEUED
        refused = "refused" in self.entry.outcome
        return AdjustmentState.DECLINED if refused else AdjustmentState.POSTED

    @property
    def amount(self) -> int:
        return int(self.proposal.body["amount"])

    @property
    def size(self) -> int:
        return abs(self.amount)

    @property
    def into(self) -> str:
        return str(self.proposal.body["into"])

    @property
    def other_side(self) -> str:
        """Where the money comes from, or goes back to, in words."""
        return _OTHER_SIDE[self.proposal.body["source"], self.amount > 0]

    @property
    def reason(self) -> str:
        code = self.proposal.body["reason"]
        return f"{code} {REASONS_TO_ADJUST[code]}"

    @property
    def evidence(self) -> str:
        return str(self.proposal.body["evidence"])

    @property
    def below_reset(self) -> str:
        return str(self.proposal.body.get("below_reset") or "")

    @property
    def approver(self) -> str:
        return name_of(self.approval.person) if self.approval else ""

    @property
    def who(self) -> str:
        return name_of(self.proposal.person)

    @property
    def second(self) -> str:
        return name_of(self.decision.person) if self.decision else ""

    @property
    def refused(self) -> str:
        return str(self.entry.outcome.get("refused", "")) if self.entry else ""

    @property
    def blocked_reason(self) -> str:
        """Why it would be refused if somebody agreed now."""
        return self.adjustment_preview.refused if self.adjustment_preview else ""

    @property
    def before(self) -> int | None:
        return (
            self.adjustment_preview.before if self.adjustment_preview else self._balance("before")
        )

    @property
    def after(self) -> int | None:
        return self.adjustment_preview.after if self.adjustment_preview else self._balance("after")

    def _balance(self, when: str) -> int | None:
        if self.entry is None or when not in self.entry.outcome:
            return None
        return int(self.entry.outcome[when][("pool", "reserve").index(self.into)])


def adjustments_of(tier: Tier, limit: int) -> list[Adjustment]:
    """The newest adjustments of a tier, newest first."""
    adjustment_proposals = Proposal.objects.filter(
        system=tier.system_id, kind=KIND, subject=tier.code
    )
    rows = adjustment_proposals.select_related(
        "person", "system__casino", "decision__person"
    ).order_by("-id")
    rows = rows.prefetch_related("approvals__person")
    return _with_entries(tier, rows[:limit])


def _with_entries(tier: Tier, adjustment_proposals: Iterable[Proposal]) -> list[Adjustment]:
    system_id = tier.system_id
    rows = [(proposal, getattr(proposal, "decision", None)) for proposal in adjustment_proposals]
    numbers = [decision.command for _, decision in rows if decision and decision.agreed]
    entries = {
        entry.command: entry
        for entry in Entry.objects.filter(system=system_id, command__in=numbers)
    }
    return [
        Adjustment(proposal, decision, entries.get(decision.command), approval=_approval(proposal))
        if decision
        else _open(tier, proposal)
        for proposal, decision in rows
    ]


def _approval(proposal: Proposal) -> ProposalApproval | None:
    """Who approved it, as it stands in the record."""
    return max(proposal.approvals.all(), key=lambda each: each.pk, default=None)


def _open(tier: Tier, proposal: Proposal) -> Adjustment:
    approval = second_manager.approval_of_adjustment(proposal)
    return Adjustment(
        proposal,
        None,
        None,
        adjustment_preview(tier, proposal.body, proposal.person.get_username()),
        approval is None and second_manager.is_asked_of_adjustment(proposal),
        approval,
    )
