"""The handover of a shift: what is open, signed by both, and the earlier ones."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from settlement.core.errors import RuleBroken
from settlement.floor import handover as service
from settlement.models import Handover
from settlement.pages.shared.choices import casino_or_404
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.lists.cursor import page_of_rows
from settlement.pages.shared.lists.order import Column
from settlement.people.factors.reauthentication import reauthenticate, sign_beside
from tables.models import Casino

REFUSED = 422
MOST_SHOWN = 30  # on a page
COLUMNS = (Column("id", int, is_down=True),)


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@opens_for("view_claim")
def handover(request: HttpRequest) -> HttpResponse:
    """What is open now; signing it."""
    casino = casino_or_404(request)
    status = 200
    if request.method == "POST":
        try:
            signed_handover = _sign(request, casino)
        except RuleBroken as refusal:
            messages.error(request, str(refusal))
            status = REFUSED
        else:
            messages.success(request, _("Signed by both: the shift is handed over."))
            return redirect("handover-signed", number=signed_handover.pk)
    sections = service.gather(casino)
    context = {
        "casino": casino,
        "sections": sections,
        "read": service.digest(sections),
        "page": page_of_rows(request, service.handovers(casino), COLUMNS, MOST_SHOWN),
        "may_sign": service.may_sign(request.user, casino),
        "remarks": request.POST.get("remarks", ""),
        "incoming": request.POST.get("incoming", ""),
        "key": uuid.uuid4(),
        "longest": service.LONGEST_REMARKS,
    }
    return render(request, "console/floor/handover.html", context, status=status)


@require_safe
@opens_for("view_claim")
def signed(request: HttpRequest, number: int) -> HttpResponse:
    """A handover as it was signed, to read and to print."""
    row = get_object_or_404(
        Handover.objects.select_related("casino", "outgoing", "incoming"), pk=number
    )
    context = {
        "handover": row,
        "casino": row.casino,
        "sections": row.body,
        "printed_at": timezone.now(),
        "crumbs": [(_("Handover"), reverse("handover")), (_("No. %(pk)s") % {"pk": row.pk}, None)],
    }
    return render(request, "console/floor/handover_record.html", context)


def _sign(request: HttpRequest, casino: Casino) -> Handover:
    post = request.POST
    outgoing = reauthenticate(request, post.get("password", ""))
    incoming = sign_beside(
        request,
        post.get("incoming", ""),
        post.get("incoming_password", ""),
        post.get("incoming_code", ""),
    )
    try:
        key = uuid.UUID(post.get("key", ""))
    except ValueError:
        key = uuid.uuid4()
    return service.sign(
        casino,
        outgoing,
        incoming,
        read=post.get("read", ""),
        remarks=post.get("remarks", ""),
        key=key,
    )
