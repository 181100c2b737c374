"""The demo's casino at work in threads of a test: broker, intake and poster of its own."""

import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlparse

import pytest
from django.db import connection
from pytest_django import Settings

from demo import views
from demo.casino.seed_data import create_seed_data
from demo.servers.broker import PrivateBroker
from demo.units.hand_unit import hand_units
from jackpot.writer.poster import Poster
from tests.support.suite.databases import FreshDatabase
from tests.support.units.running_intake import RunningIntake


class RunningPoster:
    """A poster in a thread of the test."""

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> "RunningPoster":
        self._thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            Poster("test-demo").run(self._stop)
        finally:
            connection.close()


class Floor:
    """What a test may switch off: the intake."""

    def __init__(self) -> None:
        self.intake = RunningIntake()

    def start(self) -> None:
        self.intake.__enter__()

    def stop(self) -> None:
        if self.intake.is_running:
            self.intake.__exit__(None, None, None)


@pytest.fixture
def floor(
    fresh_database: FreshDatabase, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Floor]:
    """The demo's codes are always the same, so it gets a broker that no other test uses.

    Pages wait longer for receipts than a visitor would: until a busy machine has them.
    """
    with tempfile.TemporaryDirectory(prefix="jackpot-tests-") as directory:
        Path(directory).chmod(0o711)  # a broker of another account passes through
        monkeypatch.setenv("JACKPOT_VAR", directory)
        with PrivateBroker(Path(directory) / "broker") as broker:
            settings.MQTT_URL = urlparse(broker.url)
            monkeypatch.setattr(views, "RECEIPT_WAIT_S", 60.0)
            monkeypatch.setattr(views, "_FIRST_CONNECTION_S", 60.0)
            settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # quick
            create_seed_data()
            floor = Floor()
            with RunningPoster():
                floor.start()
                try:
                    yield floor
                finally:
                    hand_units.stop()
                    floor.stop()
