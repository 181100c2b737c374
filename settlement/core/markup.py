"""HTML from values, as Django's `format_html` makes it, for parts that a page shows by the hundred.

Django's way asks each value whether it is said in a language later, by a decorator around the
escape: on a page of two hundred rows that takes longer than the rest of a row.
"""

from __future__ import annotations

import html
from typing import Any

from django.utils.html import conditional_escape
from django.utils.safestring import SafeData, SafeString


def escaped(value: Any) -> str:
    """The value as it stands in HTML; what is HTML already stays as it is."""
    if isinstance(value, str):
        return value if isinstance(value, SafeData) else html.escape(value)
    return conditional_escape(value)


def markup(text: str, *values: Any) -> SafeString:
    """The text with the values, escaped, in the place of each `{}`."""
    return SafeString(text.format(*map(escaped, values)))
