"""The house's signature: Ed25519, the key from the environment or a secret file."""

from __future__ import annotations

import re
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings

from settlement.core.errors import WrongState

_KEY = re.compile(r"[0-9a-fA-F]{64}\Z")


def new_key() -> str:
    """A fresh private key as hexadecimal digits."""
    return Ed25519PrivateKey.generate().private_bytes_raw().hex()


def sign(message: bytes) -> bytes:
    """The signature of 64 bytes. WrongState where no key is set."""
    return private_key().sign(message)


def public_key() -> str:
    """The public key as hexadecimal digits, to be given to whoever checks; empty without a key."""
    return private_key().public_key().public_bytes_raw().hex() if _key_text() else ""


def private_key() -> Ed25519PrivateKey:
    """The key that signs. WrongState where none is set, or it cannot be read."""
    key_text = _key_text()
    if not _KEY.match(key_text):
        raise WrongState(
            "No signing key is set, or it is not 64 hexadecimal digits: let technical support set"
            " BUNDLE_SIGNING_KEY_FILE."
        )
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(key_text))


def _key_text() -> str:
    if settings.BUNDLE_SIGNING_KEY or not settings.BUNDLE_SIGNING_KEY_FILE:
        return str(settings.BUNDLE_SIGNING_KEY).strip()
    try:
        return Path(settings.BUNDLE_SIGNING_KEY_FILE).read_text().strip()
    except OSError as error:
        raise WrongState(
            "The signing key cannot be read: let technical support look at BUNDLE_SIGNING_KEY_FILE."
        ) from error
