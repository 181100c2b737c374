"""Passwords whose proof the database can check, so that only who knows one changes it or logs in.

What is stored is not the Argon2 hash but its SHA-256, the seal. Whoever knows the password computes
the hash and shows it: the proof. The database compares its SHA-256 with the seal. Whoever reads the
table, or has the web role's password, has seals and no proof.

This module moves into no room: sessions name the log-in backend by its path, and would end.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import Any

from argon2.low_level import hash_secret_raw
from django.contrib.auth import get_user_model
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.hashers import Argon2PasswordHasher, identify_hasher, make_password
from django.db import connection


class SealedArgon2PasswordHasher(Argon2PasswordHasher):
    """Argon2id as Django's, with the SHA-256 of the hash in the place of the hash."""

    algorithm = "argon2s"

    def encode(self, password: str, salt: str) -> str:
        # The parts of `argon2s$argon2id$v=19$m=102400,t=2,p=8$salt$hash`.
        *parts, hashed = super().encode(password, salt).split("$")
        return "$".join([*parts, _seal(_bytes(hashed))])

    def verify(self, password: str, encoded: str) -> bool:
        return self.proof(password, encoded) is not None

    def proof(self, password: str, encoded: str) -> bytes | None:
        """The hash whose seal is in `encoded`; None for another password."""
        fields = self.decode(encoded)
        params = fields["params"]
        digest = hash_secret_raw(
            password.encode(),
            fields["salt"].encode(),
            time_cost=params.time_cost,
            memory_cost=params.memory_cost,
            parallelism=params.parallelism,
            hash_len=params.hash_len,
            type=params.type,
        )
        return digest if hmac.compare_digest(_seal(digest), fields["hash"]) else None


class Backend(ModelBackend):
    """As Django's; who comes in by a sealed password brings the proof along, as `user.proof`."""

    def authenticate(
        self,
        request: Any,  # noqa: ARG002 - Django's signature
        username: str | None = None,
        password: str | None = None,
        **_others: Any,
    ) -> Any:
        if username is None or password is None:
            return None
        people: Any = get_user_model()
        try:
            user = people.objects.get_by_natural_key(username)
        except people.DoesNotExist:
            make_password(password)  # nobody takes as long as somebody
            return None
        return user if _shows(user, password) and self.user_can_authenticate(user) else None


def _shows(user: Any, password: str) -> bool:
    """Whether this is the person's password; of a sealed one `user.proof` is kept."""
    try:
        hasher = identify_hasher(user.password) if user.has_usable_password() else None
        if not isinstance(hasher, SealedArgon2PasswordHasher):
            is_right: bool = user.check_password(password)
            return is_right
        user.proof = hasher.proof(password, user.password)
    except ValueError:  # what is stored is none of a known kind
        make_password(password)  # takes as long as a wrong one
        return False
    return user.proof is not None


def change(user: Any, password: str) -> bytes | None:
    """Give a person who has just shown the present password (`user.proof`) another one.

    The proof of the new one; django.db.DatabaseError where the database does not take the old.
    """
    new = make_password(password)
    hasher: Any = identify_hasher(new)
    with connection.cursor() as cursor:
        cursor.execute("SELECT change_password(%s, %s, %s)", [user.pk, user.proof, new])
    user.password = new
    sealed = isinstance(hasher, SealedArgon2PasswordHasher)
    user.proof = hasher.proof(password, new) if sealed else None
    proof: bytes | None = user.proof
    return proof


def _bytes(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4))


def _seal(hashed: bytes) -> str:
    return base64.b64encode(hashlib.sha256(hashed).digest()).decode().rstrip("=")
