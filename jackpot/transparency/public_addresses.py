"""Where the public finds a value or a block, and the QR code that leads there.

A block's address bears the beginning of its hash: blocks cannot be counted through, and whoever
holds a slip sees whether the block there is still the one of the slip.
"""

from __future__ import annotations

import segno
from django.conf import settings
from django.urls import reverse

from jackpot.web.rehearsal_address import outside

HASH_DIGITS = 16  # of a block's hash in its address


def of_tier(system: str, tier: str) -> str:
    """Empty where the house has no public address."""
    return _of("meter", system=system, tier=tier)


def of_block(system: str, number: int, block_hash: str) -> str:
    """Empty where the house has no public address; the hash in hexadecimal digits."""
    return _of("meter-block", system=system, number=number, start=block_hash[:HASH_DIGITS])


def qr_svg(address: str) -> str:
    """The QR code as an element of a page; its title is the address."""
    return _qr(address).svg_inline(
        omitsize=True, title=address, light="#ffffff", svgclass="qr", lineclass=None
    )


def qr_modules(address: str) -> list[list[bool]]:
    """The QR code as rows of its modules, with the white border that it needs; True is dark."""
    return [[bool(module) for module in row] for row in _qr(address).matrix_iter()]


def _qr(address: str) -> segno.QRCode:
    return segno.make_qr(address, error="m")


def _of(name: str, **parts: str | int) -> str:
    if not settings.PUBLIC_ORIGIN:
        return ""
    return f"{settings.PUBLIC_ORIGIN}{outside(reverse(name, kwargs=parts))}"
