"""Excluded persons: which lists there are, who was sought, entering one person, ending an entry."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from settlement.core.errors import RuleBroken
from settlement.core.gaming_day import today
from settlement.exclusions import entries, long_files
from settlement.exclusions.entries import ExclusionList, Person
from settlement.models import Exclusion
from settlement.models.exclusions import LIST_LENGTH, REFERENCE_LENGTH
from settlement.models.identification import LONGEST, Identification
from settlement.pages.claims.actions import REFUSED, refusal_text
from settlement.pages.shared.choices import casino_or_404
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.forms import ActionForm
from tables.models import Casino

IMPORTS = 20  # shown
_LINE = {"class": "input", "autocomplete": "off"}
HOUSE_LIST = "House list"  # a list is known by its name: the same in every language
_DAY = {"class": "input", "type": "date"}


class PersonForm(ActionForm):
    """One person: a self-exclusion at the desk, an order of the house."""

    list = forms.CharField(
        label=gettext_lazy("List"), max_length=LIST_LENGTH, widget=forms.TextInput(_LINE)
    )
    name = forms.CharField(
        label=gettext_lazy("Name"), max_length=LONGEST["name"], widget=forms.TextInput(_LINE)
    )
    born = forms.DateField(label=gettext_lazy("Date of birth"), widget=forms.DateInput(_DAY))
    document = forms.ChoiceField(
        label=gettext_lazy("Document"), required=False, widget=forms.Select({"class": "input"})
    )
    document_number = forms.CharField(
        label=gettext_lazy("Number of the document"),
        max_length=LONGEST["document_number"],
        required=False,
        widget=forms.TextInput(_LINE),
    )
    kind = forms.ChoiceField(
        label=gettext_lazy("Excluded by"),
        choices=Exclusion.Kind.choices,
        widget=forms.Select({"class": "input"}),
    )
    since = forms.DateField(label=gettext_lazy("From"), widget=forms.DateInput(_DAY))
    until = forms.DateField(
        label=gettext_lazy("Until"), required=False, widget=forms.DateInput(_DAY)
    )
    reference = forms.CharField(
        label=gettext_lazy("Reference"),
        max_length=REFERENCE_LENGTH,
        widget=forms.TextInput(_LINE),
    )

    def __init__(self, data: Any, casino: Casino) -> None:
        super().__init__(data)
        self.fields["document"].choices = [  # type: ignore[attr-defined]
            ("", _("Not known")),
            *Identification.Document.choices,
        ]
        self.initial.update({"list": HOUSE_LIST, "since": today(casino).isoformat()})

    @property
    def person(self) -> Person:
        names = ("name", "born", "kind", "since", "reference", "document", "document_number")
        values = {name: self.cleaned_data[name] for name in (*names, "until")}
        return Person(**values)


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
@opens_for("view_exclusions")
def exclusions(request: HttpRequest) -> HttpResponse:
    """The lists of a casino; a POST seeks somebody, which is recorded, or enters one person."""
    casino = casino_or_404(request)
    match request.POST.get("do"):
        case "seek":
            return _sought(request, casino)
        case "add":
            return _added(request, casino)
        case None if request.method != "POST":
            return _page(request, casino)
    raise BadRequest(_("The form does not say which action it is for."))


@require_POST
@opens_for("import_exclusions")
def exclusion_end(request: HttpRequest, number: int) -> HttpResponse:
    """An entry ends today, with a reason."""
    entry = Exclusion.objects.select_related("casino").filter(pk=number).first()
    if entry is None:
        raise Http404
    try:
        entries.end(entry, request.user, request.POST.get("note", ""))
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    else:
        messages.success(
            request,
            _("The entry with reference %(reference)s ends today.")
            % {"reference": entry.reference},
        )
    return redirect(f"{reverse('exclusions')}?casino={entry.casino.code}")


@sensitive_variables()
def _sought(request: HttpRequest, casino: Casino) -> HttpResponse:
    sought = request.POST.get("sought", "")
    people, has_more = entries.look(casino, request.user, sought)
    day = today(casino)
    rows = [{"entry": each, "is_over": each.is_over(day)} for each in people]
    return _page(request, casino, sought=sought, rows=rows, has_more=has_more, looked=True)


@sensitive_variables()
def _added(request: HttpRequest, casino: Casino) -> HttpResponse:
    form = PersonForm(request.POST, casino)
    if form.is_valid():
        exclusions_list = ExclusionList(form.cleaned_data["list"], [form.person])
        try:
            entries.take_in(casino, request.user, exclusions_list, key=form.cleaned_data["key"])
        except RuleBroken as refusal:
            form.add_error(None, refusal_text(refusal))
            form.renew_key()
        else:
            messages.success(request, _("Entered: from now on this person is not paid."))
            return redirect(f"{reverse('exclusions')}?casino={casino.code}")
    return _page(request, casino, REFUSED, form=form)


def _page(request: HttpRequest, casino: Casino, status: int = 200, **more: Any) -> HttpResponse:
    user = cast(Any, request.user)
    may_import = user.has_perm("settlement.import_exclusions")
    imports = list(entries.imports_of(casino)[:IMPORTS])
    parts = long_files.in_part(imports)
    context = {
        "casino": casino,
        "casinos": list(Casino.objects.order_by("name", "pk")),
        "imports": [{"row": each, "part": parts.get(each.pk)} for each in imports],
        "files": long_files.of_casino(casino, user) if may_import else [],
        "lists": entries.in_force(casino),
        "looks": entries.last_looks(casino),
        "may_import": may_import,
        "form": PersonForm(None, casino) if may_import else None,
        **more,
    }
    return render(request, "console/exclusions/list.html", context, status=status)


def casino_named(code: str) -> Casino:
    """The casino of an address."""
    return get_object_or_404(Casino.objects.all(), code=code)
