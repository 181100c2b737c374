"""How the fields of forms are drawn: byte for byte as Django's own templates draw them.

A draft of terms has hundreds of fields, and a template for each of them, for its attributes and for
each of its options took more than half of that page's time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.forms.renderers import DjangoTemplates
from django.http import HttpRequest
from django.utils.formats import localize
from django.utils.safestring import SafeString

from settlement.core.markup import escaped

Widget = Mapping[str, Any]


class Widgets(DjangoTemplates):
    """`FORM_RENDERER`: what is not drawn here is left to Django's templates."""

    def render(
        self, template_name: str, context: dict[str, Any], request: HttpRequest | None = None
    ) -> str:
        draw = _RENDERERS.get(template_name)
        if draw is None:
            return super().render(template_name, context, request)
        return SafeString(draw(context["widget"]))


def _attributes(widget: Widget) -> str:
    return "".join(
        f" {escaped(name)}" if value is True else f' {escaped(name)}="{escaped(value)}"'
        for name, value in widget["attrs"].items()
        if value is not False
    )


def _input(widget: Widget) -> str:
    value = widget["value"]
    value_attribute = "" if value is None else f' value="{escaped(value)}"'
    name_and_type = f'type="{escaped(widget["type"])}" name="{escaped(widget["name"])}"'
    return f"<input {name_and_type}{value_attribute}{_attributes(widget)}>"


def _box(widget: Widget) -> str:
    """One of several boxes or buttons, in its label where it stands by itself."""
    markup = _input(widget)
    if not widget.get("wrap_label"):
        return markup
    of = widget["attrs"].get("id")
    attribute = f' for="{escaped(of)}"' if of else ""
    return f"<label{attribute}>{markup} {_words(widget['label'])}</label>"


def _option(widget: Widget) -> str:
    value_attribute = f'value="{escaped(widget["value"])}"{_attributes(widget)}'
    return f"<option {value_attribute}>{_words(widget['label'])}</option>"


def _select(widget: Widget) -> str:
    parts = [f'<select name="{escaped(widget["name"])}"{_attributes(widget)}>']
    for name, options, _place in widget["optgroups"]:
        if name:
            parts.append(f'\n  <optgroup label="{escaped(name)}">')
        parts += [f"\n  {_option(option)}\n" for option in options]
        if name:
            parts.append("\n  </optgroup>")
    return "".join([*parts, "\n</select>"])


def _textarea(widget: Widget) -> str:
    name_attribute = f'name="{escaped(widget["name"])}"{_attributes(widget)}'
    return f"<textarea {name_attribute}>\n{escaped(widget['value'] or '')}</textarea>"


def _words(label: Any) -> str:
    return escaped(label if isinstance(label, str) else localize(label))


_INPUTS = ("input", "text", "number", "email", "url", "password", "hidden", "checkbox", "date")
_RENDERERS: dict[str, Callable[[Widget], str]] = {
    f"django/forms/widgets/{name}.html": draw
    for name, draw in {
        **dict.fromkeys(_INPUTS, _input),
        "checkbox_option": _box,
        "radio_option": _box,
        "select": _select,
        "select_option": _option,
        "textarea": _textarea,
    }.items()
}
