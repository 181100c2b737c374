"""What a dealer enters at the unit. Cards are not judged: a unit sends what was typed."""

from decimal import Decimal
from typing import Any

from django import forms

from rules.dead_hands import VOID_REASONS
from rules.games import GAMES
from settlement.pages.shared.fields import cards_input

SEATS = [(str(seat), str(seat)) for seat in range(1, 11)]
EXPOSED = [("yes", "Shown"), ("refused", "Refused"), ("not_requested", "Not asked for")]
VOIDS = {code: text for code, (_, text) in VOID_REASONS.items()}
_MOST_CARDS, _LONGEST_CARD = 10, 8
_TEXT = forms.TextInput(attrs={"class": "input", "autocomplete": "off"})


def _text(**options: Any) -> forms.CharField:
    return forms.CharField(max_length=100, widget=_TEXT, **options)


class MoneyField(forms.DecimalField):
    """An amount of the currency, given as minor units."""

    def __init__(self, **options: Any) -> None:
        widget = forms.NumberInput(attrs={"class": "input number", "step": "0.01"})
        super().__init__(
            min_value=Decimal(0), max_digits=10, decimal_places=2, widget=widget, **options
        )

    def clean(self, value: Any) -> int | None:
        amount = super().clean(value)
        return None if amount is None else int(amount * 100)


class CardsField(forms.CharField):
    """Cards with spaces between them, as `As Td 7c`; anything else is sent as it is typed."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=100, widget=cards_input(), **options)

    def clean(self, value: Any) -> list[str]:
        cards = super().clean(value).replace(",", " ").split()
        if len(cards) > _MOST_CARDS:
            raise forms.ValidationError(f"A handset takes {_MOST_CARDS} cards at most.")
        if long := [card for card in cards if len(card) > _LONGEST_CARD]:
            raise forms.ValidationError(f"Put spaces between the cards: {long[0]}")
        return cards


class OpenForm(forms.Form):
    """The table opens: game, dealer, seats."""

    game = forms.ChoiceField(
        choices=[(game.code, game.label) for game in GAMES.values()],
        initial="holdem",
        widget=forms.Select(attrs={"class": "input"}),
    )
    dealer = _text(initial="Anahera")
    stakes = _text(initial="2-5", required=False)
    seats = forms.TypedMultipleChoiceField(
        choices=SEATS,
        coerce=int,
        initial=[str(seat) for seat in range(1, 7)],
        widget=forms.CheckboxSelectMultiple,
    )


class CompleteForm(forms.Form):
    """The round's figures; what is left empty is not sent, and the console flags it."""

    pot = MoneyField(required=False, initial=Decimal("120.00"), label="Pot, all bets")
    uncalled = MoneyField(required=False, initial=Decimal("0.00"), label="Uncalled bets")
    commission = MoneyField(required=False, initial=Decimal("6.00"))
    jackpot_drop = MoneyField(required=False, initial=Decimal("2.00"), label="Jackpot drop")


class CallForm(forms.Form):
    """Three taps: the prize, the seat, call."""

    tier = forms.ChoiceField(required=False, widget=forms.RadioSelect)
    seat = forms.TypedChoiceField(choices=SEATS, coerce=int, initial="3", widget=forms.RadioSelect)

    def __init__(self, *arguments: Any, tiers: list[tuple[str, str]], **options: Any) -> None:
        super().__init__(*arguments, **options)
        tier = self.fields["tier"]
        assert isinstance(tier, forms.ChoiceField)
        tier.choices = [*tiers, ("", "Not sure")]
        tier.initial = tiers[0][0] if tiers else ""


class ReportForm(forms.Form):
    """The hand as the dealer sees it."""

    hole = CardsField(label="Hole cards")
    hole2 = CardsField(label="Hole cards that beat it", required=False)
    board = CardsField(label="First board", required=False)
    board2 = CardsField(label="Second board", required=False)
    seat = forms.TypedChoiceField(
        choices=SEATS, coerce=int, initial="3", widget=forms.Select(attrs={"class": "input"})
    )
    seat2 = forms.TypedChoiceField(
        required=False,
        label="Seat that beat it",
        choices=SEATS,
        coerce=int,
        initial="5",
        widget=forms.Select(attrs={"class": "input"}),
    )
    exposed = forms.ChoiceField(
        choices=EXPOSED,
        initial="yes",
        label="Hole cards face up",
        widget=forms.Select(attrs={"class": "input"}),
    )
    won_pot = forms.BooleanField(required=False, initial=True, label="Won the pot")
    participating = forms.BooleanField(required=False, initial=True, label="Takes part")
    folded = forms.BooleanField(required=False, label="Had folded")
    flop_on_request = forms.BooleanField(required=False, label="Flop dealt on request (19.16)")

    def clean(self) -> dict[str, Any]:
        form_values: dict[str, Any] = super().clean() or {}
        if form_values.get("hole2") and form_values.get("seat2") in ("", form_values.get("seat")):
            self.add_error("seat2", "The hand that beat it is at another seat.")
        return form_values


class VoidForm(forms.Form):
    """A misdeal or a defective deck (20.1): a supervisor decides."""

    reason = forms.ChoiceField(
        choices=list(VOIDS.items()),
        widget=forms.Select(attrs={"class": "input"}),
    )
    note = _text(required=False)


class MissedForm(forms.Form):
    """The dealer's word that the button was forgotten (19.19)."""

    count = forms.IntegerField(
        min_value=1,
        max_value=1000,
        initial=1,
        label="Rounds",
        widget=forms.NumberInput(attrs={"class": "input number"}),
    )
    note = _text(required=False)


class WithdrawForm(forms.Form):
    """A hand that was called in error: a supervisor decides."""

    reason = _text(initial="Called in error")
