"""The forms of a screen."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from jackpot.models import Screen
from jackpot.models.screens import LONGEST_NAME
from jackpot.screens.layouts import LAYOUTS, TURNS
from settlement.pages.shared.fields import line
from settlement.people.rights.roles import held
from settlement.screens.screens import LEAST_SECONDS, MOST_SECONDS, ScreenSettings
from tables.models import Casino, JackpotSystem


def casinos_for(user: Any, permission: str) -> dict[str, Casino]:
    """By code those in which the person may do it."""
    return {
        each.code: each
        for each in Casino.objects.order_by("name", "pk")
        if held(user).may(permission, each.pk)
    }


class ScreenForm(forms.Form):
    """What it is called, where it hangs, and what it shows."""

    name = line(gettext_lazy("Name"), LONGEST_NAME)
    place = line(gettext_lazy("Place"), LONGEST_NAME, required=False)
    layouts = forms.MultipleChoiceField(
        label=gettext_lazy("What it shows, in turn"), widget=forms.CheckboxSelectMultiple
    )
    systems = forms.MultipleChoiceField(
        label=gettext_lazy("Of which jackpot systems"),
        help_text=gettext_lazy("Leave empty for the whole casino, including what is added later."),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    seconds = forms.IntegerField(
        label=gettext_lazy("Seconds for each"),
        initial=15,
        min_value=LEAST_SECONDS,
        max_value=MOST_SECONDS,
        widget=forms.NumberInput({"class": "input short"}),
    )
    turn = forms.ChoiceField(
        label=gettext_lazy("Rotation of the picture"), widget=forms.Select({"class": "input"})
    )
    sound = forms.BooleanField(
        label=gettext_lazy("Play a chime at a win"), required=False, widget=forms.CheckboxInput()
    )

    language = forms.ChoiceField(
        label=gettext_lazy("Language"),
        required=False,
        choices=lambda: [("", _("Setting of the screen's browser")), *settings.LANGUAGES],
        widget=forms.Select({"class": "input"}),
    )
    second_language = forms.ChoiceField(
        label=gettext_lazy("In turn with"),
        required=False,
        choices=lambda: [("", _("No other language")), *settings.LANGUAGES],
        widget=forms.Select({"class": "input"}),
    )

    def __init__(self, data: Any = None, *, casino: Casino | None = None, **options: Any) -> None:
        super().__init__(data, auto_id="id_%s", **options)
        rows = JackpotSystem.objects.order_by("name", "pk")
        self._systems = {
            each.code: each for each in (rows.filter(casino=casino) if casino else rows)
        }
        fields = cast(Any, self.fields)
        fields["layouts"].choices = [(code, _(words)) for code, words in LAYOUTS.items()]
        fields["turn"].choices = [(str(code), _(words)) for code, words in TURNS.items()]
        fields["systems"].choices = [(code, each.name) for code, each in self._systems.items()]

    @property
    def screen_settings(self) -> ScreenSettings:
        values = self.cleaned_data
        chosen = tuple(self._systems[code] for code in values["systems"])
        return ScreenSettings(
            name=values["name"],
            place=values["place"],
            layouts=tuple(values["layouts"]),
            systems=chosen or None,
            seconds=values["seconds"],
            turn=int(values["turn"]),
            sound=values["sound"],
            language=values["language"],
            second_language=values["second_language"],
        )


class PairForm(ScreenForm):
    """The same with the code that the screen shows."""

    code = line(gettext_lazy("Code on the screen"), 20)
    casino = forms.ChoiceField(
        label=gettext_lazy("Casino"), widget=forms.Select({"class": "input"})
    )
    field_order = ("code", "name", "place", "casino")

    def __init__(self, data: Any = None, *, casinos: dict[str, Casino], code: str = "") -> None:
        super().__init__(data, initial={"code": code, "layouts": ["main", "tiers"]})
        self._casinos = casinos
        choices = [(each, casino.name) for each, casino in casinos.items()]
        cast(Any, self.fields["casino"]).choices = choices

    @property
    def casino_chosen(self) -> Casino:
        return self._casinos[self.cleaned_data["casino"]]


def form_of(screen: Screen) -> ScreenForm:
    """As it is set up now."""
    chosen = JackpotSystem.objects.filter(pk__in=screen.systems or ())
    return ScreenForm(
        casino=screen.casino,
        initial={
            "name": screen.name,
            "place": screen.place,
            "layouts": screen.layouts,
            "systems": [each.code for each in chosen],
            "seconds": screen.seconds,
            "turn": str(screen.turn),
            "sound": screen.sound,
            "language": screen.language,
            "second_language": screen.second_language,
        },
    )
