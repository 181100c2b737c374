"""People who come and go by the log-in provider, each process under its role."""

from __future__ import annotations

import html
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from settlement.models import ProviderLink, SecurityEvent
from settlement.people.provider import answers, metadata
from settlement.people.staff.invitations import sealed
from tests.support.people.cast import PASSWORD
from tests.support.people.roles import acting_as
from tests.support.servers.outside.oidc_provider import CLIENT, NAME, PERSON, SECRET, Provider

WAIT = "/login/provider/wait/"


def set_up(provider: Provider, settings: Settings) -> None:
    """The console's settings, and what the worker reads of the provider."""
    settings.OIDC_ISSUER = provider.url
    settings.OIDC_NAME = NAME
    settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET = CLIENT, SECRET
    settings.CONSOLE_ORIGIN = "http://testserver"
    hasher = "settlement.people.passwords.SealedArgon2PasswordHasher"
    settings.PASSWORD_HASHERS = [*settings.PASSWORD_HASHERS, hasher]
    with acting_as("worker"):
        metadata.read()


def link(provider: Provider, username: str = "mere", subject: str = PERSON) -> ProviderLink:
    """As a function of the database does it."""
    person = User.objects.get(username=username)
    return ProviderLink.objects.create(person=person, issuer=provider.url, subject=subject)


def give_password(username: str) -> None:
    """One that the database can check."""
    User.objects.filter(username=username).update(password=sealed(PASSWORD))


def text(answer: Any) -> str:
    return html.unescape(" ".join(answer.content.decode().split()))


def address_on(answer: Any) -> str:
    """Where a page sends the browser: to the provider."""
    assert answer.status_code == 200, text(answer)
    match = re.search(r'http-equiv="refresh"\s+content="0; url=([^"]+)"', answer.content.decode())
    assert match, text(answer)
    return html.unescape(match[1])


def begin(browser: Client, path: str = "/login/provider/", **fields: str) -> str:
    with acting_as("web", logged_in=False):
        return address_on(browser.post(path, fields))


def there(provider: Provider, address: str) -> str:
    """The person logs in at the provider: the way back, as a path of the console."""
    query = {name: each[0] for name, each in parse_qs(urlsplit(address).query).items()}
    back = urlsplit(provider.sent_back(query))
    return f"{back.path}?{back.query}"


def goes_there(provider: Provider, browser: Client, path: str, **fields: str) -> str:
    return there(provider, begin(browser, path, **fields))


def worker_asks() -> None:
    with acting_as("worker"):
        answers.answer_all()


def comes_back(browser: Client, back: str) -> Any:
    """The answer of the console, after its worker has asked."""
    answer = get(browser, back)
    if answer.status_code != 302:
        return answer
    assert answer["Location"] == WAIT
    worker_asks()
    return get(browser, WAIT)


def get(browser: Client, path: str) -> Any:
    with acting_as("web", logged_in=False):
        return browser.get(path)


def post(browser: Client, path: str, **fields: str) -> Any:
    with acting_as("web", logged_in=False):
        return browser.post(path, fields)


def log_in(
    provider: Provider, browser: Client | None = None, path: str = "/login/provider/", **fields: str
) -> tuple[Client, Any]:
    """The whole way."""
    browser = browser or Client()
    return browser, comes_back(browser, goes_there(provider, browser, path, **fields))


def who(browser: Client) -> str:
    """Who is logged in in this browser; empty: nobody."""
    with acting_as("web", logged_in=False):
        answer = browser.get("/account/")
    return str(answer.wsgi_request.user.get_username())


def events(username: str) -> list[str]:
    """What the security log has of the provider."""
    rows = SecurityEvent.objects.filter(username=username, what__startswith="provider")
    return [f"{row.what}: {row.detail}" for row in rows.order_by("id")]
