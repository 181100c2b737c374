"""The door for a client of a visitor's own: a fixed port, TLS, a log-in, one table.

Behind it stands the demo's broker. What this log-in may do is what a unit may in production: say
its own events and presence, hear its own receipts and what all displays show. Other log-ins are
those that the console issues on its page Devices.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import ipaddress
import json
import secrets
import socket
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from demo.servers.ports import LOOPBACK, is_free

FIRST_PORT, LAST_PORT = 8883, 8892
SYSTEM, TABLE = "main", "t13"
USERNAME = f"{SYSTEM}/{TABLE}"
PASSWORD = "harbour-unit-2026"
_YEARS = 10
_ROUNDS = 101  # as mosquitto_passwd takes
_OWN = f"jackpot/v1/{USERNAME}"
# Until the console's worker has written the accounts of all devices.
_ACCESS = f"""\
user {USERNAME}
topic write {_OWN}/events
topic write {_OWN}/presence
topic read {_OWN}/receipts
topic read jackpot/v1/+/display
topic read jackpot/v1/+/console/+
"""


@dataclass(frozen=True)
class VendorDoor:
    """Where it is, and the files that a client needs; `busy_ports`: those that others have."""

    directory: Path
    host: str
    port: int
    busy_ports: tuple[int, ...] = ()
    has_first_log_in: bool = True  # else the console issues all of them

    @classmethod
    def choose(cls, directory: Path, host: str = LOOPBACK) -> VendorDoor | None:
        """On the first port of FIRST_PORT to LAST_PORT that is free; None where none is."""
        busy_ports: list[int] = []
        for port in range(FIRST_PORT, LAST_PORT + 1):
            if is_free(port):
                return cls(directory, host, port, tuple(busy_ports))
            busy_ports.append(port)
        return None

    @property
    def certificate(self) -> Path:
        """What a client trusts; it is the server's own."""
        return self.directory / "ca.crt"

    @property
    def key(self) -> Path:
        return self.directory / "server.key"

    @property
    def connection(self) -> Path:
        """All that a client needs, as JSON; readable by the owner only."""
        return self.directory / "connection.json"

    def prepare(self) -> None:
        """Make the certificate at the first start; later ones keep it."""
        self.directory.mkdir(parents=True, exist_ok=True)
        if self.certificate.exists() and self.key.exists():
            return
        key = ec.generate_private_key(ec.SECP256R1())
        private = key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        self.key.touch(0o600)
        self.key.write_bytes(private)
        self.certificate.write_bytes(_certificate(key).public_bytes(serialization.Encoding.PEM))

    def tell(self, mac_key: str) -> None:
        """Write down how to connect."""
        details = {
            "host": "localhost",
            "port": self.port,
            "ca": str(self.certificate),
            "username": USERNAME,
            "password": PASSWORD,
            "system": SYSTEM,
            "table": TABLE,
            "mac_key": mac_key,
        }
        self.connection.touch(0o600)
        self.connection.write_text(json.dumps(details, indent=1) + "\n")

    def first_accounts(self) -> dict[str, str]:
        """The files of log-ins that are there from the start, as the console writes them."""
        return _first_accounts() if self.has_first_log_in else {"acl": "", "passwords": ""}


def _first_accounts() -> dict[str, str]:
    salt = secrets.token_bytes(12)
    digest = hashlib.pbkdf2_hmac("sha512", PASSWORD.encode(), salt, _ROUNDS)
    parts = (base64.b64encode(part).decode() for part in (salt, digest))
    return {"acl": _ACCESS, "passwords": f"{USERNAME}:$7${_ROUNDS}${'$'.join(parts)}\n"}


def _certificate(key: ec.EllipticCurvePrivateKey) -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Demo of the jackpot console")])
    hosts = [x509.DNSName(each) for each in dict.fromkeys(("localhost", socket.gethostname()))]
    names = x509.SubjectAlternativeName([*hosts, x509.IPAddress(ipaddress.ip_address(LOOPBACK))])
    uses = dict.fromkeys(
        (
            *("content_commitment", "key_encipherment", "data_encipherment", "key_agreement"),
            *("crl_sign", "encipher_only", "decipher_only"),
        ),
        False,
    )
    now = dt.datetime.now(dt.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=365 * _YEARS))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(
            x509.KeyUsage(digital_signature=True, key_cert_sign=True, **uses), critical=True
        )
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(names, critical=False)
        .sign(key, hashes.SHA256())
    )
