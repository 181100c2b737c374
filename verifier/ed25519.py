"""Ed25519 signatures, checked and made (RFC 8032). Plain arithmetic: it does not hide how long it
takes. Only a witness signs, on a machine of its own, and nobody can choose what."""

from __future__ import annotations

import hashlib

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)
Point = tuple[int, int, int, int]  # extended coordinates: x/z, y/z, and x*y/z
NEUTRAL: Point = (0, 1, 1, 0)


def is_signed(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the signature is that of the key's owner for exactly this message."""
    if len(public) != 32 or len(signature) != 64:
        return False
    owner, half = _point(public), _point(signature[:32])
    factor = int.from_bytes(signature[32:], "little")
    if owner is None or half is None or factor >= ORDER:
        return False
    digest = hashlib.sha512(signature[:32] + public + message).digest()
    challenge = int.from_bytes(digest, "little") % ORDER
    return _same(_times(factor, _BASE), _add(half, _times(challenge, owner)))


def public_key(secret: bytes) -> bytes:
    """The public key of a secret of 32 bytes."""
    return _encoded(_times(_scalar(secret)[0], _BASE))


def sign(secret: bytes, message: bytes) -> bytes:
    """The signature of 64 bytes."""
    scalar, prefix = _scalar(secret)
    nonce = int.from_bytes(hashlib.sha512(prefix + message).digest(), "little") % ORDER
    half = _encoded(_times(nonce, _BASE))
    digest = hashlib.sha512(half + public_key(secret) + message).digest()
    factor = (nonce + int.from_bytes(digest, "little") * scalar) % ORDER
    return half + factor.to_bytes(32, "little")


def _scalar(secret: bytes) -> tuple[int, bytes]:
    digest = hashlib.sha512(secret).digest()
    scalar = int.from_bytes(digest[:32], "little") & ~7 & (1 << 254) - 1 | 1 << 254
    return scalar, digest[32:]


def _encoded(point: Point) -> bytes:
    inverse = pow(point[2], -1, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _point(encoded: bytes) -> Point | None:
    y = int.from_bytes(encoded, "little")
    sign, y = y >> 255, y & ((1 << 255) - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * ROOT % P
    if x * x % P != square or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


def _add(one: Point, other: Point) -> Point:
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c = 2 * one[3] * other[3] * D % P
    d = 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def _times(factor: int, point: Point) -> Point:
    total = NEUTRAL
    while factor:
        if factor & 1:
            total = _add(total, point)
        point = _add(point, point)
        factor >>= 1
    return total


def _same(one: Point, other: Point) -> bool:
    x = (one[0] * other[2] - other[0] * one[2]) % P
    y = (one[1] * other[2] - other[1] * one[2]) % P
    return x == 0 and y == 0


_BASE = _point((4 * pow(5, -1, P) % P).to_bytes(32, "little")) or NEUTRAL
