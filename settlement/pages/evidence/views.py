"""Gathering evidence on a claim: the deck counted, footage, notes, files. Each is a POST."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from settlement.approvals.capacities import TAKES
from settlement.claims import workbench
from settlement.claims.lookup import claim_named
from settlement.claims.services import hit_of
from settlement.core.errors import RuleBroken
from settlement.evidence import attachments
from settlement.models import Claim
from settlement.pages.claims.actions import REFUSED, address_of, refusal_text
from settlement.pages.claims.detail import claim_context
from settlement.pages.claims.panels.workbench.forms import AttachForm, FootageForm, NoteForm
from settlement.pages.shared.decorators import opens_for, takes_files
from settlement.people.shared.security_log import note_file

_AROUND_A_FILE = 64 * 1024  # the form's other fields


@require_POST
@opens_for("verify_claim", TAKES)
def deck(request: HttpRequest, system: str, number: int) -> HttpResponse:
    """Ticks: only what the person changed is kept, as colleagues may count at the same time."""
    claim = claim_named(request.method, system, number)
    before = set(request.POST.get("seen", "").split())
    ticked = set(request.POST.getlist("card"))
    try:
        changed = workbench.count_deck(claim, request.user, ticked - before, before - ticked)
    except RuleBroken as error:
        messages.error(request, refusal_text(error))
    else:
        words = {0: _("Nothing was changed."), 1: _("One card was saved.")}
        messages.success(
            request, words.get(changed, _("%(changed)s cards were saved.") % {"changed": changed})
        )
    return redirect(f"{address_of(claim)}#deck")


@require_POST
@opens_for("add_note")
def note(request: HttpRequest, system: str, number: int) -> HttpResponse:
    """A note."""
    claim, form = claim_named(request.method, system, number), NoteForm(request.POST)

    def keep() -> None:
        values = form.cleaned_data
        workbench.add_note(claim, request.user, values["text"], key=values["key"])

    return _keep(request, claim, "note", form, keep, _("The note is saved."))


@require_POST
@opens_for("add_footage")
def footage(request: HttpRequest, system: str, number: int) -> HttpResponse:
    """A review of footage."""
    claim = claim_named(request.method, system, number)
    casino = claim.system.casino
    form = FootageForm(request.POST, casino=casino, around=hit_of(claim).at)

    def keep() -> None:
        workbench.add_footage(claim, request.user, **form.cleaned_data)

    return _keep(request, claim, "footage", form, keep, _("The footage review is saved."))


@require_POST
@takes_files("add_attachment", attachments.MOST_BYTES + _AROUND_A_FILE)
@opens_for("add_attachment")
def attach(request: HttpRequest, system: str, number: int) -> HttpResponse:
    """A photograph, a scan or a PDF."""
    claim, form = claim_named(request.method, system, number), AttachForm(request.POST)
    form.files = request.FILES

    def keep() -> None:
        values = form.cleaned_data
        attachments.attach(
            claim, request.user, values["caption"], values["file"], key=values["key"]
        )

    return _keep(request, claim, "attach", form, keep, _("The file is attached."))


@require_safe
@opens_for("view_claim")
def attachment(request: HttpRequest, system: str, number: int, file: int) -> HttpResponse:
    """A file of a claim, as it was attached; one that was changed since is not given.

    The audit trail says who was given it.
    """
    claim = claim_named(request.method, system, number)
    row = get_object_or_404(claim.attachments, pk=file)
    try:
        type_, content = attachments.content_of(row)
    except attachments.AttachmentChanged as error:
        raise Http404(
            _(
                "This file is not what was attached: it was changed in the database."
                " Call technical support."
            )
        ) from error
    name = f"{claim.system.code}-{claim.number}-{row.pk}.{type_.code}"
    note_file(request, f"{claim.system.code}-{claim.number}", row.pk)
    how = "inline" if type_.is_inline else "attachment"
    return HttpResponse(
        content,
        content_type=type_.media,
        headers={
            "Content-Disposition": f'{how}; filename="{name}"',
            "Content-Security-Policy": "default-src 'none'; sandbox",
        },
    )


def _keep(
    request: HttpRequest,
    claim: Claim,
    name: str,
    form: Any,
    keep: Callable[[], None],
    notice: str,
) -> HttpResponse:
    """Do it and go back to the claim; what was refused comes back with what was typed."""
    if form.is_valid():
        try:
            keep()
        except RuleBroken as error:
            form.add_error(None, refusal_text(error))
            form.renew_key()
        else:
            messages.success(request, notice)
            return redirect(f"{address_of(claim)}#evidence")
    context = claim_context(claim, request.user, {name: form})
    return render(request, "console/claims/detail.html", context, status=REFUSED)
