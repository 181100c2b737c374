"""What stops claims, drafts of terms, tables that move: lists, details, what is proposed.

A second person agrees at `proposals/{number}/agree/`.
"""

from __future__ import annotations

from operator import itemgetter

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.writer import commands
from settlement.api.claims.actions import ClaimAction, action_schema
from settlement.api.floor.ruling_serializers import (
    DraftSerializer,
    FindingSerializer,
    MoveSerializer,
    StopClaimSerializer,
    StopSerializer,
)
from settlement.api.payments.answers import answer_with
from settlement.api.payments.serializers import ProposedSerializer
from settlement.api.shared.base import JsonView, ListView
from settlement.api.shared.bodies import checked
from settlement.api.shared.keys import Key, key_of
from settlement.approvals import proposals
from settlement.claims.decisions import stops
from settlement.claims.lookup import claim_named
from settlement.claims.status import stopped_hits
from settlement.floor import table_transfer
from settlement.models import Claim, Proposal
from settlement.terms import drafts
from tables.models import GamingTable, JackpotSystem


class Stops(ListView):
    get_scope = "read:claims"
    order = ("at", "system", "claim", "entry")

    @extend_schema(operation_id="stops", responses=StopSerializer(many=True), tags=["claims"])
    def get(self, _request: Request) -> Response:
        """Disputes, regulator's holds and orders in question that are open, the oldest first."""
        rows = [
            {
                "kind": stop.kind,
                "system": hit.system.code,
                "claim": hit.number,
                "entry": stop.entry,
                "others": stop.others,
                "at": hit.at,
            }
            for hit in stopped_hits()
            for stop in hit.open_stops
        ]
        rows.sort(key=itemgetter(*self.order))
        return self.list_answer(rows, StopSerializer)


class StopClaim(ClaimAction):
    post_scope = "write:proposals"

    @action_schema("stop_claim", StopClaimSerializer)
    def post(self, request: Request, system: str, number: int) -> Response:
        """Note a dispute, or place a regulator's hold: nothing of it is confirmed or paid."""
        return self.answer(request, system, number)

    def carry_out(self, request: Request, claim: Claim, key: Key) -> commands.Answer:
        body = checked(StopClaimSerializer, request)
        return stops.open_stop(claim, request.user, body["kind"], body["reason"], key=key)


class ProposeEnd(JsonView):
    post_scope = "write:proposals"

    @extend_schema(
        operation_id="propose_end_of_stop",
        request=FindingSerializer,
        responses={201: ProposedSerializer},
        tags=["claims"],
    )
    def post(self, request: Request, system: str, number: int, entry: int) -> Response:
        """Propose to end a dispute, a hold or an order in question, with what was found."""
        claim = claim_named(request.method, system, number)
        finding = checked(FindingSerializer, request)["finding"]
        return answer_with(
            stops.propose_end(claim, request.user, entry, finding, key=key_of(request))
        )


class Drafts(ListView):
    get_scope = "read:decisions"
    order = ("id",)

    @extend_schema(operation_id="drafts", responses=ProposedSerializer(many=True), tags=["terms"])
    def get(self, _request: Request) -> Response:
        """New terms that wait for a second person, the oldest first."""
        open_drafts = proposals.open_proposals().filter(kind=drafts.KIND)
        return self.list_answer(open_drafts, ProposedSerializer)


class OneDraft(JsonView):
    get_scope = "read:decisions"

    @extend_schema(operation_id="draft", responses=ProposedSerializer, tags=["terms"])
    def get(self, _request: Request, number: int) -> Response:
        """Proposed terms, and what became of them."""
        rows = Proposal.objects.select_related("system", "person", "decision")
        draft = rows.filter(pk=number, kind=drafts.KIND).first()
        if draft is None:
            raise Http404
        return Response(ProposedSerializer(draft).data)


class ProposeTerms(JsonView):
    post_scope = "write:proposals"
    post_permission = "propose_terms"

    @extend_schema(
        operation_id="propose_terms",
        request=DraftSerializer,
        responses={201: ProposedSerializer},
        tags=["terms"],
    )
    def post(self, request: Request, system: str) -> Response:
        """Propose new terms of a jackpot, or a new jackpot."""
        jackpot_system = JackpotSystem.objects.filter(code=system).first()
        if jackpot_system is None:
            raise Http404
        body = checked(DraftSerializer, request)
        return answer_with(
            drafts.propose(
                jackpot_system,
                request.user,
                body["terms"],
                force=body["force"],
                figures=body["figures"],
                key=key_of(request),
            )
        )


class ProposeMove(JsonView):
    post_scope = "write:proposals"
    post_permission = "propose_move"

    @extend_schema(
        operation_id="propose_move",
        request=MoveSerializer,
        responses={201: ProposedSerializer},
        tags=["floor"],
    )
    def post(self, request: Request, system: str, table: str) -> Response:
        """Propose to move a table to another system: closed, receipted, without an open claim."""
        rows = GamingTable.objects.select_related("system__casino", "presence")
        gaming_table = rows.filter(system__code=system, code=table).first()
        if gaming_table is None:
            raise Http404
        body = checked(MoveSerializer, request)
        to = table_transfer.destinations(gaming_table).filter(code=body["to_system"]).first()
        if to is None:
            raise Http404
        return answer_with(
            table_transfer.propose(
                gaming_table,
                request.user,
                to=to,
                code=body["to_table"],
                reason=body["reason"],
                key=key_of(request),
            )
        )
