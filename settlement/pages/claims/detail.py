"""Everything that the page of a claim shows. Selectors only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Count, Max

from jackpot.domain.command_handlers import rejection_words
from jackpot.domain.state.books import OUT
from jackpot.models import Entry, Head, Hit
from jackpot.queries.payout_bounds import prospect
from jackpot.queries.period_standing import period_of
from jackpot.storage.loading import terms_of
from jackpot.terms.document import TierTerms
from jackpot.terms.money import BASIS_POINTS
from jackpot.terms.payees import paid, rest
from rules.games import FLOP_CARDS, GAMES
from settlement.approvals.capacities import delegated
from settlement.approvals.proposals import of_claim
from settlement.claims.derivation import closing_shown, holding_of
from settlement.claims.precedence import OpenClaims, open_hits_in_order
from settlement.claims.status import hits
from settlement.core.errors import HandDoesNotQualify
from settlement.evidence import checklist
from settlement.evidence import records as evidence
from settlement.evidence.assessment import HandAssessment, examine, payees
from settlement.models import Act, Claim, Payout, Proposal
from settlement.pages.claims.checklist_form import checklist_rows
from settlement.pages.claims.options import options
from settlement.pages.claims.panels import history as history
from settlement.pages.claims.panels.assessment import readable_cards, reasons_by_side
from settlement.pages.claims.panels.delegation import delegation_context
from settlement.pages.claims.panels.flags import claim_flags
from settlement.pages.claims.panels.next_action import pending_figures, turn_context
from settlement.pages.claims.panels.pairing import pairing_context
from settlement.pages.claims.panels.parts import capacity, from_pool, wins
from settlement.pages.claims.panels.payments import payment_ways
from settlement.pages.claims.panels.progress import way
from settlement.pages.claims.panels.reversal import proposal_rows, reversal_context
from settlement.pages.claims.panels.same_hand import same_hand_context
from settlement.pages.claims.panels.sent_report import withdrawal_context
from settlement.pages.claims.panels.stops import question_rows, stops_context
from settlement.pages.claims.panels.workbench import (
    Allowed,
    NewestRows,
    behind_the_checklist,
    kept_so_far,
    workbench,
)
from settlement.pages.claims.panels.wrong_rejection import wrong_rejection_context
from settlement.pages.claims.queue.rows import approval_of, prize_name, stand_of, tier_names
from settlement.pages.shared.amount_tables import in_order
from settlement.people import staff_play
from settlement.people.permissions import name_of


def claim_context(
    claim: Claim, user: Any, bound: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The claim for this person. `bound`: forms that were refused, by the act they are for."""
    hit: Any = hits().get(system=claim.system_id, number=claim.number)
    examination = examine(hit)
    acts = list(claim.acts.select_related("person"))
    entries = history.entries_of(hit)
    held = OpenClaims(open_hits_in_order().filter(system=hit.system_id))
    coming = prospect(hit.system, hit.number)
    staff = _staff(hit, acts, coming.due if coming else 0)
    proposed = of_claim(claim)
    delegations = delegated(proposed)
    stand = stand_of(hit, acts, held, coming, dealt_in=staff["dealt_in"], delegated=delegations)
    head = Head.objects.get(pk=hit.system_id)
    names = tier_names(hit.system_id, head.terms_number)
    newest_rows = kept_so_far(claim)
    may = Allowed(user, staff["dealt_in"], delegations.get(user.get_username(), frozenset()))
    gathered = workbench(claim, hit, examination, entries, names, may, bound or {}, newest_rows)
    terms = evidence.posted(hit, examination.terms)
    behind = behind_the_checklist(gathered)
    checks = _checklist(claim, terms, coming.due if coming else 0, may, bound or {}, behind) | staff
    payment = _payment(claim, hit, examination, payment_ways(hit, proposed, user))
    pending = pending_figures(hit, examination)
    return {
        "claim": claim,
        "version": version_of(claim, hit, proposed, newest_rows),
        "hit": hit,
        "system": hit.system,
        "head": head,
        "casino": hit.system.casino,
        "prize": prize_name(hit, names),
        "stand": stand,
        **turn_context(stand, pending, payment["no_shares"], user, hit.system),
        "flags": claim_flags(hit, stand, examination, entries, checks["checklist_no"]),
        "steps": way(hit, acts, entries),
        "prospect": coming,
        **same_hand_context(hit, names),
        **_decisions(hit, acts),
        **_acted(claim, hit, proposed, acts, entries, newest_rows),
        "entries": history.entry_rows(hit, entries, names),
        "options": options(hit, stand, user, bound or {}),
        **checks,
        **gathered,
        **_cards(hit, examination, names),
        **_settlement(hit, examination, names),
        **_panels(hit, proposed, acts, entries, user),
        **delegation_context(hit, stand, proposed, user),
        **payment,
    }


def _panels(
    hit: Hit, proposals: list[Proposal], acts: list[Act], entries: list[Entry], user: Any
) -> dict[str, Any]:
    """What stands in panels of its own, each with a module and a template."""
    return {
        **stops_context(hit, proposals, acts, entries, user),
        **withdrawal_context(hit, entries, user),
        **pairing_context(hit, entries, user),
        **reversal_context(hit, proposals, entries, acts, user),
        **wrong_rejection_context(hit, proposals, entries, acts, user),
    }


def _acted(
    claim: Claim,
    hit: Hit,
    proposals: list[Proposal],
    acts: list[Act],
    entries: list[Entry],
    newest_rows: NewestRows,
) -> dict[str, Any]:
    """What people did, the last first, and what of it the order has not taken yet."""
    rows = [*history.act_rows(hit, acts, entries), *proposal_rows(hit, proposals, entries)]
    rows += question_rows(hit)
    if newest_rows["BundleExport"]:
        rows += history.bundle_rows(claim.bundles.select_related("person"))
    newest = sorted(rows, key=lambda row: row.at, reverse=True)
    return {"acts": newest, "queued": next((row for row in newest if row.queued), None)}


def _staff(hit: Hit, acts: list[Act], due: int) -> dict[str, Any]:
    """Who of the staff was dealt in, and the acts of the others on which a manager may confirm."""
    players = staff_play.dealt_in(hit)
    dealt_in = {play.person_id for play in players}
    verified = [
        act
        for act in acts
        if (act.kind, act.report_entry) == (Act.Kind.VERIFY, hit.report_entry)
        and act.person_id not in dealt_in
    ]
    return {
        "players": [{"play": each, "until": staff_play.counts_until(each)} for each in players],
        "cleared": staff_play.cleared(hit),
        "dealt_in": dealt_in,
        "verification": verified[-1] if verified else None,
        "approval": approval_of(hit, acts, due, dealt_in),
    }


def _checklist(
    claim: Claim,
    terms: evidence.Posted,
    due: int,
    may: Allowed,
    bound: Mapping[str, Any],
    behind: Mapping[str, str],
) -> dict[str, Any]:
    """The checklist with its answers, how far it is, and what the workbench has `behind` it.

    `lacking`: what is asked for the amount that is due, and missing.
    """
    rows, hit = checklist_rows(claim, terms, behind, bound.get("checklist")), terms.hit
    wanted = terms.requirements(hit.confirmed + due) if due else ()
    # What somebody answered though it is not asked for stands among the rest.
    required_rows = [row for row in rows if row["is_asked"] or row["answer"]]
    further = [row for row in rows if row not in required_rows]
    return {
        "checklist_asked": required_rows,
        "checklist_further": further,
        "checklist_further_wrong": any(row.get("error") for row in further),
        "checklist_wrong": sum(1 for row in rows if row.get("error")),
        "checklist_no": [row for row in rows if row["answer"] == "no" and row["by"]],
        "lacking": [
            f"{row['text']}, above {row['above']}"
            for row in rows
            if row["code"] in wanted and row["answer"] in ("", "na")
        ],
        "checklist_open": sum(1 for row in rows if row["is_open"]),
        "checklist_locked": not checklist.takes_answers(hit) or not may("verify_claim"),
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
    return f"{hit.state}.{hit.held}.{hit.newest_report_entry}.{len(hit.stops)}.{proposed}.{newest}"


def reason_of(proposal: Act | None) -> dict[str, Any] | None:
    """A proposal to reject in words: reason, rule, evidence, who and when."""
    if proposal is None:
        return None
    rule, text = rejection_words(proposal.body["reason"], proposal.body.get("irregularity"))
    return {
        "code": proposal.body["reason"],
        "rule": rule,
        "text": text,
        "evidence": proposal.body["evidence"],
        "affected": proposal.body["affected"],
        "who": name_of(proposal.person),
        "at": proposal.at,
    }


def _decisions(hit: Any, acts: list[Act]) -> dict[str, Any]:
    """The rejection that is proposed, and the one that was agreed to."""
    proposals = [act for act in acts if act.kind == Act.Kind.PROPOSE_REJECTION]
    rejection = reason_of(proposals[-1] if proposals else None)
    return {
        "proposed": rejection if hit.rejection_proposed else None,
        "rejection": rejection if hit.state == "rejected" else None,
    }


def _cards(hit: Hit, examination: HandAssessment, names: Mapping[str, str]) -> dict[str, Any]:
    """The reported cards seat by seat, what the rules say."""
    verdict, report = examination.verdict, hit.report
    game = GAMES.get(examination.round.game or "")
    context: dict[str, Any] = {"round": examination.round, "game": game.label if game else None}
    terms = examination_terms(hit, examination, hit.tier.code) if hit.tier else None
    if verdict is None or report is None:
        return {**context, "hands": [], "called_seats": hit.called_seats}
    board = report["boards"][0] if report["boards"] else []
    counted, after = (
        (board[:FLOP_CARDS], board[FLOP_CARDS:])
        if report["flop_on_request"]
        else (
            board,
            [],
        )
    )
    winners = examination.winners(hit)
    seats = zip(report["hands"], verdict.seats, strict=True)
    return {
        **context,
        "report": report,
        "hands": [
            {
                **hand,
                "board": counted,
                "counts": [str(card) for card in seat.hand.cards] if seat.hand else None,
                "made": seat.label,
                "wins": wins(hand["seat"], winners, hit),
            }
            for hand, seat in seats
        ],
        "after_flop": after,
        "later_boards": list(enumerate(report["boards"][1:], start=2)),
        "faulty": verdict.faults,
        **reasons_by_side(hit, verdict.reasons, names, terms),
        "winners": sorted(winners),
        "reported_count": len(readable_cards(report)),
    }


def _settlement(hit: Hit, examination: HandAssessment, names: dict[str, str]) -> dict[str, Any]:
    """The value of every tier at the time for settlement, and how the amount came about."""
    tier = hit.tier.code if hit.tier else None
    counting = _shown_that_counts(hit)
    values = [
        {
            "name": names.get(code, code),
            "value": value,
            "shown": hit.shown.get(code),
            "is_stale": code in hit.shown and code not in counting,
            "is_prize": code == tier,
        }
        for code, value in in_order(hit.values, names)
    ]
    derived = None
    if tier is not None and hit.before_pool is not None and hit.state not in OUT:
        terms = examination_terms(hit, examination, tier)
        if terms is not None:
            holding = holding_of(hit) if hit.closing is not None else None
            whole = hit.held if holding is None else holding[2].held  # equal hands share it
            rolled = (hit.before_rolled or 0) if terms.prize is not None else 0
            derived = {
                "pool": hit.before_pool,
                "value": hit.before_pool if terms.prize is None else terms.prize + rolled,
                "shown": closing_shown(hit) if hit.closing else counting.get(tier, 0),
                "unit": terms.payable_unit,
                "share": terms.share if terms.share != BASIS_POINTS else None,
                "percent": f"{terms.share / 100:g}",
                "prize": terms.prize,
                "rolled": rolled,
                "whole": whole,
                "operator": whole - from_pool(hit.before_pool, rolled, terms),
            }
    is_candidate = tier is not None and hit.strength is not None  # for a high hand
    period = period_of(hit, examination.tier_terms(tier or "")) if is_candidate else None
    return {"values": values, "derived": derived, "period": period}


def _shown_that_counts(hit: Hit) -> dict[str, int]:
    """What the displays had shown, without prizes that were hit after their last message.

    Outcomes are sequential: an older message shows a prize that somebody else has hit (19.14).
    """
    if hit.acts_at != hit.place:
        return {}
    before = (
        Hit.objects.filter(system=hit.system_id, acts_at__lt=hit.place, tier__isnull=False)
        .exclude(state__in=OUT)
        .values_list("tier__code")
        .annotate(last=Max("acts_at"))
    )
    last = dict(before.order_by())
    sent_at = hit.shown_seq or 0
    return {code: value for code, value in hit.shown.items() if sent_at >= last.get(code, 0)}


def examination_terms(hit: Hit, examination: HandAssessment, tier: str) -> TierTerms | None:
    """The terms of the prize: those of the round, else the newest that posted it."""
    for terms in examination.terms:
        for tier_terms in terms.tiers:
            if tier_terms.code == tier:
                return tier_terms
    newest = Head.objects.values_list("terms_number", flat=True).get(pk=hit.system_id)
    for _, terms in sorted(terms_of(hit.system_id, newest).items(), reverse=True):
        for tier_terms in terms.tiers:
            if tier_terms.code == tier:
                return tier_terms
    return None


def _payment(
    claim: Claim, hit: Hit, examination: HandAssessment, ways: Mapping[int, dict[str, Any]]
) -> dict[str, Any]:
    """Who is paid: as confirmed, else as the rules would divide what is held now."""
    if hit.payees:
        payouts = list(
            Payout.objects.filter(claim=claim).annotate(printed=Count("prints")).order_by("id")
        )
        names = {
            act.person.get_username(): name_of(act.person)
            for act in claim.acts.filter(kind=Act.Kind.PAY).select_related("person")
        }
        shares = [
            {
                **line,
                "capacity": capacity(line, hit.payees),
                "rest": rest(line),
                "handed": paid(line),
                "ways": ways.get(line["line"]),
                "payouts": [
                    {"row": payout, "cashier": names.get(payout.cashier, payout.cashier)}
                    for payout in payouts
                    if payout.line == line["line"]
                ],
            }
            for line in hit.payees
        ]
        forfeited = any(line["state"] == "forfeited" for line in hit.payees)
        return {"shares": shares, "no_shares": "", "forfeited": forfeited}
    if hit.state != "held" or hit.report is None:
        return {"shares": [], "no_shares": ""}
    try:
        proposed = payees(hit, hit.held, examination)
    except HandDoesNotQualify as error:
        return {"shares": [], "no_shares": str(error)}
    shares = [
        {**payee, "capacity": capacity(payee, proposed), "state": "proposed"} for payee in proposed
    ]
    return {"shares": shares, "no_shares": ""}
