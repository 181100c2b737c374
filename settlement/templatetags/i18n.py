"""Django's tags of translation, which remember what they found: `{% load i18n %}` gives these.

A page of two hundred rows says the same forty sentences in each of them, and looked up every one
in the catalogue of the language and then in those behind it.
"""

from __future__ import annotations

from typing import Any

from django import template
from django.template.base import Parser, Token, render_value_in_context
from django.template.context import Context
from django.templatetags import i18n
from django.utils.safestring import SafeString
from django.utils.translation import gettext, trans_real

register = template.Library()
register.tags.update(i18n.register.tags)
register.filters.update(i18n.register.filters)


class _Memory(dict[Any, str]):
    """Words by the catalogue they came from; those of no language are not kept."""

    def keep(self, catalog: Any, words: str) -> str:
        if isinstance(catalog, trans_real.DjangoTranslation):
            self[catalog] = words
        return words


class Words(i18n.TranslateNode):
    """A sentence that stands in the template is looked up once in a language."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        expression = self.filter_expression
        is_fixed = getattr(expression.var, "literal", None) is not None and not expression.filters
        self._is_kept = is_fixed and not self.message_context and not self.asvar
        self._memory = _Memory()

    def render(self, context: Context) -> str:
        if not self._is_kept:
            return str(super().render(context))
        catalog = trans_real.catalog()
        words = self._memory.get(catalog)
        return words if words is not None else self._memory.keep(catalog, super().render(context))


class Sentence(i18n.BlockTranslateNode):
    """One without a plural or a context is looked up once in a language."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._message, self._names = self.render_token_list(self.singular)
        self._memory = _Memory()

    def render(self, context: Context, nested: bool = False) -> str:
        if self.plural or self.message_context or nested:
            return str(super().render(context, nested))
        catalog = trans_real.catalog()
        words = self._memory.get(catalog)
        if words is None:
            words = self._memory.keep(catalog, gettext(self._message))
        own = {name: value.resolve(context) for name, value in self.extra_context.items()}
        try:
            sentence = words % {
                name: render_value_in_context(own[name] if name in own else context[name], context)
                for name in self._names
            }
        except (KeyError, ValueError):  # no such name, or a translation that nobody can fill in
            return str(super().render(context))
        if not self.asvar:
            return sentence
        context[self.asvar] = SafeString(sentence)
        return ""


def _translate(parser: Parser, token: Token) -> Words:
    node = i18n.do_translate(parser, token)
    return Words(node.filter_expression, node.noop, node.asvar, node.message_context)


def _block_translate(parser: Parser, token: Token) -> Sentence:
    return Sentence(**vars(i18n.do_block_translate(parser, token)))


for _name in ("translate", "trans"):
    register.tag(_name, _translate)
for _name in ("blocktranslate", "blocktrans"):
    register.tag(_name, _block_translate)
