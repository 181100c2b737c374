"""The components of pages: `{% load components %}`.

A text is an argument, `_("Missing events")`, or the body of a block. What stands at a fixed place
of a component beside its body is a slot: `{% slot "action" %}...{% endslot %}` inside the block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from inspect import signature
from typing import Any

from django import template
from django.template.base import FilterExpression, NodeList, Parser, Token, kwarg_re
from django.template.context import Context
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import smart_split
from django.utils.translation import gettext as _

from settlement.core.markup import escaped, markup
from settlement.templatetags.addresses import compile_url
from settlement.templatetags.console import ICONS, icon

register = template.Library()
register.tag("url", compile_url)

_NOTHING = SafeString()


# --- blocks with slots --------------------------------------------------------------------------
class Slot(template.Node):
    """What a component puts at a place of its own; outside a component it shows nothing."""

    child_nodelists = ("contents",)

    def __init__(self, name: str, contents: NodeList) -> None:
        self.name = name
        self.contents = contents

    def render(self, context: Context) -> SafeString:  # noqa: ARG002 - Django's signature
        return _NOTHING


@register.tag
def slot(parser: Parser, token: Token) -> Slot:
    """`{% slot "action" %}...{% endslot %}`, directly inside a component."""
    name = token.split_contents()[1].strip("\"'")
    contents = parser.parse(("endslot",))
    parser.delete_first_token()
    return Slot(name, contents)


class Component(template.Node):
    """A block tag that is drawn by a function of its body, its slots and its arguments."""

    child_nodelists = ("body", "slot_list")

    def __init__(
        self,
        draw: Callable[..., SafeString],
        contents: NodeList,
        args: list[FilterExpression],
        kwargs: dict[str, FilterExpression],
    ) -> None:
        self.draw = draw
        self.takes_context = "context" in signature(draw).parameters
        self.slots = [node for node in contents if isinstance(node, Slot)]
        self.slot_list = NodeList(self.slots)
        self.body = NodeList(node for node in contents if not isinstance(node, Slot))
        self.args = args
        self.kwargs = kwargs

    def render(self, context: Context) -> SafeString:
        slots = {each.name: each.contents.render(context).strip() for each in self.slots}
        return self.draw(
            *((context,) if self.takes_context else ()),
            self.body.render(context),
            {name: mark_safe(text) for name, text in slots.items()},  # noqa: S308 - was rendered
            *(each.resolve(context) for each in self.args),
            **{name: each.resolve(context) for name, each in self.kwargs.items()},
        )


def _arguments(
    parser: Parser, token: Token
) -> tuple[list[FilterExpression], dict[str, FilterExpression]]:
    """Of a tag. Not Django's own splitting: that one breaks at `_("Round")|figures`."""
    args, kwargs = [], {}
    for bit in list(smart_split(token.contents))[1:]:
        match = kwarg_re.match(bit)
        name, value = match.groups() if match else (None, bit)
        if name:
            kwargs[name] = parser.compile_filter(value)
        else:
            args.append(parser.compile_filter(value))
    return args, kwargs


def block(draw: Callable[..., SafeString]) -> Callable[..., SafeString]:
    """Make a function of (context, if it asks, body, slots, arguments) a tag with an end tag."""
    own = ("",) * ("context" in signature(draw).parameters)

    @register.tag(draw.__name__)
    def compile_block(parser: Parser, token: Token) -> Component:
        args, kwargs = _arguments(parser, token)
        signature(draw).bind(*own, "", {}, *args, **kwargs)  # a wrong argument is told at once
        contents = parser.parse((f"end{draw.__name__}",))
        parser.delete_first_token()
        return Component(draw, contents, args, kwargs)

    return draw


def attributes_of(values: dict[str, Any]) -> SafeString:
    """As they stand in a tag: `data_live=True` is ` data-live`; False and None are left out. Names
    are those of templates, and need no escape."""
    parts = [
        f" {name.replace('_', '-')}" + ("" if value is True else f'="{escaped(value)}"')
        for name, value in values.items()
        if value is not None and value is not False
    ]
    return mark_safe("".join(parts))  # noqa: S308 - values are escaped


def id_of(name: str, key: object) -> str:
    """The id of one of several: `note` and 7 are `note-7`."""
    return f"{name}-{key}" if key != "" else name


# --- where a page stands ------------------------------------------------------------------------
@register.simple_block_tag
def crumbs(content: str) -> SafeString:
    """The way to a page; the page itself is the heading below."""
    return markup(
        '<nav class="crumbs" aria-label="{}"><ol>{}</ol></nav>',
        _("Where you are"),
        mark_safe(content),  # noqa: S308 - was rendered
    )


@register.simple_tag
def crumb(text: str, address: str = "", *args: object) -> SafeString:
    """A page on the way, by the name of its address; without one, only its name."""
    if not address:
        return markup("<li>{}</li>", text)
    return markup('<li><a href="{}">{}</a></li>', reverse(address, args=args), text)


# --- boxes --------------------------------------------------------------------------------------
@block
def alert(
    body: str, slots: dict[str, SafeString], kind: str = "", picture: str = "", **attributes: Any
) -> SafeString:
    """A message box: `info`, `success`, `warning` or `error`; slot `action`: its button."""
    return markup(
        '<div class="alert{}"{}>{}<div class="alert-text">{}</div>{}</div>',
        f" {kind}" if kind else "",
        attributes_of(attributes),
        icon(picture or (kind if kind in ICONS else "info")),
        mark_safe(body.strip()),  # noqa: S308 - was rendered
        slots.get("action", ""),
    )


@block
def panel(
    body: str,
    slots: dict[str, SafeString],
    title: str = "",
    *,
    id: str = "",  # noqa: A002 - what HTML calls it
    key: object = "",
    kind: str = "",
    urgent: object = False,
    label: str = "",
    live: str = "",
    live_at: str = "",
) -> SafeString:
    """A card of the page under its heading. Slots: `title`, if it is more than words, and `aside`.

    `id` is the heading's; a card without one says by `label` what it is. `kind`: `flush` where a
    table reaches its edges. `live` names it among what updates itself, alone at `live_at`.
    """
    id = id_of(id, key)  # noqa: A001
    title = slots.get("title") or title
    heading = markup('<h2 id="{}">{}</h2>', id, title) if title else _NOTHING
    if heading and ("flush" in kind.split() or slots.get("aside")):
        heading = markup('<div class="panel-head">{}{}</div>', heading, slots.get("aside", ""))
    attributes: dict[str, Any] = {"aria-labelledby": id} if title else {"aria-label": label}
    attributes |= {"data-live": True, "data-live-at": live_at or None, "id": live} if live else {}
    return markup(
        '<section class="panel{}{}"{}>{}{}</section>',
        f" {kind}" if kind else "",
        " urgent" if urgent else "",
        attributes_of(attributes),
        heading,
        mark_safe(body),  # noqa: S308 - was rendered
    )


@block
def fold(
    body: str,
    slots: dict[str, SafeString],
    title: str = "",
    *,
    id: str = "",  # noqa: A002 - what HTML calls it
    kind: str = "",
    urgent: object = False,
    open: object = False,  # noqa: A002 - what HTML calls it
    live: str = "",
) -> SafeString:
    """A panel that folds away under its heading. Slots: those of a panel, and `open`, if it depends
    on more than one value: the panel is open where that slot says anything."""
    return markup(
        '<details class="panel{} fold{}"{}><summary><h2{}>{}</h2>{}</summary>{}</details>',
        f" {kind}" if kind else "",
        " urgent" if urgent else "",
        attributes_of(
            {
                "open": bool(open or slots.get("open")),
                "data-live": bool(live),
                "id": live or None,
            }
        ),
        attributes_of({"id": id or None}),
        slots.get("title") or title,
        slots.get("aside", ""),
        mark_safe(body),  # noqa: S308 - was rendered
    )


@block
def more(
    body: str,
    slots: dict[str, SafeString],
    summary: str = "",
    open: object = False,  # noqa: A002 - what HTML calls it
    id: str = "",  # noqa: A002 - what HTML calls it
) -> SafeString:
    """What is folded away under a summary; the slot `summary`, where that is more than words. It
    opens for a link to its `id`."""
    return markup(
        '<details class="more"{}><summary>{}</summary>{}</details>',
        attributes_of({"open": bool(open), "id": id or None}),
        slots.get("summary") or summary,
        mark_safe(body),  # noqa: S308 - was rendered
    )


@register.simple_tag
def blank_slate(
    title: str, text: str = "", picture: str = "success", address: str = "", action: str = ""
) -> SafeString:
    """What stands where a list would, when it has no rows; with `address`, a button to go on."""
    return markup(
        '<div class="empty">{}<strong>{}</strong>{}{}</div>',
        icon(picture),
        title,
        markup("<p>{}</p>", text) if text else "",
        markup('<a class="button" href="{}">{}</a>', address, action) if address else "",
    )


# --- tables and facts ---------------------------------------------------------------------------
class _Figures(str):
    """The heading of a column of figures."""

    __slots__ = ()


@register.filter
def figures(heading: str) -> str:
    """The heading of a column of figures: `_("Round")|figures`."""
    return _Figures(heading)


@register.filter
def in_currency(heading: str, casino: Any) -> str:
    """The heading of a column of amounts: `Amount, NZD`."""
    return _Figures(f"{heading}, {casino.currency}")


class _Sorted(str):
    """The heading of a column by which the list can be sorted."""

    __slots__ = ("is_figures", "link")

    is_figures: bool
    link: Any


@register.filter
def sorted_by(heading: str, link: Any) -> str:
    """The heading leads to the list sorted by it: `_("Amount")|figures|sorted_by:sorts.amount`.

    `link`: a `settlement.pages.shared.lists.order.SortLink`.
    """
    marked = _Sorted(heading)
    marked.is_figures, marked.link = isinstance(heading, _Figures), link
    return marked


def columns(headings: Iterable[str]) -> SafeString:
    """The cells of a table's head; an empty heading, over what is pressed, is no heading."""
    return mark_safe("".join(map(_heading, headings)))  # noqa: S308 - each is escaped


def _heading(heading: str) -> str:
    if not heading:
        return "<td></td>"
    link = heading.link if isinstance(heading, _Sorted) else None
    is_figures = getattr(heading, "is_figures", isinstance(heading, _Figures))
    values = {
        "class": "number" if is_figures else None,
        "aria-sort": link.state or None if link else None,
    }
    words = markup('<a href="{}">{}</a>', link.address, str(heading)) if link else heading
    return markup('<th scope="col"{}>{}</th>', attributes_of(values), words)


class Columns(template.Node):
    """`{% columns _("Called") _("Amount")|in_currency:casino %}`, for a long head."""

    def __init__(self, headings: list[FilterExpression]) -> None:
        self.headings = headings

    def render(self, context: Context) -> SafeString:
        return columns(each.resolve(context) for each in self.headings)


@register.tag("columns")
def compile_columns(parser: Parser, token: Token) -> Columns:
    return Columns(_arguments(parser, token)[0])


@block
def table(
    body: str,
    slots: dict[str, SafeString],
    *headings: str,
    kind: str = "stacked",
    wrap: str = "table-wrap",
) -> SafeString:
    """A table of rows. Headings are arguments, or the slot `head` where they depend on data.

    `kind`: `stacked` (on a telephone each row is a card, its cells named by data-label), `plain`,
    `dense` or empty; `wrap`: the class of the frame that scrolls, empty for none.
    """
    head = slots.get("head") or columns(headings)
    html = markup(
        '<table class="table{}">{}<tbody>{}</tbody>{}</table>',
        f" {kind}" if kind else "",
        markup("<thead><tr>{}</tr></thead>", head) if head else "",
        mark_safe(body),  # noqa: S308 - was rendered
        markup("<tfoot>{}</tfoot>", slots["foot"]) if slots.get("foot") else "",
    )
    return markup('<div class="{}">{}</div>', wrap, html) if wrap else html


@register.simple_tag
def fact(term: str, value: object, kind: str = "") -> SafeString:
    """A term and what is so, in a list of facts."""
    return markup(
        "<dt>{}</dt><dd{}>{}</dd>",
        term,
        markup(' class="{}"', kind) if kind else "",
        value,
    )


# --- people -------------------------------------------------------------------------------------
@register.filter
def person(user: Any) -> str:
    """A person by name; by the name of the log-in, where no other is known."""
    return (user.get_full_name() or user.get_username()) if user else ""


@register.simple_tag
def print_button(kind: str = "") -> SafeString:
    """A button that prints the page; `kind` such as `primary`."""
    return markup(
        '<button class="button{}" type="button" data-print>{} {}</button>',
        f" {kind}" if kind else "",
        icon("print"),
        _("Print"),
    )


@register.simple_tag
def report_button(address: str) -> SafeString:
    """A link to the report of what the page shows, where files of it are made and signed."""
    return markup(
        '<a class="button" href="{}">{} {}</a>',
        address,
        icon("download"),
        _("Report and files"),
    )
