"""What holds for every public page: nobody is asked for, everybody is limited, nothing is stored.

The same answer is given again for METER_CACHE_S, so that a crowd costs the database no more than
one person does.
"""

from __future__ import annotations

import functools
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import cast

from csp.decorators import csp
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.template import loader
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from jackpot.web.rate_limit import RateLimit

View = Callable[..., HttpResponse]
MOST_ANSWERS = 256
_POLICY = {
    "default-src": ["'none'"],
    "script-src": ["'self'"],
    "style-src": ["'self'"],
    "img-src": ["'self'"],
    "connect-src": ["'self'"],
    "base-uri": ["'none'"],
    "form-action": ["'none'"],
    "frame-ancestors": ["'none'"],
}
rate_limit = RateLimit()


class _Answers:
    """The answers of the last moment, by address."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pages: OrderedDict[str, tuple[float, HttpResponse]] = OrderedDict()

    def get(self, path: str) -> HttpResponse | None:
        with self._lock:
            made_at, answer = self._pages.get(path, (0.0, None))
        return answer if time.monotonic() - made_at < settings.METER_CACHE_S else None

    def put(self, path: str, answer: HttpResponse) -> None:
        with self._lock:
            self._pages.pop(path, None)
            self._pages[path] = (time.monotonic(), answer)
            while len(self._pages) > MOST_ANSWERS:
                self._pages.popitem(last=False)

    def __len__(self) -> int:
        return len(self._pages)

    def clear(self) -> None:
        with self._lock:
            self._pages.clear()


answers = _Answers()


def public_page(max_age_s: int = 1) -> Callable[[View], View]:
    """The decorator of a public view; no session is looked at, so that none is set."""

    def decorate(view: View) -> View:
        @csp(_POLICY)
        @require_safe
        @functools.wraps(view)
        def wrapper(request: HttpRequest, **parts: object) -> HttpResponse:
            response = _answer(request, view, parts)
            patch_cache_control(response, public=True, max_age=max_age_s)
            return response

        wrapper.is_public = True  # type: ignore[attr-defined]
        return cast(View, wrapper)

    return decorate


def page(template: str, context: dict[str, object], status: int = 200) -> HttpResponse:
    """A page made without the request: nothing of who asks is on it."""
    return HttpResponse(loader.get_template(template).render(context), status=status)


def _answer(request: HttpRequest, view: View, parts: dict[str, object]) -> HttpResponse:
    wait_s = rate_limit.wait_s(request.META.get("REMOTE_ADDR", ""), settings.METER_PER_MINUTE)
    if wait_s:
        response = page("meter/wait.html", {"seconds": wait_s}, 429)
        response["Retry-After"] = str(wait_s)
        return _marked(response)
    key = f"{get_language()} {request.path_info}"
    page_answer = answers.get(key)
    if page_answer is None:
        page_answer = _page_of(request, view, parts)
        answers.put(key, page_answer)
    # Middlewares add headers: each request gets a response of its own.
    return _marked(
        HttpResponse(
            page_answer.content, status=page_answer.status_code, headers=page_answer.headers
        )
    )


def _page_of(request: HttpRequest, view: View, parts: dict[str, object]) -> HttpResponse:
    try:
        if not settings.PUBLIC_ORIGIN:
            raise Http404
        return view(request, **parts)
    except Http404:
        return page("meter/no_value.html", {}, 404)


def _marked(response: HttpResponse) -> HttpResponse:
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response
