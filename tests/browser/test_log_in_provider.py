"""The log-in provider in a browser: in, an act confirmed there, a locked screen, and out."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.db import connection
from playwright.sync_api import Page, expect
from pytest_django import Settings

from settlement.models import Pin, ProviderLink
from settlement.people.provider import answers, metadata
from tests.support.pages.browser.browsers import OpenScreen
from tests.support.people.cast import hire
from tests.support.people.roles import acting_as
from tests.support.servers.outside import oidc_provider
from tests.support.servers.outside.oidc_provider import CLIENT, NAME, PERSON, SECRET, Provider
from tests.support.servers.serving import served
from tests.support.suite.databases import FreshDatabase

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def provider() -> Iterator[Provider]:
    with oidc_provider.providing() as provider:
        provider.asks = True
        yield provider


@pytest.fixture
def console(
    provider: Provider, fresh_database: FreshDatabase, settings: Settings, tmp_path: Path
) -> Iterator[str]:
    """A console beside its worker, which asks the provider as soon as somebody waits."""
    hire()
    User.objects.filter(username="mere").update(password="!none")
    mere = User.objects.get(username="mere")
    ProviderLink.objects.create(person=mere, issuer=provider.url, subject=PERSON)
    own = {"OIDC_ISSUER": provider.url, "OIDC_CLIENT_ID": CLIENT, "OIDC_NAME": NAME}
    for name, value in own.items():
        setattr(settings, name, value)
    settings.OIDC_CLIENT_SECRET = SECRET
    with served(fresh_database.environment() | own, tmp_path / "console.log") as address:
        settings.CONSOLE_ORIGIN = address
        with acting_as("worker"):
            metadata.read()
        stop = threading.Event()
        worker = threading.Thread(target=_work, args=(stop,), name="worker")
        worker.start()
        try:
            yield address
        finally:
            stop.set()
            worker.join()


def _work(stop: threading.Event) -> None:
    try:
        with acting_as("worker"):
            while not stop.wait(0.1):
                answers.answer_all()
    finally:
        connection.close()


def through(screen: Page) -> None:
    """The person logs in at the provider, and comes back."""
    expect(screen.get_by_role("heading", name=NAME)).to_be_visible()
    screen.get_by_role("link", name="Log in as mere").click()


def test_in_confirmed_unlocked_and_out(console: str, open_screen: OpenScreen) -> None:
    screen = open_screen("mere", 390, 844)
    screen.goto(f"{console}/account/")
    screen.get_by_role("button", name=f"Log in with {NAME}").click()
    through(screen)
    expect(screen.get_by_role("heading", name="Your account")).to_be_visible()

    screen.get_by_label("New PIN").fill("274916")
    panel = screen.get_by_role("region", name="PIN")
    with screen.context.expect_page() as opened:
        panel.get_by_role("button", name=f"Confirm with {NAME}").first.click()
    through(opened.value)
    expect(opened.value.get_by_role("heading", name="Confirmed")).to_be_visible()
    opened.value.close()
    screen.get_by_role("button", name="Set a PIN").click()
    expect(screen.get_by_text("Saved.")).to_be_visible()
    assert Pin.objects.get().person.username == "mere"

    screen.goto(f"{console}/account/")
    screen.evaluate("document.querySelector('form[action=\"/lock/\"]').requestSubmit()")
    expect(screen.get_by_role("heading", name="Locked")).to_be_visible()
    screen.get_by_role("button", name=f"Log in with {NAME}").click()
    through(screen)
    expect(screen.get_by_role("heading", name="Your account")).to_be_visible()

    screen.evaluate("document.querySelector('form[action=\"/logout/\"]').requestSubmit()")
    expect(screen.get_by_text("You are logged out here")).to_be_visible()
    screen.get_by_role("link", name=f"Log out at {NAME}").click()
    expect(screen.get_by_text("Logged out")).to_be_visible()
