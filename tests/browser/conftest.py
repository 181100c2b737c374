"""A card room of real parts, the console as a process of its own, and browsers that watch."""

import threading
from collections.abc import Generator

import pytest
from django.db import connection

from jackpot.display.tasks import refresh_displays
from tests.support.pages.browser.browsers import browser, open_screen
from tests.support.units.cardroom import open_room

__all__ = ["browser", "open_room", "open_screen"]


@pytest.fixture(autouse=True)
def patient_console(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine pages wait longer for the writer than they would for a person."""
    monkeypatch.setenv("CLAIM_WAIT_S", "60")


@pytest.fixture
def displays_run(fresh_database: object) -> Generator[None]:
    """The worker's display task again and again, as beat has it done."""
    stop = threading.Event()

    def run() -> None:
        try:
            while not stop.wait(0.1):
                refresh_displays()
        finally:
            connection.close()

    thread = threading.Thread(target=run, name="displays")
    thread.start()
    yield
    stop.set()
    thread.join()
