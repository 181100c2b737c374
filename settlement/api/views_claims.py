"""GET of claims."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import generics
from rest_framework.pagination import LimitOffsetPagination
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.models import Hit
from settlement import claims
from settlement.api.filters import ClaimFilter
from settlement.api.serializers_acts import ErrorSerializer
from settlement.api.serializers_claims import ClaimRowSerializer, ClaimSerializer
from settlement.api.sheet import sheet
from settlement.api.views_floor import JsonView
from settlement.models import Claim
from settlement.standing import hits
from tables.models import JackpotSystem


class ClaimPages(LimitOffsetPagination):
    max_limit = 200


class Claims(generics.ListAPIView, JsonView):
    queryset = Hit.objects.none()
    serializer_class = ClaimRowSerializer
    pagination_class = ClaimPages
    filterset_class = ClaimFilter

    def get_queryset(self) -> QuerySet[Hit]:
        return hits().order_by("-at", "-number", "system")

    @extend_schema(
        operation_id="claims",
        responses={200: ClaimRowSerializer(many=True), 403: ErrorSerializer},
        tags=["claims"],
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        """Claims, the newest first."""
        return super().get(request, *args, **kwargs)


class OneClaim(JsonView):
    @extend_schema(
        operation_id="claim",
        responses={
            200: ClaimSerializer,
            403: ErrorSerializer,
            404: OpenApiResponse(ErrorSerializer, "No such claim."),
        },
        tags=["claims"],
    )
    def get(self, _request: Request, system: str, number: int) -> Response:
        """One claim with all that is known of it."""
        return Response(ClaimSerializer(sheet(claim_named(system, number))).data)


def claim_named(system_code: str, number: int) -> Claim:
    """The claim of that name, opened if its hit is there and nobody has looked yet."""
    system = JackpotSystem.objects.filter(code=system_code).first()
    if system is None:
        raise Http404
    claims.catch_up(system)
    claim = Claim.objects.select_related("system").filter(system=system, number=number).first()
    if claim is None:
        raise Http404
    return claim
