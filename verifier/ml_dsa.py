"""Signatures of ML-DSA-44 (FIPS 204), by `cryptography` where it is installed and knows them."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

PUBLIC_LENGTH, LENGTH = 1312, 2420  # bytes of a public key and of a signature


class NotHere(ValueError):
    """No `cryptography` that knows ML-DSA-44; the message says what to install."""

    def __init__(self) -> None:
        super().__init__("ML-DSA-44 needs the package cryptography, 50 or later")


def is_here() -> bool:
    """Whether signatures can be checked and made on this machine."""
    try:
        _private_key(bytes(32))
    except NotHere:
        return False
    return True


def is_signed(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the signature is by that key; False where nothing here can check it."""
    try:
        module, errors = _modules()
        module.MLDSA44PublicKey.from_public_bytes(public).verify(signature, message)
    except NotHere:
        return False
    except (errors.InvalidSignature, errors.UnsupportedAlgorithm, ValueError):
        return False
    return True


def public_key(seed: bytes) -> bytes:
    """The public key of a seed of 32 bytes. NotHere without the library."""
    return bytes(_private_key(seed).public_key().public_bytes_raw())


def sign(seed: bytes, message: bytes) -> bytes:
    """The signature of 2420 bytes. NotHere without the library."""
    return bytes(_private_key(seed).sign(message))


def _private_key(seed: bytes) -> Any:
    module, errors = _modules()
    try:
        return module.MLDSA44PrivateKey.from_seed_bytes(seed)
    except errors.UnsupportedAlgorithm as unknown:
        raise NotHere from unknown


def _modules() -> tuple[ModuleType, ModuleType]:
    try:
        errors = importlib.import_module("cryptography.exceptions")
        module = importlib.import_module("cryptography.hazmat.primitives.asymmetric.mldsa")
    except ImportError as missing:
        raise NotHere from missing
    return module, errors
