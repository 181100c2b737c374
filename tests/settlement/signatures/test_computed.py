"""The database and the verifier compute signatures as the library cryptography does."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import (
    decode_dss_signature,
    encode_dss_signature,
)
from cryptography.hazmat.primitives.hashes import SHA256
from django.db import connection

from verifier.webauthn import BASE, ORDER, P, is_signed_es256, is_signed_rs256

pytestmark = pytest.mark.django_db
SEED = 20261126
Case = tuple[str, bytes, bytes, bytes]  # what it is, key, message, signature


def point(number: ec.EllipticCurvePublicNumbers) -> bytes:
    return number.x.to_bytes(32, "big") + number.y.to_bytes(32, "big")


def es256_cases() -> Iterator[Case]:
    """Good ones, and each with something wrong."""
    draw = random.Random(SEED)
    for number in range(8):
        # Secrets at the ends, too: multiples of the base point that meet it.
        secret = (2, 3, ORDER - 2)[number] if number < 3 else draw.randrange(2, ORDER - 1)
        private = ec.derive_private_key(secret, ec.SECP256R1())
        key, message = point(private.public_key().public_numbers()), draw.randbytes(37 + 32)
        der = private.sign(message, ec.ECDSA(SHA256()))
        r, s = decode_dss_signature(der)
        yield "good", key, message, der
        yield "the mirrored one, which is as good", key, message, encode_dss_signature(r, ORDER - s)
        yield "another message", key, draw.randbytes(69), der
        flipped = bytearray(message)
        flipped[draw.randrange(69)] ^= 1 << draw.randrange(8)
        yield "a bit of the message", key, bytes(flipped), der
        yield (
            "another key",
            point(ec.derive_private_key(secret + 1, ec.SECP256R1()).public_key().public_numbers()),
            message,
            der,
        )
        for what, pair in {
            "r 0": (0, s),
            "s 0": (r, 0),
            "r and s 0": (0, 0),
            "r n": (ORDER, s),
            "s n": (r, ORDER),
            "r beyond n": (r + ORDER, s),
            "s beyond n": (r, s + ORDER),
            "r + 1": (r + 1, s),
            "swapped": (s, r),
        }.items():
            yield what, key, message, encode_dss_signature(*pair)
        yield "cut off", key, message, der[:-1]
        yield "more behind it", key, message, der + b"\0"
        yield "another length", key, message, der[:1] + bytes([der[1] + 1]) + der[2:]
        padded = b"\x02" + bytes([der[3] + 1]) + b"\0" + der[4:]
        yield "a zero before r", key, message, b"\x30" + bytes([len(padded)]) + padded
        yield "no point of the curve", key[:63] + bytes([key[63] ^ 1]), message, der
        yield "x beyond p", P.to_bytes(32, "big") + key[32:], message, der
        yield "the neutral point", bytes(64), message, der
        yield "a short key", key[:63], message, der
    yield "nothing", key, message, b""


def is_good(key: bytes, message: bytes, der: bytes) -> bool:
    """As the library says; what it cannot read is no signature."""
    try:
        numbers = ec.EllipticCurvePublicNumbers(
            int.from_bytes(key[:32], "big"), int.from_bytes(key[32:], "big"), ec.SECP256R1()
        )
        numbers.public_key().verify(der, message, ec.ECDSA(SHA256()))
    except (ValueError, InvalidSignature):
        return False
    return len(key) == 64


def ask(function: str, *values: bytes) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}(%s, %s, %s)", values)
        return bool(cursor.fetchone()[0])


def test_es256_is_computed_as_the_library_does() -> None:
    good = 0
    for what, key, message, der in es256_cases():
        due = is_good(key, message, der)
        assert ask("is_signed_es256", key, message, der) is due, (what, SEED)
        assert is_signed_es256(key, message, der) is due, (what, SEED)
        assert due is (what in ("good", "the mirrored one, which is as good")), what
        good += due
    assert good == 16


def test_the_base_point_is_nobodys_key() -> None:
    """Its secret is 1: anybody signs with it."""
    key = b"".join(each.to_bytes(32, "big") for each in BASE)
    der = ec.derive_private_key(1, ec.SECP256R1()).sign(b"x", ec.ECDSA(SHA256()))
    assert not ask("is_signed_es256", key, b"x", der)
    assert not is_signed_es256(key, b"x", der)


def paddings(private: rsa.RSAPrivateKey, digest: bytes) -> Iterator[tuple[str, bytes]]:
    """What the key makes of other paddings around the right hash."""
    numbers = private.private_numbers()
    prefix = bytes.fromhex("3031300d060960864801650304020105000420")
    whole = b"\0\1" + b"\xff" * 202 + b"\0" + prefix + digest
    for what, padded in {
        "more behind the hash": whole[:10] + whole[204:] + bytes(194),
        "a padding of other bytes": whole.replace(b"\xff\0", b"\xfe\0", 1),
        "for encryption": b"\0\2" + whole[2:],
        "another hash's name": whole.replace(b"\x04\x02\x01", b"\x04\x02\x02"),
        "no end of the padding": whole.replace(b"\xff\0", b"\xff\xff", 1),
        "no name of a hash": b"\0\1" + b"\xff" * 221 + b"\0" + digest,
    }.items():
        assert len(padded) == 256, what
        number = pow(int.from_bytes(padded, "big"), numbers.d, numbers.public_numbers.n)
        yield what, number.to_bytes(256, "big")


def test_rs256_is_computed_as_the_library_does() -> None:
    draw = random.Random(SEED)
    private = rsa.generate_private_key(65537, 2048)
    numbers = private.public_key().public_numbers()
    key, message = numbers.n.to_bytes(256, "big"), draw.randbytes(69)
    good = private.sign(message, padding.PKCS1v15(), SHA256())
    value = int.from_bytes(good, "big")
    flipped = bytearray(good)
    flipped[draw.randrange(256)] ^= 1
    digest = hashlib.sha256(message).digest()
    cases = {
        "good": (key, message, good),
        "another message": (key, draw.randbytes(69), good),
        "a bit": (key, message, bytes(flipped)),
        "beyond the modulus": (key, message, (value + numbers.n).to_bytes(257, "big")),
        "nothing": (key, message, bytes(256)),
        "one": (key, message, bytes(255) + b"\1"),
        "its hash alone": (key, message, bytes(224) + digest),
        "cut off": (key, message, good[:-1]),
        "PSS": (
            key,
            message,
            private.sign(message, padding.PSS(padding.MGF1(SHA256()), 32), SHA256()),
        ),
        "a short key": (key[:255], message, good[:255]),
    }
    cases |= {what: (key, message, signed) for what, signed in paddings(private, digest)}
    for what, case in cases.items():
        assert ask("is_signed_rs256", *case) is (what == "good"), what
        assert is_signed_rs256(*case) is (what == "good"), what
