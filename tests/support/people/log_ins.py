"""The proof of a sealed password, as the log-in makes it."""

from __future__ import annotations

from django.contrib.auth.models import User

from settlement.people import passwords
from tests.support.people.cast import PASSWORD

hasher = passwords.SealedArgon2PasswordHasher()


def proof(user: User, password: str = PASSWORD) -> bytes:
    key = hasher.proof(password, user.password)
    assert key is not None
    return key
