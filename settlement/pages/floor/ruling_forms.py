"""The forms by which supervisors rule on rounds and enter incidents."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from jackpot.domain.command_handlers.missed_rounds import MOST_MISSED
from rules.dead_hands import MISDEALS, Irregularity, can_happen
from settlement.core.input import LONGEST_TEXT
from settlement.core.words.translation import Labels, rule_in_words, translated
from settlement.floor.incidents import ENTERED
from settlement.floor.missed_rounds import MissedCredit
from settlement.floor.rulings import REASONS
from settlement.models import Ruling
from settlement.pages.shared.fields import AmountField
from settlement.pages.shared.forms import ActionForm
from tables.models import Casino, GamingTable
from tables.protocol.messages import MAX_INTEGER

_NUMBER = {"class": "input number", "autocomplete": "off"}
_TEXT = {"class": "input", "rows": 3}
_KINDS = Labels(
    {
        Ruling.Kind.VOID: gettext_noop("Void: the round is dealt again"),
        Ruling.Kind.CANCEL: gettext_noop("Cancelled"),
    }
)


class RulingForm(ActionForm):
    """A round, a closed reason of a void or of a cancelled round, and what was seen."""

    round = forms.IntegerField(
        label=gettext_lazy("Round"),
        min_value=1,
        max_value=MAX_INTEGER,
        widget=forms.NumberInput(_NUMBER),
    )
    reason = forms.ChoiceField(
        label=gettext_lazy("What is decided, and why"),
        widget=forms.Select({"class": "input"}),
        error_messages={"required": gettext_lazy("Choose one of the reasons.")},
    )
    note = forms.CharField(
        label=gettext_lazy("What you saw"),
        help_text=gettext_lazy("Footage reference with camera and time, who was at the table."),
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(_TEXT),
        error_messages={"required": gettext_lazy("Describe what you saw.")},
    )

    def __init__(self, data: Any = None, *, game: str | None, **options: Any) -> None:
        super().__init__(data, **options)
        self.fields["reason"].choices = ruling_choices(game)  # type: ignore[attr-defined]

    @property
    def decided(self) -> tuple[str, str, str | None]:
        """Kind, reason and misdeal, as `settlement.floor.rulings.decide` takes them."""
        kind, reason, misdeal = self.cleaned_data["reason"].split(":")
        return kind, reason, misdeal or None


def ruling_choices(game: str | None) -> list[tuple[str, list[tuple[str, str]]]]:
    """Misdeals that the game has, each as kind, dealer's reason and code, and cancelled rounds."""
    misdeals = [
        (
            f"{Ruling.Kind.VOID}:{each.asked_as}:{each.code}",
            _misdeal_in_words(each),
        )
        for each in MISDEALS.values()
        if game is None or can_happen(each, game)
    ]
    cancels = [
        (f"{Ruling.Kind.CANCEL}:{code}:", f"{translated(text)} ({rule_in_words(rule)})")
        for code, (rule, text) in REASONS[Ruling.Kind.CANCEL].items()
    ]
    return [(_KINDS[Ruling.Kind.VOID], misdeals), (_KINDS[Ruling.Kind.CANCEL], cancels)]


def _misdeal_in_words(misdeal: Irregularity) -> str:
    """What happened, its rule and, where it has one, the moment after which the hand stands."""
    words = {"what": translated(misdeal.sentence), "rule": translated(misdeal.rule)}
    if misdeal.until_substantial_action:
        return _("%(what)s, noticed before substantial action (%(rule)s)") % words
    return f"{words['what']} ({words['rule']})"


class MissedForm(ActionForm):
    """Missed rounds: how many, which where that is known, and the figures of one."""

    what = forms.ChoiceField(
        label=gettext_lazy("What was missed"),
        choices=[
            ("rounds", gettext_lazy("Whole rounds: the button was not pressed")),
            ("completion", gettext_lazy("The completion of one round: the button was pressed")),
        ],
        initial="rounds",
        required=False,
        widget=forms.Select({"class": "input"}),
    )
    count = forms.IntegerField(
        label=gettext_lazy("How many rounds"),
        min_value=1,
        max_value=MOST_MISSED,
        widget=forms.NumberInput(_NUMBER),
        error_messages={"required": gettext_lazy("Enter how many rounds were missed.")},
    )
    rounds = forms.CharField(
        label=gettext_lazy("Their numbers"),
        help_text=gettext_lazy(
            "Where they are known: 18 19 20. What still comes for them posts the difference."
            " A completion always needs its number."
        ),
        required=False,
        max_length=1000,
        widget=forms.TextInput({"class": "input", "autocomplete": "off"}),
    )
    players = forms.IntegerField(
        label=gettext_lazy("Players dealt in"),
        help_text=gettext_lazy("Where it differs from the seats of the session."),
        required=False,
        min_value=0,
        max_value=23,
        widget=forms.NumberInput(_NUMBER),
    )
    another = forms.BooleanField(
        label=gettext_lazy("It is not one of the rounds listed above"), required=False
    )
    evidence = forms.CharField(
        label=gettext_lazy("Evidence"),
        help_text=gettext_lazy(
            "Footage reference with camera and time, the dealer's word, count of the drop."
        ),
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(_TEXT),
        error_messages={"required": gettext_lazy("Enter the evidence.")},
    )

    def __init__(self, data: Any = None, *, digits: int, **options: Any) -> None:
        super().__init__(data, **options)
        labels = {
            "pot": _("Pot"),
            "uncalled": _("Uncalled"),
            "commission": _("Commission"),
            "drop": _("Drop"),
        }
        for name, label in labels.items():
            self.fields[name] = AmountField(label=label, digits=digits, required=False)

    def clean_rounds(self) -> list[int]:
        """The numbers in their order."""
        pieces = self.cleaned_data["rounds"].replace(",", " ").split()
        if any(not p.isascii() or not p.isdigit() or not int(p[:17]) > 0 for p in pieces):
            raise forms.ValidationError(_("Write round numbers, like 18 19 20."))
        return [int(piece[:17]) for piece in pieces]

    def missed(self, entries: Sequence[int]) -> MissedCredit:
        """What is credited, with the entries that show it."""
        values = self.cleaned_data
        names = ("pot", "uncalled", "commission", "drop")
        return MissedCredit(
            count=values["count"],
            evidence=values["evidence"],
            rounds=values["rounds"],
            completion=values["what"] == "completion",
            another=values["another"],
            players=values["players"],
            figures={name: values[name] for name in names},
            entries=entries,
        )


class IncidentForm(ActionForm):
    """What happened, where and when."""

    kind = forms.ChoiceField(
        label=gettext_lazy("What"),
        choices=[*ENTERED.items()],
        widget=forms.Select({"class": "input"}),
        error_messages={"required": gettext_lazy("Choose what kind of incident it was.")},
    )
    where = forms.ChoiceField(label=gettext_lazy("Where"), widget=forms.Select({"class": "input"}))
    happened_at = forms.DateTimeField(
        label=gettext_lazy("When"),
        help_text=gettext_lazy("By the casino's clock."),
        widget=forms.DateTimeInput(
            {"class": "input", "type": "datetime-local"}, format="%Y-%m-%dT%H:%M"
        ),
        error_messages={"required": gettext_lazy("Enter when it happened.")},
    )
    note = forms.CharField(
        label=gettext_lazy("What happened, and what was done at once"),
        max_length=1000,
        widget=forms.Textarea(_TEXT),
        error_messages={"required": gettext_lazy("Describe what happened.")},
    )

    def __init__(self, data: Any = None, *, tables: list[GamingTable], **options: Any) -> None:
        super().__init__(data, **options)
        self._tables = {f"{table.system.code}/{table.code}": table for table in tables}
        systems = {table.system.code: table.system for table in tables}
        self._systems = systems
        choices = [
            (code, _("All of %(system_name)s") % {"system_name": system.name})
            for code, system in systems.items()
        ]
        choices += [(code, f"{t.name}, {t.system.name}") for code, t in self._tables.items()]
        self.fields["where"].choices = choices  # type: ignore[attr-defined]

    @property
    def table(self) -> GamingTable | None:
        return self._tables.get(self.cleaned_data["where"])

    @property
    def system(self) -> Any:
        return self._systems[self.cleaned_data["where"].partition("/")[0]]

    def instant(self, casino: Casino) -> dt.datetime:
        """The time that was typed, by the casino's clock."""
        typed: dt.datetime = self.cleaned_data["happened_at"]
        return typed.replace(tzinfo=ZoneInfo(casino.timezone))
