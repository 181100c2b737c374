"""Inside a rehearsal: the console's own pages behind `/rehearsal/`, where nothing is seen but
rehearsals (`settlement.core.rehearsal_pages` names them).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import get_script_prefix, set_script_prefix

from jackpot.web.rehearsal_address import PREFIX, is_inside, outside
from settlement.core.rehearsal_pages import OPEN_INSIDE
from tables.visibility.rehearsals import inside_rehearsal, rehearses


class InsideRehearsal:
    """Middleware: an address inside is answered by the same page, which sees rehearsals alone and
    whose links stay inside."""

    async_capable = False
    sync_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not is_inside(request.path_info):
            return self._get_response(request)
        request.path_info = outside(request.path_info)
        before = get_script_prefix()
        set_script_prefix(f"{before.rstrip('/')}{PREFIX}/")
        try:
            with inside_rehearsal():
                return self._get_response(request)
        finally:
            set_script_prefix(before)

    def process_view(
        self, request: HttpRequest, _view: Any, *_parts: Any
    ) -> HttpResponseBase | None:
        match = request.resolver_match
        if not rehearses() or (match is not None and match.url_name in OPEN_INSIDE):
            return None
        return render(request, "console/rehearsals/closed_page.html", status=404)
