"""Who shares a prize and sat nowhere: a page of a claim, where they are entered and taken back."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods

from settlement.claims.lookup import claim_named
from settlement.claims.services import hit_of
from settlement.core.errors import NotPermitted, RuleBroken
from settlement.evidence import sharers as services
from settlement.evidence.identification import PlayerIdentity
from settlement.exclusions import stops as exclusions
from settlement.models import Claim, Sharer
from settlement.models.identification import LONGEST
from settlement.pages.claims.actions import REFUSED, refusal_text
from settlement.pages.claims.panels.workbench.forms import IdentifyForm
from settlement.pages.shared.choices import number_of, posted_number
from settlement.pages.shared.decorators import opens_for
from settlement.pages.shared.fields import AmountField
from settlement.people.rights import staff_play
from tables.models import Casino

_PERSON = ("name", "born", "document_number")
_FOR_FORMS = ("tax_number", "address", "country")


class SharerForm(IdentifyForm):
    """Somebody who shares what a seat won: who it is, and how much of it is theirs."""

    field_order = ("key", "seat", "replaces", "amount", "percent", "reason")
    percent = forms.DecimalField(
        label=gettext_lazy("or share, in percent"),
        required=False,
        max_digits=5,
        decimal_places=2,
        min_value=Decimal("0.01"),
        max_value=100,
        localize=True,
        widget=forms.TextInput({"class": "input number", "inputmode": "decimal"}),
    )
    reason = forms.CharField(
        label=gettext_lazy("Why, where it replaces one or corrects what was paid"),
        required=False,
        max_length=LONGEST["note"],
        widget=forms.TextInput({"class": "input", "autocomplete": "off"}),
    )

    def __init__(
        self, data: Any = None, *, casino: Casino, won: dict[int, int], standing: list[Sharer]
    ) -> None:
        super().__init__(data)
        self.casino, self.won = casino, won
        self.fields["seat"] = forms.TypedChoiceField(
            label=_("Shares what was won by"),
            choices=[(seat, _("Seat %(seat)s") % {"seat": seat}) for seat in won],
            coerce=int,
            widget=forms.Select({"class": "input"}),
        )
        self.fields["amount"] = AmountField(
            label=_("Their part, %(currency)s") % {"currency": casino.currency},
            digits=casino.minor_digits,
            required=False,
        )
        self.fields["replaces"] = forms.TypedChoiceField(
            label=_("In place of"),
            choices=[("", _("Nobody: somebody more")), *_names(standing)],
            coerce=int,
            empty_value=None,
            required=False,
            help_text=_("Leave the person empty to enter another part of the same one."),
            widget=forms.Select({"class": "input"}),
        )
        if not standing:
            del self.fields["replaces"]
        for name in _PERSON:  # but where another part of the same person is entered
            self.fields[name].required = False
            self.fields[name].is_required = True  # type: ignore[attr-defined]
        del self.fields["note"]
        self.order_fields(self.field_order)

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        is_typed = any(values.get(name) for name in (*_PERSON, *_FOR_FORMS))
        keeps_person = values.get("replaces") and not is_typed
        for name in () if keeps_person else _PERSON:
            if name not in self.errors and not values.get(name):
                self.add_error(name, _("Enter the name, the date of birth and the document."))
        if "amount" in self.errors or "percent" in self.errors:
            return values
        if bool(values.get("amount")) == bool(values.get("percent")):
            self.add_error("amount", _("Enter an amount, or a share in percent: one of them."))
        elif values.get("percent") and "seat" in values:
            won = self.won[values["seat"]]
            values["amount"] = services.part_of(won, values["percent"], self.casino)
        return values

    @property
    def new_sharer(self) -> services.NewSharer:
        values = self.cleaned_data
        who = PlayerIdentity(
            values["seat"],
            values["name"],
            values["born"],
            values["document"],
            values["document_number"],
            **{name: values[name] for name in _FOR_FORMS},
        )
        amount, reason = values["amount"], values["reason"]
        return services.NewSharer(who, amount, values.get("replaces"), reason)


@dataclass(frozen=True, slots=True)
class Row:
    """A sharer in the list; `person`: the number by which they are known."""

    sharer: Sharer
    person: int
    withdrawal: Sharer | None


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat that won, and what of it is the player's own; micros."""

    number: int
    won: int
    own: int


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
@opens_for(services.PERMISSION, "view_identification")
def sharers(request: HttpRequest, system: str, number: int) -> HttpResponse:
    """Who shares what was won; a POST enters somebody, or takes one back."""
    claim = claim_named(request.method, system, number)
    if request.method != "POST":
        return _page(request, claim)
    try:
        return _withdraw(request, claim) if request.POST.get("do") else _add(request, claim)
    except NotPermitted as error:
        raise PermissionDenied(str(error)) from error


@sensitive_variables()
def _add(request: HttpRequest, claim: Claim) -> HttpResponse:
    form = _form(claim, request.POST)
    if not form.is_valid():
        return _page(request, claim, REFUSED, form=form)
    try:
        row = services.add(claim, request.user, form.new_sharer, key=form.cleaned_data["key"])
    except RuleBroken as refusal:
        if isinstance(refusal, NotPermitted):
            raise
        form.add_error(None, refusal_text(refusal))
        form.renew_key()
        return _page(request, claim, REFUSED, form=form)
    messages.success(request, _("Saved: a sharer of seat %(seat)s.") % {"seat": row.seat})
    if exclusions.of_claim(claim).get(row.seat):
        messages.error(request, exclusions.stopped_in_words(row.seat))
    return redirect(request.path)


def _withdraw(request: HttpRequest, claim: Claim) -> HttpResponse:
    row = get_object_or_404(claim.sharers, pk=posted_number(request, "do"))
    try:
        services.withdraw(row, request.user, request.POST.get("reason", ""))
    except RuleBroken as refusal:
        if isinstance(refusal, NotPermitted):
            raise
        messages.error(request, refusal_text(refusal))
    else:
        messages.success(request, _("Withdrawn: the part is the player's own again."))
    return redirect(request.path)


def _form(claim: Claim, data: Any = None) -> SharerForm:
    won = services.won_by_seat(hit_of(claim))
    standing = services.standing(claim)
    return SharerForm(data, casino=claim.system.casino, won=won, standing=standing)


def _names(standing: list[Sharer]) -> list[tuple[int, str]]:
    return [
        (
            each.pk,
            _("No. %(number)s, seat %(seat)s")
            % {"number": services.number_of(each), "seat": each.seat},
        )
        for each in standing
    ]


def _page(
    request: HttpRequest, claim: Claim, status: int = 200, form: SharerForm | None = None
) -> HttpResponse:
    rows = [
        Row(each, services.number_of(each), getattr(each, "reversed_by", None))
        for each in services.of_claim(claim)
        if each.kind == Sharer.Kind.ADDED
    ]
    hit = hit_of(claim)
    may_add = request.user.has_perm(f"settlement.{services.PERMISSION}")
    won = services.won_by_seat(hit)
    shared = dict.fromkeys(won, 0)
    for row in rows:
        if row.withdrawal is None:
            shared[row.sharer.seat] = shared.get(row.sharer.seat, 0) + row.sharer.amount
    if form is None and may_add and won and not staff_play.is_dealt_in(claim, request.user):
        form = _form(claim)
        form.initial["seat"] = number_of(request, "seat")
    context = {
        "claim": claim,
        "system": claim.system,
        "casino": claim.system.casino,
        "hit": hit,
        "rows": rows,
        "seats": [Seat(seat, amount, amount - shared[seat]) for seat, amount in won.items()],
        "form": form,
        "longest": LONGEST["note"],
    }
    return render(request, "console/evidence/sharers.html", context, status=status)
