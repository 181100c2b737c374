"""Manual adjustments of a pool: a closed reason, evidence, and two people."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import msgspec

from jackpot.decisions import ADJUSTMENTS
from jackpot.decisions.pools import AdjustPool
from jackpot.models import Entry, Tier
from settlement import proposals
from settlement.errors import BadReason
from settlement.models import Proposal, ProposalDecision
from settlement.people import name_of


def propose(
    tier: Tier,
    user: Any,
    *,
    into: str,
    source: str,
    amount: int,
    reason: str,
    evidence: str,
    key: uuid.UUID | None = None,
) -> Proposal:
    """Propose to give `amount` micros to a tier's pool or reserve, or below 0 to take it back.

    `source` is the other side: operator, pot, commission or drop.
    """
    if reason not in ADJUSTMENTS:
        raise BadReason("Choose one of the reasons A01 to A10.")
    if not evidence.strip():
        raise BadReason("Say what the evidence is: count sheet, incident, footage reference.")
    if amount == 0:
        raise BadReason("An adjustment by nothing changes nothing: give an amount.")
    body = {
        "tier": tier.code,
        "into": into,
        "source": source,
        "amount": amount,
        "reason": reason,
        "evidence": evidence.strip(),
    }
    try:
        msgspec.convert(body, AdjustPool)
    except msgspec.ValidationError as fault:
        raise BadReason(f"This adjustment cannot be read: {fault}.") from fault
    kind = Proposal.Kind.ADJUST_POOL
    return proposals.propose(tier.system, kind, tier.code, body, user, key)


@dataclass(frozen=True, slots=True)
class Adjustment:
    """A proposed adjustment and what became of it; amounts in micros.

    `state` is one of open, queued, posted, declined, withdrawn. `before` and `after` are those of
    the pool or the reserve that it is about, once it is posted.
    """

    proposal: Proposal
    decision: ProposalDecision | None
    entry: Entry | None

    @property
    def state(self) -> str:
        if self.decision is None:
            return "open"
        if not self.decision.agreed:
            return "withdrawn"
        if self.entry is None:
            return "queued"
        return "declined" if "refused" in self.entry.outcome else "posted"

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
    def source(self) -> str:
        return str(self.proposal.body["source"])

    @property
    def reason(self) -> str:
        code = self.proposal.body["reason"]
        return f"{code} {ADJUSTMENTS[code]}"

    @property
    def evidence(self) -> str:
        return str(self.proposal.body["evidence"])

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
    def before(self) -> int | None:
        return self._balance("before")

    @property
    def after(self) -> int | None:
        return self._balance("after")

    def _balance(self, when: str) -> int | None:
        if self.entry is None or when not in self.entry.outcome:
            return None
        return int(self.entry.outcome[when][("pool", "reserve").index(self.into)])


def adjustments_of(tier: Tier, limit: int) -> list[Adjustment]:
    """The newest adjustments of a tier, newest first."""
    found = Proposal.objects.filter(
        system=tier.system_id, kind=Proposal.Kind.ADJUST_POOL, subject=tier.code
    )
    rows = found.select_related("person", "system__casino", "decision__person").order_by("-id")
    return _with_entries(tier.system_id, rows[:limit])


def _with_entries(system_id: int, found: Iterable[Proposal]) -> list[Adjustment]:
    rows = [(proposal, getattr(proposal, "decision", None)) for proposal in found]
    numbers = [decision.command for _, decision in rows if decision and decision.agreed]
    entries = {
        entry.command: entry
        for entry in Entry.objects.filter(system=system_id, command__in=numbers)
    }
    return [
        Adjustment(proposal, decision, entries.get(decision.command) if decision else None)
        for proposal, decision in rows
    ]
