"""GET: endpoints and deliveries; POST: make an endpoint, end it, send again. For administrators."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_201_CREATED

from settlement.api.claims.actions import once
from settlement.api.shared.base import JsonView, ListView
from settlement.api.shared.bodies import checked
from settlement.api.shared.keys import key_of
from settlement.api.webhooks.serializers import (
    DeliverySerializer,
    EndpointSerializer,
    MadeEndpointSerializer,
    NewEndpointSerializer,
    NothingSerializer,
    NumberSerializer,
    OverlapSerializer,
    ReplayedSerializer,
    ReplaySerializer,
    SecretSerializer,
)
from settlement.core.errors import BadSetUp, NotPermitted
from settlement.models import AccessToken, WebhookEndpoint
from settlement.people.rights.scopes import PERSON
from settlement.webhooks import endpoints
from settlement.webhooks.endpoints import NewEndpoint
from tables.models import Casino, JackpotSystem

_TAGS = ["webhooks"]


class Webhooks(ListView):
    order = ("-id",)
    get_scope = PERSON
    post_scope = PERSON
    get_permission = post_permission = endpoints.MAY

    @extend_schema(operation_id="webhooks", responses=EndpointSerializer(many=True), tags=_TAGS)
    def get(self, _request: Request) -> Response:
        """The endpoints of your casinos, the newest first."""
        return self.list_answer(endpoints.endpoints(), EndpointSerializer)

    @extend_schema(
        operation_id="make_webhook",
        request=NewEndpointSerializer,
        responses={201: MadeEndpointSerializer},
        tags=_TAGS,
    )
    def post(self, request: Request) -> Response:
        """Make an endpoint; the answer has its secret."""
        body = checked(NewEndpointSerializer, request)
        casino = Casino.objects.filter(code=body["casino"]).first()
        if casino is None:
            raise BadSetUp("There is no such casino.")
        new = NewEndpoint(body["name"], body["url"], tuple(body["events"]), _systems(casino, body))
        endpoint, secret = endpoints.make(request.user, casino, new, key_of(request))
        row = {**EndpointSerializer(endpoint).data, "secret": secret}
        return Response(row, HTTP_201_CREATED)


class Deliveries(ListView):
    order = ("-number",)
    get_scope = PERSON
    get_permission = post_permission = endpoints.MAY

    @extend_schema(
        operation_id="webhook_deliveries", responses=DeliverySerializer(many=True), tags=_TAGS
    )
    def get(self, _request: Request, number: int) -> Response:
        """What an endpoint was sent, or will be, the newest first."""
        return self.list_answer(endpoints.deliveries(_endpoint(number)), DeliverySerializer)


class Secret(JsonView):
    takes_key = False  # a secret is shown once: no answer could be given again
    post_scope = PERSON
    post_permission = endpoints.MAY

    @extend_schema(
        operation_id="rotate_webhook_secret",
        request=OverlapSerializer,
        responses=SecretSerializer,
        tags=_TAGS,
    )
    def post(self, request: Request, number: int) -> Response:
        """Another secret; for so many hours both sign each delivery.

        While two sign, 409 for a further one with hours: a request sent again ends nothing.
        """
        endpoint, body = _endpoint(number), checked(OverlapSerializer, request)
        hours = body["hours"]
        overlap = dt.timedelta(hours=hours) if hours else None
        return Response({"secret": endpoints.rotate(request.user, endpoint, overlap)})


class Test(JsonView):
    post_scope = PERSON
    post_permission = endpoints.MAY

    @extend_schema(
        operation_id="test_webhook", request=None, responses=NumberSerializer, tags=_TAGS
    )
    def post(self, request: Request, number: int) -> Response:
        """Send a test event under the next number."""
        endpoint = _endpoint(number)
        checked(NothingSerializer, request)
        return Response({"number": endpoints.test(request.user, endpoint, key_of(request))})


class Replay(JsonView):
    post_scope = "write:webhooks"
    post_permission = endpoints.REPLAYS

    @extend_schema(
        operation_id="replay_webhook",
        request=ReplaySerializer,
        responses=ReplayedSerializer,
        tags=_TAGS,
    )
    def post(self, request: Request, number: int) -> Response:
        """Send again whatever has these numbers; not by a token of single systems."""
        if isinstance(request.auth, AccessToken) and request.auth.systems is not None:
            raise NotPermitted(_("A token of single systems has no webhooks sent again."))
        endpoint, body = _endpoint(number), checked(ReplaySerializer, request)
        key_of(request)  # the same again comes to the same
        count = endpoints.replay(request.user, endpoint, body["first"], body.get("last"))
        return Response({"deliveries": count})


class End(JsonView):
    post_scope = PERSON
    post_permission = endpoints.MAY

    @extend_schema(
        operation_id="end_webhook", request=None, responses=EndpointSerializer, tags=_TAGS
    )
    def post(self, request: Request, number: int) -> Response:
        """Nothing is sent there any more."""
        endpoint = _endpoint(number)
        checked(NothingSerializer, request)
        with once(request, lambda: endpoint.ended_by_id == request.user.pk):
            endpoints.end(request.user, endpoint)
        return Response(EndpointSerializer(_endpoint(number)).data)


def _endpoint(number: int) -> WebhookEndpoint:
    endpoint = endpoints.endpoints().filter(pk=number).first()
    if endpoint is None:
        raise Http404
    return endpoint


def _systems(casino: Casino, body: dict[str, Any]) -> tuple[JackpotSystem, ...] | None:
    if "systems" not in body:
        return None
    systems = {each.code: each for each in JackpotSystem.objects.filter(casino=casino)}
    if unknown := sorted(set(body["systems"]) - systems.keys()):
        raise BadSetUp(f"There is no system {unknown[0]} in this casino.")
    return tuple(systems[code] for code in body["systems"])
