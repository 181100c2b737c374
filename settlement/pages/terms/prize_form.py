"""The form of a prize: its name and rank, what wins it, what is paid, how it grows (19.5, 19.6)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from jackpot.labels.figures import localized
from jackpot.terms.awards import DAY, ROLES, WHO, percent
from jackpot.terms.document import Role
from jackpot.terms.money import BASIS_POINTS
from rules.cards import RANKS
from rules.decks import DECKS
from rules.hands import Category
from rules.terms import TermsError
from rules.weakest import Weakest
from settlement.core.words.rule_words import (
    CAPACITY_TITLES,
    CATEGORIES,
    JACKPOT_GAME_NAMES,
    SUIT_TITLES,
)
from settlement.core.words.translation import Labels, Text, text_of, translated
from settlement.pages.shared.fields import AmountField
from settlement.pages.terms.fed_by_form import NAMES as FED_BY
from settlement.pages.terms.fed_by_form import fed_by_fields
from settlement.pages.terms.fields import EXACT, INPUT, PercentField, several_of, whole
from settlement.pages.terms.hole_cards_form import KINDS, fields_by_kind
from tables.models import code_validator

SOURCES = Labels(
    {
        "per_round": gettext_noop("The operator, for each round"),
        "pot": gettext_noop("Share of the called pot"),
        "commission": gettext_noop("Share of the commission"),
        "drop": gettext_noop("Share of the jackpot drop"),
    }
)
INTO = ("pool", "reserve")
NEW_PRIZE: dict[str, Any] = {
    "kind": "hand",
    "share": "100",
    "category": Category.ROYAL_FLUSH.name.lower(),
    "losing_category": Category.FULL_HOUSE.name.lower(),
    "beaten_category": Category.FOUR_OF_A_KIND.name.lower(),
    "beat_hole_cards": "2",
    "losers_min": 1,
    "floor_category": Category.FULL_HOUSE.name.lower(),
    "period_minutes": 60,
}
_HOLE_CARDS = [
    ("0", gettext_lazy("None")),
    ("1", gettext_lazy("At least one")),
    ("2", gettext_lazy("Two")),
]
_OF_A_BAD_BEAT = {"beat_hole_cards": "2", "losers_min": 1}
"""What a bad beat asks for where nothing was typed."""


class _CategoryField(forms.ChoiceField):
    """A hand that a prize of its kind must name; prizes of other kinds have it out of sight."""

    is_required = True


def _category(label: Text) -> forms.ChoiceField:
    widget = forms.Select({"class": "input"})
    return _CategoryField(label=label, choices=CATEGORIES.items, widget=widget, required=False)


def _ranks(label: Text) -> forms.CharField:
    return forms.CharField(
        label=label,
        help_text=gettext_lazy("Like A for aces full, or T A for tens with an ace. Empty: any."),
        required=False,
        max_length=20,
        widget=forms.TextInput({**INPUT, "spellcheck": "false"}),
    )


def _hole_cards(label: Text, choices: Sequence[tuple[str, Text]]) -> forms.TypedChoiceField:
    return forms.TypedChoiceField(
        label=label,
        choices=choices,
        required=False,
        empty_value="",
        widget=forms.Select({"class": "input"}),
    )


HANDS = {
    "hand": [("category", "ranks")],
    "bad_beat": [("losing_category", "losing_ranks"), ("beaten_category", "beaten_ranks")],
    "high_hand": [("floor_category", "floor_ranks")],
}
"""By kind of prize, the fields of the hands that it names."""
_REST = {
    "hand": ["suit", "hole_cards_playing"],
    "bad_beat": ["beat_hole_cards", "losers_min", "every_loser", "plan_loser"],
    "high_hand": ["floor_hole_cards", "period_minutes", "ties", "unclaimed"],
}
"""The other fields that only this kind has."""
_FURTHER = ("players_dealt_min", "pot_min", "games", "decks", "flop_seen", "showdown_needed")


class PrizeForm(forms.Form):
    """One tier: its name and rank, what wins it, what is paid, how it grows."""

    code = forms.CharField(
        label=gettext_lazy("Code"),
        max_length=32,
        validators=[code_validator],
        widget=forms.TextInput({**INPUT, "spellcheck": "false"}),
        error_messages={"required": gettext_lazy("Enter a code for the prize.")},
    )
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=100,
        widget=forms.TextInput(INPUT),
        error_messages={"required": gettext_lazy("Enter a name for the prize.")},
    )
    rank = forms.IntegerField(
        label=gettext_lazy("Rank"),
        help_text=gettext_lazy("1 is the highest prize."),
        min_value=1,
        max_value=1000,
        widget=forms.NumberInput({"class": "input", "inputmode": "numeric"}),
    )
    share = PercentField(label=gettext_lazy("Pays of the pool, in %"))
    kind = forms.ChoiceField(
        label=gettext_lazy("It is won by"),
        choices=[
            ("hand", gettext_lazy("A hand")),
            ("bad_beat", gettext_lazy("A bad beat: a strong hand that is beaten")),
            ("high_hand", gettext_lazy("A high hand: the best of a period")),
        ],
        widget=forms.Select({"class": "input"}),
    )
    category = _category(gettext_lazy("Lowest hand that wins"))
    ranks = _ranks(gettext_lazy("Its lowest ranks"))
    suit = forms.ChoiceField(
        label=gettext_lazy("Suit"),
        choices=lambda: [("", _("Any")), *SUIT_TITLES.items()],
        required=False,
        widget=forms.Select({"class": "input"}),
    )
    hole_cards_playing = _hole_cards(
        gettext_lazy("Hole cards that must play"),
        [*_HOLE_CARDS, ("pair", gettext_lazy("A pair of them"))],
    )
    losing_category = _category(gettext_lazy("Losing hand, at least"))
    losing_ranks = _ranks(gettext_lazy("Its lowest ranks"))
    beaten_category = _category(gettext_lazy("Beaten by, at least"))
    beaten_ranks = _ranks(gettext_lazy("Its lowest ranks"))
    beat_hole_cards = _hole_cards(
        gettext_lazy("Hole cards that must play in either hand"), _HOLE_CARDS
    )
    losers_min = whole(gettext_lazy("Hands that must be beaten, at least"), 1, 9)
    every_loser = forms.TypedChoiceField(
        label=gettext_lazy("Of several beaten hands"),
        choices=[("", gettext_lazy("The highest wins")), ("every", gettext_lazy("Each wins"))],
        required=False,
        widget=forms.Select({"class": "input"}),
    )
    floor_category = _category(gettext_lazy("Floor hand"))
    floor_ranks = _ranks(gettext_lazy("Its lowest ranks"))
    period_minutes = whole(
        gettext_lazy("Minutes of a period"),
        1,
        DAY,
        gettext_lazy("Counted from the start of the gaming day."),
    )
    floor_hole_cards = _hole_cards(gettext_lazy("Hole cards that must play"), _HOLE_CARDS)
    ties = forms.ChoiceField(
        label=gettext_lazy("Of equal hands"),
        choices=[
            ("first", gettext_lazy("The one recorded first wins")),
            ("shared", gettext_lazy("Each wins a share")),
        ],
        required=False,
        widget=forms.Select({"class": "input"}),
    )
    unclaimed = forms.ChoiceField(
        label=gettext_lazy("A fixed prize that nobody wins"),
        choices=[
            ("stays", gettext_lazy("Stays in the pool")),
            ("added", gettext_lazy("Is added to the next one")),
        ],
        required=False,
        widget=forms.Select({"class": "input"}),
    )
    players_dealt_min = whole(gettext_lazy("Players dealt in, at least"), 2, 10)
    games = several_of(
        JACKPOT_GAME_NAMES,
        label=gettext_lazy("Games"),
        required=False,
        help_text=gettext_lazy("None chosen: those of the jackpot."),
    )
    decks = several_of(
        [(str(size), text_of(gettext_lazy("%(size)s cards"), size=size)) for size in DECKS],
        label=gettext_lazy("Decks (4.1)"),
        required=False,
        help_text=gettext_lazy("None chosen: 52 cards."),
    )
    flop_seen = forms.BooleanField(label=gettext_lazy("The flop was dealt in play"), required=False)
    showdown_needed = forms.BooleanField(
        label=gettext_lazy("All cards were dealt in play"), required=False
    )
    folded_out = forms.BooleanField(
        label=gettext_lazy("Table share: not for players who folded"), required=False
    )
    players_min = whole(gettext_lazy("Operator's money from so many players"), 0, 23)

    def __init__(self, *arguments: Any, **options: Any) -> None:
        digits = options.pop("digits")
        super().__init__(*arguments, **options)
        for name, label, needed in (
            ("reset", _("Reset amount"), True),
            ("payable_unit", _("Rounded up to"), True),
            ("limit", _("Contributions stop at"), False),
            ("prize", _("Fixed prize instead"), False),
            ("pot_min", _("Pot, at least"), False),
            ("pot_cap", _("At most a round, pot"), False),
            ("commission_cap", _("At most a round, commission"), False),
        ):
            self.fields[name] = AmountField(
                label=label,
                digits=digits if name == "pot_min" else EXACT,
                required=needed,
                error_messages={"required": _("Enter the amount.")},
            )
        for source, label in SOURCES.items():
            for into in INTO:
                title = _("%(label)s, to the %(into)s") % {"label": label, "into": into}
                self.fields[f"{source}_{into}"] = (
                    AmountField(label=title, digits=EXACT, required=False)
                    if source == "per_round"
                    else PercentField(label=title, required=False)
                )

        self.fields |= fields_by_kind() | fed_by_fields()
        for role in ROLES:
            self.fields[f"plan_{role}"] = PercentField(
                label=_("%(capacity)s, %% of the amount") % {"capacity": CAPACITY_TITLES[role]},
                required=False,
            )

    @property
    def plan(self) -> list[tuple[str, forms.BoundField]]:
        """The fields of the share plan, by role."""
        return [(role, self[f"plan_{role}"]) for role in ROLES]

    @property
    def by_kind(self) -> list[forms.BoundField]:
        """What is asked of the hole cards of single kinds of hand."""
        return [self[name] for name in KINDS]

    @property
    def asks_by_kind(self) -> bool:
        """Whether anything is: the rows are folded away otherwise."""
        return any(field.value() for field in self.by_kind)

    @property
    def further_errors(self) -> bool:
        """Whether something is wrong with the further conditions, which are folded away."""
        return any(self.errors.get(name) for name in _FURTHER)

    @property
    def is_fed_otherwise(self) -> bool:
        """Whether something is posted of the rounds that feed it: folded away otherwise."""
        return any(self[name].value() or self.errors.get(name) for name in FED_BY)

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
        return self._ranks_of("ranks")

    def clean_losing_ranks(self) -> list[str]:
        return self._ranks_of("losing_ranks")

    def clean_beaten_ranks(self) -> list[str]:
        return self._ranks_of("beaten_ranks")

    def clean_floor_ranks(self) -> list[str]:
        return self._ranks_of("floor_ranks")

    def _ranks_of(self, name: str) -> list[str]:
        """Ranks as cards write them."""
        text: str = self.cleaned_data[name].upper().replace("10", "T")
        ranks = [each for each in re.split(r"[\s,]*", text) if each]
        if strange := [rank for rank in ranks if rank not in RANKS]:
            raise ValidationError(
                _("%(strange)s is no rank: write one of %(ranks)s.")
                % {"strange": strange[0], "ranks": " ".join(RANKS)}
            )
        return ranks

    def clean(self) -> dict[str, Any]:
        """Whether such a prize can be won and paid; each fault stands at its field."""
        values: dict[str, Any] = super().clean() or {}
        kind = values.get("kind", "hand")
        for other in HANDS.keys() - {kind}:  # what is out of sight is not judged
            for name in (*chain(*HANDS[other]), *_REST[other]):
                self.errors.pop(name, None)
                values[name] = None
        for category, ranks in HANDS[kind]:
            if not values.get(category):
                self.add_error(category, _("Choose the hand."))
                continue
            try:
                Weakest(Category[values[category].upper()], tuple(values.get(ranks) or ()))
            except TermsError as fault:
                self.add_error(ranks, translated(fault.phrase))
        if kind == "bad_beat":
            for name, default in _OF_A_BAD_BEAT.items():
                values[name] = values.get(name) or default
        if kind == "high_hand":
            if not values.get("period_minutes") and "period_minutes" not in self.errors:
                self.add_error(
                    "period_minutes",
                    _("Enter the minutes: 1 to %(day)s, a gaming day.") % {"day": DAY},
                )
            if values.get("unclaimed") == "added" and values.get("prize") is None:
                self.add_error("unclaimed", _("Only a fixed prize is added to the next: give it."))
            if len(values.get("decks") or ()) > 1:
                self.add_error("decks", _("Hands of different decks do not compare: choose one."))
        self._judge_what_is_paid(values, kind)
        return values

    def _judge_what_is_paid(self, values: dict[str, Any], kind: str) -> None:
        prize, unit, share = (values.get(name) for name in ("prize", "payable_unit", "share"))
        if prize is not None:
            if unit and (prize == 0 or prize % unit):
                self.add_error("prize", _("A fixed prize is whole units that are paid."))
            elif share not in (None, BASIS_POINTS):
                self.add_error("share", _("With a fixed prize this stays 100%."))
        if any(f"plan_{role}" in self.errors for role in ROLES):
            return
        parts = {role: values.get(f"plan_{role}") or 0 for role in ROLES}
        needed: Role = "loser" if kind == "bad_beat" else "winner"
        if (any(parts.values()) or kind == "bad_beat") and not parts[needed]:
            self.add_error(
                f"plan_{needed}",
                _("%(who)s needs a part.") % {"who": translated(WHO[needed].with_capital())},
            )
        elif any(parts.values()) and sum(parts.values()) != BASIS_POINTS:
            come_to = localized(percent(sum(parts.values())))
            self.add_error(
                f"plan_{needed}",
                _("The parts add up to %(come_to)s: they must make 100%%.") % {"come_to": come_to},
            )
