"""The fields of a prize that say which rounds feed it (19.2, 19.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules.decks import DECKS
from settlement.core.words.rule_words import JACKPOT_GAME_NAMES
from settlement.pages.terms.fields import INPUT, several_of, whole

NAMES = ("fed_games", "fed_decks", "fed_stakes", "fed_players_min", "fed_flop")
OWN = gettext_lazy("None chosen: those that win it.")


def fed_by_fields() -> dict[str, forms.Field]:
    """All of them; where nothing is typed, rounds feed the prize that can win it."""
    return {
        "fed_games": several_of(
            JACKPOT_GAME_NAMES,
            label=gettext_lazy("Games that feed it"),
            required=False,
            help_text=OWN,
        ),
        "fed_decks": several_of(
            [(str(size), _("%(size)s cards") % {"size": size}) for size in DECKS],
            label=gettext_lazy("Decks that feed it"),
            required=False,
            help_text=OWN,
        ),
        "fed_stakes": forms.CharField(
            label=gettext_lazy("Stakes that feed it"),
            help_text=gettext_lazy("As table units report them, like 2-5, 5-10. Empty: any."),
            required=False,
            max_length=500,
            widget=forms.TextInput(INPUT),
        ),
        "fed_players_min": whole(_("Players dealt in, at least, to feed it"), 0, 23),
        "fed_flop": forms.BooleanField(
            label=gettext_lazy("Players’ money only if a flop was dealt"), required=False
        ),
    }


def typed_fed_by(tier: Mapping[str, Any]) -> dict[str, Any]:
    """What the fields begin with, by a tier of a document."""
    posted = tier.get("fed_by") or {}
    return {
        "fed_games": list(posted.get("games") or ()),
        "fed_decks": [str(size) for size in posted.get("decks") or ()],
        "fed_stakes": ", ".join(posted.get("stakes") or ()),
        "fed_players_min": posted.get("players_min") or None,
        "fed_flop": posted.get("flop_dealt", False),
    }


def posted_fed_by(values: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a tier's document that the fields say: empty where nothing is posted."""
    stakes = [each.strip() for each in values["fed_stakes"].split(",") if each.strip()]
    fields = {
        "games": values["fed_games"],
        "decks": [int(size) for size in values["fed_decks"]],
        "stakes": stakes,
        "players_min": values["fed_players_min"],
        "flop_dealt": values["fed_flop"],
    }
    posted = {name: value for name, value in fields.items() if value}
    return {"fed_by": posted} if posted else {}
