"""The forms of pages: those that are posted, and fields that belong to no Django form.

A text is an argument, `_("Why is it withdrawn?")`. `key` tells apart the ids of several on a page.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import template
from django.conf import settings
from django.forms import BoundField
from django.template.context import Context
from django.template.defaulttags import CsrfTokenNode
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from jackpot.labels.figures import marks
from settlement.core.input import LONGEST_TEXT
from settlement.core.markup import markup
from settlement.models import Proposal, SetUpProposal
from settlement.signatures import policy
from settlement.templatetags.addresses import address as address_of
from settlement.templatetags.components import attributes_of, block, id_of, panel, person
from settlement.templatetags.console import icon

register = template.Library()

# What a browser offers where a table of rows is asked for: each of them is read (settlement.core).
TABLES = ".csv,.tsv,.txt,.xlsx,text/csv"

_SIGN_ALL = "casinos_that_sign_all"  # asked once a page


@register.simple_block_tag(takes_context=True)
def post_form(
    context: Context,
    content: str,
    address: str = "",
    *args: object,
    kind: str = "form",
    **attributes: Any,
) -> SafeString:
    """A form that is posted to a named address, or to its own page, with Django's token.

    `kind` is its class: `form`, its parts under each other, or `alarm-form`, in one row.
    """
    own = {
        "class": kind or None,
        "method": "post",
        "action": address_of(address, *args) if address else None,
    }
    return markup(
        "<form{}>{}{}</form>",
        attributes_of({**own, **attributes}),
        CsrfTokenNode().render(context),
        mark_safe(content),  # noqa: S308 - was rendered
    )


@register.simple_tag
def text_field(
    label: str,
    id: str,  # noqa: A002 - what HTML calls it
    *,
    key: object = "",
    name: str = "note",
    optional: bool = False,
    is_code: bool = False,
    **attributes: Any,
) -> SafeString:
    """A labelled line to type into that belongs to no Django form, such as the note of an action.

    `is_code`: no language, such as a log-in name.
    """
    id = id_of(id, key)  # noqa: A001
    own = {
        "class": "input",
        "type": "text",
        "id": id,
        "name": name,
        "maxlength": LONGEST_TEXT,
        "required": not optional,
        "autocomplete": "off",
        "autocapitalize": "none" if is_code else None,
        "spellcheck": "false" if is_code else None,
    }
    return markup(
        '<div class="field"><label for="{}">{}{}</label><input{}></div>',
        id,
        label,
        markup(' <span class="muted">({})</span>', _("optional")) if optional else "",
        attributes_of({**own, **attributes}),
    )


@register.simple_tag
def select_field(
    label: str,
    id: str,  # noqa: A002 - what HTML calls it
    choices: Iterable[tuple[object, str] | str],
    chosen: object = "",
    *,
    key: object = "",
    name: str = "",
    empty: str = "",
    **attributes: Any,
) -> SafeString:
    """A labelled list to choose one of that belongs to no Django form.

    `choices`: (value, text), or the value alone where it is its own text. `name`: `id` where it
    says none. `empty`: the text of no choice, before all others; none where it says none.
    """
    pairs = [(each, each) if isinstance(each, str) else each for each in choices]
    pairs[:0] = [("", empty)] if empty else []
    options = "".join(
        markup(
            '<option value="{}"{}>{}</option>',
            value,
            SafeString(" selected") if str(value) == str(chosen) else "",
            text,
        )
        for value, text in pairs
    )
    return markup(
        '<div class="field"><label for="{}">{}</label><select{}>{}</select></div>',
        id_of(id, key),
        label,
        attributes_of({"class": "input", "id": id_of(id, key), "name": name or id, **attributes}),
        SafeString(options),
    )


@register.filter
def coded(places: Iterable[Any]) -> list[tuple[str, str]]:
    """Casinos, systems or tables as choices: code and name."""
    return [(each.code, each.name) for each in places]


@register.filter
def people(users: Iterable[Any]) -> list[tuple[int, str]]:
    """People as choices: primary key and name."""
    return [(each.pk, person(each)) for each in users]


@register.filter
def log_ins(names: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Log-in names with the person's as choices; where they differ, both are read."""
    return [(log_in, name if name == log_in else f"{name} ({log_in})") for log_in, name in names]


@register.simple_tag
def longest_text() -> int:
    """How many characters a reason or a note takes, for fields that a template draws itself."""
    return LONGEST_TEXT


@register.simple_tag
def password_field(
    label: str,
    id: str,  # noqa: A002 - what HTML calls it
    *,
    key: object = "",
    name: str = "password",
    autocomplete: str = "current-password",
) -> SafeString:
    """A labelled field for a password."""
    return text_field(
        label,
        id,
        key=key,
        name=name,
        type="password",
        autocomplete=autocomplete,
        maxlength=None,
    )


@register.simple_tag
def hidden(name: str, value: object) -> SafeString:
    """A value that a form sends and nobody sees."""
    return markup('<input type="hidden" name="{}" value="{}">', name, value)


@register.simple_tag
def submit(text: str, kind: str = "", picture: str = "", **attributes: Any) -> SafeString:
    """The button that sends a form: `kind` is `primary`, `danger`, `large`, `wide` or several."""
    return markup(
        '<button class="button{}" type="submit"{}>{}{}</button>',
        f" {kind}" if kind else "",
        attributes_of(attributes),
        markup("{} ", icon(picture)) if picture else "",
        text,
    )


@register.simple_tag(takes_context=True)
def sign_form(
    context: Context,
    address: str,
    *args: object,
    button: str,
    label: str = "",
    id: str = "password",  # noqa: A002 - what HTML calls it
    key: object = "",
    kind: str = "alarm-form",
    button_kind: str = "primary",
    of: Proposal | SetUpProposal | None = None,
) -> SafeString:
    """An action that asks for the password again; of a proposal it may be signed on the next page
    in its place."""
    label = label or _("Confirm with your password")
    body = _password(context, of, label, id, key) + submit(button, button_kind)
    return post_form(context, body, address, *args, kind=kind)


@register.simple_tag(takes_context=True)
def agree_password(
    context: Context,
    of: Proposal | SetUpProposal,
    label: str,
    id: str = "password",  # noqa: A002 - what HTML calls it
    key: object = "",
) -> SafeString:
    """The password of whoever agrees to a proposal; nothing where the agreement is signed."""
    return _password(context, of, label, id, key)


def _password(
    context: Context, of: Proposal | SetUpProposal | None, label: str, id_: str, key: object
) -> SafeString:
    if isinstance(of, SetUpProposal) and policy.is_asked_of_set_up(of):
        return SafeString()
    if isinstance(of, Proposal):
        if _SIGN_ALL not in context.render_context:
            context.render_context[_SIGN_ALL] = policy.casinos_that_sign_all()
        if of.system.casino_id in context.render_context[_SIGN_ALL]:
            return SafeString()
    return password_field(label, id_, key=key)


@register.simple_tag(takes_context=True)
def note_form(
    context: Context,
    address: str,
    *args: object,
    label: str,
    button: str,
    id: str = "note",  # noqa: A002 - what HTML calls it
    key: object = "",
    kind: str = "alarm-form",
    button_kind: str = "",
    picture: str = "",
    **attributes: Any,
) -> SafeString:
    """An action that asks for a note."""
    body = text_field(label, id, key=key, **attributes) + submit(button, button_kind, picture)
    return post_form(context, body, address, *args, kind=kind)


@register.simple_tag(takes_context=True)
def withdraw_form(
    context: Context,
    proposal: int,
    id: str,  # noqa: A002 - what HTML calls it
    key: object = "",
    kind: str = "alarm-form",
    maxlength: int = LONGEST_TEXT,
) -> SafeString:
    """The withdrawal of a proposal (its primary key), with a note."""
    return note_form(
        context,
        "proposal-withdraw",
        proposal,
        label=_("Why is it withdrawn?"),
        button=_("Withdraw"),
        id=id,
        key=key,
        kind=kind,
        maxlength=maxlength,
    )


@block
def upload_panel(
    context: Context,
    body: str,
    slots: dict[str, SafeString],
    title: str,
    address: str,
    *args: object,
    label: str,
    button: str,
    accept: str = TABLES,
    kind: str = "",
    id: str = "choose",  # noqa: A002 - what HTML calls it
) -> SafeString:
    """A panel from which one file is sent, a table of rows unless it says what else it accepts; its
    body says what the file must be. Slot `fields`: what is sent beside it."""
    file = markup(
        '<div class="field"><label for="id_file">{}</label><input class="input" type="file"'
        ' id="id_file" name="file" accept="{}" aria-describedby="id_file_helptext" required>'
        '<p class="muted small" id="id_file_helptext">{}</p></div><div class="row">{}</div>',
        label,
        accept,
        mark_safe(body.strip()),  # noqa: S308 - was rendered
        submit(button, kind),
    )
    content = slots.get("fields", "") + file
    form = post_form(context, content, address, *args, enctype="multipart/form-data")
    return panel(form, {}, title, id=id)


@register.inclusion_tag("partials/field.html")
def field(bound: BoundField) -> dict[str, BoundField]:
    """A field of a Django form with its label, hint and errors."""
    return {"field": bound}


@register.simple_tag
def release_mark() -> SafeString:
    """For a page that stays open for months: which release it is of."""
    return markup(' data-release="{}"', settings.CONSOLE_VERSION)


@register.simple_tag
def figure_marks() -> SafeString:
    """For scripts: what stands before decimals and between thousands."""
    decimal, thousand = marks()
    return markup(' data-decimal="{}" data-thousand="{}"', decimal, thousand)
