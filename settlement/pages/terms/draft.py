"""Drafting terms: the form, the notice that follows from it at once, the difference to what is in
force, and the document to bring in as it stands elsewhere."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from jackpot.queries.dry_run import refusal
from jackpot.terms.document import JackpotTerms
from jackpot.terms.required_evidence import BY_DEFAULT
from settlement.core.errors import BadTerms, FiguresNotRetyped, RuleBroken
from settlement.models import Proposal
from settlement.pages.claims.actions import REFUSED, refusal_text
from settlement.pages.shared.choices import number_of, system_or_404
from settlement.pages.shared.decorators import opens_for, takes_files
from settlement.pages.terms.document import (
    base_of,
    document_of,
    typed_evidence,
    typed_from,
    what_stays,
)
from settlement.pages.terms.effect import RetypeForm, effect
from settlement.pages.terms.examples import examples
from settlement.pages.terms.forms import MOST_PRIZES, JackpotForm, PrizeForms
from settlement.pages.terms.prize_form import NEW_PRIZE
from settlement.pools.status import posted_terms
from settlement.terms import drafts
from settlement.terms.differences import Change, differences, notice_difference
from settlement.terms.templates import TEMPLATES, template_of
from tables.models import JackpotSystem

PREFIX = "prize"


@require_http_methods(["GET", "HEAD", "POST"])
@takes_files("propose_terms", 1024 * 1024)  # a document, and the one that the form began with
@opens_for("propose_terms")
def draft(request: HttpRequest, system: str, jackpot: str | None = None) -> HttpResponse:
    """The form; nothing takes effect before somebody else approves it."""
    desk = _Desk(request, system_or_404(system), jackpot)
    if request.method != "POST":
        return desk.page(*desk.start_form())
    if "import" in request.POST:
        return desk.brought_in()
    if "add" in request.POST:
        return desk.page(*desk.as_typed(one_more=True))
    return desk.preview() if "preview" in request.POST else desk.proposed()


class _Desk:
    """One draft on one page."""

    def __init__(self, request: HttpRequest, system: JackpotSystem, jackpot: str | None) -> None:
        self.request, self.system = request, system
        self.casino = system.casino
        self.digits = system.casino.minor_digits
        self.tables = list(system.tables.filter(moved_to=None).order_by("pk"))
        self.posted = posted_terms([system])
        versions = self.posted.get((system.pk, jackpot or ""))
        if jackpot is not None and not versions:
            raise Http404(_("No such jackpot was ever posted on this system."))
        self.in_force = versions[-1].terms if versions else None
        self.versions = {each.number: each.terms for each in versions or ()}
        self.again: RetypeForm | None = None  # figures that are typed again

    # --- forms ----------------------------------------------------------------------------

    def start_form(self) -> tuple[JackpotForm, Any]:
        """A form on the terms in force or an earlier version, on what somebody proposed before, on
        a template, or an empty one."""
        number = number_of(self.request, "from")
        drafted = Proposal.objects.filter(system=self.system, kind=drafts.KIND)
        before = drafted.filter(pk=number or 0).first()
        if before is not None:
            return self.of_document(drafts.read(before.body["terms"]))
        if self.in_force is not None:
            version = self.versions.get(number_of(self.request, "version") or 0)
            return self.of_document(version or self.in_force)
        template = template_of(self.request.GET.get("template", ""))
        if template is not None:
            return self.of_document(drafts.read(template.document))
        unit = {"payable_unit": "1"}
        usual = {"presses_a_minute": 6, **typed_evidence(BY_DEFAULT, self.digits)}
        return self._forms(None, initial=usual), self._prizes(
            initial=[NEW_PRIZE | {"rank": 1} | unit]
        )

    def of_document(self, terms: JackpotTerms) -> tuple[JackpotForm, Any]:
        jackpot, prizes = typed_from(drafts.posted_form(terms), self.digits)
        return self._forms(None, initial=jackpot), self._prizes(initial=prizes)

    def bound(self) -> tuple[JackpotForm, Any]:
        return self._forms(self.request.POST), self._prizes(self.request.POST)

    def as_typed(self, *, one_more: bool = False) -> tuple[JackpotForm, Any]:
        """The same again, unjudged; with one more prize if asked for."""
        form, prizes = self.bound()
        typed = {name: form[name].data for name in form.fields}
        rows = [{name: row[name].data for name in row.fields} for row in prizes.forms]
        rows = [row for row in rows if not row.get("DELETE")]
        if one_more and len(rows) < MOST_PRIZES:
            ranks = [int(row["rank"]) for row in rows if str(row["rank"]).isdigit()]
            rows.append(NEW_PRIZE | {"rank": max(ranks, default=0) + 1})
        return self._forms(None, initial=typed), self._prizes(initial=rows)

    def _forms(self, data: Any, **options: Any) -> JackpotForm:
        is_new = self.in_force is None
        return JackpotForm(data, tables=self.tables, is_new=is_new, digits=self.digits, **options)

    def _prizes(self, data: Any = None, **options: Any) -> Any:
        return PrizeForms(data, prefix=PREFIX, form_kwargs={"digits": self.digits}, **options)

    # --- answers --------------------------------------------------------------------------

    def brought_in(self) -> HttpResponse:
        """The form as a document says, from a file or from the clipboard."""
        file = self.request.FILES.get("file")
        try:
            if file is not None:
                if (file.size or 0) > drafts.LONGEST_DOCUMENT:
                    raise BadTerms(_("This file is too long to be terms of a jackpot."))
                text = file.read().decode("utf-8", errors="replace")
            else:
                text = self.request.POST.get("document", "")
            terms = drafts.read_text(text)
            if self.in_force is not None and terms.code != self.in_force.code:
                raise BadTerms(
                    _(
                        "This document is of the jackpot %(terms_code)s, the page of"
                        " %(in_force_code)s: open the page of that one."
                    )
                    % {"terms_code": terms.code, "in_force_code": self.in_force.code}
                )
        except BadTerms as fault:
            messages.error(self.request, refusal_text(fault))
            return self.page(*self.as_typed(), REFUSED)
        messages.success(self.request, _("The document is in the form: nothing is proposed yet."))
        return self.page(*self.of_document(terms))

    def preview(self) -> HttpResponse:
        """What follows from the form as it stands: a fragment, or the page without scripts."""
        form, prizes = self.bound()
        context = self._preview(form, prizes)
        if self.request.POST["preview"] == "fragment":
            return render(self.request, "console/terms/preview.html", context)
        return self.page(form, prizes)

    def proposed(self) -> HttpResponse:
        form, prizes = self.bound()
        valid = [form.is_valid(), prizes.is_valid()]
        if not all(valid):
            return self.page(form, prizes, REFUSED)
        values = form.cleaned_data
        try:
            if self.in_force is not None and values["code"] != self.in_force.code:
                raise BadTerms(_("A jackpot keeps its code."))
            document = document_of(form, prizes, self.digits)
            again = RetypeForm(
                drafts.to_retype(self.system, drafts.read(document)), self.request.POST
            )
            proposal = drafts.propose(
                self.system,
                self.request.user,
                document,
                force=values["force"],
                figures=again.typed,
                key=values["key"],
            )
        except RuleBroken as refused:
            if isinstance(refused, FiguresNotRetyped):
                again.judge()
                self.again = again
            messages.error(self.request, refusal_text(refused))
            form.renew_key()
            return self.page(form, prizes, REFUSED)
        messages.success(
            self.request,
            _("Proposed: nothing changes until somebody else approves it, with the password."),
        )
        return redirect(reverse("terms-proposal", args=[proposal.pk]))

    def page(self, form: JackpotForm, prizes: Any, status: int = 200) -> HttpResponse:
        jackpot = self.in_force.code if self.in_force else None
        waiting = drafts.open_draft(self.system, jackpot) if jackpot else None
        stays = what_stays(base_of(str(form["base"].value() or "")))
        rows = [(row, stays.get(str(row["code"].value()), False)) for row in prizes.forms]
        context = {
            "system": self.system,
            "casino": self.casino,
            "in_force": self.in_force,
            "form": form,
            "prizes": prizes,
            "rows": rows,
            "may_add": len(rows) < MOST_PRIZES,
            "templates": () if self.in_force or form.is_bound else TEMPLATES,
            "waiting": waiting,
            "again": self.again,
            "crumbs": [(_("Terms"), reverse("terms")), (self.system.name, None)],
            **self._preview(form, prizes),
        }
        return render(self.request, "console/terms/draft.html", context, status=status)

    def _preview(self, form: JackpotForm, prizes: Any) -> dict[str, Any]:
        """The notice and the difference, or what is missing before they can be made."""
        if not form.is_bound:  # as it begins
            base = base_of(str(form["base"].value() or ""))
            try:
                return self._follows(drafts.read(base), "") if base else {}
            except BadTerms as fault:
                return {"fault": str(fault)}
        if not (form.is_valid() and prizes.is_valid()):
            return {"fault": _("Complete the form: what is missing or cannot be read is marked.")}
        try:
            terms = drafts.read(document_of(form, prizes, self.digits))
        except BadTerms as fault:
            return {"fault": str(fault)}
        return self._follows(terms, form.cleaned_data["force"])

    def _follows(self, terms: JackpotTerms, force: str) -> dict[str, Any]:
        lines = differences(self.in_force, terms, self.casino)
        changed = [line for line in lines if line.state != Change.SAME]
        body = drafts.body_of(terms, force)
        who = self.request.user.get_username()
        return {
            "casino": self.casino,
            "notice": notice_difference(self.in_force, terms, self.casino),
            "examples": examples(terms),
            "changed": changed,
            "same": [line for line in lines if line.state == Change.SAME],
            "is_new": self.in_force is None,
            **effect(self.system, self.in_force, terms),
            "refused": refusal(self.system, drafts.KIND, body, who) if changed else None,
        }
