"""What a prize asks of the hole cards of single kinds of hand: a field for each kind (19.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from rules.conditions import Conditions
from rules.hands import Category
from rules.requirements import CODES, PAIRED, WITH_KICKER, Requirement, write_by_category
from settlement.core.words.translation import Text, translated_lazy

_REQUIREMENTS: dict[str, tuple[Text, Requirement]] = {
    "0": (gettext_lazy("None"), Requirement()),
    "1": (gettext_lazy("At least one"), Requirement(1)),
    "2": (gettext_lazy("Two"), Requirement(2)),
    "1-no-kicker": (gettext_lazy("At least one, no kicker"), Requirement(1, kicker_counts=False)),
    "2-no-kicker": (gettext_lazy("Two, no kicker"), Requirement(2, kicker_counts=False)),
    "pair": (gettext_lazy("A pair of them"), Requirement(pair_in_hole=True)),
}
KINDS = {f"of_{code}": category for code, category in CODES.items()}
"""The fields by name, the highest kind of hand first."""


def fields_by_kind() -> dict[str, forms.ChoiceField]:
    """The fields by name; a kind of hand offers what a hand of it can have."""
    return {name: _field(category) for name, category in KINDS.items()}


class _KindField(forms.ChoiceField):
    """What is chosen from the first stands for any hand: nobody reads that it is optional."""

    is_required = True


def _field(category: Category) -> forms.ChoiceField:
    can_have = [
        (code, label)
        for code, (label, requirement) in _REQUIREMENTS.items()
        if not (requirement.pair_in_hole and category not in PAIRED)
        and not (not requirement.kicker_counts and category not in WITH_KICKER)
    ]
    return _KindField(
        label=translated_lazy(category.label.with_capital()),
        choices=[("", gettext_lazy("As of any hand")), *can_have],
        required=False,
        widget=forms.Select({"class": "input"}),
    )


def typed_by_kind(conditions: Conditions) -> dict[str, str]:
    """What the fields begin with."""
    codes = {requirement: code for code, (_, requirement) in _REQUIREMENTS.items()}
    posted = dict(conditions.by_category)
    return {name: codes[posted[category]] for name, category in KINDS.items() if category in posted}


def asked_by_kind(values: Mapping[str, Any]) -> dict[str, Any]:
    """What the fields ask, as terms say it: nothing where none of them was chosen."""
    requirements = tuple(
        (category, _REQUIREMENTS[values[name]][1])
        for name, category in KINDS.items()
        if values.get(name)
    )
    return {"by_category": write_by_category(requirements)} if requirements else {}
