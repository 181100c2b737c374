"""Bodies larger than those of other addresses: from whoever may send them, known before they are
read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from django.http import HttpRequest
from rest_framework.authentication import BasicAuthentication
from rest_framework.exceptions import AuthenticationFailed

from jackpot.web.body_limits import takes_large
from settlement.api.shared.authentication import Bearer
from settlement.core.errors import NotPermitted
from settlement.pages.shared.decorators import may_send
from settlement.people.programs import tokens
from settlement.people.rights.permissions import require


def takes_files(permission: str, most_bytes: int) -> Callable[[Any], Any]:
    """A body as large as that, by a token, a password or a log-in of somebody whose role allows it.
    What else these need, such as a scope or a second factor, the view asks for."""
    by_log_in = may_send(permission)

    def may(request: HttpRequest) -> bool:
        if "HTTP_AUTHORIZATION" not in request.META:
            return by_log_in(request)
        try:
            require(_person(request), permission)
        except (AuthenticationFailed, NotPermitted):
            return False
        return True

    return takes_large(most_bytes, may)


def _person(request: HttpRequest) -> Any:
    """None: nobody. AuthenticationFailed."""
    scheme, _blank, secret = request.META["HTTP_AUTHORIZATION"].partition(" ")
    if scheme.lower() == Bearer.keyword.lower():
        token = tokens.holder(secret.strip())
        return token.person if token is not None else None
    login = BasicAuthentication().authenticate(cast(Any, request))
    return login[0] if login else None
