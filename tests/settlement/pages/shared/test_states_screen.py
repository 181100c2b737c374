"""Pages that need a state of their own fit every width in both themes, and axe finds nothing there:
the first run, the doors with a second step, what a link opens, the way to the log-in provider."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, Route
from pytest_django import Settings

from settlement.people.provider import metadata
from tests.support.pages import page_states
from tests.support.pages.browser import accessible
from tests.support.pages.browser.page_faults import faults_of
from tests.support.pages.every_address import seed_data
from tests.support.pages.page_states import State
from tests.support.people.access.provider_log_ins import WAIT
from tests.support.people.roles import acting_as
from tests.support.servers.outside import oidc_provider
from tests.support.servers.outside.oidc_provider import CLIENT, NAME, SECRET, Provider
from tests.support.servers.serving import served
from tests.support.suite.databases import FreshDatabase

pytestmark = pytest.mark.browser


@pytest.fixture
def provider() -> Iterator[Provider]:
    with oidc_provider.providing() as provider:
        yield provider


@pytest.fixture
def console(
    provider: Provider, fresh_database: FreshDatabase, settings: Settings, tmp_path: Path
) -> Iterator[str]:
    """A console with a log-in provider."""
    own = {
        "OIDC_ISSUER": provider.url,
        "OIDC_CLIENT_ID": CLIENT,
        "OIDC_NAME": NAME,
        "FACTOR_KEY": settings.FACTOR_KEY,
    }
    for name, value in own.items():
        setattr(settings, name, value)
    settings.OIDC_CLIENT_SECRET = SECRET
    with served(fresh_database.environment() | own, tmp_path / "console.log") as address:
        settings.CONSOLE_ORIGIN = address
        with acting_as("worker"):
            metadata.read()
        yield address


def stay(route: Route) -> None:
    """The page as it is, which does not ask again within the second."""
    page = route.fetch()
    route.fulfill(response=page, body=re.sub(r'<meta http-equiv="refresh"[^>]*>', "", page.text()))


def come_as(screen: Page, url: str, client: Client) -> None:
    """The browser has the cookies of this one, and no others."""
    screen.context.clear_cookies()
    host = urlsplit(url).hostname or ""
    screen.context.add_cookies(
        [
            {"name": name, "value": cookie.value, "domain": host, "path": "/"}
            for name, cookie in client.cookies.items()
            if cookie.value
        ]
    )


def test_pages_with_a_state_of_their_own(
    browser: Browser, console: str, provider: Provider
) -> None:
    context = browser.new_context(has_touch=True)
    accessible.prepare(context)
    context.route(f"{console}{WAIT}", stay)
    screen = context.new_page()
    screen.set_default_timeout(60_000)
    faults = [f"first-run {each}" for each in faults_of(screen, console, "/setup/")]
    reach: dict[str, Callable[[], State]] = {
        **page_states.of_house(seed_data()),
        **page_states.OVER,
        **page_states.STATES,
        **{name: partial(each, provider) for name, each in page_states.OF_PROVIDER.items()},
    }
    for name, come in reach.items():
        path, client, status = come()
        come_as(screen, console, client)
        faults += [f"{name} {each}" for each in faults_of(screen, console, path, status)]
    context.close()
    assert not faults, "\n".join(faults)
