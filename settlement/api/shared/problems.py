"""How the API says no: problem details (RFC 9457) with the rule and what to do."""

from __future__ import annotations

import re
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions, status
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response
from rest_framework.views import exception_handler

from jackpot.web.problems import MEDIA, answer, problem
from settlement.claims.lookup import OPENS_WITHIN_S, NotOpenYet
from settlement.core import guards
from settlement.core.errors import (
    BadSignature,
    ChangedMeanwhile,
    Declined,
    Enough,
    Excluded,
    NotPermitted,
    OwnHand,
    RuleBroken,
    SamePerson,
    SecondManagerNeeded,
    SecondNeeded,
    WrongPassword,
    WrongState,
)
from settlement.people.shared.security_log import note_refusal
from settlement.signatures.signing import HEADER, SignatureNeeded

_NOBODY = "Nobody is logged in: send an access token, or name and password."
_TOO_OFTEN = "You ask too often: ask again in %(seconds)s s. Nothing was done."
NOTHING_HERE = "There is nothing at this address. Addresses end with a slash."
STATUSES: dict[type[RuleBroken], int] = {
    NotPermitted: status.HTTP_403_FORBIDDEN,
    WrongPassword: status.HTTP_403_FORBIDDEN,
    BadSignature: status.HTTP_403_FORBIDDEN,
    WrongState: status.HTTP_409_CONFLICT,
    ChangedMeanwhile: status.HTTP_409_CONFLICT,
    Enough: status.HTTP_409_CONFLICT,
    Excluded: status.HTTP_409_CONFLICT,
    SamePerson: status.HTTP_409_CONFLICT,
    OwnHand: status.HTTP_403_FORBIDDEN,
    SecondManagerNeeded: status.HTTP_409_CONFLICT,
    SecondNeeded: status.HTTP_409_CONFLICT,
    Declined: status.HTTP_409_CONFLICT,
}

# Refusals that concern who asks; they go into the security log.
PERSONAL = (NotPermitted, OwnHand, SamePerson)


def explain(error: Exception, context: dict[str, Any]) -> Response | None:
    """The response to a refusal: `code` is a stable slug, `rule` may be empty.

    None for a bug: it is logged and answered as one.
    """
    error = guards.last_word(error) or error
    context["request"].accepted_renderer = JSONRenderer()  # of the schema, too
    where = context["request"]._request
    if isinstance(error, SignatureNeeded):
        return _refusal(
            Response(status=status.HTTP_428_PRECONDITION_REQUIRED),
            where,
            "signature_needed",
            _to_sign(error),
            to_sign=error.options(),
        )
    if isinstance(error, RuleBroken):
        if isinstance(error, PERSONAL):
            note_refusal(where, str(error))
        code = STATUSES.get(type(error), status.HTTP_422_UNPROCESSABLE_ENTITY)
        more = {} if error.fields is None else {"fields": error.fields}
        refusal = Response(status=code)
        return _refusal(refusal, where, slug_of(type(error)), str(error), rule=error.rule, **more)
    response = exception_handler(error, context)
    if response is None:
        return None
    if isinstance(error, exceptions.ValidationError):
        fields = error.detail if isinstance(error.detail, dict) else {"body": error.detail}
        return _refusal(response, where, "invalid", " ".join(_sentences(fields)), fields=fields)
    if isinstance(error, NotOpenYet):
        response["Retry-After"] = str(OPENS_WITHIN_S)
        return _refusal(response, where, "not_open_yet", str(error))
    if isinstance(error, Http404):
        return _refusal(response, where, "not_found", NOTHING_HERE)
    if isinstance(error, exceptions.NotAuthenticated):
        return _refusal(response, where, "not_authenticated", _NOBODY)
    if isinstance(error, exceptions.Throttled):
        seconds = response["Retry-After"]
        return _refusal(response, where, "throttled", _TOO_OFTEN % {"seconds": seconds})
    if isinstance(error, exceptions.APIException):
        return _refusal(response, where, str(error.get_codes()), str(error))
    return _refusal(response, where, "permission_denied", str(error))


def _to_sign(needed: SignatureNeeded) -> str:
    """What a program does next. An act on a claim has a key, which the next request says, too."""
    keys = sorted({act["key"] for act in needed.acts if "key" in act})
    again = f"and Idempotency-Key: {keys[0]}" if keys else "again"
    return (
        "This act is signed with the person's passkey: sign `to_sign`, and send the same request"
        f" with the header {HEADER} {again}."
    )


@csrf_exempt
def nothing_here(request: HttpRequest, **_address: str) -> HttpResponse:
    """The view of every address under /api/ that is none."""
    return answer(problem(request, 404, "not_found", NOTHING_HERE, rule=""))


def _refusal(
    response: Response, where: HttpRequest, code: str, detail: str, rule: str = "", **more: Any
) -> Response:
    response.data = problem(where, response.status_code, code, detail, rule=rule, **more)
    response.content_type = MEDIA
    return response


def slug_of(kind: type[RuleBroken]) -> str:
    """The name of an error for programs.

    >>> slug_of(WrongState)
    'wrong_state'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def _sentences(detail: Any, name: str = "") -> list[str]:
    """A validation's findings, each with the field that it is about."""
    if isinstance(detail, dict):
        return [
            sentence
            for key, value in detail.items()
            for sentence in _sentences(value, f"{name}.{key}".lstrip("."))
        ]
    if isinstance(detail, list):
        return [sentence for value in detail for sentence in _sentences(value, name)]
    return [f"{name}: {detail}"]
