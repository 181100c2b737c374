"""The forms by which people act on a claim. What is allowed is judged by the services."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from copy import copy
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from jackpot.domain.command_handlers import IRREGULARITIES, METHODS, REJECTIONS, REVERSALS
from rules.phrases import Phrase
from settlement.core.input import LONGEST_TEXT
from settlement.core.words.rule_words import REASONS_TO_ADJUST, REASONS_TO_REJECT
from settlement.core.words.translation import translated
from settlement.pages.shared.fields import AmountField
from settlement.people.factors.reauthentication import PASSKEY_FIELD, PROVIDER_FIELD

LONGEST_PASSWORD = 1024
_PASSWORD = {"class": "input", "autocomplete": "current-password"}


class ActionForm(forms.Form):
    """A form that is sent once: the same key again is the same action."""

    key = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, data: Any = None, **options: Any) -> None:
        options.setdefault("auto_id", f"id_{type(self).__name__.lower()}_%s")
        super().__init__(data, **options)
        self.initial.setdefault("key", uuid.uuid4())

    def renew_key(self) -> None:
        """After a refusal the next attempt is a new action; everything that was chosen stays."""
        typed: Any = copy(self.data)  # not a dict: that keeps one of several values
        typed[self.add_prefix("key")] = str(uuid.uuid4())
        self.data = typed


class VerifyForm(ActionForm):
    """Verify, with what the next person should know."""

    note = forms.CharField(
        label=gettext_lazy("Note for the person who confirms"),
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.TextInput({"class": "input", "autocomplete": "off"}),
    )


class WithdrawForm(ActionForm):
    """Take a proposed rejection back."""

    note = forms.CharField(
        label=gettext_lazy("Why is it withdrawn?"),
        max_length=LONGEST_TEXT,
        widget=forms.TextInput({"class": "input", "autocomplete": "off"}),
        error_messages={"required": gettext_lazy("Enter why it is withdrawn.")},
    )


class PasswordForm(ActionForm):
    """An action that asks for the password once more; where it is `signed`, on the next page for
    the passkey in its place."""

    password = forms.CharField(
        label=gettext_lazy("Confirm with your password"),
        strip=False,
        max_length=LONGEST_PASSWORD,
        widget=forms.PasswordInput(_PASSWORD),
    )

    def __init__(self, data: Any = None, *, signed: bool = False, **options: Any) -> None:
        super().__init__(data, **options)
        # A passkey stands in for it (`settlement.people.factors.reauthentication`), what was
        # confirmed at the log-in provider, or the signature of the act, for which the form has
        # no password.
        self.signed = signed
        self.fields["password"].required = not signed and not (
            self.is_bound
            and (
                self.data.get(PASSKEY_FIELD)
                or self.data.get(PROVIDER_FIELD)
                or "password" not in self.data
            )
        )


class ConfirmForm(PasswordForm):
    """Confirm the amount that was shown; micros."""

    amount = forms.IntegerField(max_value=2**63 - 1, widget=forms.HiddenInput)


def _with_rules(reasons: Mapping[str, tuple[str, Phrase]]) -> list[tuple[str, str]]:
    """Closed reasons to choose from: code, words and rule."""
    return [(code, f"{code} {translated(text)} ({rule})") for code, (rule, text) in reasons.items()]


def irregularity_field() -> forms.ChoiceField:
    """Which misdeal it was, or what made the hand dead, from the closed lists of 20.1 and 20."""
    return forms.ChoiceField(
        label=gettext_lazy("Which misdeal, or what made the hand dead"),
        help_text=gettext_lazy("With R08 and R10."),
        choices=_irregularities,
        required=False,
        widget=forms.Select({"class": "input"}),
    )


def _irregularities() -> list[tuple[str, Any]]:
    return [
        ("", _("Neither")),
        *(
            (
                f"{code} {REASONS_TO_REJECT[code]}",
                [
                    (each.code, f"{translated(each.rule)}: {translated(each.text)}")
                    for each in group.values()
                ],
            )
            for code, group in IRREGULARITIES.items()
        ),
    ]


class ProposeForm(ActionForm):
    """Propose to reject, for one of the closed reasons."""

    reason = forms.ChoiceField(
        label=gettext_lazy("Reason"),
        choices=lambda: _with_rules(REJECTIONS),
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Choose one of the reasons.")},
    )
    irregularity = irregularity_field()
    evidence = forms.CharField(
        label=gettext_lazy("Evidence"),
        help_text=gettext_lazy("Footage reference with camera and time, statement, photograph."),
        max_length=1000,
        widget=forms.Textarea({"class": "input", "rows": 3}),
        error_messages={"required": gettext_lazy("Enter the evidence.")},
    )
    affected = forms.TypedChoiceField(
        label=gettext_lazy("Did it affect the outcome?"),
        choices=[("yes", gettext_lazy("Yes")), ("no", gettext_lazy("No"))],
        coerce=lambda answer: answer == "yes",
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Answer yes or no.")},
    )


_LINK_FIELDS = ("into", "way", "amount", "source", "reason", "evidence")  # a link may fill them in
_ADJUSTS = ("into", "source", "amount", "reason", "evidence", "below_reset")


class AdjustForm(ActionForm):
    """Propose to adjust a pool or a reserve, for one of the closed reasons."""

    into = forms.ChoiceField(
        label=gettext_lazy("What is adjusted"),
        choices=[
            ("pool", gettext_lazy("The prize pool")),
            ("reserve", gettext_lazy("The reserve")),
        ],
        widget=forms.Select({"class": "input"}),
    )
    way = forms.ChoiceField(
        label=gettext_lazy("Up or down"),
        choices=[
            ("up", gettext_lazy("Up: money is added")),
            ("down", gettext_lazy("Down: money is taken back")),
        ],
        widget=forms.Select({"class": "input"}),
    )
    source = forms.ChoiceField(
        label=gettext_lazy("The other side"),
        help_text=gettext_lazy("Where the money comes from, or goes back to."),
        choices=[
            ("operator", gettext_lazy("Operator")),
            ("pot", gettext_lazy("Pot")),
            ("commission", gettext_lazy("Commission")),
            ("drop", gettext_lazy("Drop")),
            ("to_return", gettext_lazy("To be returned to players")),
        ],
        widget=forms.Select({"class": "input"}),
    )
    reason = forms.ChoiceField(
        label=gettext_lazy("Reason"),
        choices=lambda: [(code, f"{code} {text}") for code, text in REASONS_TO_ADJUST.items()],
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Choose one of the reasons.")},
    )
    evidence = forms.CharField(
        label=gettext_lazy("Evidence"),
        help_text=gettext_lazy(
            "Count sheet, incident, statement, footage reference with camera and time."
        ),
        max_length=LONGEST_TEXT,
        widget=forms.Textarea({"class": "input", "rows": 3}),
        error_messages={"required": gettext_lazy("Enter the evidence.")},
    )

    below_reset = forms.CharField(
        label=gettext_lazy("Why the pool may be that low"),
        help_text=gettext_lazy(
            "Only where it is left below its reset amount, or empty. It is recorded."
        ),
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.TextInput({"class": "input", "autocomplete": "off"}),
    )
    mark = forms.CharField(max_length=200, widget=forms.HiddenInput, required=False)

    def __init__(
        self, data: Any = None, *, digits: int, begin: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(data)
        initial = {name: text for name, text in (begin or {}).items() if name in _LINK_FIELDS}
        self.initial = {**self.initial, **initial}
        self.fields["amount"] = AmountField(
            label=gettext_lazy("Amount"),
            digits=digits,
            error_messages={"required": _("Enter the amount.")},
        )

    def clean_amount(self) -> int:
        """Micros; an adjustment by nothing changes nothing."""
        amount: int = self.cleaned_data["amount"]
        if amount == 0:
            raise forms.ValidationError(_("An adjustment of zero changes nothing."))
        return amount

    @property
    def adjustment(self) -> dict[str, Any]:
        """What is proposed; the amount in micros, below zero where money is taken back."""
        values = {name: self.cleaned_data[name] for name in _ADJUSTS}
        down = self.cleaned_data["way"] == "down"
        return values | {"amount": -values["amount"] if down else values["amount"]}

    @property
    def is_seen(self) -> bool:
        """Whether whoever proposes it was shown where exactly this leaves the pool."""
        return bool(self.cleaned_data["mark"] == self._mark)

    def note_seen(self) -> None:
        """It is shown now."""
        typed: Any = copy(self.data)
        typed["mark"] = self._mark
        self.data = typed

    @property
    def _mark(self) -> str:
        return f"{self.cleaned_data['into']} {self.adjustment['amount']}"


class ReverseForm(ActionForm):
    """Propose to reverse a claim: a closed reason, evidence, and what was recovered."""

    reason = forms.ChoiceField(
        label=gettext_lazy("Reason"),
        choices=lambda: _with_rules(REVERSALS),
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Choose one of the reasons.")},
    )
    irregularity = irregularity_field()
    evidence = forms.CharField(
        label=gettext_lazy("Evidence"),
        help_text=gettext_lazy("Footage reference with camera and time, statement, photograph."),
        max_length=LONGEST_TEXT,
        widget=forms.Textarea({"class": "input", "rows": 3}),
        error_messages={"required": gettext_lazy("Enter the evidence.")},
    )

    def __init__(self, data: Any = None, *, digits: int) -> None:
        super().__init__(data)
        labels = {"chips": _("Chips"), "cash": _("Cash"), "equivalent": _("Cash equivalent")}
        for method in METHODS:
            self.fields[method] = AmountField(label=labels[method], digits=digits, required=False)

    @property
    def recovered(self) -> dict[str, int]:
        """Micros by method."""
        return {method: self.cleaned_data[method] or 0 for method in METHODS}


class ReverseRejectionForm(ActionForm):
    """Propose to reverse a rejection: why it was wrong, and on what evidence."""

    reason = forms.CharField(
        label=gettext_lazy("Why was the rejection wrong?"),
        max_length=LONGEST_TEXT,
        widget=forms.Textarea({"class": "input", "rows": 3}),
        error_messages={"required": gettext_lazy("Enter why the rejection was wrong.")},
    )
    evidence = forms.CharField(
        label=gettext_lazy("Evidence"),
        help_text=gettext_lazy("Footage reference with camera and time, statement, photograph."),
        max_length=LONGEST_TEXT,
        widget=forms.Textarea({"class": "input", "rows": 3}),
        error_messages={"required": gettext_lazy("Enter the evidence.")},
    )


class LineForm(ActionForm):
    """What is done with a payment, a line of `Hit.payees`, and why."""

    line = forms.IntegerField(min_value=1, max_value=1000, widget=forms.HiddenInput)
    reason = forms.CharField(required=False, max_length=LONGEST_TEXT)
