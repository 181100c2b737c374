"""A browser, and what it must never meet: an error in a script, a request that is refused."""

import os
import shutil
from collections.abc import Callable, Generator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

OpenScreen = Callable[..., Page]

# No sandbox, as the tests of a container run as root; and nothing asked of the network.
ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]


@pytest.fixture(scope="module")
def browser() -> Generator[Browser]:
    """Headless Chromium of this machine; CHROMIUM names another one.

    Not of the whole run: while it is there, tests in this thread have no event loop of their own.
    """
    # The shell has no window to draw, and takes a third of the whole browser's time.
    programs = (shutil.which(name) for name in ("chromium-headless-shell", "chromium"))
    program = os.environ.get("CHROMIUM") or next(filter(None, programs), None)
    if program is None:
        pytest.skip("no Chromium on this machine: install it, or name it in CHROMIUM")
    # Playwright keeps an event loop in this thread; Django would refuse queries beside it.
    monkeypatch = pytest.MonkeyPatch()
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
    expect.set_options(timeout=60_000)  # no timeout of a page changes it
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield browser
        browser.close()
    monkeypatch.undo()


@pytest.fixture
def screen(browser: Browser, console_url: str) -> Generator[Page]:
    """A page of full HD in which every script ran without an error; it closes before the server."""
    context = browser.new_context(viewport={"width": 1920, "height": 1080})
    page = context.new_page()
    page.set_default_timeout(60_000)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on(
        "console", lambda message: faults.append(message.text) if message.type == "error" else None
    )
    yield page
    context.close()
    assert not faults, faults


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
    assert not faults, faults
