"""TLS to the broker: production's configuration with a certificate that is made for the test.

A unit and the intake connect by `mqtts://`; a certificate of other authorities, or of another
host, is refused.
"""

import datetime as dt
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from demo.account import service_account
from demo.broker import mosquitto_program
from demo.child import Child
from demo.ports import LOOPBACK, answers, free_port
from tables.models import Casino, GamingTable, JackpotSystem, TableEvent
from tables.unit.unit import TableUnit, UnitSettings
from tests.support.databases import FreshDatabase
from tests.support.running_intake import RunningIntake
from tests.support.waiting import wait_until

PROJECT = Path(__file__).resolve().parent.parent
UNIT = "main/t7"
pytestmark = [
    pytest.mark.broker,
    pytest.mark.skipif(
        mosquitto_program() is None or shutil.which("mosquitto_passwd") is None,
        reason="TLS NOT TESTED: Mosquitto is not installed (apt install mosquitto)",
    ),
]


class Authority:
    """A certificate authority of its own."""

    def __init__(self, name: str) -> None:
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
            .not_valid_after(now + dt.timedelta(hours=1))
        )
        for extension, is_critical in extensions:
            builder = builder.add_extension(extension, is_critical)
        return builder.sign(self._key, hashes.SHA256())


class SecureBroker:
    """Mosquitto with deploy/mosquitto.conf, its access list, passwords and a certificate."""

    def __init__(self, directory: Path, host: str) -> None:
        self.port = free_port()
        self.authority = Authority("Authority of the test")
        certificate, key = self.authority.server(host)
        files = {
            "ca.crt": self.authority.pem,
            "server.crt": certificate,
            "server.key": key,
            "acl": (PROJECT / "deploy" / "acl").read_bytes(),
            "passwords": b"",
            "mosquitto.conf": self._configuration(directory).encode(),
        }
        directory.chmod(0o711)
        for name, content in files.items():
            (directory / name).write_bytes(content)
        for user in ("console", UNIT):
            subprocess.run(
                ["mosquitto_passwd", "-b", directory / "passwords", user, "secret"], check=True
            )
        for name in files:  # the servers run under an account of their own
            (directory / name).chmod(0o644)
        program = mosquitto_program()
        assert program is not None
        self.child = Child(
            [program, "-c", directory / "mosquitto.conf"],
            directory / "log",
            cwd=directory,
            account=service_account(),
        )
        wait_until(lambda: answers(self.port) or not self.child.is_running, what="Mosquitto")
        assert self.child.is_running, self.child.last_words()

    def url(self, user: str) -> str:
        """The address as the settings take it."""
        return f"mqtts://{user.replace('/', '%2F')}:secret@localhost:{self.port}"

    def _configuration(self, directory: Path) -> str:
        text = (PROJECT / "deploy" / "mosquitto.conf").read_text()
        text = text.replace("listener 8883", f"listener {self.port} {LOOPBACK}")
        text = text.replace("/mosquitto/secrets/", f"{directory}/")
        text = text.replace("/mosquitto/config/", f"{directory}/")
        text = text.replace("persistence true", "persistence false")
        return text.replace("log_dest stdout", "log_dest stderr")


@pytest.fixture
def open_broker() -> Iterator[Callable[[str], SecureBroker]]:
    """Start a broker whose certificate is for that host."""
    opened: list[SecureBroker] = []
    with tempfile.TemporaryDirectory(prefix="jackpot-tests-") as name:

        def start(host: str) -> SecureBroker:
            opened.append(SecureBroker(Path(name), host))
            return opened[-1]

        yield start
        for broker in opened:
            broker.child.kill()


@pytest.fixture
def trust(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Authority], None]:
    """Let this process trust that authority, and no other, as operations.md says."""

    def trusted(authority: Authority) -> None:
        (tmp_path / "trusted.pem").write_bytes(authority.pem)
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "trusted.pem"))

    return trusted


def test_an_event_is_recorded_over_tls(
    fresh_database: FreshDatabase,
    open_broker: Callable[[str], SecureBroker],
    trust: Callable[[Authority], None],
    settings: Any,
) -> None:
    broker = open_broker("localhost")
    trust(broker.authority)
    casino = Casino.objects.create(code="harbour", name="Harbour", currency="NZD")
    system = JackpotSystem.objects.create(casino=casino, code="main", name="Main")
    GamingTable.objects.create(system=system, code="t7", name="Table 7")
    settings.MQTT_URL = urlsplit(broker.url("console"))
    with RunningIntake():
        settings.MQTT_URL = urlsplit(broker.url(UNIT))
        unit = TableUnit("main", "t7", UnitSettings(guard_s=0, presence_every_s=0.2))
        unit.start()
        try:
            assert unit.wait_ready(60)
            seq = unit.open_session()
            assert unit.wait_recorded(seq, 60)
        finally:
            unit.stop()
    assert TableEvent.objects.get().type == "session_opened"


@pytest.mark.parametrize("wrong", ["authority", "host"])
def test_a_certificate_that_is_not_the_brokers_is_refused(
    open_broker: Callable[[str], SecureBroker],
    trust: Callable[[Authority], None],
    settings: Any,
    caplog: pytest.LogCaptureFixture,
    wrong: str,
) -> None:
    broker = open_broker("elsewhere.example" if wrong == "host" else "localhost")
    trust(Authority("Somebody else") if wrong == "authority" else broker.authority)
    settings.MQTT_URL = urlsplit(broker.url(UNIT))
    unit = TableUnit("main", "t7")
    unit.start()
    try:
        sentence = "CERTIFICATE_VERIFY_FAILED" if wrong == "authority" else "Hostname mismatch"
        wait_until(lambda: sentence in caplog.text, what="the refusal")
        assert not unit.link.is_connected
    finally:
        unit.stop()
