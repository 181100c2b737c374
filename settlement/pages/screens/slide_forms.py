"""The forms of a slide or a line, and of the look of the house."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from django import forms
from django.conf import settings
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from jackpot.models import HouseLook, Slide
from jackpot.models.screens import LONGEST_NAME, LONGEST_TEXT
from jackpot.screens.layouts import ACCENT, BACKGROUND, FONTS, HOUSE_FONT, TEXT
from jackpot.screens.schedule import EVERY_DAY, Schedule
from settlement.pages.shared.fields import line
from settlement.screens import films, pictures
from settlement.screens.pictures import Picture
from settlement.screens.slides import LEAST_SECONDS, MOST_SECONDS, Look, SlideContent
from tables.models import Casino

_IMAGE_TYPES = "image/png,image/jpeg,image/webp"
_DATE = {"class": "input", "type": "date"}
_TIME = {"class": "input", "type": "time"}


def _picture_field(
    label: Any, help_text: Any = None, accept: str = _IMAGE_TYPES
) -> forms.FileField:
    return forms.FileField(
        label=label,
        help_text=help_text or gettext_lazy("PNG, JPEG or WebP, 4 MB at most."),
        required=False,
        widget=forms.FileInput({"class": "input", "accept": accept}),
    )


class SlideForm(forms.Form):
    """What is shown, and when."""

    kind = forms.ChoiceField(
        label=gettext_lazy("Where it is shown"),
        choices=[
            ("slide", gettext_lazy("A slide, where slides are shown")),
            ("line", gettext_lazy("A line at the foot of all screens")),
        ],
        widget=forms.Select({"class": "input"}),
    )
    casino = forms.ChoiceField(
        label=gettext_lazy("Casino"), widget=forms.Select({"class": "input"})
    )
    title = line(gettext_lazy("Title of the slide"), LONGEST_NAME, required=False)
    text = forms.CharField(
        label=gettext_lazy("Text"),
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea({"class": "input", "rows": 2}),
    )
    picture = _picture_field(
        gettext_lazy("Picture or video"),
        gettext_lazy(
            "PNG, JPEG or WebP, 4 MB at most. Or MP4 or WebM, two minutes and 16 MB at most: it"
            " plays without sound, again and again while the slide is shown."
        ),
        f"{_IMAGE_TYPES},video/mp4,video/webm",
    )
    seconds = forms.IntegerField(
        label=gettext_lazy("Seconds at a time"),
        initial=10,
        min_value=LEAST_SECONDS,
        max_value=MOST_SECONDS,
        widget=forms.NumberInput({"class": "input short"}),
    )
    days = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Days of the week"),
        coerce=int,
        choices=[(day, WEEKDAYS[day - 1]) for day in EVERY_DAY],
        widget=forms.CheckboxSelectMultiple,
    )
    starts = forms.TimeField(
        label=gettext_lazy("From"), required=False, widget=forms.TimeInput(_TIME, format="%H:%M")
    )
    ends = forms.TimeField(
        label=gettext_lazy("Until"), required=False, widget=forms.TimeInput(_TIME, format="%H:%M")
    )
    first_day = forms.DateField(
        label=gettext_lazy("First day"),
        required=False,
        widget=forms.DateInput(_DATE, format="%Y-%m-%d"),
    )
    last_day = forms.DateField(
        label=gettext_lazy("Last day"),
        required=False,
        widget=forms.DateInput(_DATE, format="%Y-%m-%d"),
    )

    def __init__(self, data: Any = None, files: Any = None, **options: Any) -> None:
        self._casinos: dict[str, Casino] = options.pop("casinos")
        super().__init__(data, files, auto_id="id_%s", **options)
        self.initial.setdefault("days", list(EVERY_DAY))
        for code, name in settings.LANGUAGES:
            values = {"language": name}
            self.fields[f"title_{code}"] = line(
                _("Title of the slide, %(language)s") % values,
                LONGEST_NAME,
                required=False,
                lang=code,
            )
            self.fields[f"text_{code}"] = line(
                _("Text, %(language)s") % values, LONGEST_TEXT, required=False, lang=code
            )
        choices = [(code, casino.name) for code, casino in self._casinos.items()]
        cast(Any, self.fields["casino"]).choices = choices

    @property
    def casino_chosen(self) -> Casino:
        return self._casinos[self.cleaned_data["casino"]]

    @property
    def in_others(self) -> list[Any]:
        """The fields of other languages."""
        names = [
            f"{what}_{code}" for code, _name in settings.LANGUAGES for what in ("title", "text")
        ]
        return [self[name] for name in names]

    @property
    def has_others(self) -> bool:
        """Whether anything stands in them."""
        return any(field.value() for field in self.in_others)

    @property
    def content(self) -> SlideContent:
        values = self.cleaned_data
        limits = {name: values[name] for name in ("starts", "ends", "first_day", "last_day")}
        return SlideContent(
            text=values["text"],
            title=values["title"],
            others={
                code: {what: values[f"{what}_{code}"] for what in ("title", "text")}
                for code, _name in settings.LANGUAGES
            },
            is_line=values["kind"] == "line",
            seconds=values["seconds"],
            schedule=Schedule(tuple(values["days"]), **limits),
        )


def picture_in(form: forms.Form, use: str) -> Picture | None:
    """The picture that was sent, of a slide also one that moves; BadFile where it is none."""
    file = form.cleaned_data["picture"]
    if not file:
        return None
    content = file.read(films.MOST_BYTES + 1)
    if use == "slide" and films.is_film(content):
        return films.read(content)
    return pictures.read(content, use)


def form_of(slide: Slide, casinos: dict[str, Casino]) -> SlideForm:
    """As it is up now."""
    names = ("title", "text", "seconds", "days", "starts", "ends", "first_day", "last_day")
    values = {name: getattr(slide, name) for name in names}
    kind = "line" if slide.is_line else "slide"
    others = {
        f"{what}_{code}": text
        for code, texts in (slide.others or {}).items()
        for what, text in texts.items()
    }
    initial = {**values, **others, "kind": kind, "casino": slide.casino.code}
    return SlideForm(casinos=casinos, initial=initial)


class NamesForm(forms.Form):
    """What players read of systems and prizes in other languages: a field for each language."""

    def __init__(
        self, data: Any = None, *, prizes: Mapping[str, str], look: HouseLook | None
    ) -> None:
        super().__init__(data, auto_id="id_%s")
        self._prizes = prizes
        names = (look.names if look else None) or {}
        for key in prizes:
            for code, name in settings.LANGUAGES:
                self.fields[f"{code}:{key}"] = line(name, LONGEST_NAME, required=False, lang=code)
                self.initial[f"{code}:{key}"] = names.get(code, {}).get(key, "")

    @property
    def rows(self) -> list[tuple[str, str, list[Any]]]:
        """Key, name as it was written, of a prize with its system's, and fields of languages."""
        return [
            (key, self._title(key), [self[f"{code}:{key}"] for code, _name in settings.LANGUAGES])
            for key in self._prizes
        ]

    def _title(self, key: str) -> str:
        system, is_prize, _tier = key.partition("/")
        name = self._prizes[key]
        return f"{name} · {self._prizes[system]}" if is_prize else name

    @property
    def names(self) -> dict[str, dict[str, str]]:
        """By language, and by system or system/tier."""
        values = self.cleaned_data
        return {
            code: {key: values[f"{code}:{key}"] for key in self._prizes}
            for code, _name in settings.LANGUAGES
        }


class LookForm(forms.Form):
    """Colours, a font, a logo."""

    background = forms.CharField(label=gettext_lazy("Background"), max_length=7)
    text = forms.CharField(label=gettext_lazy("Text"), max_length=7)
    accent = forms.CharField(label=gettext_lazy("Values and lines"), max_length=7)
    font = forms.ChoiceField(label=gettext_lazy("Font"), widget=forms.Select({"class": "input"}))
    picture = _picture_field(gettext_lazy("Logo"))
    drop_logo = forms.BooleanField(label=gettext_lazy("Remove the logo"), required=False)

    def __init__(
        self, data: Any = None, files: Any = None, *, look: HouseLook | None = None
    ) -> None:
        names = {"background": BACKGROUND, "text": TEXT, "accent": ACCENT, "font": "sans"}
        initial = {name: getattr(look, name, default) for name, default in names.items()}
        super().__init__(data, files, auto_id="id_%s", initial=initial)
        for name in ("background", "text", "accent"):
            self.fields[name].widget = forms.TextInput({"class": "input short", "type": "color"})
        own = [(HOUSE_FONT, look.font_name)] if look is not None and look.font_digest else []
        usual = [(code, _(name)) for code, name in FONTS.items()]
        cast(Any, self.fields["font"]).choices = [*own, *usual]

    @property
    def look(self) -> Look:
        names = ("background", "text", "accent", "font")
        return Look(**{name: self.cleaned_data[name].lower() for name in names})
