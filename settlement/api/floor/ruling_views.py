"""Requests of dealers, rulings, missed rounds, incidents: lists, details, acts."""

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
from settlement.api.claims.actions import key_of
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
from settlement.api.payments.serializers import ProposedSerializer
from settlement.api.shared.base import JsonView, ListView
from settlement.api.shared.bodies import checked
from settlement.floor import held_rounds, incidents, missed_rounds, rulings
from settlement.models import Incident, Proposal, Ruling
from tables.models import GamingTable, JackpotSystem


class Requests(ListView):
    @extend_schema(
        operation_id="requests", responses=RequestSerializer(many=True), tags=["irregularities"]
    )
    def get(self, _request: Request) -> Response:
        """What dealers ask for and nobody has decided, newest first."""
        found = rulings.open_requests(*rulings.ON_ROUNDS)
        return self.listed(found, RequestSerializer)


class RefuseRequest(JsonView):
    acts_for = "rule_round"

    @extend_schema(
        operation_id="refuse_request",
        request=NoteRequiredSerializer,
        responses={201: RulingSerializer},
        tags=["irregularities"],
    )
    def post(self, request: Request, number: int) -> Response:
        """A request is not followed; the reason is kept."""
        note = checked(NoteRequiredSerializer, request)["note"]
        ruling = rulings.refuse(_asked(number), request.user, note, key_of(request))
        return Response(RulingSerializer(ruling).data, HTTP_201_CREATED)


class Rulings(ListView):
    @extend_schema(
        operation_id="rulings", responses=RulingSerializer(many=True), tags=["irregularities"]
    )
    def get(self, _request: Request) -> Response:
        """What was decided about rounds and requests, the newest first."""
        return self.listed(_rulings().order_by("-id"), RulingSerializer)


class OneRuling(JsonView):
    @extend_schema(
        operation_id="ruling",
        responses=RulingSerializer,
        tags=["irregularities"],
    )
    def get(self, _request: Request, number: int) -> Response:
        """One ruling."""
        return Response(RulingSerializer(_ruling(number)).data)


class Countersign(JsonView):
    acts_for = "countersign_missed"
    takes_key = False

    @extend_schema(
        operation_id="countersign_missed",
        request=CountersignatureSerializer,
        responses=RulingSerializer,
        tags=["irregularities"],
    )
    def post(self, request: Request, number: int) -> Response:
        """A second person has looked at missed rounds that one credited alone."""
        found = _ruling(number)
        if found.kind != Ruling.Kind.MISSED:
            raise Http404
        missed_rounds.countersign(
            found, request.user, checked(CountersignatureSerializer, request)["note"]
        )
        return Response(RulingSerializer(_ruling(number)).data)


class RuleRound(JsonView):
    acts_for = "rule_round"

    @extend_schema(
        operation_id="rule_round",
        request=RoundRulingSerializer,
        responses={200: QueuedSerializer, 202: QueuedSerializer},
        tags=["irregularities"],
    )
    def post(self, request: Request, system: str, table: str) -> Response:
        """Declare a round void or cancel it."""
        given = checked(RoundRulingSerializer, request)
        answer = rulings.decide(
            given["kind"],
            table_named(system, table),
            given["round"],
            request.user,
            reason=given["reason"],
            note=given["note"],
            misdeal=given.get("misdeal"),
            request=_asked(given["request"]) if "request" in given else None,
            key=key_of(request),
        )
        return _answered(answer)


class CreditMissed(JsonView):
    acts_for = "credit_missed"

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
        given = checked(MissedSerializer, request)
        outcome = missed_rounds.credit(
            table_named(system, table),
            request.user,
            count=given["count"],
            evidence=given["evidence"],
            rounds=given["rounds"],
            completion=given["completion"],
            another=given["another_round"],
            players=given.get("players"),
            figures=given.get("figures_micros"),
            entries=given["entries"],
            request=_asked(given["request"]) if "request" in given else None,
            key=key_of(request),
        )
        if isinstance(outcome, Proposal):
            return Response(ProposedSerializer(outcome).data, HTTP_201_CREATED)
        return _answered(outcome)


class HeldRounds(ListView):
    acts_for = "rule_round"

    @extend_schema(
        operation_id="held_rounds",
        responses=HeldRoundSerializer(many=True),
        tags=["irregularities"],
    )
    def get(self, _request: Request, system: str, table: str) -> Response:
        """Rounds of a table that are held, since its button was pressed faster than posted."""
        found = held_rounds.rounds_of(table_named(system, table))
        return self.listed(found, HeldRoundSerializer)

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
        given = checked(HeldDecisionSerializer, request)
        decide = held_rounds.accept if given["accepted"] else held_rounds.refuse
        found, key = table_named(system, table), key_of(request)
        outcome = decide(found, request.user, given["rounds"], given["note"], key)
        if isinstance(outcome, Proposal):
            return Response(ProposedSerializer(outcome).data, HTTP_201_CREATED)
        return _answered(outcome)


class Incidents(ListView):
    acts_for = "report_incident"
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
        found = incidents.open_incidents() if is_open else incidents.incidents()
        return self.listed(found, IncidentSerializer)

    @extend_schema(
        operation_id="report_incident",
        request=IncidentSerializer,
        responses={201: IncidentSerializer},
        tags=["irregularities"],
    )
    def post(self, request: Request) -> Response:
        """Enter an incident, at a table or of a whole system (19.20)."""
        given = checked(IncidentSerializer, request)
        system = given["system"]["code"]
        table: Any = given["table"]
        found = incidents.report(
            _system(system),
            request.user,
            kind=given["kind"],
            note=given["note"],
            happened_at=given["happened_at"],
            table=table_named(system, table["code"]) if table and table["code"] else None,
            key=key_of(request),
        )
        return Response(IncidentSerializer(_incident(found.pk)).data, HTTP_201_CREATED)


class OneIncident(JsonView):
    @extend_schema(
        operation_id="incident",
        responses=IncidentSerializer,
        tags=["irregularities"],
    )
    def get(self, _request: Request, number: int) -> Response:
        """One incident, and how it was resolved."""
        return Response(IncidentSerializer(_incident(number)).data)


class ResolveIncident(JsonView):
    acts_for = "resolve_incident"
    takes_key = False

    @extend_schema(
        operation_id="resolve_incident",
        request=NoteRequiredSerializer,
        responses=IncidentSerializer,
        tags=["irregularities"],
    )
    def post(self, request: Request, number: int) -> Response:
        """Say how an incident was resolved; it is resolved once."""
        note = checked(NoteRequiredSerializer, request)["note"]
        incidents.resolve(_incident(number), request.user, note)
        return Response(IncidentSerializer(_incident(number)).data)


def _answered(answer: commands.Answer) -> Response:
    is_queued = answer.seq is None
    return Response({"queued": is_queued}, HTTP_202_ACCEPTED if is_queued else None)


def _asked(number: int) -> rulings.Request:
    found = rulings.request_of(number)
    if found is None:
        raise Http404
    return found


def _rulings() -> QuerySet[Ruling]:
    return Ruling.objects.select_related("system", "table", "person", "countersignature__person")


def _ruling(number: int) -> Ruling:
    found = _rulings().filter(pk=number).first()
    if found is None:
        raise Http404
    return found


def _incident(number: int) -> Incident:
    found = incidents.incidents().filter(pk=number).first()
    if found is None:
        raise Http404
    return found


def _system(code: str) -> JackpotSystem:
    found = JackpotSystem.objects.filter(code=code).first()
    if found is None:
        raise Http404
    return found


def table_named(system: str, table: str) -> GamingTable:
    rows = GamingTable.objects.select_related("system__casino", "presence")
    found = rows.filter(system__code=system, code=table).first()
    if found is None:
        raise Http404
    return found
