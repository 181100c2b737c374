"""Form fields: a line, and what is typed at a table: amounts, cards, seats. Nothing is a float."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from rules.cards import CardError, parse_card
from settlement.core.input import read_amount
from settlement.core.typed_cards import split_cards
from settlement.core.words.translation import Text, translated

_BETWEEN = re.compile(r"[\s,;]+")
_SEATS = 23


def line(
    label: Text, longest: int, *, required: bool = True, help_text: Text = "", **attributes: str
) -> forms.CharField:
    """A field of one line."""
    own = {"class": "input", "autocomplete": "off", **attributes}
    return forms.CharField(
        label=label,
        max_length=longest,
        required=required,
        help_text=help_text,
        widget=forms.TextInput(own),
    )


def cards_input() -> forms.TextInput:
    """The input of several cards: a deck beside it fills it in (`picker.js`)."""
    return forms.TextInput(
        {
            "class": "input mono",
            "autocomplete": "off",
            "autocapitalize": "none",
            "spellcheck": "false",
            "data-cards": "",
        }
    )


class AmountField(forms.CharField):
    """An amount in currency units; its value is micros. Empty counts as nothing."""

    def __init__(self, *, digits: int, **options: Any) -> None:
        self.digits = digits
        attributes = {
            "class": "input number",
            "inputmode": "decimal" if digits else "numeric",
            "autocomplete": "off",
        }
        super().__init__(widget=forms.TextInput(attributes), max_length=24, **options)

    def clean(self, value: Any) -> Any:
        """Micros; None where nothing was typed and nothing is needed."""
        text = super().clean(value)
        if not text:
            return None
        try:
            return read_amount(text, self.digits)
        except ValueError as error:
            raise ValidationError(str(error)) from error


class CardsField(forms.CharField):
    """Several cards in one line; its value is a list of card texts, each a possible card."""

    def __init__(self, **options: Any) -> None:
        super().__init__(widget=cards_input(), max_length=120, **options)

    def clean(self, value: Any) -> Any:
        """The cards; whether they can be a hand is for the rules to say."""
        cards = split_cards(super().clean(value))
        for card in cards:
            try:
                parse_card(card)
            except CardError as error:
                raise ValidationError(translated(error.phrase)) from error
        return cards


class SeatsField(forms.CharField):
    """Seat numbers in one line; its value is a list, None where nothing was typed."""

    def __init__(self, **options: Any) -> None:
        attributes = {"class": "input", "inputmode": "numeric", "autocomplete": "off"}
        super().__init__(widget=forms.TextInput(attributes), max_length=80, **options)

    def clean(self, value: Any) -> Any:
        """The seats in rising order."""
        pieces = [piece for piece in _BETWEEN.split(super().clean(value)) if piece]
        if any(not p.isascii() or not p.isdigit() or not 1 <= int(p) <= _SEATS for p in pieces):
            raise ValidationError(
                _("Write seat numbers from 1 to %(seats)s, like 1 2 4 5.") % {"seats": _SEATS}
            )
        return sorted({int(piece) for piece in pieces}) or None
