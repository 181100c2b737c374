"""Forms that payments ask for: until when each is filed, which were, and entering it."""

from __future__ import annotations

import datetime as dt
import uuid
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from settlement.core.errors import RuleBroken
from settlement.core.gaming_day import Days, today
from settlement.core.input import LONGEST_TEXT
from settlement.evidence import filed_files
from settlement.evidence.attachments import MOST_BYTES
from settlement.models import FilingFile, FormFiling, Payout
from settlement.models.payouts import LONGEST_REFERENCE
from settlement.pages.claims.actions import refusal_text
from settlement.pages.shared.choices import casino_or_404, choice_of, days_of, posted_number
from settlement.pages.shared.decorators import opens_for, takes_files
from settlement.payments import form_filings
from settlement.payments.form_drafts import may_draft
from settlement.payments.form_filings import STATES
from settlement.people.rights.permissions import may
from tables.models import Casino

ROWS = 50
_AROUND_A_FILE = 64 * 1024  # the form's other fields
PILLS = {"overdue": "out_of_balance", "open": "not_yet", "changed": "missing", "filed": "balanced"}


@require_safe
@opens_for("export_reports")
def forms(request: HttpRequest) -> HttpResponse:
    """The forms of a casino, those that are overdue first; filings below them."""
    casino = casino_or_404(request)
    days = days_of(request)
    last = days.last or today(casino)
    first = days.first or min(form_filings.first_day_of(casino), last)
    every = form_filings.forms_between(casino, first, last)
    names = sorted({each.due.rule.form for each in every})
    state = choice_of(request, "state", STATES)
    name = choice_of(request, "form", names)
    rows = [
        each for each in every if state in ("", each.state) and name in ("", each.due.rule.form)
    ]
    page = Paginator(rows, ROWS).get_page(request.GET.get("page"))
    systems = list(casino.systems.all())
    context = {
        "casino": casino,
        "casinos": Casino.objects.order_by("name"),
        "days": Days(first, last),
        "states": STATES.items(),
        "state": state,
        "names": names,
        "name": name,
        "page": page,
        "rows": [(each, STATES[each.state], PILLS[each.state], uuid.uuid4()) for each in page],
        "late": sum(1 for each in every if each.state == "overdue"),
        "filings": form_filings.filings_of(casino)[:ROWS],
        "may_file": any(may(request.user, "file_form", system) for system in systems),
        "may_open": any(filed_files.may_open(request.user, system) for system in systems),
        "may_draft": any(may_draft(request.user, system) for system in systems),
        "report": f"{reverse('report', args=['forms'])}?{_query(casino, first, last)}",
        "today": today(casino),
        "longest": LONGEST_TEXT,
        "longest_reference": LONGEST_REFERENCE,
        "most_mb": MOST_BYTES // 1024 // 1024,
    }
    return render(request, "console/payments/forms.html", context)


@require_POST
@takes_files("file_form", MOST_BYTES + _AROUND_A_FILE)
@opens_for("file_form")
def form_file(request: HttpRequest, payout: int) -> HttpResponse:
    """Enter that a form was filed, with the file that was sent, if it is chosen."""
    row = Payout.objects.select_related("claim__system__casino").filter(pk=payout).first()
    if row is None:
        raise Http404(_("There is no payout %(payout)s.") % {"payout": payout})
    name, sharer = request.POST.get("form", ""), posted_number(request, "sharer")
    form = form_filings.FormOf(row, name, sharer)
    key, upload = _key(request.POST.get("key", "")), request.FILES.get("file")
    try:
        with transaction.atomic():  # both, or neither
            filing = form_filings.file(
                form,
                request.user,
                filed_on=_day(request.POST.get("filed_on", "")),
                reference=request.POST.get("reference", ""),
                key=key,
            )
            if upload is not None:
                of_file = uuid.uuid5(key, "file") if key else None
                content = upload.read(MOST_BYTES + 1)
                filed_files.attach(filing, request.user, content, key=of_file)
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    else:
        messages.success(request, _("Entered as filed."))
    return redirect(_address(row.claim.system.casino))


@require_POST
@takes_files("file_form", MOST_BYTES + _AROUND_A_FILE)
@opens_for("file_form")
def filing_attach(request: HttpRequest, number: int) -> HttpResponse:
    """Attach the file that was sent to a filing that stands."""
    filings = FormFiling.objects.select_related("payout__claim__system__casino", "reversed_by")
    row, upload = get_object_or_404(filings, pk=number), request.FILES.get("file")
    try:
        content = upload.read(MOST_BYTES + 1) if upload is not None else b""
        filed_files.attach(row, request.user, content, key=_key(request.POST.get("key", "")))
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    else:
        messages.success(request, _("The file is attached."))
    return redirect(_address(row.payout.claim.system.casino))


@require_POST
@opens_for("file_form")
def filing_file(request: HttpRequest, number: int) -> HttpResponse:
    """A file of a filed form; it says who the player is, so the look is recorded."""
    files = FilingFile.objects.select_related("filing__payout__claim__system__casino")
    row = get_object_or_404(files, pk=number)
    try:
        content = filed_files.content_of(row, request.user)
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
        return redirect(_address(row.filing.payout.claim.system.casino))
    return HttpResponse(
        content,
        content_type=filed_files.MEDIA[FilingFile.Kind(row.kind)],
        headers={
            "Content-Disposition": f'attachment; filename="{filed_files.name_of(row)}"',
            "Content-Security-Policy": "default-src 'none'; sandbox",
            "Cache-Control": "no-store",
        },
    )


@require_POST
@opens_for("file_form")
def filing_reverse(request: HttpRequest, number: int) -> HttpResponse:
    """Undo a filing that was entered wrongly, or that is filed anew."""
    filings = FormFiling.objects.select_related("payout__claim__system__casino")
    row = get_object_or_404(filings, pk=number)
    try:
        form_filings.reverse(row, request.user, request.POST.get("reason", ""))
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    else:
        messages.success(request, _("Reversed: the form is to be filed again."))
    return redirect(_address(row.payout.claim.system.casino))


def _query(casino: Casino, first: dt.date, last: dt.date) -> str:
    return urlencode({"casino": casino.code, "from": first, "to": last})


def _address(casino: Casino) -> str:
    return f"{reverse('forms')}?{urlencode({'casino': casino.code})}"


def _day(text: str) -> dt.date:
    """What cannot be read is a day that no form was filed on."""
    try:
        return dt.date.fromisoformat(text.strip())
    except ValueError:
        return dt.date.min


def _key(text: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(text)
    except ValueError:
        return None
