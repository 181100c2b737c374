"""Bodies larger than those of other addresses: from whoever may send them, known before they are
read."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.http import HttpRequest
from rest_framework.exceptions import AuthenticationFailed

from jackpot.web.body_limits import takes_large
from settlement.api.shared.authentication import Bearer, Password
from settlement.pages.shared.decorators import may_send
from settlement.people.programs import tokens
from settlement.people.rights.permissions import may as may_do
from settlement.people.rights.scopes import PERSON


def takes_files(permission: str, most_bytes: int) -> Callable[[Any], Any]:
    """A body as large as that, by a password or a log-in of somebody whose role allows it, and by a
    token where the view takes one. What else these need, such as a scope or a second factor, the
    view asks for."""
    by_log_in = may_send(permission)

    def say(view: Any) -> Any:
        takes_token = view.cls.post_scope != PERSON

        def may(request: HttpRequest) -> bool:
            if "HTTP_AUTHORIZATION" not in request.META:
                return by_log_in(request)
            try:
                person = _person(request, takes_token=takes_token)
            except AuthenticationFailed:
                return False
            return person is not None and may_do(person, permission)

        @wraps(view)
        def read(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            # It was counted while it came; Django's own limit is that of a form.
            request._body = request.read()
            return view(request, *args, **kwargs)

        return takes_large(most_bytes, may)(read)

    return say


def _person(request: HttpRequest, *, takes_token: bool) -> Any:
    """None: nobody. AuthenticationFailed."""
    scheme, _blank, secret = request.META["HTTP_AUTHORIZATION"].partition(" ")
    if scheme.lower() == Bearer.keyword.lower():
        token = tokens.holder(secret.strip()) if takes_token else None
        return token.person if token is not None else None
    login = Password().authenticate(cast(Any, request))
    return login[0] if login else None
