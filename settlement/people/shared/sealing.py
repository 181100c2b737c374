"""Secrets at rest: sealed with a key of the environment, that the database does not have.

What is sealed for one purpose opens for no other. FACTOR_KEY, or the file FACTOR_KEY_FILE, has the
keys (`tables.process.sealing_keys`). Without one a key is derived from SECRET_KEY. Secrets of
webhooks, of links for passwords and of log-ins at the provider have WEBHOOK_KEY, for the worker
opens them and has no business with second factors.
"""

from __future__ import annotations

import base64

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from settlement.core.errors import WrongState
from tables.process.sealing_keys import SealingKeyFault, sealing_keys

WEBHOOK, PASSWORD_LINK, MAIL_LINK = "webhook", "password link", "mail link"
# What the web process tells the worker of a log-in at the provider, what comes of it, and what the
# provider says of itself.
PROVIDER_CODE, PROVIDER_ANSWER = "provider code", "provider answer"
PROVIDER = "provider"
_OF_WORKER = (
    *(WEBHOOK, PASSWORD_LINK, MAIL_LINK),
    *(PROVIDER_CODE, PROVIDER_ANSWER, PROVIDER),
)


def seal(secret: bytes, purpose: str) -> bytes:
    """Encrypted and authenticated (Fernet). WrongState where the key cannot be read."""
    return _keys(purpose).encrypt(_mark(purpose) + secret)


def unseal(sealed: bytes, purpose: str, longest_s: int | None = None) -> bytes | None:
    """What was sealed for the purpose, at most so many seconds ago; None where no key opens it."""
    try:
        opened = _keys(purpose).decrypt(sealed, ttl=longest_s)
    except InvalidToken:
        return None
    mark = _mark(purpose)
    return opened.removeprefix(mark) if opened.startswith(mark) else None


def _mark(purpose: str) -> bytes:
    return purpose.encode() + b"\0"


def _keys(purpose: str) -> MultiFernet:
    setting = "WEBHOOK_KEY" if purpose in _OF_WORKER else "FACTOR_KEY"
    try:
        keys = sealing_keys(setting) or [_derived(setting)]
    except SealingKeyFault as fault:
        raise WrongState(str(fault)) from fault
    return MultiFernet([Fernet(base64.urlsafe_b64encode(key)) for key in keys])


def _derived(setting: str) -> bytes:
    use = b"second factors" if setting == "FACTOR_KEY" else b"webhooks"
    derivation = HKDF(algorithm=SHA256(), length=32, salt=None, info=use)
    return derivation.derive(settings.SECRET_KEY.encode())
