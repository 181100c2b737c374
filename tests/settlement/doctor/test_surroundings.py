"""Folders, certificates, keys, mail and languages: as they should be, and as they should not."""

import datetime as dt
import os
import shutil
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.utils import timezone
from pytest_django import Settings

from demo.servers.ports import LOOPBACK
from jackpot.transparency import notes
from settlement.core import signing
from settlement.devices import authority
from settlement.doctor import certificates, folders, keys, mail_and_languages
from settlement.doctor.examination import Point, State
from tests.support.servers.secure_broker import Authority

# --- folders ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("judge", "setting"),
    [
        (folders.deliveries, "DELIVERY_DIR"),
        (folders.checkpoints, "CHECKPOINT_DIR"),
        (folders.broker_accounts, "BROKER_ACCOUNTS_DIR"),
    ],
)
def test_a_folder_is_there_or_named(
    judge: Callable[[None], Point], setting: str, settings: Settings, tmp_path: Path
) -> None:
    setattr(settings, setting, "")
    assert judge(None).state == State.UNSEEN
    setattr(settings, setting, str(tmp_path / "none"))
    assert judge(None).state == State.WRONG
    assert setting in judge(None).advice


def test_a_folder_of_reports_is_made_when_it_is_needed(settings: Settings, tmp_path: Path) -> None:
    settings.EXPORT_DIR = str(tmp_path / "soon")
    assert folders.exports(None).state != State.WRONG


@pytest.mark.parametrize(
    ("part", "state"), [(0.5, State.GOOD), (0.05, State.ATTENTION), (0.01, State.WRONG)]
)
def test_a_full_disk_is_named(
    part: float, state: State, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DELIVERY_DIR = str(tmp_path)
    total = 100_000_000_000
    usage = shutil.disk_usage(tmp_path)._replace(total=total, free=int(part * total))
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    assert folders.deliveries(None).state == state


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_folder_of_somebody_else_is_named(settings: Settings, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    settings.DELIVERY_DIR = str(tmp_path)
    assert folders.deliveries(None).state == State.ATTENTION


@pytest.mark.django_db
def test_the_size_of_the_database_is_said() -> None:
    assert "The database takes" in folders.database(None).finding


# --- certificates -------------------------------------------------------------------------------


@pytest.fixture
def tls_broker(tmp_path: Path, settings: Settings) -> Iterator[Callable[[dt.timedelta], None]]:
    """Lets MQTT_URL name a server that shows a certificate which holds for so long."""
    listening = socket.create_server((LOOPBACK, 0))
    threads: list[threading.Thread] = []

    def serve(holds: dt.timedelta) -> None:
        authority = Authority("House", holds)
        certificate, key = authority.server("localhost")
        for name, text in (("ca", authority.pem), ("server", certificate + key)):
            (tmp_path / f"{name}.pem").write_bytes(text)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(tmp_path / "server.pem")
        settings.UNIT_BROKER_CA = str(tmp_path / "ca.pem")
        settings.MQTT_URL = urlsplit(f"mqtts://localhost:{listening.getsockname()[1]}")
        threads.append(threading.Thread(target=_greet, args=(listening, context)))
        threads[-1].start()

    yield serve
    for thread in threads:
        thread.join(10)
    listening.close()


def _greet(listening: socket.socket, context: ssl.SSLContext) -> None:
    line, _ = listening.accept()
    with line:
        try:
            context.wrap_socket(line, server_side=True).close()
        except OSError:
            return


@pytest.mark.parametrize(
    ("days", "state"), [(400, State.GOOD), (20, State.ATTENTION), (2, State.WRONG)]
)
def test_a_broker_shows_how_long_its_certificate_holds(
    days: int, state: State, tls_broker: Callable[[dt.timedelta], None]
) -> None:
    tls_broker(dt.timedelta(days=days))
    assert certificates.broker(certificates.look()).state == state


def test_a_certificate_that_nobody_vouches_for_is_named(
    tls_broker: Callable[[dt.timedelta], None], settings: Settings
) -> None:
    tls_broker(dt.timedelta(days=400))
    settings.UNIT_BROKER_CA = ""
    point = certificates.broker(certificates.look())
    assert (point.state, "MQTT_URL" in point.finding) == (State.WRONG, True)


def test_lines_that_are_not_encrypted_are_named(settings: Settings) -> None:
    settings.MQTT_URL = urlsplit("mqtt://127.0.0.1:1883")
    assert certificates.broker(certificates.look()).state == State.GOOD
    settings.UNIT_BROKER_URL = "mqtt://broker.example.com:1883"
    assert certificates.broker(certificates.look()).state == State.WRONG


def test_the_authority_of_devices(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert certificates.device_authority([]).state == State.UNSEEN
    settings.DEVICE_CA_DIR, settings.DEVICE_CA_SECRET = str(tmp_path), "secret"
    assert certificates.device_authority([]).state == State.WRONG
    authority.make("House")
    assert certificates.device_authority([]).state == State.GOOD
    later = timezone.now() + dt.timedelta(days=20 * 365 - 100)
    monkeypatch.setattr(timezone, "now", lambda: later)
    assert certificates.device_authority([]).state == State.ATTENTION


@pytest.mark.django_db
def test_certificates_of_devices() -> None:
    """What ends soon is tried where devices are (tests/settlement/devices)."""
    assert certificates.devices([]).state == State.GOOD


# --- keys and settings --------------------------------------------------------------------------
LONG = "correct-horse-battery-staple-0123456789-and-some-more-of-it"


@pytest.mark.parametrize(
    ("judge", "values", "state"),
    [
        (keys.secret_key, {"SECRET_KEY": LONG}, State.GOOD),
        (keys.secret_key, {"SECRET_KEY": LONG[:40]}, State.ATTENTION),
        (keys.secret_key, {"SECRET_KEY": "a" * 60}, State.WRONG),
        (keys.factor_key, {"FACTOR_KEY": "ab" * 32}, State.GOOD),
        (keys.factor_key, {"FACTOR_KEY": ""}, State.ATTENTION),
        (keys.webhook_key, {"WEBHOOK_KEY": "ab" * 32}, State.GOOD),
        (keys.webhook_key, {"WEBHOOK_KEY": ""}, State.ATTENTION),
        (keys.unit_keys_key, {"UNIT_KEYS_KEY": "ab" * 32}, State.GOOD),
        (keys.unit_keys_key, {"UNIT_KEYS_KEY": ""}, State.ATTENTION),
        (keys.unit_keys_key, {"UNIT_KEYS_KEY": "zz"}, State.WRONG),
        (keys.bundle_key, {"BUNDLE_SIGNING_KEY": signing.new_key()}, State.GOOD),
        (keys.bundle_key, {"BUNDLE_SIGNING_KEY": ""}, State.ATTENTION),
        (keys.bundle_key, {"BUNDLE_SIGNING_KEY": "zz"}, State.WRONG),
        (keys.checkpoint_key, {"CHECKPOINT_SIGNING_KEY": notes.new_key()}, State.GOOD),
        (keys.checkpoint_key, {"CHECKPOINT_SIGNING_KEY": ""}, State.ATTENTION),
        (keys.checkpoint_key, {"CHECKPOINT_SIGNING_KEY": "zz"}, State.WRONG),
        (keys.switches, {"DEMO": False, "DEBUG": False}, State.GOOD),
        (keys.switches, {"DEMO": True}, State.WRONG),
        (keys.https, {"HTTPS": True}, State.GOOD),
        (keys.https, {"HTTPS": False}, State.WRONG),
        (keys.https, {"HTTPS": True, "CSRF_TRUSTED_ORIGINS": ["http://a"]}, State.ATTENTION),
        (keys.allowed_hosts, {"ALLOWED_HOSTS": ["console.example"]}, State.GOOD),
        (keys.allowed_hosts, {"ALLOWED_HOSTS": ["*"]}, State.ATTENTION),
        (mail_and_languages.mail, {"EMAIL_BACKEND": "x.console.EmailBackend"}, State.ATTENTION),
    ],
)
def test_each_setting_good_and_wrong(
    judge: Callable[[None], Point], values: dict[str, Any], state: State, settings: Settings
) -> None:
    for name, value in values.items():
        setattr(settings, name, value)
    assert judge(None).state == state


def test_a_key_that_cannot_be_read_is_wrong(settings: Settings, tmp_path: Path) -> None:
    settings.BUNDLE_SIGNING_KEY, settings.BUNDLE_SIGNING_KEY_FILE = "", str(tmp_path / "none")
    assert keys.bundle_key(None).state == State.WRONG


# --- mail and languages -------------------------------------------------------------------------


def test_a_mail_server_that_is_away_is_named(settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = LOOPBACK, 1
    settings.CONSOLE_ORIGIN = "https://console.example"
    assert mail_and_languages.mail(None).state == State.GOOD
    assert mail_and_languages.mail_server(None).state == State.WRONG
    settings.CONSOLE_ORIGIN = ""
    assert mail_and_languages.mail(None).state == State.ATTENTION


def test_languages_that_are_not_compiled_are_named(settings: Settings, tmp_path: Path) -> None:
    for language in ("de", "es", "fr", "zh_Hans"):
        folder = tmp_path / language / "LC_MESSAGES"
        folder.mkdir(parents=True)
        (folder / "django.mo").touch()
    settings.LOCALE_PATHS = [tmp_path]
    assert mail_and_languages.translations(None).state == State.GOOD
    source = tmp_path / "de" / "LC_MESSAGES" / "django.po"
    source.touch()
    os.utime(source, (2e9, 2e9))
    assert mail_and_languages.translations(None).state == State.ATTENTION
    (tmp_path / "fr" / "LC_MESSAGES" / "django.mo").unlink()
    assert mail_and_languages.translations(None).state == State.WRONG
