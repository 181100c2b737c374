"""One payee in the cage's table: who it is, and what is handed over now."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from jackpot.hits.columns import PayeeLine
from jackpot.hits.payees import METHODS, TAX
from jackpot.labels.figures import write_amount
from settlement.core.input import LONGEST_TEXT
from settlement.core.words.countries import country_options
from settlement.core.words.translation import Labels
from settlement.jurisdiction.payments import PayeeStatement, PaymentRequirements
from settlement.models import Identification, Payout
from settlement.models.identification import LONGEST
from settlement.pages.shared.fields import AmountField
from settlement.pages.shared.forms import ActionForm, PasswordForm

TABLE = "cage"  # the form's id: its fields stand in a table, beside forms that print slips
_PLAYER = ("name", "born", "document_number")
_LABELS = Labels(
    {
        "chips": gettext_noop("Chips"),
        "cash": gettext_noop("Cash"),
        "equivalent": gettext_noop("Cash equivalent"),
    }
)
_LINE = {"class": "input", "autocomplete": "off"}


class SignForm(PasswordForm):
    """The password, once for all lines."""

    def __init__(self, data: Any = None, *, signed: bool = False) -> None:
        super().__init__(data, signed=signed)
        self.fields["password"].widget.attrs["form"] = TABLE
        del self.fields["key"]  # each line has its own


class PayeeForm(ActionForm):
    """A line of `Hit.payees`. What is left empty is no action.

    `asks`: whether its player is to be identified before it is paid. `needed`: what paying all of
    it asks for; `residence`: where its player lives, as said at an earlier payment.
    """

    name = forms.CharField(
        label=gettext_lazy("Name, as on the document"),
        max_length=LONGEST["name"],
        required=False,
        widget=forms.TextInput(_LINE),
    )
    born = forms.DateField(
        label=gettext_lazy("Date of birth"),
        required=False,
        widget=forms.DateInput({"class": "input", "type": "date"}),
    )
    document = forms.ChoiceField(
        label=gettext_lazy("Document"),
        choices=Identification.Document.choices,
        required=False,
        widget=forms.Select({"class": "input"}),
    )
    document_number = forms.CharField(
        label=gettext_lazy("Number of the document"),
        max_length=LONGEST["document_number"],
        required=False,
        widget=forms.TextInput(_LINE),
    )
    country = forms.ChoiceField(
        label=gettext_lazy("Country of residence, for tax and forms"),
        choices=country_options,
        required=False,
        widget=forms.Select({"class": "input"}),
    )
    without = forms.BooleanField(label=gettext_lazy("Pay without identification"), required=False)

    def __init__(
        self,
        data: Any = None,
        *,
        line: PayeeLine,
        digits: int,
        asks: bool,
        needed: PaymentRequirements | None = None,
        residence: str = "",
    ) -> None:
        super().__init__(data, prefix=f"l{line.line}")
        self.line, self.seat, self.rest, self.asks = line.line, line.seat, line.rest, asks
        for method in METHODS:
            self.fields[method] = AmountField(label=_LABELS[method], digits=digits, required=False)
            self.fields[method].widget.attrs["data-part"] = method
        self.asks_residence = needed is not None and needed.asks_residence
        if not self.asks_residence:
            del self.fields["country"]
        if needed is not None and (needed.asks_residence or needed.withholds):
            self._ask_for_tax(needed, digits, residence)
        for field in self.fields.values():
            field.widget.attrs["form"] = TABLE

    def _ask_for_tax(self, needed: PaymentRequirements, digits: int, residence: str) -> None:
        """Where the player lives, and what is withheld: of all that is due, until it is changed."""
        if needed.asks_residence:
            self.fields["residence"] = forms.ChoiceField(
                label=_("Where the player lives"),
                choices=[("", _("Choose")), *Payout.Residence.choices],
                initial=residence,
                required=False,
                widget=forms.Select({"class": "input", "data-residence": ""}),
            )
        if needed.asks_number:
            self.fields["without_number"] = forms.BooleanField(
                label=_("No taxpayer number given"),
                required=False,
                widget=forms.CheckboxInput({"data-without-number": ""}),
            )
        is_known = bool(residence) or not needed.asks_residence
        tax = needed.tax(PayeeStatement(residence)) if is_known else 0
        self.fields[TAX] = AmountField(
            label=_("Tax withheld"),
            digits=digits,
            required=False,
            initial=write_amount(tax, digits) if tax else "",
        )
        self.fields[TAX].widget.attrs["data-part"] = TAX
        self.fields["reason"] = forms.CharField(
            label=_("Why another amount is withheld"),
            max_length=LONGEST_TEXT,
            required=False,
            widget=forms.TextInput(_LINE),
        )

    @property
    def methods(self) -> list[forms.BoundField]:
        return [self[method] for method in METHODS]

    @property
    def player_fields(self) -> list[forms.BoundField]:
        names = ("name", "born", "document", "document_number", "country")
        return [self[name] for name in names if name in self.fields]

    @property
    def tax_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in ("residence", TAX, "reason") if name in self.fields]

    @property
    def pays(self) -> bool:
        """Whether something was typed that is handed over: tax alone is no payment."""
        return any(self[name].data for name in METHODS)

    @property
    def parts(self) -> dict[str, int]:
        """Micros by method, and the tax that is withheld; nothing where nothing is handed over."""
        names = (*METHODS, TAX) if self.pays else ()
        return {name: self.cleaned_data.get(name) or 0 for name in names}

    @property
    def statement(self) -> PayeeStatement:
        values = self.cleaned_data
        return PayeeStatement(
            values.get("residence", ""),
            values.get("without_number", False),
            values.get("reason", ""),
        )

    @property
    def player(self) -> dict[str, Any] | None:
        """Who the player is, where that was typed."""
        if not any(self.cleaned_data.get(name) for name in _PLAYER):
            return None
        more = ("document", "country") if self.asks_residence else ("document",)
        return {name: self.cleaned_data[name] for name in (*_PLAYER, *more)}

    @property
    def names_somebody(self) -> bool:
        """Whether somebody began to type who the player is."""
        return any(self[name].data for name in _PLAYER)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was typed for this payee."""
        return not self.names_somebody and not self.pays

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        if self.names_somebody:
            for name in _PLAYER:
                if name not in self.errors and not values.get(name):
                    self.add_error(name, _("Enter the name, the date of birth and the document."))
        amount = sum(self.parts.values())
        if amount and self.asks_residence and not values.get("residence"):
            self.add_error("residence", _("Choose where the player lives: the tax depends on it."))
        if amount > self.rest:
            self.add_error(None, _("Enter no more than the balance due."))
        if amount and self.asks and not (values.get("without") or self.names_somebody):
            self.add_error(
                "name",
                _("Identify the player of seat %(seat)s first, or tick that you pay without.")
                % {"seat": self.seat},
            )
        return values
