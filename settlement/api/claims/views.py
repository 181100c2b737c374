"""GET of claims."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django_filters.rest_framework import DjangoFilterBackend
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.models import Hit
from settlement.api.claims.detail import sheet
from settlement.api.claims.filters import ClaimFilter
from settlement.api.claims.serializers import ClaimRowSerializer, ClaimSerializer
from settlement.api.shared.base import JsonView, ListView
from settlement.claims.lookup import claim_named
from settlement.claims.status import hits
from settlement.exclusions import stops as exclusions


class Claims(ListView):
    get_scope = "read:claims"
    order = ("-at", "-number", "system_id")
    queryset = Hit.objects.none()  # for the schema
    filter_backends = (DjangoFilterBackend,)
    filterset_class = ClaimFilter
    narrowed_by = tuple(ClaimFilter.base_filters)

    @extend_schema(operation_id="claims", responses=ClaimRowSerializer(many=True), tags=["claims"])
    def get(self, request: Request) -> Response:
        """Claims, the newest first."""
        rows = hits()
        rows = DjangoFilterBackend().filter_queryset(request, rows, self)
        return self.list_answer(rows, ClaimRowSerializer, _excluded)


def _excluded(page: Sequence[Any]) -> dict[str, Any]:
    """Which of them an excluded person keeps from being paid."""
    stops = exclusions.of_claims((hit.system_id, hit.number) for hit in page if hit.is_matched)
    stopped = {
        (hit.system_id, hit.number)
        for hit in page
        if exclusions.still_to_pay(hit, stops.get((hit.system_id, hit.number), {}))
    }
    return {"excluded": stopped}


class OneClaim(JsonView):
    get_scope = "read:claims"

    @extend_schema(
        operation_id="claim",
        responses=ClaimSerializer,
        tags=["claims"],
    )
    def get(self, request: Request, system: str, number: int) -> Response:
        """One claim with all that is known of it."""
        return Response(ClaimSerializer(sheet(claim_named(request.method, system, number))).data)
