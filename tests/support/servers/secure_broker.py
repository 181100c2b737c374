"""Mosquitto as compose runs it: TLS, deploy/broker.sh, and accounts that the console writes."""

import datetime as dt
import os
from collections.abc import Iterable
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from django.test import override_settings

from demo.servers.account import service_account
from demo.servers.broker import mosquitto_program
from demo.servers.child import Child
from demo.servers.ports import LOOPBACK, answers, free_port
from settlement.devices import accounts
from settlement.devices.credentials import Device, Kind, Standing, password_hash
from tables.models import DeviceCredential, GamingTable, JackpotSystem
from tests.support.suite.waiting import wait_until

PROJECT = Path(__file__).resolve().parents[3]
PASSWORD = "secret"  # of every account that is written here


class Authority:
    """A certificate authority of its own, and how long its certificates hold."""

    def __init__(self, name: str, holds: dt.timedelta = dt.timedelta(hours=1)) -> None:
        self._holds = holds
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        constraints = x509.BasicConstraints(ca=True, path_length=0)
        self._certificate = self._signed(self._name, self._key, [(constraints, True)])

    @property
    def pem(self) -> bytes:
        """Its own certificate."""
        return self._certificate.public_bytes(serialization.Encoding.PEM)

    def server(self, host: str) -> tuple[bytes, bytes]:
        """Certificate and key of a server of that name, as PEM."""
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
        names = x509.SubjectAlternativeName([x509.DNSName(host)])
        use = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
        certificate = self._signed(name, key, [(names, False), (use, False)])
        return (
            certificate.public_bytes(serialization.Encoding.PEM),
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            ),
        )

    def _signed(
        self,
        subject: x509.Name,
        key: ec.EllipticCurvePrivateKey,
        extensions: list[tuple[x509.ExtensionType, bool]],
    ) -> x509.Certificate:
        now = dt.datetime.now(dt.UTC)
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - dt.timedelta(minutes=5))
            .not_valid_after(now + self._holds)
        )
        for extension, is_critical in extensions:
            builder = builder.add_extension(extension, is_critical)
        return builder.sign(self._key, hashes.SHA256())


def has_mosquitto() -> bool:
    return mosquitto_program() is not None


def account_files(users: Iterable[str]) -> dict[str, bytes]:
    """The files of accounts with these user names, as the console would write them, and its own;
    all have the same password."""
    standings = [Standing(_credential(user), None, None) for user in users]
    url = accounts.urlsplit(f"mqtt://console:{PASSWORD}@broker")
    with override_settings(MQTT_URL=url, DEVICE_CA_DIR=""):
        return accounts.files_of(standings).texts


def _credential(user: str) -> DeviceCredential:
    system, code, *more = user.split("/")
    table = GamingTable(system=JackpotSystem(code=system), code=code.partition(".")[0])
    device = Device(Kind.DISPLAY if more else Kind.UNIT, table)
    return DeviceCredential(
        kind=device.kind, table=table, username=user, password_hash=password_hash(PASSWORD)
    )


class SecureBroker:
    """A broker in that directory, whose certificate is for `host`. Its accounts are what is written
    into `accounts_dir`."""

    def __init__(self, directory: Path, host: str = "localhost") -> None:
        self.port, self.certificate_port = free_port(), free_port()
        self.authority = Authority("Authority of the test")
        self.accounts_dir = directory / "devices"
        self.ca = directory / "ca.crt"
        certificate, key = self.authority.server(host)
        files = {
            "ca.crt": self.authority.pem,
            "server.crt": certificate,
            "server.key": key,
            "broker.sh": (PROJECT / "deploy" / "broker.sh").read_bytes(),
            "mosquitto.conf": self._here(directory, "mosquitto.conf"),
            "certificates.conf": self._here(directory, "certificates.conf"),
        }
        directory.chmod(0o711)
        for name, content in files.items():
            (directory / name).write_bytes(content)
            (directory / name).chmod(0o644)  # the servers run under an account of their own
        account = service_account()
        for name in ("devices", "accounts"):
            (directory / name).mkdir(mode=0o750)
            if account is not None:
                os.chown(directory / name, -1 if name == "devices" else account.uid, account.gid)
        self._directory = directory
        self.child: Child | None = None

    def start(self) -> None:
        """By deploy/broker.sh, as compose does."""
        program = mosquitto_program()
        assert program is not None
        directory = self._directory
        self.child = Child(
            ["/bin/sh", directory / "broker.sh", directory / "mosquitto.conf"],
            directory / "log",
            cwd=directory,
            env={
                "PATH": os.pathsep.join([str(program.parent), os.environ["PATH"]]),
                "ACCOUNTS_FROM": str(self.accounts_dir),
                "ACCOUNTS": str(directory / "accounts"),
                "CERTIFICATES": str(directory / "certificates.conf"),
            },
            account=service_account(),
        )
        running = self.child
        wait_until(lambda: answers(self.port) or not running.is_running, what="Mosquitto")
        assert running.is_running, running.last_words()

    def stop(self) -> None:
        if self.child is not None:
            self.child.kill()

    def url(self, user: str, password: str = PASSWORD) -> str:
        """The address as the settings take it."""
        return f"mqtts://{user.replace('/', '%2F')}:{password}@localhost:{self.port}"

    def _here(self, directory: Path, name: str) -> bytes:
        text = (PROJECT / "deploy" / name).read_text()
        text = text.replace("listener 8883", f"listener {self.port} {LOOPBACK}")
        text = text.replace("listener 8884", f"listener {self.certificate_port} {LOOPBACK}")
        text = text.replace("/mosquitto/secrets/", f"{directory}/")
        text = text.replace("/mosquitto/accounts", f"{directory}/accounts")
        text = text.replace("persistence true", "persistence false")
        return text.replace("log_dest stdout", "log_dest stderr").encode()
