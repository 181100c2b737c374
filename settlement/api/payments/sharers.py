"""Who shares a prize and sat nowhere, through the API: the list, entering one, taking one back.

Who they are is taken in and never given out: for that there is a page, whose looks are recorded.
"""

from __future__ import annotations

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_201_CREATED

from settlement.api.shared.base import JsonView, ListView
from settlement.api.shared.bodies import checked
from settlement.api.shared.keys import key_of
from settlement.claims.lookup import claim_named
from settlement.evidence import sharers
from settlement.evidence.identification import PlayerIdentity
from settlement.models import Identification, Sharer
from settlement.models.identification import LONGEST

TAGS = ["claims"]


class NewSharerSerializer(serializers.Serializer):
    """Who shares what a seat won, and how much of it is theirs."""

    seat = serializers.IntegerField(min_value=1, max_value=23, help_text="Of the player who won.")
    amount_micros = serializers.IntegerField(min_value=1, max_value=2**63 - 1)
    name = serializers.CharField(max_length=LONGEST["name"])
    born = serializers.DateField()
    document = serializers.ChoiceField(Identification.Document.choices)
    document_number = serializers.CharField(max_length=LONGEST["document_number"])
    tax_number = serializers.CharField(
        max_length=LONGEST["tax_number"], default="", allow_blank=True
    )
    address = serializers.CharField(max_length=LONGEST["address"], default="", allow_blank=True)
    country = serializers.CharField(
        max_length=2, default="", allow_blank=True, help_text="Of residence, by ISO 3166-1."
    )
    replaces = serializers.IntegerField(
        max_value=2**63 - 1,
        default=None,
        allow_null=True,
        help_text="The sharer in whose place; with a reason.",
    )
    reason = serializers.CharField(
        max_length=LONGEST["note"],
        default="",
        allow_blank=True,
        help_text="Needed where something was paid to the seat already, or one is replaced.",
    )


class WithdrawSharerSerializer(serializers.Serializer):
    """Why a sharer is taken back."""

    reason = serializers.CharField(max_length=LONGEST["note"])


class SharerSerializer(serializers.Serializer):
    """A row: that somebody shares what a seat won, or the reversal of such a row. No names."""

    sharer = serializers.IntegerField(source="pk")
    seat = serializers.IntegerField()
    kind = serializers.ChoiceField(Sharer.Kind.choices)
    amount_micros = serializers.IntegerField(source="amount")
    reverses = serializers.IntegerField(source="reverses_id", allow_null=True)
    reason = serializers.CharField()
    person = serializers.CharField(source="person.username")
    at = serializers.DateTimeField()


class Sharers(ListView):
    get_scope = "read:claims"
    post_scope = "write:sharers"
    post_permission = sharers.PERMISSION
    order = ("pk",)

    @extend_schema(operation_id="sharers", responses=SharerSerializer(many=True), tags=TAGS)
    def get(self, request: Request, system: str, number: int) -> Response:
        """Who shares what seats of a claim won and sat nowhere, reversals too, in their order."""
        rows = sharers.of_claim(claim_named(request.method, system, number))
        return self.list_answer(rows, SharerSerializer)

    @extend_schema(
        operation_id="add_sharer",
        request=NewSharerSerializer,
        responses={201: SharerSerializer},
        tags=TAGS,
    )
    def post(self, request: Request, system: str, number: int) -> Response:
        """Enter somebody who shares what a seat won and sat nowhere (19.12)."""
        claim = claim_named(request.method, system, number)
        body = checked(NewSharerSerializer, request)
        amount, replaces, reason = (
            body.pop(name) for name in ("amount_micros", "replaces", "reason")
        )
        new = sharers.NewSharer(PlayerIdentity(**body), amount, replaces, reason)
        row = sharers.add(claim, request.user, new, key=key_of(request))
        return Response(SharerSerializer(row).data, HTTP_201_CREATED)


class WithdrawSharer(JsonView):
    post_scope = "write:sharers"
    post_permission = sharers.PERMISSION

    @extend_schema(
        operation_id="withdraw_sharer",
        request=WithdrawSharerSerializer,
        responses={201: SharerSerializer},
        tags=TAGS,
    )
    def post(self, request: Request, system: str, number: int, sharer: int) -> Response:
        """Take a sharer back: the part is the player's own again."""
        claim = claim_named(request.method, system, number)
        row = claim.sharers.filter(pk=sharer).first()
        if row is None:
            raise Http404
        body = checked(WithdrawSharerSerializer, request)
        reversal = sharers.withdraw(row, request.user, body["reason"], key=key_of(request))
        return Response(SharerSerializer(reversal).data, HTTP_201_CREATED)
