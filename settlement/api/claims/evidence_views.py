"""POST: the deck ticked off, reviews of footage, notes. Who may is judged by the services."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from settlement.api.claims.actions import ClaimAction, Key, action_schema
from settlement.api.claims.evidence_serializers import (
    FootageSerializer,
    NoteSerializer,
    TicksSerializer,
)
from settlement.api.shared.bodies import checked
from settlement.claims import workbench
from settlement.models import Claim
from settlement.people.rights.scopes import PERSON


class Deck(ClaimAction):
    post_scope = PERSON
    post_permission = "verify_claim"

    @action_schema("count_deck", TicksSerializer)
    def post(self, request: Request, system: str, number: int) -> Response:
        """Tick cards of the rest of the deck off, or take ticks back (19.10)."""
        return self.answer(request, system, number)

    def carry_out(self, request: Request, claim: Claim, key: Key) -> None:  # noqa: ARG002 needs none
        body = checked(TicksSerializer, request)
        workbench.count_deck(claim, request.user, body["found"], body["taken_back"])


class Footage(ClaimAction):
    post_scope = "write:evidence"
    post_permission = "add_footage"

    @action_schema("add_footage", FootageSerializer)
    def post(self, request: Request, system: str, number: int) -> Response:
        """Add a review of footage (19.12)."""
        return self.answer(request, system, number)

    def carry_out(self, request: Request, claim: Claim, key: Key) -> None:
        workbench.add_footage(claim, request.user, **checked(FootageSerializer, request), key=key)


class Notes(ClaimAction):
    post_scope = "write:evidence"
    post_permission = "add_note"

    @action_schema("add_note", NoteSerializer)
    def post(self, request: Request, system: str, number: int) -> Response:
        """Add a note."""
        return self.answer(request, system, number)

    def carry_out(self, request: Request, claim: Claim, key: Key) -> None:
        workbench.add_note(claim, request.user, checked(NoteSerializer, request)["text"], key=key)
