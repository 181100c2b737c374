"""Form fields of terms: shares in percent, steps of a drop, several of few."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from jackpot.labels.figures import localized
from jackpot.terms.money import BASIS_POINTS
from settlement.core.input import as_english, read_amount
from settlement.core.words.translation import Text

EXACT = 6  # decimals: what a round adds may be less than a coin
_PERCENT = re.compile(r"(?P<whole>\d{1,3})(\.(?P<part>\d{1,2}))?", re.ASCII)
_STEP = re.compile(r"(?P<take>[\d.,\u202f]*\d)\s+from\s+(?P<pot>[\d.,\u202f]*\d)", re.IGNORECASE)
INPUT = {"class": "input", "autocomplete": "off"}


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
        # The blank before the sign goes with those around the figure.
        match = _PERCENT.fullmatch(as_english(text.removesuffix("%")))
        if match is None:
            raise ValidationError(
                _("Write a share in percent, like %(example)s.") % {"example": localized("12.5")}
            )
        points = int(match["whole"]) * 100 + int((match["part"] or "0").ljust(2, "0"))
        if points > BASIS_POINTS:
            raise ValidationError(_("A share is at most 100%."))
        return points


class DropStepsField(forms.CharField):
    """Posted steps of the pot: "1 from 20, 2 from 50"; its value is the document's list."""

    def __init__(self, **options: Any) -> None:
        super().__init__(widget=forms.TextInput(INPUT), max_length=500, **options)

    def clean(self, value: Any) -> Any:
        steps = []
        for piece in filter(None, re.split(r"[;,]\s+|;", super().clean(value).strip())):
            match = _STEP.fullmatch(piece.strip().rstrip(","))
            if match is None:
                raise ValidationError(_("Write each step like 1 from 20, the next after a comma."))
            try:
                take, pot = (read_amount(match[name], EXACT) for name in ("take", "pot"))
            except ValueError as fault:
                raise ValidationError(str(fault)) from fault
            steps.append({"pot_from": pot, "take": take})
        return steps


def several_of(labels: Mapping[Any, str] | Sequence[tuple[Any, Text]], **options: Any) -> Any:
    choices = labels.items if isinstance(labels, Mapping) else labels
    return forms.MultipleChoiceField(
        choices=choices, widget=forms.CheckboxSelectMultiple, **options
    )


def whole(label: Text, least: int, most: int, hint: Text = "") -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        help_text=hint,
        required=False,
        min_value=least,
        max_value=most,
        widget=forms.NumberInput({"class": "input", "inputmode": "numeric"}),
    )
