"""What pages draw by the hundred is what Django would draw."""

from typing import Any

import pytest
from django import forms
from django.forms.renderers import DjangoTemplates
from django.template import Context, Engine, Template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy, override

from settlement.core.markup import markup
from settlement.pages.shared.widgets import Widgets
from settlement.templatetags.addresses import address

CHOICES = [("", gettext_lazy("All")), ("a<b", "A & 'b'"), (7, 7000)]
GROUPS = [("", "None"), ("Group <1>", CHOICES)]
ODD = {"class": "input", "data-x": "<'\"&>", "disabled": True, "hidden": False, "maxlength": 3}
FIELDS: dict[str, tuple[forms.Widget, Any]] = {
    "text": (forms.TextInput(ODD), "x' <y>"),
    "nothing": (forms.TextInput(), None),
    "number": (forms.NumberInput(ODD), 1234567),
    "email": (forms.EmailInput(), "a@b"),
    "url": (forms.URLInput(), "https://a/?b&c"),
    "password": (forms.PasswordInput(), "never"),
    "hidden": (forms.HiddenInput(), mark_safe("<i>")),
    "date": (forms.DateInput({"type": "date"}), "2026-11-26"),
    "area": (forms.Textarea(ODD), "a\n<b>"),
    "empty area": (forms.Textarea(), ""),
    "box": (forms.CheckboxInput(ODD), True),
    "no box": (forms.CheckboxInput(), False),
    "choice": (forms.Select(ODD, CHOICES), "a<b"),
    "groups": (forms.Select(None, GROUPS), 7),
    "several": (forms.SelectMultiple(None, CHOICES), [7, "a<b"]),
    "boxes": (forms.CheckboxSelectMultiple({"id": "it"}, CHOICES), ["a<b"]),
    "buttons": (forms.RadioSelect(None, CHOICES), 7),
    "file": (forms.FileInput(), None),
}


@pytest.mark.parametrize("name", FIELDS)
def test_fields_are_those_of_djangos_templates(name: str) -> None:
    widget, value = FIELDS[name]
    renderings = [
        widget.render("it", value, {"id": "id_it"}, renderer=renderer)
        for renderer in (Widgets(), DjangoTemplates())
    ]
    assert renderings[0] == renderings[1]


@pytest.mark.parametrize("name", ["boxes", "buttons", "choice"])
def test_one_of_several_is_that_of_djangos_templates(name: str) -> None:
    widget, value = FIELDS[name]
    field = forms.ChoiceField(choices=CHOICES, widget=widget)
    renderings = []
    for renderer in (Widgets(), DjangoTemplates()):
        form = forms.Form({"it": value}, renderer=renderer)
        form.fields["it"] = field
        renderings.append([box.tag() for box in form["it"]])
    assert len(renderings[0]) == len(CHOICES)
    assert renderings[0] == renderings[1]


@pytest.mark.parametrize("value", ["<'\"&>", mark_safe("<b>"), 7, None, gettext_lazy("All")])
def test_markup_escapes_as_django_does(value: Any) -> None:
    assert markup("<i>{}</i>{}", value, "&") == format_html("<i>{}</i>{}", value, "&")


SENTENCES = (
    '{% translate "Tables" %}',
    '{% translate "Tables" as word %}-{{ word }}',
    "{% translate word %}",
    '{% translate "Tables"|upper %}',
    "{% blocktranslate %}{{ word }} of 5%{% endblocktranslate %}",
    "{% blocktranslate with a=word|upper %}{{ a }}, {{ nothing }}{% endblocktranslate %}",
    "{% blocktranslate asvar b %}Hello <{{ word }}>{% endblocktranslate %}{{ b }}",
    "{% blocktranslate count n=n %}{{ n }} day{% plural %}{{ n }} days{% endblocktranslate %}",
)


@pytest.mark.parametrize("source", SENTENCES)
@pytest.mark.usefixtures("spoken")
def test_sentences_are_those_of_django_in_each_language(source: str) -> None:
    ours = Template("{% load i18n %}" + source)
    djangos = Engine(libraries={"i18n": "django.templatetags.i18n"}).from_string(
        "{% load i18n %}" + source
    )
    for language in ("en", "de", "en", "fr", None):
        for values in ({"word": "Tables", "n": 2}, {"word": "<Pools>", "n": 1}):
            with override(language):
                assert ours.render(Context(values)) == djangos.render(Context(values))


def test_addresses_are_made_once_and_escaped() -> None:
    page = Template('{% url "claim" code number %}')
    for code, number in (("main", 7), ("main", 8), ("main", 7)):
        html = page.render(Context({"code": code, "number": number}))
        assert html == reverse("claim", args=[code, number]) == address("claim", code, number)
