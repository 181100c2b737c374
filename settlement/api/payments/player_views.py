"""POST: propose that two numbers of identified players are one player, or take that back."""

from __future__ import annotations

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from settlement.api.payments.answers import answer_with
from settlement.api.payments.serializers import ProposedSerializer
from settlement.api.shared.base import JsonView
from settlement.api.shared.bodies import checked
from settlement.api.shared.keys import key_of
from settlement.core.input import LONGEST_TEXT
from settlement.evidence import same_player


class SamePlayerSerializer(serializers.Serializer):
    """Which number is the same player's, and on what evidence."""

    other = serializers.IntegerField(min_value=1, max_value=same_player.MOST)
    is_one = serializers.BooleanField(
        default=True, help_text="False: take back that they are one player."
    )
    reason = serializers.CharField(max_length=LONGEST_TEXT)


class ProposeSamePlayer(JsonView):
    post_scope = "write:proposals"
    post_permission = "propose_same_player"

    @extend_schema(
        operation_id="propose_same_player",
        request=SamePlayerSerializer,
        responses={201: ProposedSerializer},
        tags=["claims"],
    )
    def post(self, request: Request, number: int) -> Response:
        """Propose that two numbers of players are one player, or to take that back."""
        if not same_player.known_by(number):
            raise Http404(_("No player has the number %(number)s.") % {"number": number})
        body = checked(SamePlayerSerializer, request)
        proposal = same_player.propose(
            *(number, request.user, body["other"], body["reason"]),
            is_one=body["is_one"],
            key=key_of(request),
        )
        return answer_with(proposal)
