"""The door for a client of a visitor's own: a fixed port, TLS, a log-in, one table.

Behind it stands the demo's broker. What this log-in may do is what a unit may in production
(deploy/acl): say its own events and presence, hear its own receipts and what all displays show.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import ipaddress
import json
import re
import secrets
import socket
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from demo.ports import LOOPBACK, is_free

FIRST_PORT, LAST_PORT = 8883, 8892
SYSTEM, TABLE = "main", "t13"
USERNAME = f"{SYSTEM}/{TABLE}"
PASSWORD = "harbour-unit-2026"
_YEARS = 10
_ROUNDS = 101  # as mosquitto_passwd takes
_OWN = f"jackpot/v1/{USERNAME}"
_SHARED = re.compile(r"jackpot/v1/[^/#]+/(display|console/[^/#]+)")
# The same for Mosquitto.
ACCESS = f"""\
user {USERNAME}
topic write {_OWN}/events
topic write {_OWN}/presence
topic read {_OWN}/receipts
topic read jackpot/v1/+/display
topic read jackpot/v1/+/console/+
"""


def may_say(topic: str) -> bool:
    """Whether this log-in publishes there.

    >>> may_say("jackpot/v1/main/t13/events"), may_say("jackpot/v1/main/t8/events")
    (True, False)
    """
    return topic in (f"{_OWN}/events", f"{_OWN}/presence")


def may_hear(topic: str) -> bool:
    """Whether this log-in subscribes to that topic or filter.

    >>> may_hear("jackpot/v1/+/display"), may_hear("jackpot/v1/main/#"), may_hear("#")
    (True, False, False)
    """
    return topic == f"{_OWN}/receipts" or _SHARED.fullmatch(topic) is not None


def may_leave(topic: str) -> bool:
    """Whether this log-in has such a last will."""
    return topic == f"{_OWN}/presence"


def is_let_in(username: str | None, password: str | None) -> bool:
    """Whether these are the log-in."""
    return username == USERNAME and secrets.compare_digest((password or "").encode(), _SECRET)


_SECRET = PASSWORD.encode()


@dataclass(frozen=True)
class VendorDoor:
    """Where it is, and the files that a client needs; `taken` are ports that somebody else has."""

    directory: Path
    host: str
    port: int
    taken: tuple[int, ...] = ()

    @classmethod
    def choose(cls, directory: Path, host: str = LOOPBACK) -> VendorDoor | None:
        """On the first port of FIRST_PORT to LAST_PORT that is free; None where none is."""
        taken: list[int] = []
        for port in range(FIRST_PORT, LAST_PORT + 1):
            if is_free(port):
                return cls(directory, host, port, tuple(taken))
            taken.append(port)
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


def mosquitto_passwords() -> str:
    """The log-in in Mosquitto's file of passwords: PBKDF2 with SHA-512."""
    salt = secrets.token_bytes(12)
    digest = hashlib.pbkdf2_hmac("sha512", _SECRET, salt, _ROUNDS)
    parts = (base64.b64encode(part).decode() for part in (salt, digest))
    return f"{USERNAME}:$7${_ROUNDS}${'$'.join(parts)}\n"


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
