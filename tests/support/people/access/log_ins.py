"""The proof of a sealed password, as the log-in makes it, and a log-in that rests."""

from __future__ import annotations

import time

from django.contrib.auth.models import User
from django.test import Client

from settlement.people import passwords
from settlement.people.sessions.screen_lock import LAST_USE
from tests.support.people.cast import PASSWORD

hasher = passwords.SealedArgon2PasswordHasher()


def proof(user: User, password: str = PASSWORD) -> bytes:
    key = hasher.proof(password, user.password)
    assert key is not None
    return key


def rests(client: Client, seconds: float, mark: str = LAST_USE) -> None:
    """Nothing is done with this log-in for so long."""
    session = client.session
    session[mark] = time.time() - seconds
    session.save()
