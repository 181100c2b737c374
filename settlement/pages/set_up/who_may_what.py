"""Who may do what, as one page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from settlement.pages.shared.decorators import opens_for
from settlement.set_up import who_may


@require_safe
@opens_for("view_set_up")
def who_may_what(request: HttpRequest) -> HttpResponse:
    """Each permission, and the roles that have it."""
    context = {"roles": who_may.role_names(), "rows": who_may.permission_rows()}
    return render(request, "console/set_up/who_may.html", context)
