"""Hands entered on the console while a table's unit is offline (19.20), and their pairings."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_202_ACCEPTED

from jackpot.writer import commands
from settlement.api.claims.action_serializers import (
    EnteredSerializer,
    EnterHandSerializer,
    NameRoundSerializer,
    TwoHandsSerializer,
)
from settlement.api.claims.actions import ClaimAction, action_schema
from settlement.api.floor.ruling_views import table_named
from settlement.api.shared.base import JsonView
from settlement.api.shared.bodies import checked
from settlement.api.shared.keys import Key, key_of
from settlement.floor import entered_hands
from settlement.models import Claim
from settlement.people.factors.reauthentication import sign_beside
from settlement.people.rights.scopes import PERSON


class EnterHand(JsonView):
    post_scope = PERSON
    post_permission = "enter_hand"

    @extend_schema(
        operation_id="enter_hand",
        request=EnterHandSerializer,
        responses={
            200: EnteredSerializer,
            202: EnteredSerializer,
        },
        tags=["claims"],
    )
    def post(self, request: Request, system: str, table: str) -> Response:
        """Enter a hand: this is its place in the order, and it holds its prize at once."""
        body = checked(EnterHandSerializer, request)
        second = None
        if body["second"]:
            second = sign_beside(
                request._request, body["second"], body["second_password"], body["second_code"]
            )
        answer = entered_hands.enter(
            table_named(system, table),
            request.user,
            entered_hands.EnteredHand(
                round=body["round"],
                game=body["game"],
                seats=body["seats"],
                note=body["note"],
                deck=body["deck"],
                tier=body["tier"] or None,
                report=body.get("report"),
            ),
            newest=body["seen"],
            second=second,
            key=key_of(request),
        )
        if answer.seq is None:
            return Response({"queued": True, "claim": None}, HTTP_202_ACCEPTED)
        return Response({"queued": False, "claim": answer.outcome["hit"]})


class NameRound(ClaimAction):
    post_scope = PERSON
    post_permission = "enter_hand"

    @action_schema("name_round", NameRoundSerializer)
    def post(self, request: Request, system: str, number: int) -> Response:
        """Say in which round an entered hand was; the unit's hand of that round is the same."""
        return self.answer(request, system, number)

    def carry_out(self, request: Request, claim: Claim, key: Key) -> commands.Answer:
        body = checked(NameRoundSerializer, request)
        return entered_hands.name_round(claim, request.user, body["round"], body["note"], key=key)


class Separate(ClaimAction):
    post_scope = PERSON
    post_permission = "enter_hand"

    @action_schema("separate_hand", TwoHandsSerializer)
    def post(self, request: Request, system: str, number: int) -> Response:
        """Say that a unit's hand is none that was entered: it acts at its own place."""
        return self.answer(request, system, number)

    def carry_out(self, request: Request, claim: Claim, key: Key) -> commands.Answer:
        note = checked(TwoHandsSerializer, request)["note"]
        return entered_hands.separate(claim, request.user, note, key=key)


class Unpair(ClaimAction):
    post_scope = PERSON
    post_permission = "enter_hand"

    @action_schema("unpair_hand", TwoHandsSerializer)
    def post(self, request: Request, system: str, number: int) -> Response:
        """Say that what the unit sent is not this entered hand: the pairing is undone."""
        return self.answer(request, system, number)

    def carry_out(self, request: Request, claim: Claim, key: Key) -> commands.Answer:
        note = checked(TwoHandsSerializer, request)["note"]
        return entered_hands.unpair(claim, request.user, note, key=key)
