"""A log-in that nobody touches locks: it shows nothing and acts for nobody until it is opened."""

from __future__ import annotations

import time
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, connection, transaction
from django.test import Client
from pytest_django import Settings

from settlement.core.errors import BadSetUp
from settlement.models import ConsoleSession, IdleLimit, Pin, SecurityEvent, SetUpChange
from settlement.people.rights import roles
from settlement.people.sessions import idle_limits
from settlement.people.sessions.screen_lock import LAST_USE
from settlement.people.sessions.session_store import BEGAN, hashed
from settlement.people.staff import persons
from settlement.set_up import change_log, proposals
from tables.models import Casino
from tests.support.pages.page_staff import words
from tests.support.people.access.factors import gives_password
from tests.support.people.access.log_ins import rests
from tests.support.people.access.soft_passkey import SoftPasskey
from tests.support.people.cast import PASSWORD, hire
from tests.support.people.roles import acting_as
from tests.support.people.set_up import agree, hana, harbour  # noqa: F401 - fixtures

pytestmark = pytest.mark.django_db
PIN, WRONG = "482916", "482917"
LOCKED = "/locked/?next=/claims/"


@pytest.fixture(autouse=True)
def true_passwords(quick_passwords: None, settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["settlement.people.passwords.SealedArgon2PasswordHasher"]


def sets_pin(client: Client, pin: str = PIN) -> str:
    client.post("/account/pin/", {"pin": pin, "password": PASSWORD})
    return words(client.get("/account/"))


@pytest.fixture
def mere() -> Client:
    """Her browser, in which she has set a PIN, as the web process serves it."""
    hire()
    with acting_as("web", logged_in=False):
        client = gives_password("mere")
        assert "Saved." in sets_pin(client)
    return client


def is_there(client: Client) -> bool:
    """Whether the database takes the key of this browser for its person."""
    with transaction.atomic(), connection.cursor() as cursor:
        key = client.cookies["sessionid"].value
        cursor.execute("SELECT set_config('jackpot.shown', %s, true)", [key])
        cursor.execute("SELECT is_there(id) FROM auth_user WHERE username = 'mere'")
        return bool(cursor.fetchone()[0])


def test_who_does_nothing_is_locked_and_comes_back_with_the_pin(mere: Client) -> None:
    with acting_as("web", logged_in=False):
        rests(mere, 599)
        assert mere.get("/claims/").status_code == 200
        assert is_there(mere)
        rests(mere, 601)
        assert mere.get("/claims/")["Location"] == LOCKED
        assert not is_there(mere)
        assert mere.get("/api/claims/").json()["code"] == "locked"
        assert mere.get("/live/stream").status_code == 401
        assert mere.get("/live/claims").status_code == 302
        form_on = {"Referer": "http://testserver/claims/main/1/?tab=2"}
        response = mere.post("/claims/main/1/notes/", {"text": "x"}, headers=form_on)
        assert response["Location"] == "/locked/?next=/claims/main/1/%3Ftab%3D2"
        nothing = mere.get("/no-such-page/").content.decode()
        page = mere.get(LOCKED)
        for html in (nothing, page.content.decode()):
            assert "Casino manager" not in html
            assert "/live/stream" not in html
        assert "no-store" in page["Cache-Control"]
        assert mere.post(LOCKED, {"pin": WRONG}).status_code == 422
        assert mere.post("/locked/", {"pin": PIN, "next": "/claims/"})["Location"] == "/claims/"
        assert mere.get("/claims/").status_code == 200
        assert is_there(mere)
        assert mere.get("/locked/?next=//elsewhere.example")["Location"] == "/"


def test_what_asks_by_itself_keeps_nobody_awake(mere: Client) -> None:
    """A screen on the wall in her browser, and a page that reads itself again."""
    by_itself = {"X-Console-Refresh": "1"}
    with acting_as("web", logged_in=False):
        mere.get("/claims/")
        rests(mere, 500)
        last_use = mere.session[LAST_USE]
        for path in ("", "content", "stream", "picture/x", "worker.js"):
            mere.get(f"/screen/{path}")
        for path in ("code", "report"):
            mere.post(f"/screen/{path}", headers={"X-Screen": "1"})
        for path in ("", "reading", "stream"):
            mere.get(f"/display/x/{path}")
        mere.get("/claims/", headers=by_itself)
        assert mere.session[LAST_USE] == last_use
        rests(mere, 601)
        assert mere.get("/screen/").status_code == 200
        assert mere.get("/screen/content").status_code == 410


def test_the_fifth_wrong_pin_ends_the_log_in(mere: Client) -> None:
    with acting_as("web", logged_in=False):
        assert mere.post("/lock/", {"next": "/claims/"})["Location"] == LOCKED
        key = hashed(mere.cookies["sessionid"].value)
        for _ in range(4):
            assert mere.post("/locked/", {"pin": WRONG}).status_code == 422
        assert mere.post("/locked/", {"pin": WRONG})["Location"] == "/login/"
        assert "Five wrong PINs" in mere.get("/login/").content.decode()
        assert mere.get("/claims/")["Location"] == "/login/?next=/claims/"
    assert not ConsoleSession.objects.filter(session_key=key).exists()
    assert SecurityEvent.objects.latest("id").what == "pin_guessed"


def test_a_right_pin_gives_no_new_tries(mere: Client) -> None:
    """A colleague tries four, and she opens it: the password alone counts from nothing again."""
    with acting_as("web", logged_in=False):
        for opens in ({"password": PASSWORD}, {"pin": PIN}):
            mere.post("/lock/")
            for _ in range(4):
                assert mere.post("/locked/", {"pin": WRONG}).status_code == 422
            assert mere.post("/locked/", opens).status_code == 302
        mere.post("/lock/")
        assert mere.post("/locked/", {"pin": WRONG})["Location"] == "/login/"


NEW = "tablet-counter-eleven"
OF_MERE = "(SELECT id FROM auth_user WHERE username = 'mere')"


def test_a_pin_ends_with_what_it_was_set_with(mere: Client) -> None:
    """A new password, a reset of factors, a lock of the person, somebody who leaves."""
    person, hana_ = (User.objects.get(username=name) for name in ("mere", "hana"))

    def changes() -> None:
        typed = {"present": PASSWORD, "new": NEW, "again": NEW}
        with acting_as("web", logged_in=False):
            mere.post("/password/", typed)

    def resets() -> None:
        connection.cursor().execute(f"SELECT end_factors({OF_MERE}, NULL, NULL, 'owner')")

    def locks() -> None:
        with acting_as("web"):
            persons.lock(hana_, person)

    def leaves() -> None:
        with acting_as("web"):
            persons.leave(hana_, person)

    for end in (changes, resets, locks, leaves):
        with transaction.atomic():
            end()
            assert not Pin.objects.exists(), end.__name__
            assert SecurityEvent.objects.filter(username="mere", what="pin_ended").exists()
            transaction.set_rollback(True)
    assert Pin.objects.exists()


def test_password_or_passkey_open_it_too(mere: Client) -> None:
    key = SoftPasskey()
    answer = key.makes(mere.get("/account/passkey/options/").json())
    mere.post("/account/passkey/", {"name": "Key", "password": PASSWORD, "passkey": answer})
    with acting_as("web", logged_in=False):
        early = key.signs_for(mere, "/account/passkey/challenge/")
        mere.post("/lock/")
        assert mere.post("/locked/", {"password": "guess"}).status_code == 422
        assert mere.post("/locked/", {"password": PASSWORD}).status_code == 302
        mere.post("/lock/")
        assert mere.post("/locked/", {"passkey": "{}"}).status_code == 422
        assert mere.get("/").status_code == 302
        signed = key.signs_for(mere, "/account/passkey/challenge/")
        assert mere.post("/locked/", {"passkey": signed}).status_code == 302
        assert mere.get("/").status_code == 200
        mere.post("/lock/")
        assert mere.post("/locked/", {"passkey": early}).status_code == 422


def test_a_log_in_ends_with_the_shift_whatever_is_done(mere: Client) -> None:
    rests(mere, 12 * 3600 - 60, BEGAN)
    assert mere.get("/claims/").status_code == 200
    row = ConsoleSession.objects.get(session_key=hashed(mere.cookies["sessionid"].value))
    assert row.expire_date.timestamp() - time.time() < 61  # for the database, too
    rests(mere, 12 * 3600 + 1, BEGAN)
    assert mere.get("/claims/").status_code == 302


def test_nobody_unlocks_by_a_row_and_nobody_sets_anothers_pin(mere: Client) -> None:
    """With the password of the web process's role alone."""
    who = User.objects.get(username="mere").pk
    with acting_as("web", logged_in=False):
        mere.post("/lock/")
        rows = ConsoleSession.objects.filter(person=who)
        rows.update(locked_at=None)
        assert rows.get().locked_at is not None
        for statement in (
            "UPDATE settlement_pin SET seal = 'x'",
            "UPDATE console_session SET wrong_pins = 0",
            f"SELECT set_pin({who}, 'guess', 'x', 'x')",
            "SELECT pin_is_wrong(session_key) FROM console_session",
        ):
            with pytest.raises(DatabaseError), transaction.atomic():
                connection.cursor().execute(statement)
        ask = "SELECT unlock_session(%s, NULL, NULL)"
        with connection.cursor() as cursor:
            cursor.execute(ask, [mere.cookies["sessionid"].value])
            assert cursor.fetchone()[0] == "wrong"
            cursor.execute(ask, [rows.get().session_key])
            assert cursor.fetchone()[0] == "none"


def test_a_pin_is_no_row_of_digits_and_takes_the_password(mere: Client) -> None:
    before = Pin.objects.get().seal
    assert "6 to 12 digits" in sets_pin(mere, "12345")
    assert "easily guessed" in sets_pin(mere, "345678")
    assert "easily guessed" in sets_pin(mere, "121212")
    mere.post("/account/pin/", {"pin": "739105", "password": "guess"})
    assert Pin.objects.get().seal == before
    assert PIN not in str(Pin.objects.values().get())
    with acting_as("web", logged_in=False):
        mere.post("/account/pin/", {"do": "end", "password": PASSWORD})
    assert not Pin.objects.exists()
    kinds = SecurityEvent.objects.filter(username="mere", what__startswith="pin")
    assert list(kinds.values_list("what", flat=True)) == ["pin_set", "pin_ended"]
    mere.post("/lock/")
    assert mere.post("/locked/", {"pin": PIN}).status_code == 422


def test_two_people_say_after_how_long_and_the_shortest_counts(harbour: Casino, hana: Any) -> None:  # noqa: F811
    mere = User.objects.get(username="mere")
    assert idle_limits.seconds_for(mere) == 600
    with acting_as("web"):
        proposals.propose_idle_limit(hana, harbour, "Casino manager", 25)
        for role, minutes in (("Casino manager", 0), ("Casino manager", 241), ("Nobody", 5)):
            with pytest.raises(BadSetUp):
                proposals.propose_idle_limit(hana, harbour, role, minutes)
    (proposal,) = proposals.open_proposals()
    assert proposals.in_words(proposal).endswith("locks: 25, Casino manager")
    agree("mere")
    assert IdleLimit.objects.get().minutes == 25
    assert idle_limits.seconds_for(mere) == 25 * 60
    roles.grant(mere, "Surveillance", harbour)
    assert idle_limits.seconds_for(User.objects.get(username="mere")) == 20 * 60
    with acting_as("web"):
        proposals.propose_idle_limit(hana, harbour, "Surveillance", 5)
        proposals.propose_idle_limit(hana, harbour, "Casino manager", 12)
    agree("mere", 1)
    agree("mere", 2)
    assert idle_limits.seconds_for(mere) == 5 * 60
    last = SetUpChange.objects.filter(kind="rule").latest("id")
    fields = change_log.fields_of(last.kind, last.before, last.after, {})
    assert "minutes: 25 → 12" in [each.words for each in fields]
    client = Client()
    client.force_login(mere, "settlement.people.passwords.Backend")
    client.get("/")
    rests(client, 301)
    assert client.get("/")["Location"] == "/locked/?next=/"
