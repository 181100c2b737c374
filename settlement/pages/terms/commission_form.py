"""The fields of a jackpot's terms that post the commission of its tables (8.1, 8.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from jackpot.labels.figures import write_exact, write_percent
from settlement.core.words.translation import Labels
from settlement.pages.shared.fields import AmountField
from settlement.pages.terms.fields import EXACT, PercentField

FORMS = Labels(
    {
        "": gettext_noop("Posted separately, not checked"),
        "percentage": gettext_noop("A part of the pot"),
        "per_hand": gettext_noop("An amount for each hand"),
        "per_time": gettext_noop("An amount of each player for an hour"),
        "none": gettext_noop("None"),
    }
)
NAMES = ("commission_form", "commission_percent", "commission_amount", "commission_blinds")
_AMOUNT = {"percentage": "cap", "per_hand": "amount", "per_time": "amount_per_hour"}


def commission_fields() -> dict[str, forms.Field]:
    """All of them; only a part of the pot has a percentage."""
    return {
        "commission_form": forms.ChoiceField(
            label=gettext_lazy("Commission (8.2)"),
            choices=list(FORMS.items()),
            required=False,
            help_text=gettext_lazy("Tables that report more are named."),
            widget=forms.Select({"class": "input"}),
        ),
        "commission_percent": PercentField(
            label=gettext_lazy("Its part of the pot, 5 to 10%"), required=False
        ),
        "commission_amount": AmountField(
            label=gettext_lazy("Its cap, or the amount"),
            digits=EXACT,
            required=False,
            help_text=gettext_lazy("Of a part of the pot: at most a round (8.7). Empty: no cap."),
        ),
        "commission_blinds": forms.BooleanField(
            label=gettext_lazy("Commission also where only blinds are bet (8.6)"), required=False
        ),
    }


def typed_commission(document: Mapping[str, Any], digits: int) -> dict[str, Any]:
    """What the fields begin with, by a document."""
    posted = document.get("commission") or {}
    amount = posted.get(_AMOUNT.get(posted.get("form", ""), ""))
    points = posted.get("basis_points")
    return {
        "commission_form": posted.get("form", ""),
        "commission_percent": "" if points is None else write_percent(points),
        "commission_amount": "" if amount is None else write_exact(amount, digits),
        "commission_blinds": posted.get("of_blinds_only", False),
    }


def posted_commission(values: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a document that the fields say: empty where nothing is posted."""
    form, amount = values["commission_form"], values["commission_amount"]
    if not form:
        return {}
    commission: dict[str, Any] = {"form": form}
    if form == "percentage":
        commission["basis_points"] = values["commission_percent"]
        commission["of_blinds_only"] = values["commission_blinds"]
    if form in _AMOUNT and (amount is not None or form == "percentage"):
        commission[_AMOUNT[form]] = amount
    return {"commission": commission}


def faults(values: Mapping[str, Any]) -> dict[str, str]:
    """What is missing, by field."""
    form = values.get("commission_form")
    if form == "percentage" and not 500 <= (values.get("commission_percent") or 0) <= 1000:
        return {
            "commission_percent": _("A percentage commission of the pot is 5% to 10% (8.2(a)).")
        }
    if form in ("per_hand", "per_time") and values.get("commission_amount") is None:
        return {"commission_amount": _("Enter the amount.")}
    return {}
