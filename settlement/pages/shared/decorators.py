"""Who may open a page or a stream: people who are logged in and whose role allows it."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib import messages
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.auth.views import redirect_to_login
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseForbidden
from django.http.response import HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import resolve
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from jackpot.web.body_limits import takes_large
from jackpot.web.rehearsal_address import outside
from jackpot.web.server import let_go
from settlement.approvals.capacities import visible_to
from settlement.claims.lookup import OPENS_WITHIN_S, NotOpenYet
from settlement.core.errors import NotPermitted
from settlement.jurisdiction.yaml_file import FileFault
from settlement.pages.shared.sign import to_sign
from settlement.people.rights.permissions import require
from settlement.people.sessions.sessions import is_shut, stream_watch, way_back
from settlement.set_up.first_run import is_first_run
from settlement.signatures.signing import SignatureNeeded
from tables.visibility.scope import Visible, only

View = Callable[..., HttpResponseBase]
_OPENED_BY = "opened_by"  # of a page that was guarded: the permissions
Stream = Callable[..., Coroutine[Any, Any, HttpResponseBase]]


def opens_for(permission: str, *others: str) -> Callable[[View], View]:
    """Let in whose role has one of these; a page is never kept for the next person."""

    def guard(view: View) -> View:
        @never_cache
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return to_log_in(request)
            try:
                if not any(request.user.has_perm(f"settlement.{each}") for each in others):
                    require(request.user, permission)
            except NotPermitted as error:
                raise PermissionDenied(str(error)) from error
            with only(visible_to(request.user)):
                try:
                    return view(request, *args, **kwargs)
                except NotOpenYet as soon:
                    return _opens_soon(request, soon)
                except FileFault as fault:
                    return _rules_unreadable(request, fault)
                except SignatureNeeded as needed:
                    return to_sign(request, needed)

        guarded.__dict__[_OPENED_BY] = (permission, *others)
        return guarded

    return guard


def may_open(user: Any, address: str) -> bool:
    """Whether the page at this address is one that the person's roles open."""
    permissions = getattr(resolve(outside(address)).func, _OPENED_BY, None)
    return permissions is None or any(user.has_perm(f"settlement.{each}") for each in permissions)


def _opens_soon(request: HttpRequest, soon: NotOpenYet) -> HttpResponseBase:
    """The page that waits for a claim: it reads itself again as soon as the claim is there."""
    context = {"hit": soon.hit, "system": soon.hit.system, "words": str(soon)}
    page = render(request, "console/claims/opens_soon.html", context, status=202)
    page["Retry-After"] = str(OPENS_WITHIN_S)
    return page


def _rules_unreadable(request: HttpRequest, fault: FileFault) -> HttpResponseBase:
    """The rules of the place, or a form, are a file that cannot be read: who corrects it."""
    context = {
        "reason": "rules",
        "title": _("The local rules cannot be read"),
        "detail": str(fault),
        "is_read": request.method in ("GET", "HEAD"),
    }
    return render(request, "503.html", context, status=503)


def takes_files(permission: str, most_bytes: int) -> Callable[[View], View]:
    """A body as large as that, from who is logged in and whose role allows it."""
    return takes_large(most_bytes, may_send(permission))


def may_send(permission: str) -> Callable[[HttpRequest], bool]:
    """Whether who is logged in may send it by their role, asked before the body is read."""

    def may(request: HttpRequest) -> bool:
        SessionMiddleware(_no_answer).process_request(request)
        AuthenticationMiddleware(_no_answer).process_request(request)
        try:
            require(request.user, permission)
        except NotPermitted:
            return False
        return not is_shut(request.session, time.time())

    return may


def _no_answer(_request: HttpRequest) -> HttpResponseBase:
    raise NotImplementedError  # these middlewares are asked for what they find out alone


def to_log_in(request: HttpRequest) -> HttpResponseBase:
    """The way through the log-in, back to the page: of a form that is the page it stood on.

    Where nobody ever had a role, to the set-up.
    """
    if request.method in ("GET", "HEAD") and is_first_run():
        return redirect("first-run")
    if request.method in ("GET", "HEAD"):
        return redirect_to_login(request.get_full_path())
    messages.warning(
        request, _("Your log-in had ended, so nothing was sent. Log in and send it again.")
    )
    return redirect_to_login(way_back(request))


def streams_for(permission: str) -> Callable[[Stream], Stream]:
    """The same of a stream, whose reader is a script: it gets one line."""

    def guard(stream: Stream) -> Stream:
        @wraps(stream)
        async def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            user = await request.auser()
            refusal = await sync_to_async(_refusal)(user, permission)
            if refusal:
                return HttpResponseForbidden(refusal, content_type="text/plain")
            with only(await sync_to_async(_visible)(user)):
                response = await stream(request, *args, **kwargs)
            key = request.session.session_key
            if isinstance(response, StreamingHttpResponse) and key:
                pieces: Any = response.streaming_content
                response.streaming_content = stream_watch.while_open(key, aiter(pieces))
            return response

        return guarded

    return guard


def _visible(user: Any) -> Visible | None:
    """What the person sees; its connection is given back."""
    try:
        return visible_to(user)
    finally:
        let_go()


def _refusal(user: Any, permission: str) -> str:
    """Why not, or nothing; its connection is given back, as a stream lives for minutes."""
    try:
        require(user, permission)
    except NotPermitted as error:
        return str(error) if user.is_authenticated else _("Log in again.")
    else:
        return ""
    finally:
        let_go()
