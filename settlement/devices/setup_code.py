"""What a unit is set up with, in one address that fits a QR code (docs/protocol.md, Set-up code).

jackpot-unit:1?b=mqtts%3A%2F%2Fbroker.example.com%3A8883&s=main&t=t7&u=main%2Ft7&p=...&k=...
"""

from __future__ import annotations

from urllib.parse import urlencode

from django.conf import settings

from settlement.devices.credentials import Issued

SCHEME = "jackpot-unit:1"


def broker_address(issued: Issued) -> str:
    """Where the device finds the broker by its way to log in; empty: nobody set it."""
    if issued.certificate:
        return str(settings.UNIT_BROKER_CERTIFICATE_URL)
    return str(settings.UNIT_BROKER_URL)


def setup_code(issued: Issued) -> str:
    """The address; what the device does not have is left out, and a certificate is a file."""
    credential = issued.credential
    table = credential.table
    values = {
        "b": broker_address(issued),
        "s": table.system.code if table is not None else "",
        "t": table.code if table is not None else "",
        "u": credential.username,
        "p": issued.password,
        "k": issued.key,
    }
    return f"{SCHEME}?{urlencode({name: value for name, value in values.items() if value})}"
