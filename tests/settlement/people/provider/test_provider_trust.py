"""What a thief of one process's password makes of the log-in provider."""

from __future__ import annotations

import hashlib
import json
import time
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, connection, transaction
from django.test import Client
from pytest_django import Settings

from settlement.models import (
    ConsoleSession,
    Pin,
    ProviderLink,
    ProviderLogIn,
)
from settlement.people.sessions.session_store import hashed
from tests.support.pages.page_staff import logged_in, verify
from tests.support.people.access.provider_log_ins import (
    WAIT,
    events,
    get,
    give_password,
    goes_there,
    link,
    log_in,
    post,
    set_up,
    text,
    who,
    worker_asks,
)
from tests.support.people.cast import PASSWORD, ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.servers.outside import oidc_provider
from tests.support.servers.outside.oidc_provider import NAME, PERSON, Provider

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
CONFIRM = "/account/provider/confirm/"


@pytest.fixture(scope="module")
def running() -> Iterator[Provider]:
    with oidc_provider.providing() as provider:
        yield provider


@pytest.fixture
def house(running: Provider, settings: Settings) -> ClaimHouse:
    house = ClaimHouse()
    set_up(running, settings)
    return house


@pytest.fixture
def provider(running: Provider, house: ClaimHouse) -> Iterator[Provider]:
    link(running)
    yield running
    running.claims = {}


# --- a stolen password of a role ------------------------------------------------------------------
FORGED = {
    "an answer of one's own": (
        "web",
        "INSERT INTO settlement_providerlogin (digest, purpose, sealed, answer_digest, person_id)"
        " SELECT repeat('0', 64), 'log_in', '', repeat('0', 64), id FROM auth_user",
    ),
    "another person": ("web", "UPDATE settlement_providerlogin SET person_id = 1"),
    "the worker's half": ("web", "UPDATE settlement_providerlogin SET answer_digest = digest"),
    "the worker's word": ("web", "SELECT answer_provider_log_in(1, '{}')"),
    "a link": (
        "web",
        "INSERT INTO settlement_providerlink (person_id, issuer, subject)"
        " SELECT id, 'x', 'y' FROM auth_user",
    ),
    "a link by its function": ("web", "SELECT put_provider_link(1, '', 'link')"),
    "a link without a password": ("web", "SELECT link_provider(1, '', '')"),
    "roles by groups": ("web", "SELECT follow_groups(1, '[]', '[]')"),
    "a log-in by password": (
        "web",
        "INSERT INTO settlement_passwordlogin (person_id, until, why) SELECT id, now(), ''"
        " FROM auth_user",
    ),
    "another provider": ("web", "UPDATE settlement_loginprovider SET sealed = ''"),
    "the worker's person": ("worker", "UPDATE settlement_providerlogin SET person_id = 1"),
    "the worker's link": (
        "worker",
        "INSERT INTO settlement_providerlink (person_id, issuer, subject)"
        " SELECT id, 'x', 'y' FROM auth_user",
    ),
    "the worker's session": ("worker", "UPDATE console_session SET person_id = 1"),
    "taken by the worker": ("worker", "SELECT take_provider_log_in(1, '', 'log_in')"),
}


@pytest.mark.parametrize("what", FORGED)
def test_neither_process_alone_makes_a_log_in(provider: Provider, what: str) -> None:
    role, query = FORGED[what]
    get(browser := Client(), goes_there(provider, browser, "/login/provider/"))
    with (
        acting_as(role, logged_in=False),
        connection.cursor() as cursor,
        pytest.raises(DatabaseError, match=r"permission denied|was not shown"),
        transaction.atomic(),
    ):
        cursor.execute(query)


def _steal_session(proof: bytes) -> None:
    """With the password of the web process's role, and nothing else."""
    mere = User.objects.get(username="mere").pk
    with acting_as("web", logged_in=False), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO console_session (session_key, session_data, expire_date)"
            " VALUES (%s, '', now() + interval '1 hour')",
            [hashed("thief")],
        )
        cursor.execute(
            "UPDATE console_session SET person_id = %s, proof = %s WHERE session_key = %s",
            [mere, proof, hashed("thief")],
        )


def test_whoever_reads_all_of_the_database_has_no_half_of_it(provider: Provider) -> None:
    browser = Client()
    get(browser, goes_there(provider, browser, "/login/provider/"))
    worker_asks()
    row = ProviderLogIn.objects.get()
    assert row.person is not None
    digests = bytes.fromhex(row.digest) + bytes.fromhex(row.answer_digest)
    for proof in (digests, digests[:32], bytes(64), row.answer.encode()[:64]):
        with pytest.raises(DatabaseError, match="was not shown"):
            _steal_session(proof)
    assert get(browser, WAIT).status_code == 302
    assert who(browser) == "mere"


def test_a_session_that_waits_is_worth_nothing_in_another_browser(provider: Provider) -> None:
    browser, thief = Client(), Client()
    back = goes_there(provider, browser, "/login/provider/")
    goes_there(provider, thief, "/login/provider/")
    get(browser, back)
    waits = ConsoleSession.objects.get(session_key=hashed(browser.cookies["sessionid"].value))
    with acting_as("web", logged_in=False):
        ConsoleSession.objects.filter(session_key=hashed(thief.cookies["sessionid"].value)).update(
            session_data=waits.session_data
        )
    worker_asks()
    assert "<code>state</code>" in text(get(thief, WAIT))
    assert who(thief) == ""
    assert get(browser, WAIT).status_code == 302


def test_what_was_sealed_for_one_log_in_opens_no_other(provider: Provider) -> None:
    browser = Client()
    get(browser, goes_there(provider, browser, "/login/provider/"))
    row = ProviderLogIn.objects.get()
    half = bytes(32)
    with acting_as("web", logged_in=False), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO settlement_providerlogin (digest, purpose, address, sealed)"
            " VALUES (%s, 'log_in', '', %s)",
            [hashlib.sha256(half).hexdigest(), row.sealed],
        )
    worker_asks()
    copied = ProviderLogIn.objects.exclude(pk=row.pk).get()
    assert (copied.fault, copied.person) == ("state", None)
    assert get(browser, WAIT).status_code == 302


def test_the_workers_password_alone_logs_nobody_in(provider: Provider) -> None:
    """A thief begins a log-in in a browser, and writes the answer instead of the worker."""
    browser, half = Client(), bytes(32)
    get(browser, goes_there(provider, browser, "/login/provider/"))
    report: dict[str, Any] = {
        "issuer": provider.url,
        "subject": PERSON,
        "answer": ProviderLogIn.objects.get().sealed,  # what else is sealed there
        "digest": hashlib.sha256(half).hexdigest(),
        "mapped": [],
        "given": [],
    }
    with acting_as("worker"), connection.cursor() as cursor:
        number = ProviderLogIn.objects.get().pk
        cursor.execute("SELECT answer_provider_log_in(%s, %s)", [number, json.dumps(report)])
    answer = get(browser, WAIT)
    assert "<code>key</code>" in text(answer)
    assert who(browser) == ""


def test_an_answer_is_of_one_purpose_and_good_once(provider: Provider) -> None:
    assert who(log_in(provider)[0]) == "mere"
    row = ProviderLogIn.objects.get()
    assert row.used_at is not None
    mere = User.objects.get(username="mere")
    ProviderLogIn.objects.filter(pk=row.pk).update(
        used_at=None,
        digest=hashlib.sha256(bytes(32)).hexdigest(),
        answer_digest=hashlib.sha256(bytes(32)).hexdigest(),
    )

    def takes(purpose: str) -> bool:
        with connection.cursor() as cursor:
            cursor.execute("SELECT take_provider_log_in(%s, %s, %s)", [mere.pk, bytes(64), purpose])
            return bool(cursor.fetchone()[0])

    assert not takes("confirm")
    ProviderLink.objects.update(ended_at=row.made_at)
    assert not takes("log_in")
    ProviderLink.objects.update(ended_at=None)
    assert takes("log_in")
    assert not takes("log_in")


# --- in place of the password ---------------------------------------------------------------------
def test_what_was_confirmed_at_the_provider_holds_for_one_act(
    provider: Provider, house: ClaimHouse
) -> None:
    User.objects.filter(username="mere").update(password="!none")
    house.hit_royal()
    verify(house)
    browser = log_in(provider)[0]
    page = "/claims/main/1/"
    assert 'data-provider="/account/provider/confirm/"' in text(get(browser, page))
    fields = {"do": "confirm", "amount": str(house.hit(1).held), "password": ""}
    fields["confirmed"] = "1"
    fields["key"] = str(uuid.uuid4())
    assert "not your password" in text(post(browser, page, **fields))
    assert "Confirmed" in text(log_in(provider, browser, CONFIRM)[1])
    assert provider.queries[-1]["prompt"] == "login"
    assert provider.queries[-1]["max_age"] == "0"
    provider.claims = {"auth_time": None}
    assert post(browser, page, **fields).status_code == 302
    assert "provider_shown: confirm" in events("mere")
    assert "<code>stale</code>" in text(log_in(provider, browser, CONFIRM)[1])
    provider.claims = {"auth_time": 1_700_000_000}
    assert "<code>stale</code>" in text(log_in(provider, browser, CONFIRM)[1])
    provider.claims = {"sub": "subject-of-david"}
    link(provider, "david", "subject-of-david")
    assert "<code>other</code>" in text(log_in(provider, browser, CONFIRM)[1])


def test_a_locked_screen_opens_by_the_provider(provider: Provider) -> None:
    browser = log_in(provider)[0]
    post(browser, "/lock/")
    assert f"Log in with {NAME}" in text(get(browser, "/locked/"))
    assert post(browser, CONFIRM).status_code == 404
    provider.claims = {"auth_time": 1_700_000_000}
    unlock = "/account/provider/unlock/"
    assert "<code>stale</code>" in text(log_in(provider, browser, unlock)[1])
    provider.claims = {}
    assert get(browser, "/tables/")["Location"].startswith("/locked/")
    answer = log_in(provider, browser, unlock, next="/tables/")[1]
    assert answer["Location"] == "/tables/"
    assert get(browser, "/tables/").status_code == 200


def test_a_pin_is_set_by_what_was_confirmed(provider: Provider) -> None:
    User.objects.filter(username="mere").update(password="!none")
    browser = log_in(provider)[0]
    post(browser, "/account/pin/", pin="274916", password="")
    assert not Pin.objects.exists()
    log_in(provider, browser, CONFIRM)
    post(browser, "/account/pin/", pin="274916", password="")
    assert Pin.objects.get().person.username == "mere"


def test_a_password_links_an_account_and_nothing_else_does(
    running: Provider, house: ClaimHouse
) -> None:
    provider = running
    give_password("mere")
    browser = Client()
    assert post(browser, "/login/", username="mere", password=PASSWORD).status_code == 302
    page, answer = log_in(provider, browser, "/account/provider/link/")
    assert "confirm it with the password" in text(answer)
    for password in ("", "another-one-of-mine"):
        assert post(page, WAIT, password=password).status_code == 422
        assert not ProviderLink.objects.exists()
    assert post(page, WAIT, password=PASSWORD)["Location"] == "/account/"
    assert ProviderLink.objects.get().subject == PERSON
    assert events("mere") == ["provider_linked: link"]
    assert f"You log in with {NAME}" in text(get(page, "/account/"))
    assert who(log_in(provider)[0]) == "mere"
    assert post(page, "/account/provider/end/").status_code == 302
    assert "<code>unknown</code>" in text(log_in(provider)[1])


def test_an_administrator_ends_a_link_and_its_log_ins(provider: Provider) -> None:
    User.objects.filter(username="mere").update(password="!none")
    browser = log_in(provider)[0]
    assert "your only way in" in text(_followed(browser, "/account/provider/end/"))
    hana = logged_in("hana")
    with acting_as("web"):
        page = hana.post("/people/log-in/mere/", {"do": "unlink"}, follow=True)
    assert "The link has ended" in text(page)
    assert "provider_unlinked: by hana" in events("mere")
    assert who(browser) == ""
    assert "<code>unknown</code>" in text(log_in(provider)[1])


def _followed(browser: Client, path: str) -> Any:
    with acting_as("web", logged_in=False):
        return browser.post(path, follow=True)


def test_a_log_in_of_before_confirms_nothing(provider: Provider) -> None:
    """Of a provider that asks nobody to log in again, whatever the console wants."""
    now = int(time.time())
    provider.claims = {"auth_time": now}
    browser = log_in(provider)[0]
    assert "<code>stale</code>" in text(log_in(provider, browser, CONFIRM)[1])
    provider.claims = {"auth_time": now + 1}
    assert "Confirmed" in text(log_in(provider, browser, CONFIRM)[1])
    assert "<code>stale</code>" in text(log_in(provider, browser, CONFIRM)[1])
    for wrong in (now + 90_000, float("nan"), True):
        provider.claims = {"auth_time": wrong}
        assert "<code>stale</code>" in text(log_in(provider, browser, CONFIRM)[1])
