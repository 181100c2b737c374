"""POST: verify, confirm, reject. Who may is judged by the services."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.status import HTTP_202_ACCEPTED

from jackpot.models import Command
from jackpot.writer import commands
from settlement.api.claims.action_serializers import (
    ConfirmationSerializer,
    ProposalSerializer,
    QueuedSerializer,
    RejectionSerializer,
    SecondSerializer,
    VerificationSerializer,
)
from settlement.api.claims.detail import sheet
from settlement.api.claims.serializers import ClaimSerializer
from settlement.api.shared.base import JsonView
from settlement.api.shared.bodies import checked
from settlement.api.shared.etags import etag_of, require_unchanged
from settlement.api.shared.keys import Key, key_of
from settlement.claims import services as claims
from settlement.claims.lookup import claim_named
from settlement.core import guards
from settlement.core.errors import BadReason, WrongState
from settlement.evidence import checklist
from settlement.models import Action, Claim, Footage, Note, Proposal
from settlement.people.rights.permissions import Reauthenticated
from settlement.people.rights.scopes import PERSON
from settlement.signatures.signing import sign_or_reauthenticate

Method = TypeVar("Method", bound=Callable[..., Response])


def action_schema(operation: str, body: type[Serializer]) -> Callable[[Method], Method]:
    """What every action on a claim takes and answers."""
    decorate: Callable[[Method], Method] = extend_schema(
        operation_id=operation,
        request=body,
        responses={
            200: OpenApiResponse(ClaimSerializer, "Done: the claim as it stands now."),
            202: OpenApiResponse(QueuedSerializer, "Recorded; the writer comes to it."),
        },
        tags=["claims"],
    )
    return decorate


class ClaimAction(JsonView):
    """One action of a person on a claim."""

    takes_match = True

    def carry_out(self, request: Request, claim: Claim, key: Key) -> commands.Answer | None:
        """Carry it out by the services; None where no command had to be queued."""
        raise NotImplementedError

    def answer(self, request: Request, system: str, number: int) -> Response:
        claim, key = claim_named(request.method, system, number), key_of(request)
        if "If-Match" in request.headers and not is_used(key):
            require_unchanged(request, etag_of(ClaimSerializer(sheet(claim)).data))
        return reply(claim, self.carry_out(request, claim, key))


class Verify(ClaimAction):
    post_scope = PERSON
    post_permission = "verify_claim"
    is_signed = True

    @action_schema("verify_claim", VerificationSerializer)
    def post(self, request: Request, system: str, number: int) -> Response:
        """Answer the checklist and verify the claim."""
        return self.answer(request, system, number)

    def carry_out(self, request: Request, claim: Claim, key: Key) -> None:
        body = checked(VerificationSerializer, request)
        with guards.in_words():
            answers = body["answers"], body["notes"], body["things"]
            if key is not None and Action.objects.filter(key=key).exists():
                checklist.require_same(claim, *answers)
            else:
                claims.answer_checklist(claim, request.user, *answers)
            claims.verify(claim, request.user, note=body["note"], key=key)


class Confirm(ClaimAction):
    post_scope = PERSON
    post_permission = "confirm_claim"
    is_signed = True

    @action_schema("confirm_claim", ConfirmationSerializer)
    def post(self, request: Request, system: str, number: int) -> Response:
        """Confirm the verified claim for the amount that is held (19.12)."""
        return self.answer(request, system, number)

    def carry_out(self, request: Request, claim: Claim, key: Key) -> commands.Answer:
        body = checked(ConfirmationSerializer, request)
        person = proven(request, body["password"])
        return claims.confirm(claim, person, body["amount_micros"], key=key)


class ProposeRejection(ClaimAction):
    post_scope = "write:proposals"
    post_permission = "propose_rejection"

    @action_schema("propose_rejection", ProposalSerializer)
    def post(self, request: Request, system: str, number: int) -> Response:
        """Propose to reject the claim; nothing moves before a second person agrees."""
        return self.answer(request, system, number)

    def carry_out(self, request: Request, claim: Claim, key: Key) -> None:
        propose(request, claim, checked(ProposalSerializer, request), key)


class SecondRejection(ClaimAction):
    post_scope = PERSON
    post_permission = "second_rejection"
    is_signed = True

    @action_schema("second_rejection", SecondSerializer)
    def post(self, request: Request, system: str, number: int) -> Response:
        """Agree to a colleague's proposal: the claim is rejected."""
        return self.answer(request, system, number)

    def carry_out(self, request: Request, claim: Claim, key: Key) -> commands.Answer:
        return second(request, claim, checked(SecondSerializer, request), key)


class Reject(ClaimAction):
    post_scope = PERSON
    post_permission = "propose_rejection"
    is_signed = True

    @action_schema("reject_claim", RejectionSerializer)
    def post(self, request: Request, system: str, number: int) -> Response:
        """Propose to reject the claim; where a colleague has proposed it, agree."""
        return self.answer(request, system, number)

    def carry_out(self, request: Request, claim: Claim, key: Key) -> commands.Answer | None:
        body = checked(RejectionSerializer, request)
        if key is not None and Action.objects.filter(key=key, kind=Action.Kind.SECOND_REJECTION):
            return second(request, claim, body, key)  # the second click of the second person
        proposal = claims.open_proposal(claim, claims.hit_of(claim))
        own = proposal is not None and proposal.person_id == request.user.pk
        if proposal is None or (own and "password" not in body):
            if not {"reason", "evidence", "affected"} <= body.keys():
                raise BadReason("To propose a rejection, give reason, evidence and affected.")
            propose(request, claim, body, key)
            return None
        if body.get("reason", proposal.body["reason"]) != proposal.body["reason"]:
            raise WrongState(
                f"A colleague has proposed {proposal.body['reason']}: read it before you agree."
            )
        return second(request, claim, body, key)


def propose(request: Request, claim: Claim, body: Mapping[str, Any], key: Key) -> None:
    """Record the proposal of the request's body."""
    claims.propose_rejection(
        claim,
        request.user,
        reason=body["reason"],
        evidence=body["evidence"],
        affected=body["affected"],
        irregularity=body.get("irregularity"),
        key=key,
    )


def second(request: Request, claim: Claim, body: Mapping[str, Any], key: Key) -> commands.Answer:
    """Agree to the open proposal, with the password of the request's body."""
    person = proven(request, body.get("password", ""))
    return claims.second_rejection(claim, person, key=key)


def proven(request: Request, password: str) -> Reauthenticated:
    """The person of the request, who has given the password once more, or signs the act."""
    return sign_or_reauthenticate(request._request, password)


@contextmanager
def once(request: Request, is_same: Callable[[], bool]) -> Iterator[None]:
    """Around an act that is done once and keeps no key: sent again with a key it answers for the
    first, where `is_same`: this person did it, in the same words."""
    key = key_of(request)
    try:
        yield
    except WrongState:
        if key is None or not is_same():
            raise


def is_used(key: Key) -> bool:
    """Whether something was done with it: a request sent again is not asked what it saw before."""
    kinds: tuple[Any, ...] = (Action, Command, Footage, Note, Proposal)
    return key is not None and any(kind.objects.filter(key=key).exists() for kind in kinds)


def reply(claim: Claim, outcome: commands.Answer | None) -> Response:
    """The claim as it stands now, or that the action is queued."""
    if outcome is not None and outcome.seq is None:
        return Response({"queued": True}, HTTP_202_ACCEPTED)
    data = ClaimSerializer(sheet(claim)).data
    return Response(data, headers={"ETag": etag_of(data)})
