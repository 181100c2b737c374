"""POST: approve, pay, withhold, release, unclaimed; propose a forfeit or a reversal, of a claim
or of its rejection."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.writer import commands
from settlement.api.claims.action_serializers import ConfirmationSerializer
from settlement.api.claims.actions import ClaimAction, Key, action_schema, proven
from settlement.api.payments.serializers import (
    LineReasonSerializer,
    LineSerializer,
    PaySerializer,
    RejectionReversalSerializer,
    ReversalSerializer,
    micros,
)
from settlement.api.shared.bodies import checked
from settlement.claims import services as claims
from settlement.claims.decisions import reversals, wrong_rejections
from settlement.jurisdiction.payments import PayeeStatement
from settlement.models import Claim
from settlement.payments import services as payments
from settlement.people.rights.scopes import PERSON


class Approve(ClaimAction):
    post_scope = PERSON
    post_permission = "confirm_claim"
    is_signed = True

    @action_schema("approve_claim", ConfirmationSerializer)
    def post(self, request: Request, system: str, number: int) -> Response:
        """Approve a large amount as the first of two managers; nothing moves."""
        return self.answer(request, system, number)

    def carry_out(self, request: Request, claim: Claim, key: Key) -> None:
        body = checked(ConfirmationSerializer, request)
        person = proven(request, body["password"])
        claims.approve(claim, person, body["amount_micros"], key=key)


class Pay(ClaimAction):
    post_scope = PERSON
    post_permission = "pay_claim"
    is_signed = True

    @action_schema("pay_claim", PaySerializer)
    def post(self, request: Request, system: str, number: int) -> Response:
        """Pay one payee all that is due, or a part of it now (19.15)."""
        return self.answer(request, system, number)

    def carry_out(self, request: Request, claim: Claim, key: Key) -> commands.Answer:
        body = checked(PaySerializer, request)
        parts = micros(body["parts_micros"])
        person = proven(request, body["password"])
        statement = PayeeStatement(
            body.get("residence", ""), body["without_number"], body["withholding_reason"]
        )
        return claims.pay(claim, person, body["line"], parts, statement=statement, key=key)


class Withhold(ClaimAction):
    post_scope = PERSON
    post_permission = "withhold_payment"

    @action_schema("withhold_payment", LineReasonSerializer)
    def post(self, request: Request, system: str, number: int) -> Response:
        """Keep a payment back for now."""
        return self.answer(request, system, number)

    def carry_out(self, request: Request, claim: Claim, key: Key) -> commands.Answer:
        body = checked(LineReasonSerializer, request)
        return payments.withhold(claim, request.user, body["line"], body["reason"], key=key)


class Release(ClaimAction):
    post_scope = PERSON
    post_permission = "withhold_payment"

    @action_schema("release_payment", LineReasonSerializer)
    def post(self, request: Request, system: str, number: int) -> Response:
        """What was withheld, or booked as unclaimed, is due again."""
        return self.answer(request, system, number)

    def carry_out(self, request: Request, claim: Claim, key: Key) -> commands.Answer:
        body = checked(LineReasonSerializer, request)
        return payments.release(claim, request.user, body["line"], body["reason"], key=key)


class Unclaimed(ClaimAction):
    post_scope = PERSON
    post_permission = "book_unclaimed"

    @action_schema("book_unclaimed", LineSerializer)
    def post(self, request: Request, system: str, number: int) -> Response:
        """Book what nobody came for in the posted time."""
        return self.answer(request, system, number)

    def carry_out(self, request: Request, claim: Claim, key: Key) -> commands.Answer:
        body = checked(LineSerializer, request)
        return payments.book_unclaimed(claim, request.user, body["line"], key=key)


class ProposeForfeit(ClaimAction):
    post_scope = "write:proposals"
    post_permission = "propose_forfeit"

    @action_schema("propose_forfeit", LineReasonSerializer)
    def post(self, request: Request, system: str, number: int) -> Response:
        """Propose that a payment is not paid any more."""
        return self.answer(request, system, number)

    def carry_out(self, request: Request, claim: Claim, key: Key) -> None:
        body = checked(LineReasonSerializer, request)
        payments.propose_forfeit(claim, request.user, body["line"], body["reason"], key=key)


class ProposeReversal(ClaimAction):
    post_scope = "write:proposals"
    post_permission = "propose_reversal"

    @action_schema("propose_reversal", ReversalSerializer)
    def post(self, request: Request, system: str, number: int) -> Response:
        """Propose to undo a confirmed or paid claim."""
        return self.answer(request, system, number)

    def carry_out(self, request: Request, claim: Claim, key: Key) -> None:
        body = checked(ReversalSerializer, request)
        reversals.propose(
            claim,
            request.user,
            reason=body["reason"],
            evidence=body["evidence"],
            recovered=micros(body.get("recovered_micros")),
            irregularity=body.get("irregularity"),
            key=key,
        )


class ProposeRejectionReversal(ClaimAction):
    post_scope = "write:proposals"
    post_permission = "propose_reversal"

    @action_schema("propose_rejection_reversal", RejectionReversalSerializer)
    def post(self, request: Request, system: str, number: int) -> Response:
        """Propose to reverse the rejection of a claim."""
        return self.answer(request, system, number)

    def carry_out(self, request: Request, claim: Claim, key: Key) -> None:
        body = checked(RejectionReversalSerializer, request)
        grounds = {"reason": body["reason"], "evidence": body["evidence"]}
        wrong_rejections.propose(claim, request.user, **grounds, key=key)
