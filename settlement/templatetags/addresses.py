"""Addresses of pages, which are made once: `{% url %}` in every template is this one."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.conf import settings
from django.template.base import Parser, Token
from django.template.context import Context
from django.template.defaulttags import URLNode, url
from django.urls import get_script_prefix, get_urlconf, reverse

from settlement.core.markup import escaped

MOST = 10_000  # addresses of tables, claims and people
"""How many are remembered; a page of two hundred rows makes six hundred."""


def address(name: str, *args: Any) -> str:
    """The address of a page, as `reverse` makes it."""
    return _reverse(name, args, get_urlconf() or settings.ROOT_URLCONF, get_script_prefix())


@lru_cache(MOST)
def _reverse(name: str, args: tuple[Any, ...], urlconf: str, _prefix: str) -> str:
    return reverse(name, urlconf=urlconf, args=args)


class Address(URLNode):
    """Of a page by its name, with arguments of numbers and texts by their places."""

    def render(self, context: Context) -> str:
        args = tuple(each.resolve(context) for each in self.args)
        if self.kwargs or self.asvar or not all(isinstance(each, str | int) for each in args):
            return str(super().render(context))
        full_address = address(self.view_name.resolve(context), *args)
        return escaped(full_address) if context.autoescape else full_address


def compile_url(parser: Parser, token: Token) -> Address:
    """`{% url "claim" system.code 7 %}`"""
    node = url(parser, token)
    return Address(node.view_name, node.args, node.kwargs, node.asvar)
