"""Everything that the page of a claim shows. Selectors only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from jackpot.domain.command_handlers import rejection_words
from jackpot.hits.states import HitState
from jackpot.models import Entry, Head, Hit
from settlement.approvals.capacities import delegated
from settlement.approvals.proposals import of_claim
from settlement.claims.claim_status import status_of
from settlement.claims.detail import ClaimDetail, detail_of
from settlement.core.words.translation import rule_in_words, translated
from settlement.models import Action, Claim, Proposal
from settlement.pages.claims.options import options
from settlement.pages.claims.panels import history as history
from settlement.pages.claims.panels.amounts import amounts_context
from settlement.pages.claims.panels.decisions.delegation import delegation_context
from settlement.pages.claims.panels.decisions.reversal import proposal_rows, reversal_context
from settlement.pages.claims.panels.decisions.stops import question_rows, stops_context
from settlement.pages.claims.panels.decisions.wrong_rejection import wrong_rejection_context
from settlement.pages.claims.panels.exclusions import exclusions_context
from settlement.pages.claims.panels.flags import claim_flags
from settlement.pages.claims.panels.hand.cards import cards_context
from settlement.pages.claims.panels.hand.pairing import pairing_context
from settlement.pages.claims.panels.hand.same_hand import same_hand_context
from settlement.pages.claims.panels.hand.sent_report import withdrawal_context
from settlement.pages.claims.panels.next_action import next_action_context, pending_figures
from settlement.pages.claims.panels.payments import payment_context
from settlement.pages.claims.panels.progress import way
from settlement.pages.claims.panels.workbench.checklist import checklist_context
from settlement.pages.claims.panels.workbench.panel import (
    Allowed,
    NewestRows,
    behind_the_checklist,
    kept_so_far,
    workbench,
)
from settlement.pages.claims.queue.rows import names_in, prize_name
from settlement.people.rights import staff_play
from settlement.people.rights.permissions import name_of


def claim_context(
    claim: Claim, user: Any, bound: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The claim for this person. `bound`: forms that were refused, by the action they are for."""
    detail = detail_of(claim)
    hit, examination, actions = detail.hit, detail.examination, detail.actions
    entries = history.entries_of(hit)
    proposed = of_claim(claim)
    delegations = delegated(proposed)
    status = status_of(detail, delegations)
    names = names_in(detail.versions)
    newest_rows = kept_so_far(claim)
    may = Allowed(user, detail.players, delegations.get(user.get_username(), frozenset()))
    gathered = workbench(detail, entries, names, may, bound or {}, newest_rows)
    checks = checklist_context(detail, may, bound or {}, behind_the_checklist(gathered))
    payment = payment_context(detail, proposed, user)
    pending = pending_figures(hit, examination)
    offered = options(claim, hit, status, user, bound or {})
    return {
        "claim": claim,
        "version": version_of(claim, hit, proposed, newest_rows),
        "hit": hit,
        "system": hit.system,
        "head": Head.objects.get(pk=hit.system_id),
        "casino": hit.system.casino,
        "prize": prize_name(hit, names),
        "status": status,
        **next_action_context(status, pending, payment["no_shares"], user, hit.system),
        "flags": claim_flags(hit, status, examination, entries, checks["checklist_no"]),
        "steps": way(hit, actions, entries),
        "bounds": detail.bounds,
        **same_hand_context(hit, names),
        **_decisions(hit, actions),
        **_acted(claim, hit, proposed, actions, entries, newest_rows),
        "entries": history.entry_rows(hit, entries, names),
        "options": offered,
        **checks,
        # Opened above the rest: somebody is to answer it, or an answer was not saved.
        "checklist_matters": checks["checklist_wrong"]
        or (checks["checklist_open"] and getattr(offered.get("verify"), "is_open", False)),
        **_staff(detail),
        **gathered,
        **cards_context(detail, names),
        **amounts_context(detail, names),
        **_panels(hit, proposed, actions, entries, user),
        **delegation_context(hit, status, proposed, user),
        **exclusions_context(detail.excluded, proposed, user, hit),
        **payment,
    }


def _panels(
    hit: Hit, proposals: list[Proposal], actions: list[Action], entries: list[Entry], user: Any
) -> dict[str, Any]:
    """What stands in panels of its own, each with a module and a template."""
    return {
        **stops_context(hit, proposals, actions, entries, user),
        **withdrawal_context(hit, entries, user),
        **pairing_context(hit, entries, user),
        **reversal_context(hit, proposals, entries, actions, user),
        **wrong_rejection_context(hit, proposals, entries, actions, user),
    }


def _acted(
    claim: Claim,
    hit: Hit,
    proposals: list[Proposal],
    actions: list[Action],
    entries: list[Entry],
    newest_rows: NewestRows,
) -> dict[str, Any]:
    """What people did, the last first, and what of it the order has not taken yet."""
    rows = [*history.action_rows(hit, actions, entries), *proposal_rows(hit, proposals, entries)]
    rows += question_rows(hit)
    if newest_rows["BundleExport"]:
        rows += history.bundle_rows(claim.bundles.select_related("person"))
    newest = sorted(rows, key=lambda row: row.at, reverse=True)
    return {"actions": newest, "queued": next((row for row in newest if row.queued), None)}


def _staff(detail: ClaimDetail) -> dict[str, Any]:
    """Who of the staff was dealt in, and the others' actions on which a manager may confirm."""
    verified = [
        action
        for action in detail.actions
        if (action.kind, action.report_entry) == (Action.Kind.VERIFY, detail.hit.report_entry)
        and action.person_id not in detail.players
    ]
    return {
        "players": [
            {"play": each, "until": staff_play.counts_until(each)} for each in detail.plays
        ],
        "cleared": staff_play.cleared(detail.hit),
        "verification": verified[-1] if verified else None,
        "approval": detail.approval(detail.due),
    }


def version_of(
    claim: Claim, hit: Hit, proposals: Iterable[Proposal], newest_rows: NewestRows | None = None
) -> str:
    """Changes whenever somebody or the order changed something that the page shows.

    `proposals`: those about the claim.
    """
    proposed = "-".join(
        f"{proposal.pk}{'d' if hasattr(proposal, 'decision') else ''}" for proposal in proposals
    )
    newest = "-".join(str(last or 0) for last in (newest_rows or kept_so_far(claim)).values())
    return (
        f"{hit.state}.{hit.held}.{hit.newest_report_entry}.{len(hit.all_stops)}.{proposed}.{newest}"
    )


def reason_of(proposal: Action | None) -> dict[str, Any] | None:
    """A proposal to reject in words: reason, rule, evidence, who and when."""
    if proposal is None:
        return None
    rule, text = rejection_words(proposal.body["reason"], proposal.body.get("irregularity"))
    return {
        "code": proposal.body["reason"],
        "rule": rule_in_words(rule),
        "text": translated(text),
        "evidence": proposal.body["evidence"],
        "affected": proposal.body["affected"],
        "who": name_of(proposal.person),
        "at": proposal.at,
    }


def _decisions(hit: Any, actions: list[Action]) -> dict[str, Any]:
    """The rejection that is proposed, and the one that was agreed to."""
    proposals = [action for action in actions if action.kind == Action.Kind.PROPOSE_REJECTION]
    rejection = reason_of(proposals[-1] if proposals else None)
    return {
        "proposed": rejection if hit.rejection_proposed else None,
        "rejection": rejection if hit.state == HitState.REJECTED else None,
    }
