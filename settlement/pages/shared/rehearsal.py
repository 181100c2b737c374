"""Inside a rehearsal: the console's own pages behind `/rehearsal/`, where nothing is seen but
rehearsals. What is not named here is closed there, so that a new page that counts money is, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import get_script_prefix, set_script_prefix

from jackpot.web.rehearsal_address import PREFIX, is_inside, outside
from tables.visibility import inside_rehearsal, rehearses

# From press to paid, and what is read and decided on the way.
_CLAIMS = {
    *("claims", "claim", "claim-version", "claim-print", "claim-amend", "claim-reject"),
    *("claim-reverse", "claim-reverse-rejection", "claim-stop", "stop-end", "claim-cage"),
    *("claim-release-excluded", "claim-player", "claim-delegate", "claim-deck", "claim-note"),
    *("claim-footage", "claim-attach", "claim-attachment", "claim-identification"),
    *("withdrawal-decide", "hand-place", "open-claims", "console-stream", "slip-print"),
    *("proposal-approve", "proposal-agree", "proposal-withdraw"),
}
_FLOOR = {
    *("home", "pools", "pool", "tables", "table", "gap-close", "notice", "alarm-clear"),
    *("reconciliation", "reconcile-now", "audit-trail"),
    *("display", "display-reading", "display-stream"),
}
_SET_UP = {
    *("terms", "terms-new", "terms-draft", "terms-proposal", "terms-json", "jackpot-terms"),
    *("jackpot-lifecycle", "set-up-tables", "device-table"),
}
# Logging in, unlocking and the account: what a locked or asked log-in is led to, too.
_OWN = {
    *("login", "log-in-code", "log-in-passkey", "logout", "lock", "locked", "awake"),
    *("provider-log-in", "provider-again", "provider-wait", "provider-unlink"),
    *("password-forgotten", "password-asked", "tablet", "tablet-leave", "house-logo"),
    *("factor-app", "factor-passkey", "factor-end", "recovery-codes", "passkey-options"),
    *("passkey-challenge", "account", "preferences", "pin", "sessions-end"),
    *("notification-choices", "browser-add", "browser-end"),
    *("bell", "notifications", "notifications-read", "notification-open", "view-save"),
    *("help", "help-rule", "help-guide", "help-page", "tour"),
}
OPEN_INSIDE = frozenset(_CLAIMS | _FLOOR | _SET_UP | _OWN)


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
        return render(request, "console/rehearsals/closed.html", status=404)
