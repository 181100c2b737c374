"""GET of systems and pools."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from settlement.api.floor import selectors as floor
from settlement.api.floor.serializers import PoolSerializer, SystemSerializer
from settlement.api.shared.base import JsonView, ListView
from settlement.floor.suspensions import suspensions
from tables.models import JackpotSystem


class Systems(ListView):
    get_scope = "read:floor"
    order = ("code",)

    @extend_schema(operation_id="systems", responses=SystemSerializer(many=True), tags=["floor"])
    def get(self, _request: Request) -> Response:
        """All jackpot systems with their tables and live tiers."""
        return self.list_answer(floor.systems(), SystemSerializer, _context)


class System(JsonView):
    get_scope = "read:floor"

    @extend_schema(operation_id="system", responses=SystemSerializer, tags=["floor"])
    def get(self, _request: Request, code: str) -> Response:
        """One jackpot system."""
        system = floor.systems().filter(code=code).first()
        if system is None:
            raise Http404
        return Response(SystemSerializer(system, context=_context([system])).data)


class Pools(ListView):
    get_scope = "read:floor"
    order = ("system", "jackpot", "rank", "tier")
    narrowed_by = ("system",)

    @extend_schema(
        operation_id="pools",
        parameters=[OpenApiParameter("system", str, description="Code of one system.")],
        responses=PoolSerializer(many=True),
        tags=["floor"],
    )
    def get(self, request: Request) -> Response:
        """The prize pool of every tier."""
        code = request.query_params.get("system")
        pools = [pool for pool in floor.pools() if code in (None, pool.system)]
        return self.list_answer(pools, PoolSerializer)


def _context(systems: Sequence[JackpotSystem]) -> dict[str, Any]:
    return {"pools": floor.pools(systems), "suspensions": suspensions(systems)}
