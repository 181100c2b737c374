"""The pages of a screen: it is known by its cookie, and reads public values alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, cast

import msgspec
from asgiref.sync import sync_to_async
from csp.decorators import csp_update
from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.exceptions import ObjectDoesNotExist
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBadRequest,
    HttpResponseForbidden,
    JsonResponse,
    StreamingHttpResponse,
)
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from jackpot.display.events import display_event, event, release_event
from jackpot.display.live import HEARTBEAT_S, feed
from jackpot.display.views import LONGEST_STREAM_S
from jackpot.models import Screen
from jackpot.screens import content, pairing, reports
from jackpot.screens.screen_words import screen_words
from jackpot.screens.watch import LOOK_S, watch
from jackpot.transparency import public_addresses
from jackpot.web.byte_ranges import File, file_answer
from jackpot.web.rate_limit import RateLimit
from jackpot.web.server import let_go
from jackpot.web.unavailable import unavailable

COOKIE = "screen"
COOKIE_DAYS = 3650
CODES_PER_MINUTE = 10  # of an address
_asks = RateLimit()
_Answer = Callable[[HttpRequest, dict[str, Any]], HttpResponse]
# What screen_films.js needs, which plays them from memory; no other page may.
_with_films = cast(Callable[[_Answer], _Answer], csp_update({"media-src": ["'self'", "blob:"]}))


@require_safe
@never_cache
def screen(request: HttpRequest) -> HttpResponse:
    """What this browser shows: its layout where it was paired, else a code."""
    here = pairing.screen_of(secret_of(request))
    if here is None:
        return render(request, "screens/pairing.html", {"where": _typed_address(request)})
    with content.in_language_of(here):
        return screen_answer(request, {"screen": here})


@_with_films
def screen_answer(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    """The page that draws a screen, in the language of now."""
    return render(request, "screens/screen.html", {**context, "words": screen_words()})


@csrf_exempt  # a header of its own stands for it: no other site's form sends one
@require_POST
@never_cache
def ask_code(request: HttpRequest) -> HttpResponse:
    """The code that is shown, and for how long; the screen's secret comes as its cookie."""
    if "X-Screen" not in request.headers:
        return HttpResponseForbidden(_("A screen asks by its own page."), content_type="text/plain")
    secret = secret_of(request)
    if pairing.screen_of(secret) is not None:
        return JsonResponse({"paired": True})
    waiting = pairing.waiting_of(secret)
    if waiting is None:
        visitor = request.META.get("REMOTE_ADDR", "")
        wait_s = _asks.wait_s(visitor, CODES_PER_MINUTE)
        if wait_s:
            return JsonResponse({"wait_s": wait_s}, status=429, headers={"Retry-After": wait_s})
        try:
            waiting, secret = pairing.request_code(visitor)
        except pairing.TooMany:
            return JsonResponse({"wait_s": 60}, status=503, headers={"Retry-After": "60"})
    address = request.build_absolute_uri(f"{reverse('screens')}?code={waiting.code}")
    answer = JsonResponse(
        {
            "paired": False,
            "code": pairing.code_text(waiting.code),
            "expires": waiting.expires_at.isoformat(),
            "qr": public_addresses.qr_svg(address),
        }
    )
    answer.set_cookie(
        COOKIE,
        secret,
        max_age=COOKIE_DAYS * 86_400,
        path=reverse("screen"),
        secure=settings.HTTPS,
        httponly=True,
        samesite="Strict",
    )
    return answer


@require_safe
@never_cache
def screen_content(request: HttpRequest) -> HttpResponse:
    """All that it shows besides the stream of values; 410 where it is no screen any more."""
    paired_screen = pairing.screen_of(secret_of(request))
    if paired_screen is None:
        return JsonResponse({"paired": False}, status=410)
    return JsonResponse(content.content_of(paired_screen))


@csrf_exempt  # SameSite: another site's form comes without the cookie
@require_POST
def screen_report(request: HttpRequest) -> HttpResponse:
    """What it draws (`jackpot.screens.reports`)."""
    paired_screen = pairing.screen_of(secret_of(request))
    if paired_screen is None:
        return JsonResponse({"paired": False}, status=410)
    try:
        if len(request.body) > reports.MOST_BYTES:
            raise msgspec.ValidationError("too long")
        reports.record(paired_screen, request.body)
    except msgspec.DecodeError as fault:
        return HttpResponseBadRequest(str(fault), content_type="text/plain")
    return HttpResponse(status=204)


@require_safe
def screen_picture(request: HttpRequest, digest: str) -> HttpResponse:
    """A slide's picture, or the logo; for a screen of that casino, or who may manage screens."""
    paired_screen = pairing.screen_of(secret_of(request))
    if paired_screen is None:
        raise Http404
    return picture_answer(request, content.picture_of([paired_screen.casino_id], digest))


def picture_answer(request: HttpRequest, picture: File | None) -> HttpResponse:
    """A picture or a film as a file that never changes, or the part that is asked for."""
    if picture is None:
        raise Http404
    headers = {
        "Cache-Control": "private, max-age=31536000, immutable",
        "X-Content-Type-Options": "nosniff",
    }
    try:
        return file_answer(request, picture, headers)
    except ObjectDoesNotExist as error:  # taken down a moment ago
        raise Http404 from error


@require_safe
async def screen_stream(request: HttpRequest) -> HttpResponseBase:
    """The values of its systems as they come; that it must read again, or was removed."""
    source = await sync_to_async(_source)(secret_of(request))
    if source is None:
        return JsonResponse({"paired": False}, status=410)
    if feed.is_full:
        return unavailable(request, "busy")
    return StreamingHttpResponse(
        _events(*source),
        content_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


@require_safe
def worker(_request: HttpRequest) -> HttpResponse:
    """The script that keeps the page for when nobody answers; it serves this folder alone."""
    path = finders.find("jackpot/screen_worker.js") or staticfiles_storage.path(
        "jackpot/screen_worker.js"
    )
    return HttpResponse(
        Path(str(path)).read_bytes(),
        content_type="text/javascript",
        headers={"Cache-Control": "no-cache"},
    )


def secret_of(request: HttpRequest) -> str:
    """The screen's own; empty where it has none."""
    return request.COOKIES.get(COOKIE, "")


def _typed_address(request: HttpRequest) -> str:
    return request.build_absolute_uri(reverse("screens")).partition("://")[2].rstrip("/")


def _source(secret: str) -> tuple[Screen, list[int]] | None:
    try:
        paired_screen = pairing.screen_of(secret)
        if paired_screen is None:
            return None
        return paired_screen, [each.pk for each in content.systems_of(paired_screen)]
    finally:
        let_go()


async def _events(screen: Screen, systems: list[int]) -> AsyncIterator[bytes]:
    loop = asyncio.get_running_loop()
    until, said_at = loop.time() + LONGEST_STREAM_S, loop.time()
    yield release_event()
    async with feed.listen(systems) as listener:
        while loop.time() < until:
            messages = await listener.next_messages(LOOK_S)
            newest = await watch.version(screen.pk)
            if newest is None:
                yield event("removed", {})
                return
            if newest != screen.version:
                yield event("content", {"version": newest})
                return  # it comes back, and its systems are read again
            for message in messages:
                yield display_event(message, "as they are", dict)
            if messages:
                said_at = loop.time()
            elif loop.time() - said_at >= HEARTBEAT_S:
                said_at = loop.time()
                yield event("idle", {})
