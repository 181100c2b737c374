"""The list of what a person was notified of; the same for the bell; opening and marking read."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from settlement.approvals.capacities import visible_to
from settlement.models import Notification
from settlement.notifications import personal_list
from settlement.notifications.kinds import KINDS, address_of, subject_of, title_of
from tables.models import Casino

ROWS, IN_BELL = 40, 8


@require_safe
@never_cache
@login_required
def notifications(request: HttpRequest) -> HttpResponse:
    """All of them, the newest first."""
    rows = personal_list.own(request.user, visible_to(request.user)).select_related(
        "system__casino"
    )
    page = Paginator(rows, ROWS).get_page(request.GET.get("page"))
    context = {"page": page, "rows": _rows(page.object_list), "casino": _casino()}
    return render(request, "console/notifications/list.html", context)


@require_safe
@never_cache
@login_required
def bell(request: HttpRequest) -> HttpResponse:
    """What is new, for the bell of every page."""
    rows = personal_list.unread(request.user, visible_to(request.user)).select_related(
        "system__casino"
    )
    context = {"rows": _rows(rows[:IN_BELL]), "casino": _casino()}
    return render(request, "console/notifications/bell.html", context)


@require_POST
@login_required
def notification_open(request: HttpRequest, number: int) -> HttpResponse:
    """Mark one as read and go to its page."""
    scope = visible_to(request.user)
    row = get_object_or_404(personal_list.own(request.user, scope), pk=number)
    personal_list.read(request.user, scope, row.pk)
    return redirect(address_of(row.kind, row.data))


@require_POST
@login_required
def notifications_read(request: HttpRequest) -> HttpResponse:
    """Mark all as read."""
    count = personal_list.read(request.user, visible_to(request.user))
    words = ngettext(
        "%(count)s notification marked as read.", "%(count)s notifications marked as read.", count
    )
    messages.success(request, words % {"count": count})
    return redirect("notifications")


def _casino() -> Casino:
    """Of its zone are the times that belong to no system."""
    return Casino.objects.order_by("pk").first() or Casino(timezone="UTC")


def _rows(notices: Any) -> list[dict[str, Any]]:
    return [_row(each) for each in notices]


def _row(row: Notification) -> dict[str, Any]:
    return {
        "row": row,
        "title": title_of(row.kind),
        "subject": subject_of(row.data),
        "is_urgent": row.kind in KINDS and KINDS[row.kind].is_urgent,
        "minutes": row.data.get("minutes"),
        "casino": row.system.casino if row.system is not None else None,
    }
