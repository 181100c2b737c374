"""The form of a jackpot's terms: the jackpot, and each of its prizes (19.2 to 19.6)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from jackpot.money import BASIS_POINTS
from jackpot.terms import HAND_WINS
from rules.cards import RANKS
from rules.decks import DECKS
from rules.games import GAMES, JACKPOT_GAMES
from rules.hands import Category
from rules.terms import TermsError
from rules.weakest import Weakest
from rules.wording import SUIT_NAMES
from settlement.pages.fields import AmountField, read_amount
from settlement.pages.forms import ActForm
from tables.models import GamingTable, code_validator

MOST_PRIZES = 12
EXACT = 6  # decimals: what a round adds may be less than a coin
SOURCES = {
    "per_round": "The operator, for each round",
    "pot": "Share of the called pot",
    "commission": "Share of the commission",
    "drop": "Share of the jackpot drop",
}
INTO = ("pool", "reserve")
NEW_PRIZE: dict[str, Any] = {"share": "100", "category": Category.ROYAL_FLUSH.name.lower()}
_PERCENT = re.compile(r"(?P<whole>\d{1,3})(\.(?P<part>\d{1,2}))?\s*%?", re.ASCII)
_STEP = re.compile(r"(?P<take>[\d.,]*\d)\s+from\s+(?P<pot>[\d.,]*\d)", re.IGNORECASE)
_INPUT = {"class": "input", "autocomplete": "off"}
_HIGHEST_FIRST = sorted(Category, key=lambda category: -category.value)


class PercentField(forms.CharField):
    """A share in percent, at most two decimals; its value is basis points."""

    def __init__(self, **options: Any) -> None:
        attributes = {"class": "input number", "inputmode": "decimal", "autocomplete": "off"}
        super().__init__(widget=forms.TextInput(attributes), max_length=8, **options)

    def clean(self, value: Any) -> Any:
        """Basis points; None where nothing was typed."""
        text = super().clean(value)
        if not text:
            return None
        found = _PERCENT.fullmatch(text.strip())
        if found is None:
            raise ValidationError("Write a share in percent, like 12.5.")
        points = int(found["whole"]) * 100 + int((found["part"] or "0").ljust(2, "0"))
        if points > BASIS_POINTS:
            raise ValidationError("A share is at most 100%.")
        return points


class DropStepsField(forms.CharField):
    """Posted steps of the pot: "1 from 20, 2 from 50"; its value is the document's list."""

    def __init__(self, **options: Any) -> None:
        super().__init__(widget=forms.TextInput(_INPUT), max_length=500, **options)

    def clean(self, value: Any) -> Any:
        steps = []
        for piece in filter(None, re.split(r"[;,]\s+|;", super().clean(value).strip())):
            found = _STEP.fullmatch(piece.strip().rstrip(","))
            if found is None:
                raise ValidationError("Write each step like 1 from 20, the next after a comma.")
            try:
                take, pot = (read_amount(found[name], EXACT) for name in ("take", "pot"))
            except ValueError as fault:
                raise ValidationError(str(fault)) from fault
            steps.append({"pot_from": pot, "take": take})
        return steps


def _choices(found: Mapping[Any, str] | list[tuple[Any, str]], **options: Any) -> Any:
    choices = list(found.items()) if isinstance(found, Mapping) else found
    return forms.MultipleChoiceField(
        choices=choices, widget=forms.CheckboxSelectMultiple, **options
    )


class JackpotForm(ActForm):
    """What belongs to the whole jackpot; `base`: the document that the form began with."""

    base = forms.CharField(widget=forms.HiddenInput, required=False)
    code = forms.CharField(
        label="Code",
        help_text="Small letters, digits and hyphens; it stays for ever.",
        max_length=32,
        validators=[code_validator],
        widget=forms.TextInput({**_INPUT, "spellcheck": "false"}),
        error_messages={"required": "Give the jackpot a code."},
    )
    name = forms.CharField(
        label="Name",
        max_length=100,
        widget=forms.TextInput(_INPUT),
        error_messages={"required": "Give the jackpot a name."},
    )
    funding = forms.ChoiceField(
        label="Whose money is it? (19.2)",
        choices=[
            ("operator", "The operator's: nothing is taken from players"),
            ("players", "Also the players': the operator is custodian"),
        ],
        widget=forms.Select({"class": "input"}),
    )
    hand_wins = forms.ChoiceField(
        label="A hand that qualifies for several prizes",
        choices=[(wins, f"Wins {words}") for wins, words in HAND_WINS.items()],
        required=False,
        widget=forms.Select({"class": "input"}),
    )
    games = _choices(
        [(code, GAMES[code].label) for code in JACKPOT_GAMES],
        label="Games (19.7(a))",
        error_messages={"required": "Choose at least one game."},
    )
    force = forms.CharField(
        label="Why now, although a claim is open",
        help_text="Only while a claim is open on a prize that changes. It stands in the record.",
        required=False,
        max_length=500,
        widget=forms.TextInput(_INPUT),
    )

    def __init__(
        self,
        data: Any = None,
        *,
        tables: list[GamingTable],
        is_new: bool,
        **options: Any,
    ) -> None:
        super().__init__(data, auto_id="id_%s", **options)
        self.fields["drop_steps"] = DropStepsField(
            label="Taken from the pot for the jackpot",
            help_text="The posted steps: 1 from 20, 2 from 50. Empty: no drop.",
            required=False,
        )
        self.fields["tables"] = _choices(
            [(table.code, table.name) for table in tables],
            label="Tables",
            required=False,
            help_text="None chosen: every table of the system.",
        )
        if not is_new:
            self.fields["code"].widget.attrs["readonly"] = True


class PrizeForm(forms.Form):
    """One tier: its name and rank, what wins it, what is paid, how it grows."""

    code = forms.CharField(
        label="Code",
        max_length=32,
        validators=[code_validator],
        widget=forms.TextInput({**_INPUT, "spellcheck": "false"}),
        error_messages={"required": "Give the prize a code."},
    )
    name = forms.CharField(
        label="Name",
        max_length=100,
        widget=forms.TextInput(_INPUT),
        error_messages={"required": "Give the prize a name."},
    )
    rank = forms.IntegerField(
        label="Rank",
        help_text="1 is the highest prize.",
        min_value=1,
        max_value=1000,
        widget=forms.NumberInput({"class": "input", "inputmode": "numeric"}),
    )
    share = PercentField(label="Pays, % of the pool")
    category = forms.ChoiceField(
        label="Lowest hand that wins",
        choices=[(each.name.lower(), each.label.capitalize()) for each in _HIGHEST_FIRST],
        widget=forms.Select({"class": "input"}),
        required=False,
    )
    ranks = forms.CharField(
        label="Its lowest ranks",
        help_text="Like A for aces full, or T A for tens with an ace. Empty: any.",
        required=False,
        max_length=20,
        widget=forms.TextInput({**_INPUT, "spellcheck": "false"}),
    )
    suit = forms.ChoiceField(
        label="Suit",
        choices=[("", "Any"), *((code, name.capitalize()) for code, name in SUIT_NAMES.items())],
        required=False,
        widget=forms.Select({"class": "input"}),
    )
    hole_cards_playing = forms.TypedChoiceField(
        label="Hole cards that must play",
        choices=[("0", "None"), ("1", "At least one"), ("2", "Two"), ("pair", "A pair of them")],
        required=False,
        empty_value="0",
        widget=forms.Select({"class": "input"}),
    )
    players_dealt_min = forms.IntegerField(
        label="Players dealt in, at least",
        required=False,
        min_value=2,
        max_value=10,
        widget=forms.NumberInput({"class": "input", "inputmode": "numeric"}),
    )
    games = _choices(
        [(code, GAMES[code].label) for code in JACKPOT_GAMES],
        label="Games",
        required=False,
        help_text="None chosen: those of the jackpot.",
    )
    decks = _choices(
        [(str(size), f"{size} cards") for size in DECKS],
        label="Decks (4.1)",
        required=False,
        help_text="None chosen: 52 cards.",
    )
    flop_seen = forms.BooleanField(label="The flop was dealt in play", required=False)
    showdown_needed = forms.BooleanField(label="All cards were dealt in play", required=False)
    players_min = forms.IntegerField(
        label="Operator's money from so many players",
        required=False,
        min_value=0,
        max_value=23,
        widget=forms.NumberInput({"class": "input", "inputmode": "numeric"}),
    )

    def __init__(self, *arguments: Any, **options: Any) -> None:
        digits = options.pop("digits")
        super().__init__(*arguments, **options)
        for name, label, needed in (
            ("reset", "Reset amount", True),
            ("payable_unit", "Rounded up to", True),
            ("limit", "Contributions stop at", False),
            ("pot_min", "Pot, at least", False),
            ("pot_cap", "At most a round, pot", False),
            ("commission_cap", "At most a round, commission", False),
        ):
            self.fields[name] = AmountField(
                label=label,
                digits=digits if name == "pot_min" else EXACT,
                required=needed,
                error_messages={"required": "Give the amount."},
            )
        for source, label in SOURCES.items():
            for into in INTO:
                title = f"{label}, to the {into}"
                self.fields[f"{source}_{into}"] = (
                    AmountField(label=title, digits=EXACT, required=False)
                    if source == "per_round"
                    else PercentField(label=title, required=False)
                )

    @property
    def sources(self) -> list[tuple[str, forms.BoundField, forms.BoundField, Any]]:
        """A row for each source: its label, both figures, and what limits them."""
        last = {"per_round": "players_min", "pot": "pot_cap", "commission": "commission_cap"}
        return [
            (
                label,
                self[f"{source}_pool"],
                self[f"{source}_reserve"],
                self[last[source]] if source in last else None,
            )
            for source, label in SOURCES.items()
        ]

    def clean_ranks(self) -> list[str]:
        """Ranks as cards write them."""
        text: str = self.cleaned_data["ranks"].upper().replace("10", "T")
        ranks = [each for each in re.split(r"[\s,]*", text) if each]
        if strange := [rank for rank in ranks if rank not in RANKS]:
            raise ValidationError(f"{strange[0]} is no rank: write one of {' '.join(RANKS)}.")
        return ranks

    def clean(self) -> dict[str, Any]:
        """Whether such a hand can be asked for."""
        given: dict[str, Any] = super().clean() or {}
        try:
            Weakest(Category[given.get("category", "").upper()], tuple(given.get("ranks") or ()))
        except KeyError:
            pass
        except TermsError as fault:
            self.add_error("ranks", str(fault))
        return given


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
