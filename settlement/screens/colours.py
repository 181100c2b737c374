"""Whether colours of a house can be read: the contrast of WCAG 2.2 (1.4.3). Pure."""

from __future__ import annotations

import re

LEAST_OF_TEXT, LEAST_OF_ACCENT = 4.5, 3.0  # the accent is large text and lines
_COLOUR = re.compile(r"#[0-9a-f]{6}\Z")


def is_colour(text: str) -> bool:
    """Such as #07090c."""
    return _COLOUR.match(text) is not None


def contrast(one: str, other: str) -> float:
    """From 1, the same, to 21.

    >>> contrast("#000000", "#ffffff"), round(contrast("#777777", "#ffffff"), 2)
    (21.0, 4.48)
    """
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
