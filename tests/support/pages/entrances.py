"""Every page of the address list, by who may open it: the public, a screen, or a person."""

from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver, reverse

# Whoever is logged in, with a role or without one.
ONES_OWN = (
    *(
        "password",
        "account",
        "preferences",
        "sessions-end",
        "mail-address",
        "factor-app",
        "factor-passkey",
    ),
    *("passkey-options", "passkey-challenge", "factor-end", "recovery-codes"),
    *("signing-keys", "key-begin", "key-endorse"),
    *("provider-again", "provider-unlink"),
    *("lock", "locked", "awake", "pin", "tablet-leave"),
    *("notifications", "bell", "notifications-read", "notification-open"),
    *("notification-choices", "browser-add", "browser-end"),
)


# No person is asked for: the log-in itself, screens whose address carries a key, and what is
# public (jackpot.meter).
PUBLIC = (
    *("meter", "meter-proof", "meter-growth", "meter-block", "meter-block-proof"),
    *("meter-keys", "meter-keys-text", "meter-nothing", "meter-nothing-below"),
)
# A screen's: its cookie says what it shows.
SCREENS = (
    *("screen", "screen-code", "screen-content", "screen-stream", "screen-report"),
    *("screen-picture", "screen-worker", "display-none"),
)
OPEN = (
    *("login", "log-in-code", "log-in-passkey", "logout"),
    *("first-run", "invitation", "tablet"),
    *("provider-log-in", "provider-back", "provider-wait"),
    *("password-forgotten", "password-asked", "password-new", "password-code"),
    "mail-confirm",
    *("display", "display-reading", "display-stream", "api-nothing"),
    *PUBLIC,
    *SCREENS,
)


PARTS: dict[str, Any] = {
    "system": "main",
    "code": "main",
    "casino": "harbour",
    "table": "t3",
    "tier": "royal",
    "jackpot": "royal",
    **dict.fromkeys(("number", "entry", "event", "file", "payout", "alarm", "stop", "sharer"), 1),
    "display_key": "guessed",
    "day": "2026-11-21",
    "report": "payouts",
    "draft": "w_2g",
    "place": 0,
    "old": 1,
    "size": 1,
    "start": "0123456789abcdef",
    "rest": "nothing",
    "username": "mere",
    "secret": "guessed",
    "intake": "intake-9",
    "digest": "guessed",
    "page": "claims",
    "rule": "19.7",
    "role": "cashier",
    "purpose": "confirm",
    "operation": "pay_claim",
}


def installation_addresses(resolver: URLResolver) -> Iterator[URLPattern]:
    """The addresses of the installation; those of the demo are no casino's."""
    for each in resolver.url_patterns:
        if isinstance(each, URLPattern):
            yield each
        elif str(each.pattern) != "demo/":
            yield from installation_addresses(each)


def address_of(page: URLPattern) -> str:
    assert page.name is not None, page
    return reverse(page.name, kwargs={part: PARTS[part] for part in page.pattern.converters})


PAGES = {
    page.name or str(page.pattern): page
    for page in installation_addresses(get_resolver("config.urls"))
}


CLOSED = {name: page for name, page in PAGES.items() if name not in OPEN}
