"""The form of a jackpot's terms: the jackpot, and its prizes (19.2 to 19.6)."""

from __future__ import annotations

from typing import Any

from django import forms

from jackpot.terms.document import MOST_PRESSES
from jackpot.terms.posted_terms import HAND_WINS
from jackpot.terms.required_evidence import WORDS
from rules.games import GAMES, JACKPOT_GAMES
from settlement.pages.shared.fields import AmountField
from settlement.pages.shared.forms import ActForm
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


class JackpotForm(ActForm):
    """What belongs to the whole jackpot; `base`: the document that the form began with."""

    base = forms.CharField(max_length=LONGEST_DOCUMENT, widget=forms.HiddenInput, required=False)
    code = forms.CharField(
        label="Code",
        help_text="Small letters, digits and hyphens; it stays for ever.",
        max_length=32,
        validators=[code_validator],
        widget=forms.TextInput({**INPUT, "spellcheck": "false"}),
        error_messages={"required": "Give the jackpot a code."},
    )
    name = forms.CharField(
        label="Name",
        max_length=100,
        widget=forms.TextInput(INPUT),
        error_messages={"required": "Give the jackpot a name."},
    )
    funding = forms.ChoiceField(
        label="Funding (19.2)",
        choices=[
            ("operator", "The operator's alone"),
            ("players", "Player-funded"),
        ],
        help_text="Player-funded: something is taken from pots, and the operator is custodian.",
        widget=forms.Select({"class": "input"}),
    )
    hand_wins = forms.ChoiceField(
        label="A hand that qualifies for several prizes",
        choices=[(wins, f"Wins {words}") for wins, words in HAND_WINS.items()],
        required=False,
        widget=forms.Select({"class": "input"}),
    )
    dark_minutes = whole(
        "Dark display, minutes (19.7)",
        1,
        1440,
        "Then its table is suspended. Empty: a person does it.",
    )
    presses_a_minute = whole(
        "Presses a minute, at most (19.9)",
        1,
        MOST_PRESSES,
        "More at one table are held for a supervisor. Empty: never held.",
    )
    games = several_of(
        [(code, GAMES[code].label) for code in JACKPOT_GAMES],
        label="Games (19.7(a))",
        error_messages={"required": "Choose at least one game."},
    )
    force = forms.CharField(
        label="Why now, although a claim is open",
        help_text="Only while a claim is open on a prize that changes. It stands in the record.",
        required=False,
        max_length=500,
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
            label="Taken from the pot for the jackpot",
            help_text="The posted steps: 1 from 20, 2 from 50. Empty: no drop.",
            required=False,
        )
        self.fields["tables"] = several_of(
            [(table.code, table.name) for table in tables],
            label="Tables",
            required=False,
            help_text="None chosen: every table of the system.",
        )
        for thing, words in WORDS.items():
            label = f"{words[0].upper()}{words[1:]}"
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
        return [self[f"evidence_{thing}"] for thing in WORDS]


class _Prizes(forms.BaseFormSet):
    def clean(self) -> None:
        if any(self.errors):
            return
        if not [form for form in self.forms if not form.cleaned_data.get("DELETE")]:
            raise forms.ValidationError("A jackpot needs at least one prize.")


PrizeForms = forms.formset_factory(
    PrizeForm,
    formset=_Prizes,
    extra=0,
    can_delete=True,
    max_num=MOST_PRIZES,
    absolute_max=MOST_PRIZES,
)
