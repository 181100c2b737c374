"""Printing the slip of a payment: every print is recorded, so it is a POST."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from settlement.core.errors import RuleBroken
from settlement.models import Payout
from settlement.pages.claims.actions import address_of, refusal_text
from settlement.pages.shared.decorators import opens_for
from settlement.payments import slips


@require_POST
@opens_for("print_slip")
def slip_print(request: HttpRequest, payout: int) -> HttpResponse:
    """The PDF; the first print is the original, each further one a copy."""
    payout_row = Payout.objects.select_related("claim__system__casino").filter(pk=payout).first()
    if payout_row is None:
        raise Http404(_("There is no payout %(payout)s.") % {"payout": payout})
    try:
        pdf, printed = slips.print_slip(payout_row, request.user)
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
        return redirect(address_of(payout_row.claim))
    name = slips.number_of(payout_row) + (f"-copy-{printed.copy}" if printed.copy else "")
    return HttpResponse(
        pdf,
        content_type="application/pdf",
        headers={"Content-Disposition": f'inline; filename="slip-{name}.pdf"'},
    )
