"""A person's views of a list, above it; the list opens with the one that is the default."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse

from settlement.people.preferences.saved_views import LONGEST_NAME, USUAL, cleaned, views_of

_ATTRIBUTE = "saved_views"  # on the request: what was read of them
View = Callable[..., HttpResponseBase]


def has_views(page: str) -> Callable[[View], View]:
    """A list whose views a person keeps, by the name of its address."""

    def opens(view: View) -> View:
        @wraps(view)
        def opened(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            return default_of(request, page) or view(request, *args, **kwargs)

        return opened

    return opens


def default_of(request: HttpRequest, page: str) -> HttpResponseBase | None:
    """The way to the view with which the list opens; None where it is shown as it was asked for."""
    views = views_of(request.user, page)
    is_read = request.method in ("GET", "HEAD")
    if is_read and not request.GET and (default := next((v for v in views if v.is_default), None)):
        return redirect(f"{request.path}?{default.query or USUAL}")
    setattr(request, _ATTRIBUTE, views)
    return None


def address_of(page: str) -> str:
    """Of a list, by the name that its views have."""
    kind, _, code = page.partition(":")
    return reverse(kind, args=[code] if code else [])


def context_of(request: HttpRequest, page: str) -> dict[str, Any]:
    """What `partials/saved_views.html` asks for."""
    views, query = getattr(request, _ATTRIBUTE), cleaned(page, request.GET)
    return {
        "views": views,
        "view_shown": next((view for view in views if view.query == query), None),
        "view_page": page,
        "view_address": address_of(page),
        "view_query": query,
        "view_longest": LONGEST_NAME,
    }
