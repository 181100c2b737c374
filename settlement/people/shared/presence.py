"""Who is there: shown to the database, which asks before it records what somebody did.

The key of the request's session, or the proof of a password given with the request, stands in a
setting of the connection until the request is answered, beside the address that it came from, which
is said of whoever is nobody yet, too: what is recorded meanwhile has it. The database looks for the
person behind it (`settlement/sql/whoever_acts_proves_it.sql`), so that the password of the web
process's role does not act in anybody's name.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from django.contrib import messages
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.views import redirect_to_login
from django.db import DatabaseError, Error, connection
from django.db.backends.signals import connection_created
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext

from jackpot.web.problems import answer, is_for_program, problem
from settlement.core import guards

_TELL = "SELECT set_config('jackpot.shown', %s, false), set_config('jackpot.address', %s, false)"
_SAY = "SELECT set_config('jackpot.address', %s, false)"  # of whoever is nobody yet
_READING = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
_session: ContextVar[str] = ContextVar("shown", default="")
_address: ContextVar[str] = ContextVar("address", default="")
_is_said: ContextVar[bool] = ContextVar("is_said", default=False)  # the address


class ShowWhoActs:
    """Middleware: a request that may change something shows its session; the next one does not.

    It stands around that of the sessions: a log-in is written down when its session is saved.
    """

    async_capable = False
    sync_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        before, said_before = _session.set(""), _is_said.set(False)
        address_before = _address.set(request.META.get("REMOTE_ADDR", ""))
        try:
            return self._get_response(request)
        finally:
            has_shown, is_said = bool(_session.get()), _is_said.get()
            _session.reset(before)
            _address.reset(address_before)
            _is_said.reset(said_before)
            if has_shown or is_said:
                _forget(_tell if has_shown else _say)

    def process_view(self, request: HttpRequest, *_view: Any) -> None:
        if request.method in _READING:
            return
        if SESSION_KEY in request.session:
            show(request.session.session_key)
        else:
            say_address()

    def process_exception(self, request: HttpRequest, fault: Exception) -> HttpResponse | None:
        """The log-in ended while the request was answered: somebody ended it, or its time did."""
        if not (isinstance(fault, DatabaseError) and str(fault).startswith(guards.LOG_IN)):
            return None
        refusal = gettext("Your log-in had ended, so nothing was recorded. Log in and do it again.")
        if is_for_program(request):
            return answer(problem(request, 401, "not_authenticated", refusal))
        messages.warning(request, refusal)
        return redirect_to_login(reverse("home"))


def show(key: str | None) -> None:
    """From now on this request shows the key of a session, too."""
    if key:
        _session.set(f"{_session.get()} {key}".strip())
        if connection.connection is not None:  # a new one is set when it is there
            _tell(connection)


def show_password(user: Any) -> None:
    """The same of a person who has just given the password (`user.proof`)."""
    proof: bytes | None = getattr(user, "proof", None)
    show(proof.hex() if proof else None)


def say_address() -> None:
    """From now on this request says where it comes from, though nobody is logged in yet."""
    _is_said.set(True)
    if connection.connection is not None:
        _say(connection)


def _tell(to: Any) -> None:
    with to.cursor() as cursor:
        cursor.execute(_TELL, [_session.get(), _address.get()])


def _say(to: Any) -> None:
    with to.cursor() as cursor:
        cursor.execute(_SAY, [_address.get()])


def _forget(tell: Callable[[Any], None]) -> None:
    """The connection may serve somebody else next."""
    if connection.connection is None or connection.needs_rollback:
        return
    try:
        tell(connection)
    except Error:  # the pool takes none back that is broken
        connection.close()


def _on_connection(connection: Any, **_: Any) -> None:
    if _session.get():
        _tell(connection)
    elif _is_said.get():
        _say(connection)


connection_created.connect(_on_connection)
