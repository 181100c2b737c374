"""New people come by an invitation and the provider; where passwords log nobody in, one may."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from settlement.models import ProviderLink, SecurityEvent, SetUpProposal
from settlement.people.shared.database_calls import ask
from settlement.people.staff.invitations import Guest, invite
from tables.models import Alarm
from tests.support.people.access.provider_log_ins import (
    WAIT,
    events,
    get,
    give_password,
    link,
    log_in,
    post,
    set_up,
    text,
    who,
)
from tests.support.people.cast import PASSWORD, hire
from tests.support.people.roles import acting_as
from tests.support.servers.outside import oidc_provider
from tests.support.servers.outside.oidc_provider import NAME, Provider

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def running() -> Iterator[Provider]:
    with oidc_provider.providing() as provider:
        yield provider


@pytest.fixture
def provider(running: Provider, settings: Settings) -> Iterator[Provider]:
    hire()
    set_up(running, settings)
    link(running)
    yield running
    running.claims = {}


def test_an_invited_person_is_linked_by_the_invitation(
    provider: Provider, settings: Settings
) -> None:
    settings.PASSWORD_LOG_IN = False
    provider.claims = {"sub": "subject-of-pania"}
    secret = _invited("pania")
    browser = Client()
    page = text(get(browser, f"/invitation/{secret}/"))
    assert f"Log in with {NAME}" in page
    assert "Save password" not in page
    browser, answer = log_in(provider, browser, f"/invitation/{secret}/", do="provider")
    assert answer["Location"] == "/login/"
    assert f"Welcome. Log in with {NAME}." in text(get(browser, "/login/"))
    pania = User.objects.get(username="pania")
    assert not pania.has_usable_password()
    assert events("pania") == ["provider_linked: invite"]
    assert who(log_in(provider)[0]) == "pania"
    provider.claims = {}
    answer = log_in(provider, None, f"/invitation/{_invited('rua')}/", do="provider")[1]
    assert "<code>taken</code>" in text(answer)
    assert not User.objects.filter(username="rua").exists()


def _invited(username: str) -> str:
    guest = Guest(username, "P", "Ngata", "", "Cashier")
    with acting_as("web"):
        secret = invite(User.objects.get(username="hana"), guest)[1]
        number = SetUpProposal.objects.latest("id").pk
        ask("decide_set_up", User.objects.get(username="mere").pk, number, True, "")
    return secret


def test_passwords_log_nobody_in_where_the_house_says_so(
    provider: Provider, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.PASSWORD_LOG_IN = False
    page = text(get(Client(), "/login/"))
    assert 'name="password"' not in page
    assert "Log-in by password is closed" in text(get(Client(), "/login/?emergency"))
    fields = {"username": "david", "password": PASSWORD}
    assert Client().post("/login/", fields).status_code == 200
    basic: Any = {"HTTP_AUTHORIZATION": f"Basic {_pair('david')}"}
    assert Client().get("/api/systems/", **basic).status_code == 401
    call_command("password_log_in", "david", hours=2, why="The provider is down; mere decided.")
    assert "/login/?emergency" in capsys.readouterr().out
    assert Client().post("/login/", fields).status_code == 302
    assert Client().get("/api/systems/", **basic).status_code == 200
    assert Client().post("/login/", {**fields, "username": "mere"}).status_code == 200
    event = SecurityEvent.objects.get(what="password_log_in")
    assert (event.username, event.detail) == ("david", "The provider is down; mere decided.")
    assert "let david log in by password" in Alarm.objects.get(kind="password_log_in").message
    User.objects.filter(username="aroha").update(is_active=False)
    for name, hours in (("nobody-here", 2), ("aroha", 2), ("david", 100)):
        with pytest.raises(CommandError):
            call_command("password_log_in", name, hours=hours, why="x")


def test_no_right_password_is_told_from_a_wrong_one(provider: Provider, settings: Settings) -> None:
    settings.PASSWORD_LOG_IN = False

    def tried(password: str) -> tuple[str, str]:
        AccessAttempt.objects.all().delete()
        page = Client().post("/login/", {"username": "david", "password": password})
        assert AccessAttempt.objects.get().failures_since_start == 1
        basic: Any = {"HTTP_AUTHORIZATION": f"Basic {_pair('david', password)}"}
        answer = Client().get("/api/systems/", **basic)
        assert AccessAttempt.objects.get().failures_since_start == 2
        return re.sub(r'value="[^"]{60,}"|nonce="[^"]+"', "", text(page)), text(answer)

    assert tried(PASSWORD) == tried("another-one-of-mine")


def test_an_invitation_takes_no_password_where_it_shows_no_form_for_one(
    provider: Provider, settings: Settings
) -> None:
    settings.PASSWORD_LOG_IN = False
    secret = _invited("pania")
    answer = post(Client(), f"/invitation/{secret}/", new=PASSWORD, again=PASSWORD)
    assert answer.status_code == 200
    assert f"Log in with {NAME}" in text(answer)
    assert not User.objects.filter(username="pania").exists()


def test_the_owner_ends_a_log_in_by_password(
    provider: Provider, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.PASSWORD_LOG_IN = False
    give_password("david")
    why = "The provider is down; mere decided."
    call_command("password_log_in", "david", hours=2, why=why)
    browser = Client()
    fields = {"username": "david", "password": PASSWORD}
    assert post(browser, "/login/?emergency", **fields).status_code == 302
    assert who(browser) == "david"
    call_command("password_log_in", "david", end=True, why="It is up again.")
    assert "david logs in by password no more" in capsys.readouterr().out
    assert who(browser) == ""
    assert post(browser, "/login/?emergency", **fields).status_code == 200
    event = SecurityEvent.objects.get(what="password_log_in_ended")
    assert (event.username, event.by, event.detail) == ("david", "owner", "It is up again.")
    with pytest.raises(CommandError, match="logs in by password no longer"):
        call_command("password_log_in", "david", end=True, why="Once more.")


def test_after_a_change_of_the_provider_everybody_links_again(
    provider: Provider, settings: Settings
) -> None:
    """Also who has no password: the owner gives one."""
    settings.PASSWORD_LOG_IN = False
    ProviderLink.objects.update(issuer="https://before.example")
    assert "<code>unknown</code>" in text(log_in(provider)[1])
    give_password("mere")
    call_command("password_log_in", "mere", hours=1, why="She links again.")
    browser = Client()
    fields = {"username": "mere", "password": PASSWORD}
    assert post(browser, "/login/?emergency", **fields).status_code == 302
    assert "Link the account" in text(get(browser, "/account/"))
    log_in(provider, browser, "/account/provider/link/")
    assert post(browser, WAIT, password=PASSWORD)["Location"] == "/account/"
    assert who(log_in(provider)[0]) == "mere"


def _pair(username: str, password: str = PASSWORD) -> str:
    return base64.b64encode(f"{username}:{password}".encode()).decode()
