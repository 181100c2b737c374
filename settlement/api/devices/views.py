"""GET: credentials and intakes; POST: issue, rotate and revoke those of many tables.

For administrators.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_201_CREATED

from settlement.api.devices.serializers import (
    CredentialSerializer,
    IntakeSerializer,
    IssuedManySerializer,
    IssueSerializer,
    RevokedManySerializer,
    RevokeSerializer,
    RotateSerializer,
)
from settlement.api.shared.base import JsonView, ListView
from settlement.api.shared.bodies import checked
from settlement.api.shared.keys import key_of
from settlement.core.errors import BadSetUp
from settlement.devices import credentials, intakes, many
from settlement.devices.credentials import Issued, Kind
from settlement.devices.many import Refusal
from settlement.people.rights.scopes import PERSON
from tables.models import DeviceCredential, DeviceEnd, GamingTable, JackpotSystem
from tables.visibility.scope import sees_all

_TAGS = ["devices"]


class Credentials(ListView):
    order = ("-credential__pk",)
    get_scope = PERSON
    get_permission = credentials.MAY

    @extend_schema(
        operation_id="credentials", responses=CredentialSerializer(many=True), tags=_TAGS
    )
    def get(self, _request: Request) -> Response:
        """Credentials of devices, the newest first, also those that ended; nothing secret."""
        rows = DeviceCredential.objects.all()
        if not sees_all():
            rows = rows.exclude(kind=Kind.INTAKE)
        standings = credentials.credentials_of(rows, timezone.now())
        return self.list_answer(standings[::-1], CredentialSerializer)


class Intakes(ListView):
    order = ("name",)
    get_scope = PERSON
    get_permission = credentials.MAY

    @extend_schema(operation_id="intakes", responses=IntakeSerializer(many=True), tags=_TAGS)
    def get(self, _request: Request) -> Response:
        """Intakes: when each was heard last, and of which release. Those of one casino see none."""
        rows = intakes.intakes(timezone.now()) if sees_all() else []
        return self.list_answer(rows, IntakeSerializer)


class Issue(JsonView):
    post_scope = PERSON
    post_permission = credentials.MAY
    takes_key = False  # secrets are shown once: no answer could be given again

    @extend_schema(
        operation_id="issue_credentials",
        request=IssueSerializer,
        responses={201: IssuedManySerializer},
        tags=_TAGS,
    )
    @sensitive_variables()
    def post(self, request: Request, system: str) -> Response:
        """First credentials for devices of these tables, each by itself.

        Sent again it issues none: each holds one already.
        """
        place, body = _system(system), checked(IssueSerializer, request)
        overlap = dt.timedelta(hours=body["hours"]) or None
        tables = _tables(place, body)
        return _issued(
            many.issue_all(request.user, Kind(body["kind"]), tables, body["way"], overlap)
        )


class Rotate(JsonView):
    post_scope = PERSON
    post_permission = credentials.MAY
    takes_key = False  # likewise

    @extend_schema(
        operation_id="rotate_credentials",
        request=RotateSerializer,
        responses={201: IssuedManySerializer},
        tags=_TAGS,
    )
    @sensitive_variables()
    def post(self, request: Request, system: str) -> Response:
        """Others in place of those that hold, which go on until the new ones are heard.

        Sent again it rotates none: two of each hold.
        """
        place, body = _system(system), checked(RotateSerializer, request)
        overlap, tables = dt.timedelta(hours=body["hours"]), _tables(place, body)
        return _issued(
            many.rotate_all(request.user, Kind(body["kind"]), tables, body["way"], overlap)
        )


class Revoke(JsonView):
    post_scope = PERSON
    post_permission = credentials.MAY

    @extend_schema(
        operation_id="revoke_credentials",
        request=RevokeSerializer,
        responses=RevokedManySerializer,
        tags=_TAGS,
    )
    def post(self, request: Request, system: str) -> Response:
        """End every credential of these devices at once, and the keys of units with them."""
        place, body = _system(system), checked(RevokeSerializer, request)
        kind, tables, reason = Kind(body["kind"]), _tables(place, body), body["reason"]
        before: list[tuple[str, int | None]] = []
        if key_of(request) is not None:  # sent again: what this person ended so already
            ends = DeviceEnd.objects.filter(
                credential__kind=kind, by=request.user.get_username(), reason=reason
            )
            # A device end keeps no key: what lies further back than a repetition is another act.
            since = timezone.now() - dt.timedelta(days=1)
            ends = ends.filter(credential__table__in=tables, at__gt=since)
            held = many.holding(place, kind)
            rows = ends.order_by("pk").values_list("credential__username", "credential__table")
            before = [(name, table) for name, table in rows if table not in held]
        ended = {table for _name, table in before}
        rest = [each for each in tables if each.pk not in ended]
        revoked, refusals = many.revoke_all(request.user, kind, rest, reason)
        names = [*(name for name, _table in before), *(each.username for each in revoked)]
        answer = {"revoked": sorted(names), "refused": refusals}
        return Response(RevokedManySerializer(answer).data)


def _system(code: str) -> JackpotSystem:
    system = JackpotSystem.objects.select_related("casino").filter(code=code).first()
    if system is None:
        raise Http404
    return system


def _tables(system: JackpotSystem, body: dict[str, Any]) -> list[GamingTable]:
    """Those that the body names, each once; BadSetUp where there is none of that code."""
    tables = {each.code: each for each in many.tables_of(system)}
    codes = list(dict.fromkeys(body["tables"]))
    if unknown := [code for code in codes if code not in tables]:
        raise BadSetUp(_("There is no table %(code)s.") % {"code": unknown[0]})
    return [tables[code] for code in codes]


@sensitive_variables()
def _issued(outcome: tuple[Sequence[Issued], Sequence[Refusal]]) -> Response:
    issued_list, refusals = outcome
    answer = IssuedManySerializer({"issued": issued_list, "refused": refusals})
    return Response(answer.data, HTTP_201_CREATED)
