"""A card room of real parts, the console as a process of its own, and browsers that watch."""

import threading
from collections.abc import Callable, Generator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from playwright.sync_api import Browser, Page

from jackpot.display.tasks import refresh_displays
from tests.settlement.pages.conftest import browser
from tests.stories.conftest import open_room

__all__ = ["browser", "open_room"]

OpenScreen = Callable[..., Page]


@pytest.fixture(autouse=True)
def patient_console(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine pages wait longer for the writer than they would for a person."""
    monkeypatch.setenv("CLAIM_WAIT_S", "60")


@pytest.fixture
def open_screen(browser: Browser, tmp_path: Path) -> Generator[OpenScreen]:
    """Opens a screen of its own session; a script's error on any of them fails the test.

    When the test ends each screen is photographed into the test's folder.
    """
    faults: list[str] = []
    with ExitStack() as stack:

        def opened(name: str, width: int = 1280, height: int = 800, **options: Any) -> Page:
            context = browser.new_context(viewport={"width": width, "height": height}, **options)
            stack.callback(context.close)
            page = context.new_page()
            page.set_default_timeout(60_000)
            page.on("pageerror", lambda error: faults.append(f"{name}: {error}"))
            page.on(
                "console",
                lambda message: (
                    faults.append(f"{name}: {message.text}") if message.type == "error" else None
                ),
            )
            stack.callback(page.screenshot, path=tmp_path / f"{name}.png", full_page=True)
            return page

        yield opened
    assert not faults


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
