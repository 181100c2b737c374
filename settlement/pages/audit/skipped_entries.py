"""Skipping what halted a system: the two forms on the reconciliation page."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from settlement.core.errors import RuleBroken
from settlement.floor import skipped_entries
from settlement.pages.shared.choices import system_or_404
from settlement.pages.shared.decorators import opens_for
from settlement.people.factors.reauthentication import reauthenticate


@require_POST
@opens_for("propose_aside")
def skip_propose(request: HttpRequest, system: str) -> HttpResponse:
    """The first person says why."""
    row = system_or_404(system)
    return _answer_to(
        request,
        lambda: skipped_entries.propose(row, request.user, request.POST.get("reason", "")),
        _("Proposed: a second person must approve it, with the password, before anything happens."),
    )


@sensitive_post_parameters()
@require_POST
@opens_for("second_aside")
def skip_agree(request: HttpRequest, system: str) -> HttpResponse:
    """The second person agrees and gives the password again."""
    row = system_or_404(system)
    return _answer_to(
        request,
        lambda: skipped_entries.agree(
            row, reauthenticate(request, request.POST.get("password", ""))
        ),
        _(
            "Skipped: %(row_name)s posts again in a moment."
            " The alarm stays until somebody clears it."
        )
        % {"row_name": row.name},
    )


def _answer_to(request: HttpRequest, action: Callable[[], object], notice: str) -> HttpResponse:
    try:
        action()
    except RuleBroken as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, notice)
    return redirect(reverse("reconciliation"))
