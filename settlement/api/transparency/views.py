"""GET of logs and checkpoints."""

from __future__ import annotations

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.models.transparency import CheckpointCause
from jackpot.transparency.log_state import checkpoints_of, log_of
from settlement.api.shared.base import JsonView, ListView
from settlement.api.transparency.serializers import CheckpointSerializer, LogSerializer
from tables.models import JackpotSystem

_CAUSE = OpenApiParameter(
    "cause", str, enum=CheckpointCause.values, description="What they were made for."
)


class Log(JsonView):
    get_scope = "read:floor"

    @extend_schema(operation_id="log", responses=LogSerializer, tags=["log"])
    def get(self, _request: Request, system: str) -> Response:
        """Size and root, keys, witnesses and what they refused."""
        return Response(LogSerializer(log_of(_system(system))).data)


class Checkpoints(ListView):
    get_scope = "read:floor"
    order = ("-size",)
    narrowed_by = ("cause",)

    @extend_schema(
        operation_id="checkpoints",
        parameters=[_CAUSE],
        responses=CheckpointSerializer(many=True),
        tags=["log"],
    )
    def get(self, request: Request, system: str) -> Response:
        """Checkpoints of one system, newest first, each with its cosignatures."""
        cause = request.query_params.get("cause")
        if cause is not None and cause not in CheckpointCause.values:
            raise ValidationError({"cause": [f"Give {', '.join(CheckpointCause.values)}."]})
        return self.list_answer(checkpoints_of(_system(system), cause or ""), CheckpointSerializer)


def _system(code: str) -> JackpotSystem:
    system = JackpotSystem.objects.select_related("casino").filter(code=code).first()
    if system is None:
        raise Http404
    return system
