"""GET of systems and pools."""

from __future__ import annotations

from typing import Any, ClassVar

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from settlement.api import floor
from settlement.api.entrance import READING
from settlement.api.serializers_floor import PoolSerializer, SystemSerializer
from settlement.suspensions import suspensions


class ShallowJSONParser(JSONParser):
    """JSON that is nested deeper than Python reads is malformed, no fault of the server."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError as error:
            raise ParseError("JSON parse error - nested too deeply.") from error


class JsonView(APIView):
    """JSON in and out, for people whose role allows it."""

    acts_for: ClassVar[str] = READING

    renderer_classes = (JSONRenderer,)
    parser_classes = (ShallowJSONParser,)


class Systems(JsonView):
    @extend_schema(operation_id="systems", responses=SystemSerializer(many=True), tags=["floor"])
    def get(self, _request: Request) -> Response:
        """All jackpot systems with their tables and live tiers."""
        found = list(floor.systems())
        context = {"pools": floor.pools(), "suspensions": suspensions(found)}
        return Response(SystemSerializer(found, many=True, context=context).data)


class System(JsonView):
    @extend_schema(operation_id="system", responses=SystemSerializer, tags=["floor"])
    def get(self, _request: Request, code: str) -> Response:
        """One jackpot system."""
        system = floor.systems().filter(code=code).first()
        if system is None:
            raise Http404
        context = {"pools": floor.pools([system]), "suspensions": suspensions([system])}
        return Response(SystemSerializer(system, context=context).data)


class Pools(JsonView):
    @extend_schema(
        operation_id="pools",
        parameters=[OpenApiParameter("system", str, description="Code of one system.")],
        responses=PoolSerializer(many=True),
        tags=["floor"],
    )
    def get(self, request: Request) -> Response:
        """The prize pool of every tier."""
        wanted = request.query_params.get("system")
        found = [pool for pool in floor.pools() if wanted in (None, pool.system)]
        return Response(PoolSerializer(found, many=True).data)
