"""Excluded persons: which lists there are, who was sought, entering one person, ending an entry."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from settlement.core.errors import RuleBroken
from settlement.core.gaming_day import today
from settlement.exclusions import entries, long_files
from settlement.exclusions.entries import ExclusionList, Person
from settlement.models import Exclusion, ExclusionImport
from settlement.models.exclusions import LIST_LENGTH, REFERENCE_LENGTH
from settlement.models.identification import LONGEST, Identification
from settlement.pages.claims.actions import REFUSED, refusal_text
from settlement.pages.shared.choices import casino_or_404, days_of, query_with
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.forms import ActionForm
from settlement.pages.shared.lists.cursor import page_of_rows
from settlement.pages.shared.lists.facets import context_of as facets_context
from settlement.pages.shared.lists.facets import facet_of, person_facet
from settlement.pages.shared.lists.narrowing import within
from settlement.pages.shared.lists.order import Column, Sort, order_of
from settlement.pages.shared.lists.order import context_of as order_context
from settlement.pages.shared.lists.saved_views import context_of as views_context
from settlement.pages.shared.lists.saved_views import has_views
from tables.models import Casino

IMPORTS = 20  # on a page
COLUMNS = (Column("id", int, is_down=True),)
# Of the lists in force, each with one kind.
SORTS = (
    Sort("list", gettext_noop("List"), (Column("list", str),), starts_down=False),
    Sort("kind", gettext_noop("Excluded by"), (Column("kind", str),), starts_down=False),
    Sort("persons", gettext_noop("Persons"), (Column("persons", int),)),
)
_KEYS: Mapping[str, Callable[[dict[str, Any]], Any]] = {
    "list": lambda row: row["list"].casefold(),
    "kind": lambda row: str(row["kind"]).casefold(),
    "persons": lambda row: row["persons"],
}
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
@has_views("exclusions")
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
    context = {
        "casino": casino,
        "casinos": list(Casino.objects.order_by("name", "pk")),
        "look_query": query_with(request, casino=casino.code),
        **_chosen(request, casino),
        "files": long_files.of_casino(casino, user) if may_import else [],
        "looks": entries.last_looks(casino),
        "may_import": may_import,
        "form": PersonForm(None, casino) if may_import else None,
        **more,
    }
    return render(request, "console/exclusions/list.html", context, status=status)


def _chosen(request: HttpRequest, casino: Casino) -> dict[str, Any]:
    """Lists in force and imports, as the address narrows them. No person is looked for there."""
    in_force = entries.in_force(casino)
    names = sorted({each["list"] for each in in_force} | set(_names_of_imports(casino)))
    of_list = facet_of(request, "list", _("List"), [(name, name) for name in names])
    kinds = [(code, str(label)) for code, label in Exclusion.Kind.choices]
    of_kind = facet_of(request, "kind", _("Excluded by"), kinds)
    who = ExclusionImport.objects.filter(casino=casino).order_by().values("person")
    of_person = person_facet(request, _("Imported by"), who)
    days, order = days_of(request), order_of(request, SORTS)
    rows = within(entries.imports_of(casino), "at", days, [casino])
    if of_list:
        rows = rows.filter(name=of_list.chosen)
    if of_person:
        rows = rows.filter(person__username=of_person.chosen)
    page = page_of_rows(request, rows, COLUMNS, IMPORTS)
    parts = long_files.in_part(page.rows)
    lists = [
        each
        for each in in_force
        if of_list.chosen in ("", each["list"]) and of_kind.chosen in ("", each["code"])
    ]
    return {
        "lists": sorted(lists, key=_KEYS[order.sort.code], reverse=order.is_down),
        "imports": [{"row": each, "part": parts.get(each.pk)} for each in page.rows],
        "page": page,
        **facets_context(request, of_list, of_kind, of_person, days=days, has_text=False),
        **order_context(request, SORTS, order),
        **views_context(request, "exclusions"),
    }


def _names_of_imports(casino: Casino) -> list[str]:
    names = ExclusionImport.objects.filter(casino=casino).order_by("name")
    return list(names.values_list("name", flat=True).distinct())


def casino_named(code: str) -> Casino:
    """The casino of an address."""
    return get_object_or_404(Casino.objects.all(), code=code)
