"""What a browser says of itself, as a person reads it."""

from __future__ import annotations

# What a browser says of itself, by what tells it from the others; the first that fits counts.
_SYSTEMS = (
    *(("iPad", "iPad"), ("iPhone", "iPhone"), ("Android", "Android"), ("Windows", "Windows")),
    *(("Mac OS X", "Mac"), ("CrOS", "Chromebook"), ("Linux", "Linux")),
)
_BROWSERS = (
    *(("Edg", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome")),
    ("Safari/", "Safari"),
)


def device(user_agent: str) -> str:
    """A browser's words for itself as a person reads them; empty where they say nothing.

    >>> device("Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0")
    'Firefox, Linux'
    """
    parts = (
        next((name for mark, name in names if mark in user_agent), "")
        for names in (_BROWSERS, _SYSTEMS)
    )
    return ", ".join(filter(None, parts))
