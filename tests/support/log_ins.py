"""Shared by tests: log ins."""

from __future__ import annotations

from django.contrib.auth.models import User

from settlement.people import passwords
from tests.support.cast import PASSWORD

hasher = passwords.SealedArgon2PasswordHasher()


def proof(user: User, password: str = PASSWORD) -> bytes:
    shown = hasher.proof(password, user.password)
    assert shown is not None
    return shown
