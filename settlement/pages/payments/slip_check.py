"""Is a slip's PDF as the house printed it? The file is read and forgotten."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from settlement.core.errors import BadFile
from settlement.pages.claims.actions import REFUSED, refusal_text
from settlement.pages.shared.decorators import opens_for, takes_files
from settlement.payments.slip_check import MOST_BYTES, SlipCheck, check_slip


@takes_files("export_bundle", MOST_BYTES + 64 * 1024)  # with the form around it
@require_http_methods(["GET", "HEAD", "POST"])
@opens_for("export_bundle")
def slip_check(request: HttpRequest) -> HttpResponse:
    """The form, and the answer to a file above it."""
    check: SlipCheck | None = None
    status = 200
    if request.method == "POST":
        try:
            check = check_slip(_content(request), request.user)
        except BadFile as refusal:
            messages.error(request, refusal_text(refusal))
            status = REFUSED
    context = {"known": check, "most_mb": MOST_BYTES // 1024**2}
    return render(request, "console/payments/slip_check.html", context, status=status)


def _content(request: HttpRequest) -> bytes:
    file = request.FILES.get("file")
    if file is None:
        raise BadFile(_("Choose a file."))
    return file.read(MOST_BYTES + 1)
