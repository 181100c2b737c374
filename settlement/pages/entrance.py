"""Who may open a page: people who are logged in and whose role allows it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.cache import never_cache

from settlement.errors import NotPermitted
from settlement.people import require

View = Callable[..., HttpResponseBase]


def opens_for(permission: str) -> Callable[[View], View]:
    """Let in whose role has `permission`; a page is never kept for the next person."""

    def guard(view: View) -> View:
        @never_cache
        @login_required
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            try:
                require(request.user, permission)
            except NotPermitted as error:
                raise PermissionDenied(str(error)) from error
            return view(request, *args, **kwargs)

        return guarded

    return guard
