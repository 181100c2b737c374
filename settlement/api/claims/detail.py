"""Everything there is to know of one claim, as the API gives it. Selectors only."""

from __future__ import annotations

from typing import Any

from jackpot.domain.payout.payout_bounds import PayoutBounds
from jackpot.models import Hit
from jackpot.queries.period_standing import Period
from rules.verdict import Verdict
from settlement.api.claims.evidence_records import gathered
from settlement.claims.detail import detail_of
from settlement.claims.flags import flags_of
from settlement.claims.status import numbers_of_hand
from settlement.evidence import checklist
from settlement.evidence import records as evidence
from settlement.evidence.assessment import HandAssessment
from settlement.models import Action, CheckAnswer, Claim


def sheet(claim: Claim) -> dict[str, Any]:
    """A claim with its evidence, verdict, checklist, actions and payees; amounts in micros."""
    detail = detail_of(claim)
    hit, examination = detail.hit, detail.examination
    return {
        "claim": code_of(hit),
        "system": hit.system.code,
        "number": hit.number,
        "currency": hit.system.casino.currency,
        "table": hit.table.code,
        "round": detail.round,
        "flags": [*flags_of(hit), *(["excluded_person"] if detail.excluded else [])],
        "excluded_seats": sorted(detail.excluded),
        "entered_by": hit.unit_pairing.who or None,
        "same_as": f"{hit.system.code}-{same}" if (same := hit.unit_pairing.same) else None,
        "game": examination.round.game,
        "deck": examination.round.deck,
        "tier": hit.tier.code if hit.tier else None,
        "standing": hit.standing,
        "rejection_proposed": hit.rejection_proposed,
        "same_hand": [f"{hit.system.code}-{other}" for other in numbers_of_hand(hit)],
        "place": hit.place,
        "at": hit.at,
        "terms": hit.terms,
        "period": _period(hit, detail.period),
        "held": hit.held,
        "confirmed": hit.confirmed,
        "values": hit.values,
        "shown": hit.shown,
        "shown_seq": hit.shown_seq,
        "called_seats": hit.called_seats,
        "report": hit.report,
        "report_entry": hit.report_entry,
        "verdict": _verdict(hit, examination, examination.verdict),
        "checklist": _checklist(claim, hit, examination),
        "actions": _actions(detail.actions),
        "payees": detail.shares,
        **_bounds(hit, detail.bounds),
        **gathered(claim, examination),
    }


def code_of(hit: Hit) -> str:
    """The claim's name: system and number, as in its address."""
    return f"{hit.system.code}-{hit.number}"


def _period(hit: Hit, period: Period | None) -> dict[str, Any] | None:
    """Of a candidate for a high hand: its period, and the candidates in it."""
    if period is None:
        return None
    return {
        "ends": period.ends,
        "closing": period.closing,
        "candidates": [
            {"claim": f"{hit.system.code}-{each.hit.number}", "hand": each.hand}
            | {"place": each.place, "held": each.hit.held}
            for each in period.contenders
        ],
    }


def _bounds(hit: Hit, bounds: PayoutBounds | None) -> dict[str, Any]:
    if bounds is None:
        return {"safe": None, "most": None, "due": 0, "nothing_due": False, "waits_for": []}
    waits_for = [f"{hit.system.code}-{number}" for number in bounds.waits_for]
    amounts = {"safe": bounds.safe, "most": bounds.most, "due": bounds.due}
    return {**amounts, "nothing_due": bounds.is_nothing, "waits_for": waits_for}


def _verdict(
    hit: Hit, examination: HandAssessment, verdict: Verdict | None
) -> dict[str, Any] | None:
    if verdict is None:
        return None
    seats = [
        {
            "seat": seat.seat,
            "hand": seat.label,
            "cards": [str(card) for card in seat.hand.cards] if seat.hand else [],
            "hole_used": [str(card) for card in seat.hand.hole_used] if seat.hand else [],
            "tiers": seat.tiers,
            "pending": seat.pending,
        }
        for seat in verdict.seats
    ]
    return {
        "faults": verdict.faults,
        "seats": seats,
        "reasons": verdict.reasons,
        "winners": sorted(examination.winners(hit)),
        "remaining": {
            suit: [str(card) for card in cards] for suit, cards in examination.remaining.items()
        },
    }


def _checklist(claim: Claim, hit: Hit, examination: HandAssessment) -> list[dict[str, Any]]:
    stored_answers = checklist.answers_of(claim)
    posted = evidence.posted(hit, examination.terms).evidence
    nothing: dict[str, Any] = {
        "answer": None,
        "note": "",
        "evidence": {},
        "person": None,
        "at": None,
    }
    return [
        {"item": item.code, "text": item.text, "rule": item.rule}
        | {"asked_above_micros": posted.get(item.code)}
        | (_answer(stored_answers[item.code]) if item.code in stored_answers else nothing)
        for item in checklist.ITEMS
    ]


def _answer(answer: CheckAnswer) -> dict[str, Any]:
    fields = {"answer": answer.answer, "note": answer.note, "evidence": answer.evidence}
    return fields | {"person": answer.person.get_username(), "at": answer.at}


def _actions(actions: list[Action]) -> list[dict[str, Any]]:
    return [
        {
            "kind": action.kind,
            "person": action.person.get_username(),
            "at": action.at,
            "report_entry": action.report_entry,
            "command": action.command,
            "details": action.body,
        }
        for action in actions
    ]
