"""The form of a jackpot's terms: the jackpot, and its prizes (19.2 to 19.6)."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from jackpot.terms.document import MOST_PRESSES
from settlement.core.input import LONGEST_TEXT
from settlement.core.words.rule_words import EVIDENCE_TITLES, HAND_WINS, JACKPOT_GAME_NAMES
from settlement.pages.shared.fields import AmountField
from settlement.pages.shared.forms import ActionForm
from settlement.pages.terms.commission_form import NAMES as COMMISSION
from settlement.pages.terms.commission_form import commission_fields, faults
from settlement.pages.terms.fields import INPUT, DropStepsField, several_of, whole
from settlement.pages.terms.prize_form import PrizeForm
from settlement.terms.drafts import LONGEST_DOCUMENT
from tables.models import GamingTable, code_validator

MOST_PRIZES = 12


class _Above(AmountField):
    """Above which amount something is asked for; where nothing is typed, never."""

    is_required = True


class JackpotForm(ActionForm):
    """What belongs to the whole jackpot; `base`: the document that the form began with."""

    base = forms.CharField(max_length=LONGEST_DOCUMENT, widget=forms.HiddenInput, required=False)
    code = forms.CharField(
        label=gettext_lazy("Code"),
        help_text=gettext_lazy("Small letters, digits and hyphens. It cannot be changed later."),
        max_length=32,
        validators=[code_validator],
        widget=forms.TextInput({**INPUT, "spellcheck": "false"}),
        error_messages={"required": gettext_lazy("Enter a code for the jackpot.")},
    )
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=100,
        widget=forms.TextInput(INPUT),
        error_messages={"required": gettext_lazy("Enter a name for the jackpot.")},
    )
    funding = forms.ChoiceField(
        label=gettext_lazy("Funding (19.2)"),
        choices=[
            ("operator", gettext_lazy("The operator's alone")),
            ("players", gettext_lazy("Player-funded")),
        ],
        help_text=gettext_lazy(
            "Player-funded: something is taken from pots, and the operator is custodian."
        ),
        widget=forms.Select({"class": "input"}),
    )
    hand_wins = forms.ChoiceField(
        label=gettext_lazy("A hand that qualifies for several prizes"),
        choices=lambda: [
            (wins, _("Wins %(what)s") % {"what": words}) for wins, words in HAND_WINS.items()
        ],
        required=False,
        widget=forms.Select({"class": "input"}),
    )
    dark_minutes = whole(
        gettext_lazy("Dark display, minutes (19.7)"),
        1,
        1440,
        gettext_lazy("Then its table is suspended. Empty: a person does it."),
    )
    presses_a_minute = whole(
        gettext_lazy("Presses a minute, at most (19.9)"),
        1,
        MOST_PRESSES,
        gettext_lazy("More at one table are held for a supervisor. Empty: never held."),
    )
    games = several_of(
        JACKPOT_GAME_NAMES,
        label=gettext_lazy("Games (19.7(a))"),
        error_messages={"required": gettext_lazy("Choose at least one game.")},
    )
    force = forms.CharField(
        label=gettext_lazy("Why now, although a claim is open"),
        help_text=gettext_lazy(
            "Only while a claim is open on a prize that changes. It stands in the record."
        ),
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.TextInput(INPUT),
    )

    def __init__(
        self,
        data: Any = None,
        *,
        tables: list[GamingTable],
        is_new: bool,
        digits: int,
        **options: Any,
    ) -> None:
        super().__init__(data, auto_id="id_%s", **options)
        self.fields["drop_steps"] = DropStepsField(
            label=gettext_lazy("Taken from the pot for the jackpot"),
            help_text=gettext_lazy("The posted steps: 1 from 20, 2 from 50. Empty: no drop."),
            required=False,
        )
        self.fields["tables"] = several_of(
            [(table.code, table.name) for table in tables],
            label=gettext_lazy("Tables"),
            required=False,
            help_text=gettext_lazy("None chosen: every table of the system."),
        )
        for thing, label in EVIDENCE_TITLES.items():
            self.fields[f"evidence_{thing}"] = _Above(digits=digits, label=label, required=False)
        self.fields |= commission_fields()
        if not is_new:
            self.fields["code"].widget.attrs["readonly"] = True

    def clean(self) -> dict[str, Any]:
        """What is posted of the commission is whole."""
        values: dict[str, Any] = super().clean() or {}
        for name, fault in faults(values).items():
            if name not in self.errors:
                self.add_error(name, fault)
        return values

    @property
    def commission(self) -> list[forms.BoundField]:
        """The commission of its tables, without the box."""
        return [self[name] for name in COMMISSION[:-1]]

    @property
    def evidence(self) -> list[forms.BoundField]:
        """What a claim must show, above which amount."""
        return [self[f"evidence_{thing}"] for thing in EVIDENCE_TITLES]


class _Prizes(forms.BaseFormSet):
    def clean(self) -> None:
        if any(self.errors):
            return
        if not [form for form in self.forms if not form.cleaned_data.get("DELETE")]:
            raise forms.ValidationError(_("A jackpot needs at least one prize."))


PrizeForms = forms.formset_factory(
    PrizeForm,
    formset=_Prizes,
    extra=0,
    can_delete=True,
    max_num=MOST_PRIZES,
    absolute_max=MOST_PRIZES,
)
