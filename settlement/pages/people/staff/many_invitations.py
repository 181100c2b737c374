"""Invitations for many people: a list is pasted or chosen, shown line by line, then confirmed."""

from __future__ import annotations

import base64
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods

from settlement.core.errors import BadFile, RuleBroken
from settlement.pages.claims.actions import REFUSED, refusal_text
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.imports import content_of
from settlement.people.factors.reauthentication import reauthenticate
from settlement.people.rights.roles import ROLE_NAMES, ROLES
from settlement.people.staff import invitation_lists, invitation_mail, invitations, persons
from tables.models import Casino


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
@opens_for(persons.MAY)
def invite_many(request: HttpRequest) -> HttpResponse:
    """The form; a POST reads the list, or with its hash invites everybody on it."""
    if request.method != "POST":
        return _page(request)
    try:
        content = _content(request)
        if "sha256" in request.POST:
            return _confirmed(request, content)
        guest_list = invitation_lists.preview(content)
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
        return _page(request, REFUSED, text=request.POST.get("text", ""))
    status = REFUSED if guest_list.problems else 200
    return _page(request, status, guest_list=guest_list, **_list_fields(request, content))


def _content(request: HttpRequest) -> bytes:
    """What was pasted, else the file."""
    text = request.POST.get("text", "")
    return (
        text.strip().encode() if text.strip() else content_of(request, invitation_lists.MOST_BYTES)
    )


def _list_fields(request: HttpRequest, content: bytes) -> dict[str, str]:
    """The list for the next step, and what was pasted, to be corrected."""
    encoded = base64.b64encode(content).decode("ascii")
    return {"content": encoded, "text": request.POST.get("text", "")}


@sensitive_variables()
def _confirmed(request: HttpRequest, content: bytes) -> HttpResponse:
    """Everybody is invited; a wrong password shows the list once more."""
    try:
        by = reauthenticate(request, request.POST.get("password", "")).user
        pairs = invitation_lists.confirm(by, content, request.POST["sha256"])
    except BadFile:
        raise
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
        guest_list = invitation_lists.preview(content)
        return _page(request, REFUSED, guest_list=guest_list, **_list_fields(request, content))
    links = [(row, _link(request, secret)) for row, secret in pairs]
    return _page(request, rows=invitation_mail.hand_out(by, links))


def _link(request: HttpRequest, secret: str) -> str:
    path = reverse("invitation", args=[secret])
    return request.build_absolute_uri(path)


def _page(request: HttpRequest, status: int = 200, **more: Any) -> HttpResponse:
    context = {
        "roles": [ROLE_NAMES[each] for each in ROLES],
        "casinos": list(Casino.objects.order_by("name", "pk")),
        "columns": ",".join((*invitation_lists.NEEDED, *invitation_lists.OPTIONAL)),
        "most": invitation_lists.MOST_LINES,
        "hours": invitations.HOURS,
        **more,
    }
    return render(request, "console/people/invite_many.html", context, status=status)
