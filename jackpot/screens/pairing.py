"""A screen asks for a code, shows it, and is known by its secret once somebody has entered it.

As devices without a keyboard are let in elsewhere (RFC 8628). The database keeps the SHA-256 of the
secret; the secret is the screen's cookie, and opens public values alone.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import secrets

from django.utils import timezone

from jackpot.models import Screen, ScreenRequest
from jackpot.web.rate_limit import network_of

VALID_FOR = dt.timedelta(minutes=15)
MOST_WAITING = 200  # of an installation
MOST_OF_ONE = 10  # of an address
LETTERS = "BCDFGHJKLMNPQRSTVWXZ"  # no vowel: no word; nothing that looks like a digit
LENGTH = 8


class TooMany(Exception):
    """So many screens wait already: somebody floods, or nobody pairs."""


def digest_of(secret: str) -> str:
    """What the database keeps of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def screen_of(secret: str) -> Screen | None:
    """The screen with that secret, unless it was removed."""
    if not secret:
        return None
    rows = Screen.objects.select_related("casino")
    return rows.filter(digest=digest_of(secret), ended_at=None).first()


def waiting_of(secret: str) -> ScreenRequest | None:
    """The request with that secret, while its code holds."""
    rows = ScreenRequest.objects.filter(digest=digest_of(secret), expires_at__gt=timezone.now())
    return rows.first() if secret else None


def request_code(address: str) -> tuple[ScreenRequest, str]:
    """A new request and its secret; TooMany. Requests that are over are thrown away."""
    now = timezone.now()
    ScreenRequest.objects.filter(expires_at__lte=now).delete()
    network = network_of(address)
    waiting = ScreenRequest.objects
    if waiting.count() >= MOST_WAITING or waiting.filter(network=network).count() >= MOST_OF_ONE:
        raise TooMany
    secret = secrets.token_urlsafe(32)
    request = ScreenRequest.objects.create(
        code="".join(secrets.choice(LETTERS) for _ in range(LENGTH)),
        digest=digest_of(secret),
        network=network,
        expires_at=now + VALID_FOR,
    )
    return request, secret


def code_text(code: str) -> str:
    """As a screen shows it.

    >>> written("BCDFGHJK")
    'BCDF-GHJK'
    """
    return f"{code[:4]}-{code[4:]}"


def read(text: str) -> str:
    """As the database has it, of whatever somebody typed.

    >>> read(" bcdf ghjk"), read("BCDF-GHJK")
    ('BCDFGHJK', 'BCDFGHJK')
    """
    return "".join(letter for letter in text.upper() if letter in LETTERS)
