"""What a passkey signed, checked (WebAuthn level 2, section 7.2): ECDSA over P-256 (FIPS 186-5) and
RSASSA-PKCS1-v1_5 (RFC 8017). Plain arithmetic on public numbers; nothing is signed here."""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import json
import re
from typing import Any

ES256, RS256 = -7, -257
P = 2**256 - 2**224 + 2**192 + 2**96 - 1
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
BASE = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)
EXPONENT = 65537
_SHA256 = bytes.fromhex("3031300d060960864801650304020105000420")
_PERSON = 0b101  # flags: somebody was there, and the device asked who
_HOST = re.compile(r"https?://([^:/]+)(:[0-9]+)?")
_AT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
Point = tuple[int, int, int]  # x/z², y/z³ and z
NEUTRAL: Point = (1, 1, 0)


def acts_of(statement: str) -> list[Any]:
    """The acts of canonical bytes; none where they are not canonical."""
    document = stated(statement)
    return [] if document is None else document[0]


def nameless(act: Any) -> Any:
    """An act without the log-ins beside its people: a person is a number, and may be renamed."""
    if not isinstance(act, dict):
        return act
    return {key: value for key, value in act.items() if key not in ("name", "of_name")}


def may_stand_beside(act: dict[str, Any], other: Any) -> bool:
    """Whether one signature says both: payments of one claim, or agreements to invitations."""
    if not isinstance(other, dict):
        return False
    if other.get("act") == "pay":
        return all(other.get(name) == act.get(name) for name in ("system", "claim"))
    is_invitation = other.get("act") == "agree_set_up" and other.get("kind") == "invite"
    return is_invitation and act.get("kind") == "invite"


def stated(statement: str) -> tuple[list[Any], dt.datetime] | None:
    """The acts of canonical bytes, and when those were made; None where they are not canonical."""
    document = read(statement)
    if not isinstance(document, dict) or document.keys() != {"acts", "at", "v"}:
        return None
    acts, at = document["acts"], document["at"]
    if repr(document["v"]) != "1" or not isinstance(acts, list):
        return None
    if not isinstance(at, str) or not _AT.fullmatch(at):
        return None
    try:
        again = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        moment = dt.datetime.fromisoformat(at)
    except (ValueError, RecursionError):
        return None
    return (acts, moment) if again == statement else None


def read(text: str | bytes) -> Any:
    """JSON; None where nobody can read it."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None


def _refuse(constant: str) -> None:
    raise ValueError(constant)  # NaN and the like are no JSON


def fault_of(
    origin: str, challenge: bytes, authenticator_data: bytes, client_data: bytes
) -> str | None:
    """What is wrong with what the browser says that was signed; None where it fits the key."""
    host = _HOST.fullmatch(origin)
    client = read(client_data)
    if client is None:
        return "what the browser signed cannot be read"
    if not isinstance(client, dict) or client.get("type") != "webauthn.get":
        return "what the browser signed is no assertion"
    if client.get("origin") != origin or client.get("crossOrigin", False) is not False:
        return "it was signed for another address"
    expected = base64.urlsafe_b64encode(challenge).rstrip(b"=").decode()
    if client.get("challenge") != expected:
        return "other bytes were signed"
    if host is None or authenticator_data[:32] != hashlib.sha256(host[1].encode()).digest():
        return "it was signed for another address"
    if len(authenticator_data) < 37 or authenticator_data[32] & _PERSON != _PERSON:
        return "the device did not ask who is there"
    return None


def is_signed(
    algorithm: int,
    public_key: bytes,
    authenticator_data: bytes,
    client_data: bytes,
    signature: bytes,
) -> bool:
    """Whether the key signed exactly that."""
    message = authenticator_data + hashlib.sha256(client_data).digest()
    if algorithm == ES256:
        return is_signed_es256(public_key, message, signature)
    return algorithm == RS256 and is_signed_rs256(public_key, message, signature)


def is_signed_es256(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """`public_key`: x and y, 32 bytes each; `signature`: two integers in DER."""
    numbers = _integers(signature)
    if len(public_key) != 64 or numbers is None:
        return False
    r, s = numbers
    x, y = (int.from_bytes(half, "big") for half in (public_key[:32], public_key[32:]))
    if not (0 < r < ORDER and 0 < s < ORDER and x < P and y < P) or x == BASE[0]:
        return False
    if (y * y - x * x * x + 3 * x - B) % P:
        return False
    inverse = pow(s, -1, ORDER)
    digest = int.from_bytes(hashlib.sha256(message).digest(), "big")
    summed = _summed(digest * inverse % ORDER, r * inverse % ORDER, (x, y))
    return summed is not None and summed % ORDER == r


def is_signed_rs256(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """`public_key`: the modulus of 2048 to 4096 bits, with the exponent 65537."""
    size = len(public_key)
    if not 256 <= size <= 512 or public_key[0] < 128 or len(signature) != size:
        return False
    modulus, signed = (int.from_bytes(each, "big") for each in (public_key, signature))
    if signed >= modulus:
        return False
    digest = _SHA256 + hashlib.sha256(message).digest()
    padded = b"\x00\x01" + b"\xff" * (size - 3 - len(digest)) + b"\x00" + digest
    return pow(signed, EXPONENT, modulus).to_bytes(size, "big") == padded


def _integers(der: bytes) -> tuple[int, int] | None:
    """The two integers of a sequence, each as short as it can be; None where it is none."""
    if not 8 <= len(der) <= 72 or der[0] != 0x30 or der[1] != len(der) - 2:
        return None
    numbers, rest = [], der[2:]
    while rest:
        if len(rest) < 3 or rest[0] != 2 or not 0 < rest[1] <= len(rest) - 2:
            return None
        number, rest = rest[2 : 2 + rest[1]], rest[2 + rest[1] :]
        if number[0] > 127 or (len(number) > 1 and number[0] == 0 and number[1] < 128):
            return None
        numbers.append(int.from_bytes(number, "big"))
    return (numbers[0], numbers[1]) if len(numbers) == 2 else None


def _summed(first: int, second: int, key: tuple[int, int]) -> int | None:
    """x of first times the base point and second times the key's; None where that is neutral.

    Both factors are read together from their highest bit on (Shamir), and points have a third
    coordinate (Jacobian) so that one division at the end is enough. The key is not the base point
    nor its opposite.
    """
    (x, y), (key_x, key_y) = BASE, key
    slope = (key_y - y) * pow(key_x - x, -1, P)
    both_x = (slope * slope - x - key_x) % P
    added = (None, BASE, key, (both_x, (slope * (x - both_x) - y) % P))
    total = NEUTRAL
    for bit in reversed(range(ORDER.bit_length())):
        total = _twice(total)
        if point := added[(first >> bit & 1) + 2 * (second >> bit & 1)]:
            total = _plus(total, point)
    x, _, z = total
    return x * pow(z * z, -1, P) % P if z else None


def _twice(point: Point) -> Point:
    x, y, z = point
    square, delta = y * y % P, z * z % P
    beta, alpha = x * square % P, 3 * (x - delta) * (x + delta) % P
    new_x = (alpha * alpha - 8 * beta) % P
    return new_x, (alpha * (4 * beta - new_x) - 8 * square * square) % P, 2 * y * z % P


def _plus(point: Point, other: tuple[int, int]) -> Point:
    """A point and one whose third coordinate is 1."""
    x, y, z = point
    if not z:
        return *other, 1
    square = z * z % P
    wide, high = (other[0] * square - x) % P, (other[1] * square * z - y) % P
    if not wide:
        return NEUTRAL if high else _twice(point)
    wide_2 = wide * wide % P
    wide_3, at = wide * wide_2 % P, x * wide_2 % P
    new_x = (high * high - wide_3 - 2 * at) % P
    return new_x, (high * (at - new_x) - y * wide_3) % P, z * wide % P
