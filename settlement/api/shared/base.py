"""What all addresses of the API have in common: JSON, one entrance, lists in pieces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, wraps
from typing import Any, ClassVar

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import conditional_page
from rest_framework.exceptions import UnsupportedMediaType, ValidationError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.utils.mediatypes import media_type_matches
from rest_framework.views import APIView

from settlement.api.shared.answer_cache import answer_of
from settlement.api.shared.bodies import StorableJSONParser
from settlement.api.shared.cursors import Cursors, Order
from settlement.api.shared.keys import key_of
from settlement.api.shared.limits import PerMinute, say_what_is_left
from settlement.api.shared.permissions import READING
from settlement.approvals.capacities import visible_to
from settlement.models import AccessToken
from settlement.people.programs import tokens
from tables.visibility.scope import only, see, visible


class OnlyJson(DefaultContentNegotiation):
    """JSON is answered whatever is asked for."""

    def select_renderer(self, _request: Request, renderers: Any, *_format: Any) -> tuple[Any, str]:
        return renderers[0], renderers[0].media_type


class JsonView(APIView):
    """JSON in and out, for people whose role allows it.

    `post_permission`: the permission that a POST takes, `get_permission` a GET; `takes_key`: it
    reads Idempotency-Key; `takes_match`: it reads If-Match, the ETag that a GET gave. `get_scope`,
    `post_scope`: what a token needs for it (`settlement.people.rights.scopes`); no default, so that
    none is forgotten. `is_signed`: the house may want it signed. `is_of_the_house`: what schema and
    docs are not; its answers to a GET have an ETag.
    """

    get_scope: ClassVar[str]
    post_scope: ClassVar[str]

    post_permission: ClassVar[str] = READING
    get_permission: ClassVar[str] = READING
    takes_key: ClassVar[bool] = True
    takes_match: ClassVar[bool] = False
    is_of_the_house: ClassVar[bool] = True
    is_signed: ClassVar[bool] = False

    renderer_classes = (JSONRenderer,)
    parser_classes = (StorableJSONParser,)
    content_negotiation_class = OnlyJson
    metadata_class = None  # OPTIONS: 405, the schema says it all
    throttle_classes = (PerMinute,)

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        """Each answer to a GET has an ETag; whoever has it already gets 304 and no body. Each says
        what is left of the limit."""
        view = conditional_page(super().as_view(**initkwargs))

        @wraps(view)
        def limited(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            answer = view(request, *args, **kwargs)
            say = partial(say_what_is_left, request)
            if isinstance(answer, Response):  # it is made, or found to be had, later
                answer.add_post_render_callback(say)
            else:
                say(answer)
            return answer

        return limited

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """What is seen is said once the person is known, and until the answer is made."""
        if request.method == "GET" and (get := getattr(self, "get", None)):
            # The handler that is called behind `initial`.
            vars(self)["get"] = partial(self._cached_answer, get)
        with only(visible()):
            return super().dispatch(request, *args, **kwargs)

    @staticmethod
    def _cached_answer(
        get: Callable[..., Response], request: Request, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        return answer_of(request, partial(get, request, *args, **kwargs))

    def check_permissions(self, request: Request) -> None:
        """Behind the limit: who is refused is counted as well."""
        if request.user.is_authenticated:
            super().check_throttles(request)
        super().check_permissions(request)

    def check_throttles(self, request: Request) -> None:
        """Done before."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        scope = visible_to(request.user)
        see(tokens.narrow(request.auth, scope) if isinstance(request.auth, AccessToken) else scope)
        # A form was read by the middleware, and would count as no body at all.
        has_body = request.META.get("CONTENT_LENGTH") not in (None, "", "0")
        if has_body and not media_type_matches("application/json", request.content_type):
            raise UnsupportedMediaType(request.content_type)
        if request.method not in SAFE_METHODS and self.takes_key:
            key_of(request)  # what is no key is refused before anything else is


class ListView(JsonView):
    """A list in pieces. `order`: what it is sorted by, as `cursors.Cursors` reads it; `narrowed_by`
    names what its query may say beside `limit` and `cursor`."""

    pagination_class = Cursors
    order: ClassVar[Order]
    narrowed_by: ClassVar[tuple[str, ...]] = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        unknown = sorted(set(request.query_params) - {"limit", "cursor", *self.narrowed_by})
        if request.method in SAFE_METHODS and unknown:
            raise ValidationError({name: ["This list is not narrowed by it."] for name in unknown})

    def list_answer(
        self,
        rows: Any,
        kind: type[Serializer],
        context: Callable[[Sequence[Any]], dict[str, Any]] = lambda _: {},
    ) -> Response:
        """The piece that is asked for of a query or list; `context`: what its rows need."""
        page, following = Cursors().piece(rows, self.order, self.request)
        results = kind(page, many=True, context=context(page)).data
        return Response({"next": following, "results": results})
