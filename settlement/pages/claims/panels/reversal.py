"""What a claim's page says of its reversal: proposed, withdrawn, or carried out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jackpot.domain.command_handlers import METHODS, rejection_words
from jackpot.models import Entry, Hit
from jackpot.terms.money import format_micros
from settlement.claims.reversals import APART
from settlement.models import Act, Proposal
from settlement.pages.claims.panels.history import ActRow, decided_by
from settlement.people.permissions import name_of


def reversal_context(
    hit: Hit, proposals: list[Proposal], entries: Iterable[Entry], acts: Iterable[Act], user: Any
) -> dict[str, Any]:
    """For `console/claims/reversal.html`: the open proposal or the reversal, and who may what."""
    proposals = [each for each in proposals if each.kind == Proposal.Kind.REVERSE_CLAIM]
    waiting = next((proposal for proposal in proposals if not hasattr(proposal, "decision")), None)
    entry = decided_by(entries, "reverse_claim")
    done = next(
        (p for p in proposals if entry and hasattr(p, "decision") and _is_of(p, entry)), None
    )
    stays_out = any(act.person_id == user.pk and act.kind in APART for act in acts)
    decided = hit.state in ("confirmed", "paid")
    return {
        "reversal_proposed": _words(waiting),
        "reversed_by": _words(done),
        "may_propose_reversal": decided
        and waiting is None
        and not stays_out
        and user.has_perm("settlement.propose_reversal"),
        "may_agree_reversal": decided
        and waiting is not None
        and not stays_out
        and waiting.person_id != user.pk
        and user.has_perm("settlement.second_reversal"),
        "may_withdraw_reversal": waiting is not None
        and user.has_perm("settlement.propose_reversal"),
    }


def proposal_rows(hit: Hit, proposals: list[Proposal], entries: Iterable[Entry]) -> list[ActRow]:
    """What people did about reversals, forfeits and stops, for the history."""
    by_command = {e.command: e for e in entries if e.command is not None}
    rows = []
    for proposal in proposals:
        what = _TO[proposal.kind]
        rows.append(
            _row(
                name_of(proposal.person),
                f"proposed to {what}",
                _details(hit, proposal),
                proposal.at,
            )
        )
        decision = getattr(proposal, "decision", None)
        if decision is None:
            continue
        if not decision.agreed:
            rows.append(
                _row(
                    name_of(decision.person),
                    f"withdrew the proposal to {what}",
                    decision.note,
                    decision.at,
                )
            )
            continue
        entry = by_command.get(decision.command)
        rows.append(
            ActRow(
                who=name_of(decision.person),
                what=f"agreed to {what}",
                details="",
                at=decision.at,
                version=None,
                seq=entry.seq if entry else None,
                refused=entry.outcome.get("refused", "") if entry else "",
                queued=entry is None,
            )
        )
    return rows


_TO: dict[str, str] = {
    Proposal.Kind.REVERSE_CLAIM: "reverse",
    Proposal.Kind.REVERSE_REJECTION: "reverse the rejection",
    Proposal.Kind.FORFEIT: "forfeit",
    Proposal.Kind.RESOLVE_DISPUTE: "resolve the dispute",
    Proposal.Kind.LIFT_HOLD: "lift the regulator's hold",
    Proposal.Kind.SETTLE_ORDER: "settle the order in question",
    Proposal.Kind.DELEGATE: "delegate a decision",
}


def _details(hit: Hit, proposal: Proposal) -> str:
    if proposal.kind == Proposal.Kind.FORFEIT:
        return f"Line {proposal.body['line']}. {proposal.body['reason']}"
    if proposal.kind == Proposal.Kind.DELEGATE:
        return (
            f"{proposal.body['person']}, as {proposal.body['capacity']}. {proposal.body['reason']}"
        )
    if "finding" in proposal.body:
        return f"Opened by entry {proposal.body['stop']}. {proposal.body['finding']}"
    if proposal.kind == Proposal.Kind.REVERSE_REJECTION:
        return f"{proposal.body['reason']}. Evidence: {proposal.body['evidence']}."
    words = _words(proposal)
    digits = hit.system.casino.minor_digits
    amounts = [f"{format_micros(micros, digits)} in {way}" for way, micros in words["recovered"]]
    return (
        f"{words['code']} {words['text']} ({words['rule']}). {words['evidence']}."
        f" Recovered: {', '.join(amounts) or 'nothing'}."
    )


def _is_of(proposal: Proposal, entry: Entry) -> bool:
    return bool(proposal.decision.agreed and proposal.decision.command == entry.command)


def _row(who: str, what: str, details: str, at: Any) -> ActRow:
    return ActRow(who, what, details, at, version=None, seq=None, refused="", queued=False)


_METHODS = {"chips": "chips", "cash": "cash", "equivalent": "cash equivalent"}


def _words(proposal: Proposal | None) -> Any:
    if proposal is None:
        return None
    rule, text = rejection_words(proposal.body["reason"], proposal.body.get("irregularity"))
    decision = getattr(proposal, "decision", None)
    return {
        "pk": proposal.pk,
        "code": proposal.body["reason"],
        "rule": rule,
        "text": text,
        "evidence": proposal.body["evidence"],
        "recovered": [
            (_METHODS[m], proposal.body["recovered"][m])
            for m in METHODS
            if proposal.body["recovered"][m]
        ],
        "who": name_of(proposal.person),
        "by": proposal.person_id,
        "at": proposal.at,
        "second": name_of(decision.person) if decision else "",
        "second_at": decision.at if decision else None,
    }
