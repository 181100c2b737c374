"""Secrets at rest: sealed with a key of the environment, that the database does not have.

What is sealed for one purpose opens for no other. FACTOR_KEY, or the file FACTOR_KEY_FILE, has
keys of 64 hexadecimal digits, one a line or with blanks between: the first seals, each of them
opens. Without one a key is derived from SECRET_KEY.
"""

from __future__ import annotations

import base64
import re
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from settlement.core.errors import WrongState

_KEY = re.compile(r"[0-9a-fA-F]{64}")


def seal(secret: bytes, purpose: str) -> bytes:
    """Encrypted and authenticated (Fernet). WrongState where the key cannot be read."""
    return _keys().encrypt(_mark(purpose) + secret)


def unseal(sealed: bytes, purpose: str, longest_s: int | None = None) -> bytes | None:
    """What was sealed for the purpose, at most so many seconds ago; None where no key opens it."""
    try:
        opened = _keys().decrypt(sealed, ttl=longest_s)
    except InvalidToken:
        return None
    mark = _mark(purpose)
    return opened.removeprefix(mark) if opened.startswith(mark) else None


def _mark(purpose: str) -> bytes:
    return purpose.encode() + b"\0"


def _keys() -> MultiFernet:
    keys = [bytes.fromhex(text) for text in _texts()] or [_derived()]
    return MultiFernet([Fernet(base64.urlsafe_b64encode(key)) for key in keys])


def _derived() -> bytes:
    derivation = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"second factors")
    return derivation.derive(settings.SECRET_KEY.encode())


def _texts() -> list[str]:
    text = str(settings.FACTOR_KEY)
    if not text and settings.FACTOR_KEY_FILE:
        try:
            text = Path(settings.FACTOR_KEY_FILE).read_text()
        except OSError as error:
            raise WrongState(
                "The key of second factors cannot be read: let technical support look at"
                " FACTOR_KEY_FILE."
            ) from error
    keys = text.split()
    if (settings.FACTOR_KEY_FILE and not keys) or not all(map(_KEY.fullmatch, keys)):
        raise WrongState(
            "The key of second factors is not 64 hexadecimal digits: let technical support set"
            " FACTOR_KEY_FILE."
        )
    return keys
