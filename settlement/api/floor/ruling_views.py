"""Requests of dealers, rulings, missed rounds, incidents: lists, details, actions."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_201_CREATED, HTTP_202_ACCEPTED

from jackpot.writer import commands
from settlement.api.claims.action_serializers import QueuedSerializer
from settlement.api.claims.actions import once
from settlement.api.floor.ruling_serializers import (
    CountersignatureSerializer,
    HeldDecisionSerializer,
    HeldRoundSerializer,
    IncidentSerializer,
    MissedSerializer,
    NoteRequiredSerializer,
    RequestSerializer,
    RoundRulingSerializer,
    RulingSerializer,
)
from settlement.api.payments.answers import answer_with
from settlement.api.payments.serializers import ProposedSerializer
from settlement.api.shared.base import JsonView, ListView
from settlement.api.shared.bodies import checked
from settlement.api.shared.keys import key_of
from settlement.floor import held_rounds, incidents, missed_rounds, rulings
from settlement.models import Countersignature, Incident, IncidentEnd, Proposal, Ruling
from settlement.people.rights.scopes import PERSON
from tables.models import GamingTable, JackpotSystem


class Requests(ListView):
    get_scope = "read:decisions"
    order = ("-entry__at", "-entry__seq", "entry__system_id")

    @extend_schema(
        operation_id="requests", responses=RequestSerializer(many=True), tags=["irregularities"]
    )
    def get(self, _request: Request) -> Response:
        """What dealers ask for and nobody has decided, newest first."""
        open_requests = rulings.open_requests(*rulings.ON_ROUNDS)
        return self.list_answer(open_requests, RequestSerializer)


class RefuseRequest(JsonView):
    post_scope = PERSON
    post_permission = "rule_round"

    @extend_schema(
        operation_id="refuse_request",
        request=NoteRequiredSerializer,
        responses={201: RulingSerializer},
        tags=["irregularities"],
    )
    def post(self, request: Request, number: int) -> Response:
        """A request is not followed; the reason is kept."""
        note = checked(NoteRequiredSerializer, request)["note"]
        ruling = rulings.refuse(_dealer_request(number), request.user, note, key_of(request))
        return Response(RulingSerializer(ruling).data, HTTP_201_CREATED)


class Rulings(ListView):
    get_scope = "read:decisions"
    order = ("-id",)

    @extend_schema(
        operation_id="rulings", responses=RulingSerializer(many=True), tags=["irregularities"]
    )
    def get(self, _request: Request) -> Response:
        """What was decided about rounds and requests, the newest first."""
        return self.list_answer(_rulings(), RulingSerializer)


class OneRuling(JsonView):
    get_scope = "read:decisions"

    @extend_schema(
        operation_id="ruling",
        responses=RulingSerializer,
        tags=["irregularities"],
    )
    def get(self, _request: Request, number: int) -> Response:
        """One ruling."""
        return Response(RulingSerializer(_ruling(number)).data)


class Countersign(JsonView):
    post_scope = PERSON
    post_permission = "countersign_missed"

    @extend_schema(
        operation_id="countersign_missed",
        request=CountersignatureSerializer,
        responses=RulingSerializer,
        tags=["irregularities"],
    )
    def post(self, request: Request, number: int) -> Response:
        """A second person has looked at missed rounds that one credited alone."""
        ruling = _ruling(number)
        if ruling.kind != Ruling.Kind.MISSED:
            raise Http404
        note = checked(CountersignatureSerializer, request)["note"]
        same = Countersignature.objects.filter(ruling=ruling, person=request.user.pk, note=note)
        with once(request, same.exists):
            missed_rounds.countersign(ruling, request.user, note)
        return Response(RulingSerializer(_ruling(number)).data)


class RuleRound(JsonView):
    post_scope = PERSON
    post_permission = "rule_round"

    @extend_schema(
        operation_id="rule_round",
        request=RoundRulingSerializer,
        responses={200: QueuedSerializer, 202: QueuedSerializer},
        tags=["irregularities"],
    )
    def post(self, request: Request, system: str, table: str) -> Response:
        """Declare a round void or cancel it."""
        body = checked(RoundRulingSerializer, request)
        answer = rulings.decide(
            rulings.RoundRuling(
                body["kind"],
                table_named(system, table),
                body["round"],
                reason=body["reason"],
                note=body["note"],
                misdeal=body.get("misdeal"),
            ),
            request.user,
            request=_dealer_request(body["request"]) if "request" in body else None,
            key=key_of(request),
        )
        return _response(answer)


class CreditMissed(JsonView):
    post_scope = PERSON
    post_permission = "credit_missed"

    @extend_schema(
        operation_id="credit_missed",
        request=MissedSerializer,
        responses={
            200: QueuedSerializer,
            201: ProposedSerializer,
            202: QueuedSerializer,
        },
        tags=["irregularities"],
    )
    def post(self, request: Request, system: str, table: str) -> Response:
        """Credit missed rounds (19.19); above the day's limit they are proposed (201)."""
        body = checked(MissedSerializer, request)
        outcome = missed_rounds.credit(
            table_named(system, table),
            request.user,
            missed_rounds.MissedCredit(
                count=body["count"],
                evidence=body["evidence"],
                rounds=body["rounds"],
                completion=body["completion"],
                another=body["another_round"],
                players=body.get("players"),
                figures=body.get("figures_micros") or {},
                entries=body["entries"],
            ),
            request=_dealer_request(body["request"]) if "request" in body else None,
            key=key_of(request),
        )
        if isinstance(outcome, Proposal):
            return answer_with(outcome)
        return _response(outcome)


class HeldRounds(ListView):
    get_scope = "read:decisions"
    post_scope = PERSON
    order = ("round",)
    post_permission = "rule_round"

    @extend_schema(
        operation_id="held_rounds",
        responses=HeldRoundSerializer(many=True),
        tags=["irregularities"],
    )
    def get(self, _request: Request, system: str, table: str) -> Response:
        """Rounds of a table that are held, since its button was pressed faster than posted."""
        rounds = held_rounds.rounds_of(table_named(system, table))
        return self.list_answer(rounds, HeldRoundSerializer)

    @extend_schema(
        operation_id="decide_held_rounds",
        request=HeldDecisionSerializer,
        responses={
            200: QueuedSerializer,
            201: ProposedSerializer,
            202: QueuedSerializer,
        },
        tags=["irregularities"],
    )
    def post(self, request: Request, system: str, table: str) -> Response:
        """Accept or refuse them; refusing rounds that have figures is proposed (201)."""
        body = checked(HeldDecisionSerializer, request)
        decide = held_rounds.accept if body["accepted"] else held_rounds.refuse
        gaming_table, key = table_named(system, table), key_of(request)
        outcome = decide(gaming_table, request.user, body["rounds"], body["note"], key)
        if isinstance(outcome, Proposal):
            return answer_with(outcome)
        return _response(outcome)


class Incidents(ListView):
    get_scope = "read:decisions"
    post_scope = "write:incidents"
    order = ("-happened_at", "-id")
    post_permission = "report_incident"
    narrowed_by = ("open",)

    @extend_schema(
        operation_id="incidents",
        parameters=[OpenApiParameter("open", bool, description="Only those not resolved.")],
        responses=IncidentSerializer(many=True),
        tags=["irregularities"],
    )
    def get(self, request: Request) -> Response:
        """Incidents, the newest first."""
        narrowed = request.query_params.get("open", "false")
        if narrowed not in ("true", "false"):
            raise ValidationError({"open": ["Give true or false."]})
        is_open = narrowed == "true"
        rows = incidents.open_incidents() if is_open else incidents.incidents()
        return self.list_answer(rows, IncidentSerializer)

    @extend_schema(
        operation_id="report_incident",
        request=IncidentSerializer,
        responses={201: IncidentSerializer},
        tags=["irregularities"],
    )
    def post(self, request: Request) -> Response:
        """Enter an incident, at a table or of a whole system (19.20)."""
        body = checked(IncidentSerializer, request)
        system = body["system"]["code"]
        table: Any = body["table"]
        incident = incidents.report(
            _system(system),
            request.user,
            incidents.IncidentReport(
                kind=body["kind"],
                note=body["note"],
                happened_at=body["happened_at"],
                table=table_named(system, table["code"]) if table and table["code"] else None,
            ),
            key=key_of(request),
        )
        return Response(IncidentSerializer(_incident(incident.pk)).data, HTTP_201_CREATED)


class OneIncident(JsonView):
    get_scope = "read:decisions"

    @extend_schema(
        operation_id="incident",
        responses=IncidentSerializer,
        tags=["irregularities"],
    )
    def get(self, _request: Request, number: int) -> Response:
        """One incident, and how it was resolved."""
        return Response(IncidentSerializer(_incident(number)).data)


class ResolveIncident(JsonView):
    post_scope = PERSON
    post_permission = "resolve_incident"

    @extend_schema(
        operation_id="resolve_incident",
        request=NoteRequiredSerializer,
        responses=IncidentSerializer,
        tags=["irregularities"],
    )
    def post(self, request: Request, number: int) -> Response:
        """Say how an incident was resolved; it is resolved once."""
        note = checked(NoteRequiredSerializer, request)["note"]
        incident = _incident(number)
        same = IncidentEnd.objects.filter(incident=incident, person=request.user.pk, note=note)
        with once(request, same.exists):
            incidents.resolve(incident, request.user, note)
        return Response(IncidentSerializer(_incident(number)).data)


def _response(answer: commands.Answer) -> Response:
    is_queued = answer.seq is None
    return Response({"queued": is_queued}, HTTP_202_ACCEPTED if is_queued else None)


def _dealer_request(number: int) -> rulings.Request:
    request = rulings.request_of(number)
    if request is None:
        raise Http404
    return request


def _rulings() -> QuerySet[Ruling]:
    return Ruling.objects.select_related("system", "table", "person", "countersignature__person")


def _ruling(number: int) -> Ruling:
    ruling = _rulings().filter(pk=number).first()
    if ruling is None:
        raise Http404
    return ruling


def _incident(number: int) -> Incident:
    incident = incidents.incidents().filter(pk=number).first()
    if incident is None:
        raise Http404
    return incident


def _system(code: str) -> JackpotSystem:
    system = JackpotSystem.objects.filter(code=code).first()
    if system is None:
        raise Http404
    return system


def table_named(system: str, table: str) -> GamingTable:
    rows = GamingTable.objects.select_related("system__casino", "presence")
    gaming_table = rows.filter(system__code=system, code=table).first()
    if gaming_table is None:
        raise Http404
    return gaming_table
