"""Programs log in with name and password; wrong ones count for the same lock as on the pages."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext
from drf_spectacular.authentication import BasicScheme
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.plumbing import build_bearer_security_scheme_object
from rest_framework.authentication import BaseAuthentication, BasicAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from settlement.people.factors import second_factor
from settlement.people.factors.demand import NEEDED, lacks_one, needs_one
from settlement.people.log_ins.lockout import count_failure
from settlement.people.programs import tokens
from settlement.people.provider.links import is_password_enough
from settlement.people.shared.presence import show, show_password

CODE_HEADER = "Second-Factor"
INVALID = "Invalid username/password."  # as the framework says of a wrong one


class Password(BasicAuthentication):
    """A name with its password: whose it is, without the second factor."""

    def authenticate_credentials(self, userid: str, password: str, request: Any = None) -> Any:
        if "\x00" in userid:  # nobody's, and no attempt can be written down with it
            raise AuthenticationFailed
        # The lock's middleware looks at Django's own request, and not at the one around it.
        djangos = getattr(request, "_request", request)
        user_and_auth = super().authenticate_credentials(userid, password, djangos)
        if user_and_auth and not is_password_enough(user_and_auth[0]):
            count_failure(djangos, userid)
            raise AuthenticationFailed(gettext(INVALID))
        return user_and_auth


class Basic(Password):
    """HTTP Basic log-in: 401 to a wrong password, 429 while the name is locked."""

    def authenticate_credentials(self, userid: str, password: str, request: Any = None) -> Any:
        user_and_auth = super().authenticate_credentials(userid, password, request)
        if user_and_auth and request is not None:
            _require_factor(request, user_and_auth[0])
        if user_and_auth and request is not None and request.method not in SAFE_METHODS:
            show_password(user_and_auth[0])
        return user_and_auth

    def authenticate_header(self, request: Any) -> str | None:
        """What every 401 names, whichever way of logging in was tried."""
        # Only who came with a password is asked for one: a browser would ask its person, and send
        # it along from then on with every request, past the guard against forged forms.
        has_password = "HTTP_AUTHORIZATION" in request.META
        return super().authenticate_header(request) if has_password else 'Session realm="api"'


def _require_factor(request: Request, person: Any) -> None:
    """Who has a second factor gives a code of it along; who needs one and has none is refused."""
    if second_factor.factors_of(person).exists():
        code = request.headers.get(CODE_HEADER, "")
        if not code:
            second_factor.note_missing(request._request, person)
            raise AuthenticationFailed(
                f"This person has a second factor: give a code of it in the header {CODE_HEADER},"
                " or come with an access token."
            )
        if second_factor.show(request._request, person, code) is None:
            raise AuthenticationFailed("The code of the second factor is wrong, or was used.")
    elif needs_one(person):
        raise AuthenticationFailed(gettext(NEEDED))


class Scheme(BasicScheme):
    """The same in the API's schema."""

    target_class = "settlement.api.shared.authentication.Basic"


class Bearer(BaseAuthentication):
    """An access token (`settlement.people.programs.tokens`), within its scopes.

    No password is hashed.
    """

    keyword = "Bearer"

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        """401 to a token that is unknown, ended or expired, or of who lacks a second factor."""
        parts = request.META.get("HTTP_AUTHORIZATION", "").split()
        if not parts or parts[0].lower() != self.keyword.lower():
            return None
        token = tokens.holder(parts[1]) if len(parts) == 2 else None
        if token is None:
            raise AuthenticationFailed(
                "This access token does not hold: it is unknown, has expired or was ended."
                " Its person issues a new one on the page Access tokens."
            )
        if lacks_one(token.person):
            raise AuthenticationFailed(gettext(NEEDED))
        if request.method not in SAFE_METHODS:
            show(parts[1])
        return token.person, token

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002 - as it is called
        return 'Bearer realm="api"'


class BearerScheme(OpenApiAuthenticationExtension):
    """The same in the API's schema."""

    target_class = "settlement.api.shared.authentication.Bearer"
    name = "tokenAuth"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:  # noqa: ARG002
        return build_bearer_security_scheme_object("Authorization", "Bearer")
