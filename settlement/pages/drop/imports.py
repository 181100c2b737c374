"""Importing counts: choose a file, look at its lines, confirm. Nothing is stored before that."""

from __future__ import annotations

import base64
import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from settlement.core.errors import RuleBroken
from settlement.drop import imports
from settlement.pages.claims.actions import REFUSED, refusal_text
from settlement.pages.drop.views import key_in
from settlement.pages.shared.choices import system_or_404
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.imports import content_of
from tables.models import JackpotSystem


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for("count_drop", "enter_balance")
def drop_import(request: HttpRequest, system: str) -> HttpResponse:
    """The form, the preview of a file, and its confirmation."""
    jackpot_system = system_or_404(system)
    context: dict[str, Any] = {
        "system": jackpot_system,
        "casino": jackpot_system.casino,
        "most_kb": imports.MOST_BYTES // 1024,
        "most_lines": imports.MOST_LINES,
    }
    if request.method != "POST":
        return render(request, "console/drop/import.html", context)
    try:
        content = content_of(request, imports.MOST_BYTES)
        if "sha256" in request.POST:
            return _confirm(request, jackpot_system, content)
        file = imports.preview(jackpot_system, content)
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
        return render(request, "console/drop/import.html", context, status=REFUSED)
    context |= {
        "file": file,
        "content": base64.b64encode(content).decode("ascii"),
        "key": uuid.uuid4(),
    }
    status = REFUSED if file.problems else 200
    return render(request, "console/drop/import.html", context, status=status)


def _confirm(request: HttpRequest, system: JackpotSystem, content: bytes) -> HttpResponse:
    rows = imports.confirm(
        system, request.user, content, request.POST["sha256"], key=key_in(request)
    )
    messages.success(request, _("Imported: %(number)s counts.") % {"number": len(rows)})
    day = max(row.day for row in rows)
    return redirect(f"{reverse('drop')}?system={system.code}&day={day}")
