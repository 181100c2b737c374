"""Web push: a message that a browser's push service hands on and cannot read.

RFC 8291 (encryption), RFC 8188 (its format), RFC 8292 (who sends it), with `cryptography` alone.
"""

from __future__ import annotations

import base64
import json
import secrets
import struct
import time
from pathlib import Path
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings

from settlement.models import Notification, PushSubscription
from settlement.notifications.kinds import KINDS, address_of, subject_of, title_of
from settlement.people.preferences.language import in_language_of
from settlement.webhooks.calls import post

UNKNOWN = (404, 410)  # the browser has ended its subscription
_KEEPS_S = 3600  # the push service keeps it so long for a device that is off
_HOLDS_S = 12 * 3600  # the word of who sends
_RECORD = 4096
_CURVE = ec.SECP256R1()


def send(browser: PushSubscription, notification: Notification) -> tuple[int | None, str]:
    """The status that the push service answered, if it did, and what went wrong."""
    key = private_key()
    if key is None:
        return None, "PUSH_PRIVATE_KEY is not set, or is none."
    with in_language_of(notification.person_id):
        message = {
            "title": title_of(notification.kind),
            "body": subject_of(notification.data),
            "address": address_of(notification.kind, notification.data),
            "tag": str(notification.pk),
        }
    body = encrypted(json.dumps(message).encode(), browser.public_key, browser.secret)
    headers = {
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(_KEEPS_S),
        "Urgency": "high" if KINDS[notification.kind].is_urgent else "normal",
        "Authorization": f"vapid t={_token(browser.url, key)}, k={public_text(key)}",
    }
    return post(browser.url, body, headers)


def new_key() -> tuple[str, str]:
    """A private key and its public one, as the settings have them."""
    key = ec.generate_private_key(_CURVE)
    return _text(key.private_numbers().private_value.to_bytes(32)), public_text(key)


def private_key() -> ec.EllipticCurvePrivateKey | None:
    """That of the settings; None where there is none, or none that can be read."""
    text, file = settings.PUSH_PRIVATE_KEY, settings.PUSH_PRIVATE_KEY_FILE
    try:
        text = text or (Path(file).read_text() if file else "")
        number = int.from_bytes(_bytes(text.strip()))
        return ec.derive_private_key(number, _CURVE) if number else None
    except (OSError, ValueError):
        return None


def public_text(key: ec.EllipticCurvePrivateKey) -> str:
    """What browsers are given: an uncompressed point as base64url."""
    return _text(_point(key.public_key()))


def is_good(public_key: str, secret: str) -> bool:
    """Whether a browser's own keys are such keys."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, _bytes(public_key))
        return len(_bytes(secret)) == 16
    except ValueError:
        return False


def encrypted(
    plain: bytes,
    public_key: str,
    secret: str,
    key: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """The body of a push message; `key` and `salt` are drawn again for each."""
    key, salt = key or ec.generate_private_key(_CURVE), salt or secrets.token_bytes(16)
    theirs = _bytes(public_key)
    point = ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, theirs)
    ours = _point(key.public_key())
    shared = key.exchange(ec.ECDH(), point)
    ikm = _derived(shared, _bytes(secret), b"WebPush: info\0" + theirs + ours, 32)
    content_key = _derived(ikm, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(ikm, salt, b"Content-Encoding: nonce\0", 12)
    sealed = AESGCM(content_key).encrypt(nonce, plain + b"\x02", None)
    return salt + struct.pack("!LB", _RECORD, len(ours)) + ours + sealed


def _token(url: str, key: ec.EllipticCurvePrivateKey) -> str:
    """Who sends, for one push service: a JSON Web Token by ES256."""
    parts = urlsplit(url)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(time.time()) + _HOLDS_S,
        "sub": f"mailto:{settings.DEFAULT_FROM_EMAIL}",
    }
    head = {"typ": "JWT", "alg": "ES256"}
    signed = ".".join(_text(json.dumps(each).encode()) for each in (head, claims))
    r, s = decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(SHA256())))
    return f"{signed}.{_text(r.to_bytes(32) + s.to_bytes(32))}"


def _derived(material: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=SHA256(), length=length, salt=salt, info=info).derive(material)


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _text(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
