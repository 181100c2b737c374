"""Too many wrong passwords: who is locked out, the alarm, and what somebody reads then.

Three limits within the same quarter of an hour: one name at one address, one name at all addresses,
one address with all names. While something is locked nothing more is counted, so one device alone
locks a name for itself and never for everybody.

`Retry-After` says in how many seconds the name may be tried again (RFC 6585, section 4).
"""

from __future__ import annotations

from typing import Any

from axes.attempts import get_cool_off_threshold
from axes.handlers.database import AxesDatabaseHandler
from axes.helpers import get_client_username
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.signals import user_login_failed
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render

from jackpot.web import problems
from settlement.core.words.house_alarms import HouseAlarm
from settlement.people.shared.security_log import What, note
from tables.alarms import raise_alarm

STATUS = 429
_MESSAGE = (
    "Too many wrong passwords were given for this name or at this address: wait 15 minutes, or ask"
    " the administrator to unlock it."
)


class _WithoutForm:
    """A request with nothing of what was typed, all else as it is: axes keeps queries and forms."""

    GET = POST = QueryDict()

    def __init__(self, request: Any) -> None:
        vars(self)["_request"] = request

    def __getattr__(self, name: str) -> Any:
        return getattr(vars(self)["_request"], name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(vars(self)["_request"], name, value)


class Handler(AxesDatabaseHandler):
    """Named in the settings as AXES_HANDLER."""

    def get_failures(self, request: Any, credentials: dict[str, Any] | None = None) -> int:
        """Of the name at the address; as many as lock it where another limit is reached."""
        failures: int = super().get_failures(request, credentials)
        name = get_client_username(request, credentials)
        limits = (
            ({"username": name}, "ip_address", settings.LOGIN_FAILURES_OF_NAME),
            (
                {"ip_address": request.axes_ip_address},
                "username",
                settings.LOGIN_FAILURES_OF_ADDRESS,
            ),
        )
        for of, by, limit in limits:
            if _failures(request, of, by) >= limit:
                return max(failures, settings.AXES_FAILURE_LIMIT)
        return failures

    def user_login_failed(
        self, sender: Any, credentials: dict[str, Any], request: Any = None, **options: Any
    ) -> None:
        """Count it; an alarm when that locks somebody out."""
        was_locked = request is not None and request.axes_locked_out
        clean_request = _WithoutForm(request) if request is not None else None
        super().user_login_failed(sender, credentials, clean_request, **options)
        name = get_client_username(request, credentials) or ""
        if not was_locked:
            note(request, What.FAILED, name, getattr(request, "path_info", ""))
        if request is not None and request.axes_locked_out and not was_locked:
            note(request, What.LOCKED, name, "for 15 minutes")
            _tell(name, request.axes_ip_address or "")

    def user_logged_in(self, sender: Any, request: Any, user: Any, **options: Any) -> None:
        """Clear what was counted; write down the address: of the log-in the database does."""
        super().user_logged_in(sender, request, user, **options)
        note(request, What.CAME_FROM, user.get_username(), "of a log-in")

    def user_logged_out(self, sender: Any, request: Any, user: Any, **options: Any) -> None:
        """Write it down, and why if nobody did it."""
        super().user_logged_out(sender, request, user, **options)
        if user is not None:
            why = getattr(request, "why_logged_out", "")
            note(request, What.ENDED if why else What.LOGGED_OUT, user.get_username(), why)


def count_failure(request: Any, username: str) -> None:
    """Of a right password that logs nobody in: whoever guesses is not told that it is right."""
    credentials = {"username": username}
    user_login_failed.send(sender=__name__, credentials=credentials, request=request)


def _failures(request: Any, of: dict[str, Any], by: str) -> int:
    """How many there were recently; of one name at one address no more than lock it there."""
    since = get_cool_off_threshold(request)
    attempts = AccessAttempt.objects.filter(attempt_time__gte=since, **of).values(by)
    counted = attempts.annotate(failures=Sum("failures_since_start")).values_list(
        "failures", flat=True
    )
    return sum(min(failures, settings.AXES_FAILURE_LIMIT) for failures in counted)


def _tell(name: str, address: str) -> None:
    # What is nobody's name may be a password in the wrong field: it is written down nowhere.
    is_known = get_user_model().objects.filter(username=name).exists()
    whose = HouseAlarm.OF_NAME % {"name": name} if is_known else HouseAlarm.OF_NOBODY
    raise_alarm(
        "log_in_locked",
        name if is_known else address,
        HouseAlarm.LOCKED % {"whose": whose, "address": address},
    )


def locked_out(request: HttpRequest, _response: Any = None, _credentials: Any = None) -> Any:
    """The answer in place of the view's own."""
    answer: HttpResponse
    if problems.is_for_program(request):
        body = problems.problem(request, STATUS, "locked_out", _MESSAGE, rule="")
        answer = problems.answer(body)
    else:
        answer = render(request, "registration/lockout.html", status=STATUS)
    answer["Retry-After"] = str(round(settings.AXES_COOLOFF_TIME * 3600))
    return answer
