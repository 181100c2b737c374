"""A browser, and what it must never meet: an error in a script, a request that is refused."""

import os
import shutil
from collections.abc import Generator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.settlement.conftest import no_static_files, no_writer, quick_passwords
from tests.support.pages.page_ledger import Clock, LedgerHouse, days_of_play
from tests.support.suite.kept_house import kept_house

__all__ = ["browser", "no_static_files", "no_writer", "quick_passwords", "screen"]

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
    assert not faults


def build_days() -> LedgerHouse:
    with pytest.MonkeyPatch.context() as monkeypatch:
        return days_of_play(Clock(monkeypatch))


kept_days = kept_house(build_days, CLAIM_WAIT_S=0)


@pytest.fixture
def days(kept_days: LedgerHouse, monkeypatch: pytest.MonkeyPatch) -> LedgerHouse:
    """Days of play for one test, which may go on with them by the clock that they ended with."""
    kept_days.clock.rule(monkeypatch)
    return kept_days
