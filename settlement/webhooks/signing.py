"""Signatures of Standard Webhooks (standardwebhooks.com): HMAC-SHA256 over id, time and body."""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import hmac
import secrets
from collections.abc import Sequence

PREFIX = "whsec_"
_BYTES = 32


def new_secret() -> str:
    """A secret as its receiver is given it: 32 bytes at random in Base64, behind `whsec_`."""
    return PREFIX + base64.b64encode(secrets.token_bytes(_BYTES)).decode()


def headers(
    secrets_of: Sequence[str], message: str, at: dt.datetime, body: bytes
) -> dict[str, str]:
    """Those of one attempt; `message` is the same at each attempt, `at` is not. While a secret is
    exchanged each of the two signs, the newer one first: a receiver takes what fits either.

    >>> at = dt.datetime.fromtimestamp(1614265330, dt.UTC)
    >>> key = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    >>> signed = headers([key], "msg_p5jXN8AQM9LWM0D4loKWxJek", at, b'{"test": 2432232314}')
    >>> signed["webhook-signature"]
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
    """
    seconds = str(int(at.timestamp()))
    content = b".".join((message.encode(), seconds.encode(), body))
    return {
        "webhook-id": message,
        "webhook-timestamp": seconds,
        "webhook-signature": " ".join(_signature(each, content) for each in secrets_of),
    }


def _signature(secret: str, content: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(PREFIX))
    return f"v1,{base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()}"
