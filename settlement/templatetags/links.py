"""Links that stand within a sentence: what `blocktranslate` takes as a value."""

from collections.abc import Iterable

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import get_text_list
from django.utils.translation import gettext

from jackpot.labels.claim_names import claim_name
from tables.models import GamingTable, JackpotSystem

register = template.Library()


@register.filter
def claim_link(number: int, system: JackpotSystem) -> SafeString:
    """`MAIN-2`, which leads to the claim."""
    address = reverse("claim", args=[system.code, number])
    return format_html('<a href="{}">{}</a>', address, claim_name(system.code, number))


@register.filter
def claim_links(numbers: Iterable[int], system: JackpotSystem) -> SafeString:
    """`MAIN-2, MAIN-3 and MAIN-5`, each of which leads to its claim."""
    links: list[str] = [claim_link(number, system) for number in numbers]
    return mark_safe(get_text_list(links, gettext("and")))  # noqa: S308 - links and a word


@register.filter
def table_link(table: GamingTable) -> SafeString:
    """`Table 3, Main floor`, which leads to the table."""
    address = reverse("table", args=[table.system.code, table.code])
    return format_html('<a href="{}">{}, {}</a>', address, table.name, table.system.name)
