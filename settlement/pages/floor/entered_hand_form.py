"""The form of a hand that is entered while its table's unit is offline: as much as is known."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from settlement.core.input import LONGEST_TEXT
from settlement.core.words.rule_words import GAME_NAMES
from settlement.core.words.translation import text_of
from settlement.pages.claims.report_forms import ReportForm
from settlement.pages.shared.fields import SeatsField
from tables.protocol.messages import MAX_INTEGER

_NUMBER = {"class": "input number", "inputmode": "numeric", "autocomplete": "off"}
_SELECT = {"class": "input"}
DECKS = (52, 40, 36, 32)
UNKNOWN = "?"  # no prize has such a code


class _PrizeField(forms.ChoiceField):
    """Asked for, unless cards are typed."""

    is_required = True


class EnterForm(ReportForm):
    """Game, seats and prize take the place; cards may follow now or later."""

    game = forms.ChoiceField(
        label=gettext_lazy("Game"),
        choices=GAME_NAMES.items,
        widget=forms.Select(_SELECT),
    )
    deck = forms.ChoiceField(
        label=gettext_lazy("Deck"),
        choices=[
            (str(cards), text_of(gettext_lazy("%(size)s cards"), size=cards)) for cards in DECKS
        ],
        widget=forms.Select(_SELECT),
    )
    round = forms.IntegerField(
        label=gettext_lazy("Round"),
        help_text=gettext_lazy("The unit's counter. Leave it empty if it is not known."),
        required=False,
        min_value=1,
        max_value=MAX_INTEGER,
        widget=forms.NumberInput(_NUMBER),
    )
    seats = SeatsField(
        label=gettext_lazy("Seat of the hand"),
        required=False,
        help_text=gettext_lazy("Several: 3 5."),
    )
    tier = _PrizeField(
        label=gettext_lazy("Called for"),
        help_text=gettext_lazy(
            "This prize is reserved at once. Where cards are typed they decide."
        ),
        required=False,
        widget=forms.Select(_SELECT),
    )
    note = forms.CharField(
        label=gettext_lazy("Why it is entered here"),
        help_text=gettext_lazy("What is wrong with the unit, who saw the hand, camera."),
        max_length=LONGEST_TEXT,
        widget=forms.Textarea({"class": "input", "rows": 2}),
        error_messages={"required": gettext_lazy("Enter why the hand is entered here.")},
    )
    second = forms.CharField(
        label=gettext_lazy("Second person"),
        help_text=gettext_lazy("Another game supervisor or a casino manager: log-in name."),
        required=False,
        max_length=150,
        widget=forms.TextInput({"class": "input", "autocomplete": "off"}),
    )
    second_password = forms.CharField(
        max_length=1024,
        label=gettext_lazy("Their password"),
        required=False,
        strip=False,
        widget=forms.PasswordInput({"class": "input", "autocomplete": "off"}),
    )
    second_code = forms.CharField(
        max_length=40,
        label=gettext_lazy("Code of their second factor, if they have one"),
        required=False,
        widget=forms.TextInput({"class": "input", "autocomplete": "off"}),
    )
    newest = forms.IntegerField(min_value=0, max_value=2**62, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, tiers: list[tuple[str, str]], **options: Any) -> None:
        super().__init__(data, **options)
        self.fields["board"].required = False
        self.prizes = {code for code, _ in tiers}
        choices = [
            ("", gettext("Choose")),
            *tiers,
            (UNKNOWN, gettext("Not known yet: no amount is reserved")),
        ]
        self.fields["tier"].choices = choices  # type: ignore[attr-defined]

    def see(self, newest: int) -> None:
        """After a refusal: what came meanwhile has been shown."""
        self.data = {**self.data, self.add_prefix("newest"): str(newest)}

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        is_read = not {"board", "seats"} & self.errors.keys()
        if is_read and not values.get("board") and not values.get("seats"):
            self.add_error("seats", gettext("Enter the seat, or the cards below."))
        if is_read and not values.get("board") and values.get("tier") == "":
            self.add_error(
                "tier",
                gettext(
                    "Choose the prize, or that it is not known yet: then no amount is reserved."
                ),
            )
        return values
