"""A form drafted with a player's data: each draft is a recorded look, so it is a POST."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_POST

from settlement.core.errors import NotPermitted, RuleBroken
from settlement.models import Payout
from settlement.pages.claims.actions import address_of, refusal_text
from settlement.pages.shared.choices import posted_number
from settlement.pages.shared.decorators import opens_for
from settlement.payments.form_drafts import DRAFTED_BY
from settlement.payments.form_drafts import draft_form as service
from settlement.payments.slips import number_of


@require_POST
@sensitive_variables("pdf")
@opens_for(*DRAFTED_BY)
def form_draft(request: HttpRequest, payout: int, draft: str) -> HttpResponse:
    """The PDF; nothing of it is kept here."""
    row = Payout.objects.select_related("claim__system__casino").filter(pk=payout).first()
    if row is None:
        raise Http404(_("There is no payout %(payout)s.") % {"payout": payout})
    try:
        pdf = service(row, draft, request.user, posted_number(request, "sharer"))
    except NotPermitted as error:
        raise PermissionDenied(str(error)) from error
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
        return redirect(address_of(row.claim))
    name = f"draft-{draft}-{number_of(row)}.pdf"  # a form and a slip: no name
    return HttpResponse(
        pdf,
        content_type="application/pdf",
        headers={"Content-Disposition": f'inline; filename="{name}"'},
    )
