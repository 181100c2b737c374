"""What a claim's page says of a rejection that was wrong: corrected report, proposal, reversal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jackpot.hits.states import HitState
from jackpot.models import Entry, Hit
from settlement.claims.decisions.wrong_rejections import APART, KIND
from settlement.models import Action, Proposal
from settlement.pages.claims.panels.history import decided_by
from settlement.people.rights.permissions import name_of


def wrong_rejection_context(
    hit: Hit,
    proposals: list[Proposal],
    entries: Iterable[Entry],
    actions: Iterable[Action],
    user: Any,
) -> dict[str, Any]:
    """For `console/claims/wrong_rejection.html` and `console/claims/corrected_report.html`."""
    reversals = [each for each in proposals if each.kind == KIND]
    waiting = next((each for each in reversals if not hasattr(each, "decision")), None)
    entry_list = list(entries)
    entry = decided_by(entry_list, KIND)
    latest = next((p for p in reversals if entry is not None and _is_behind(p, entry)), None)
    stays_out = any(action.person_id == user.pk and action.kind in APART for action in actions)
    rejected = hit.state == HitState.REJECTED
    may_propose = user.has_perm("settlement.propose_reversal")
    by_seq = {each.seq: each for each in entry_list}
    return {
        "unrejection_proposed": _words(waiting, hit),
        "unrejected_by": _words(latest, hit) if not rejected else None,
        "may_propose_unrejection": rejected and waiting is None and not stays_out and may_propose,
        "may_agree_unrejection": rejected
        and waiting is not None
        and not stays_out
        and waiting.person_id != user.pk
        and user.has_perm("settlement.second_reversal"),
        "may_withdraw_unrejection": waiting is not None and may_propose,
        "corrected": hit.correction,
        "corrected_entry": by_seq.get(hit.correction.entry) if hit.correction else None,
    }


def _is_behind(proposal: Proposal, entry: Entry) -> bool:
    decision = getattr(proposal, "decision", None)
    return decision is not None and decision.agreed and decision.command == entry.command


def _words(proposal: Proposal | None, hit: Hit) -> dict[str, Any] | None:
    if proposal is None:
        return None
    decision = getattr(proposal, "decision", None)
    return {
        "pk": proposal.pk,
        "reason": proposal.body["reason"],
        "evidence": proposal.body["evidence"],
        "who": name_of(proposal.person),
        "by": proposal.person_id,
        "at": proposal.at,
        "is_stale": proposal.body["report_entry"] != hit.newest_report_entry,
        "second": name_of(decision.person) if decision else "",
        "second_at": decision.at if decision else None,
    }
