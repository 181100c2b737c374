"""Importing a list of excluded persons: choose a file, look at its lines, confirm."""

from __future__ import annotations

import base64
import uuid
from typing import Any, cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods

from jackpot.labels.figures import write_count
from settlement.core.errors import RuleBroken
from settlement.exclusions import entries, imports, long_files
from settlement.models import ExclusionFile, ExclusionImport
from settlement.pages.claims.actions import REFUSED, refusal_text
from settlement.pages.exclusions.views import casino_named
from settlement.pages.shared.decorators import opens_for, takes_files
from settlement.pages.shared.imports import content_of
from tables.models import Casino

MOST_SHOWN = 100  # good lines; of those with a problem all


@takes_files("import_exclusions", long_files.MOST_BYTES + 64 * 1024)
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
@opens_for("import_exclusions")
def exclusions_import(request: HttpRequest, casino: str) -> HttpResponse:
    """The form, the preview of a file, and its confirmation."""
    house = casino_named(casino)
    if request.method != "POST":
        return _page(request, house)
    upload = request.FILES.get("file")
    try:
        if upload is not None and long_files.is_long(upload):
            name = request.POST.get("list", "")
            return redirect("exclusions-file", _read(house, request, name, upload).pk)
        content = content_of(request, imports.MOST_BYTES)
        if "sha256" in request.POST:
            return _confirm(request, house, content)
        file = imports.preview(house, request.user, request.POST.get("list", ""), content)
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
        return _page(request, house, REFUSED)
    more = {
        "file": file,
        "lines": file.problems or file.lines[:MOST_SHOWN],
        "left_out": 0 if file.problems else max(0, len(file.lines) - MOST_SHOWN),
        "content": base64.b64encode(content).decode("ascii"),
        "key": uuid.uuid4(),
    }
    return _page(request, house, REFUSED if file.problems else 200, **more)


@sensitive_variables()
def _confirm(request: HttpRequest, casino: Casino, content: bytes) -> HttpResponse:
    try:
        key = uuid.UUID(request.POST.get("key", ""))
    except ValueError:
        key = uuid.uuid4()
    choice = imports.Choice(
        request.POST.get("list", ""),
        content,
        request.POST["sha256"],
        is_whole=request.POST.get("whole") == "yes",
    )
    row = imports.confirm(casino, request.user, choice, key)
    file = ExclusionFile.objects.filter(origin=row).first()
    if file is not None:  # its many ends follow step by step
        return redirect("exclusions-file", file.pk)
    messages.success(
        request,
        _("Imported: %(added)s new, %(known)s known already, %(ended)s ended.")
        % {
            "added": write_count(row.added),
            "known": write_count(row.known),
            "ended": write_count(row.ended),
        },
    )
    return redirect(f"{reverse('exclusions')}?casino={casino.code}")


@sensitive_variables()
def _read(casino: Casino, request: HttpRequest, name: str, upload: Any) -> ExclusionFile:
    return long_files.read(casino, request.user, name, upload.file)


@require_http_methods(["GET", "HEAD", "POST"])
@opens_for("import_exclusions")
def exclusions_file(request: HttpRequest, number: int) -> HttpResponse:
    """How far a long file is, and of one's own the first lines; a POST confirms, stops or continues
    it, or leaves out the rest."""
    user = cast(Any, request.user)
    file = get_object_or_404(long_files.seen_by(user), pk=number)
    entries.require_in(file.casino, user, "import_exclusions")
    if request.method == "POST":
        try:
            _act(request, file)
        except RuleBroken as refusal:
            messages.error(request, refusal_text(refusal))
        return redirect("exclusions-file", file.pk)
    is_own = file.person_id == user.pk
    lines = long_files.first_lines(file, user) if is_own else []
    context = {
        "casino": file.casino,
        "file": file,
        "state": file.get_state_display(),
        "stops": long_files.stops_of(file),
        "days": long_files.STOP_LIMIT.days,
        "lines": lines,
        "left_out": (file.problems or file.lines) - len(lines),
    }
    return render(request, "console/exclusions/file.html", context)


def _act(request: HttpRequest, file: ExclusionFile) -> None:
    match request.POST.get("do"):
        case "stop":
            long_files.stop(file, request.user)
            messages.success(request, _("Stopped. What is imported already stays in force."))
        case "continue":
            long_files.go_on(file, request.user)
        case "leave":
            long_files.leave(file, request.user)
            messages.success(request, _("Left out. What is imported already stays in force."))
        case _:
            is_whole = request.POST.get("whole") == "yes"
            long_files.confirm(file, request.user, is_whole=is_whole)


def _page(request: HttpRequest, casino: Casino, status: int = 200, **more: Any) -> HttpResponse:
    names = ExclusionImport.objects.filter(casino=casino).order_by("name")
    context = {
        "casino": casino,
        "lists": list(names.values_list("name", flat=True).distinct()),
        "list_name": request.POST.get("list", ""),
        "most_kb": imports.MOST_BYTES // 1024,
        "most_lines": imports.MOST_LINES,
        "most_mb": long_files.MOST_BYTES // 1024**2,
        "most_long_lines": long_files.MOST_LINES,
        **more,
    }
    return render(request, "console/exclusions/import.html", context, status=status)
