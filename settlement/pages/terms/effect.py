"""How far new terms move figures, what the next hits would cost, and the figures typed again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from jackpot.terms.document import JackpotTerms
from rules.conditions import refuses_19_16
from settlement.pages.shared.fields import AmountField
from settlement.pages.terms.fields import EXACT, INPUT, PercentField
from settlement.terms.figures import Move, factor_of, moves
from settlement.terms.next_hit import next_hits
from tables.models import JackpotSystem

PREFIX = "again-"


def effect(
    system: JackpotSystem, before: JackpotTerms | None, after: JackpotTerms
) -> dict[str, Any]:
    """For `console/terms/difference.html`."""
    casino, factor = system.casino, factor_of(system.casino)
    return {
        "moves": [
            {
                "label": move.figure.label,
                "before": move.figure.text_of(move.before, casino),
                "after": move.figure.text_of(move.figure.value, casino),
                "words": move.words,
                "is_large": move.is_large(factor),
            }
            for move in moves(before, after, casino)
        ],
        "factor": factor,
        "refuses_19_16": [tier.name for tier in after.tiers if refuses_19_16(tier.qualifies())],
        "next_hits": next_hits(system, before, after),
    }


class RetypeForm(forms.Form):
    """The figures that move far, to be typed again as they are posted, not copied."""

    def __init__(self, figure_moves: Iterable[Move], data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, auto_id="id_%s")
        self.moves = list(figure_moves)
        for move in self.moves:
            figure = move.figure
            label = f"{figure.label} ({move.words})"
            field: Any
            if figure.shape == "money":
                field = AmountField(label=label, digits=EXACT, required=False)
            elif figure.shape == "share":
                field = PercentField(label=f"{label}, %", required=False)
            else:
                widget = forms.NumberInput({**INPUT, "inputmode": "numeric"})
                field = forms.IntegerField(label=label, required=False, widget=widget)
            field.is_required = True
            self.fields[PREFIX + figure.key] = field

    @property
    def typed(self) -> dict[str, int]:
        """By key what was typed; what cannot be read counts as not typed."""
        figures = {}
        for move in self.moves:
            name = PREFIX + move.figure.key
            field = self.fields[name]
            try:
                value = field.clean(field.widget.value_from_datadict(self.data, {}, name))
            except ValidationError:
                continue
            if value is not None:
                figures[move.figure.key] = value
        return figures

    def judge(self) -> None:
        """Say beside each field that it is still to be typed, or is another figure."""
        self.is_valid()
        typed = self.typed
        for move in self.moves:
            name = PREFIX + move.figure.key
            if name in self.errors or typed.get(move.figure.key) == move.figure.value:
                continue
            other = (
                _("This does not match the figure above. Check it.")
                if move.figure.key in typed
                else ""
            )
            self.add_error(name, other or _("Type the figure again."))
