"""Help on pages: `{% load help %}`. Each part is a link, which a script shows in its place."""

from __future__ import annotations

from django import template
from django.template.context import Context
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from settlement.core.markup import markup
from settlement.help.glossary import numbers_in
from settlement.help.pages import PAGES
from settlement.templatetags.console import icon

register = template.Library()

_NOTHING = SafeString()


@register.simple_tag
def rule_chip(text: object) -> SafeString:
    """Rules by number; those that the documents explain lead to their text, others are shown."""
    words = str(text or "")
    numbers = numbers_in(words)
    if not numbers:
        return markup('<span class="chip">{}</span>', words) if words else _NOTHING
    return markup(
        '<a class="chip" href="{}" data-help aria-haspopup="dialog" title="{}">{}</a>',
        reverse("help-rule", args=[",".join(numbers)]),
        _("Show the rule"),
        words,
    )


@register.simple_tag
def rule_line(number: str) -> SafeString:
    """The rule behind a panel, as its first line: a heading that folds can hold no link."""
    return markup('<p class="fold-rule">{} {}</p>', _("Rule"), rule_chip(number))


@register.filter
def with_rules(text: object) -> SafeString:
    """A label or hint in which each rule that the documents explain leads to its text."""
    words = str(text or "")
    parts: list[object] = []
    for number in numbers_in(words):
        before, _number, words = words.partition(number)
        parts += [before, _linked(number)]
    return format_html_join("", "{}", ((part,) for part in (*parts, words)))


def _linked(number: str) -> SafeString:
    return markup(
        '<a class="rule" href="{}" data-help aria-haspopup="dialog" title="{}">{}</a>',
        reverse("help-rule", args=[number]),
        _("Show the rule"),
        number,
    )


@register.simple_tag(takes_context=True)
def help_button(context: Context) -> SafeString:
    """The question mark beside a heading: help for this page, to who may read help."""
    request = context.get("request")
    if request is None or not context.get("role"):
        return _NOTHING
    match = request.resolver_match
    name = match.url_name if match else ""
    is_known = name in PAGES
    return markup(
        '<a class="button quiet square help-button no-print" href="{}" data-help-page{}'
        ' aria-keyshortcuts="?" aria-label="{}" title="{}">{}</a>',
        reverse("help-page", args=[name]) if is_known else reverse("help"),
        mark_safe(' data-help aria-haspopup="dialog"') if is_known else "",
        _("Help for this page"),
        _("Help for this page (?)"),
        icon("help"),
    )
