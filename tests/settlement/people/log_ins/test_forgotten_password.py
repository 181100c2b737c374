"""A password that was forgotten is set by a mailed link, and by nothing that one process can do."""

from __future__ import annotations

import datetime as dt
import io
import logging
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.core import mail
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from settlement.models import AccessToken, ConsoleSession, EnrolmentCode, PasswordLink, Pin
from settlement.models.access import AccessNote
from settlement.people.staff import persons
from settlement.people.staff.invitations import sealed
from settlement.tasks import mail_password_links
from tests.support.people.access.factors import (
    code,
    comes_in,
    events,
    give_app,
    gives_code,
    gives_password,
)
from tests.support.people.cast import PASSWORD, hire
from tests.support.people.roles import acting_as

pytestmark = pytest.mark.django_db
ASK, NEW = "/password/forgotten/", "tablet-counter-eleven"


@pytest.fixture(autouse=True)
def house(settings: Settings) -> None:
    settings.CONSOLE_ORIGIN = "https://console.example"
    sealed = "settlement.people.passwords.SealedArgon2PasswordHasher"
    settings.PASSWORD_HASHERS = [*settings.PASSWORD_HASHERS, sealed]
    hire()
    User.objects.filter(username="mere").update(email="mere@casino.example")


def in_a_day() -> dt.datetime:
    return timezone.now() + dt.timedelta(days=1)


def asks(address: str = "mere@casino.example") -> str:
    with acting_as("web", logged_in=False):
        answer = Client().post(ASK, {"email": address}, follow=True)
    assert answer.status_code == 200
    return re.sub(r'value="[^"]*"|nonce="[^"]*"', "", answer.content.decode())


def text(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def mailed() -> str:
    before = len(mail.outbox)
    with acting_as("worker"):
        mail_password_links()
    text = "\n".join(str(each.body) for each in mail.outbox[before:])
    match = re.search(r"https://console.example(/password/new/\S+)", text)
    assert match
    return match[1]


def sets(link: str, **fields: Any) -> Any:
    typed = {"new": NEW, "again": NEW, **fields}
    with acting_as("web", logged_in=False):
        return Client().post(link, typed, follow=True)


def test_a_link_sets_a_password_and_the_second_factor_is_asked_for(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    mere = give_app("mere").person
    comes_in("mere")
    token = AccessToken.objects.create(
        person=mere, name="x", scopes=["read:floor"], digest="x", expires_at=in_a_day()
    )
    assert ASK in Client().get("/login/").content.decode()
    assert asks() == asks("nobody@casino.example")
    assert "mere" not in asks()
    Pin.objects.create(person=User.objects.get(username="mere"), material=b"x", seal="x")
    link = mailed()
    assert mail.outbox[-1].to == ["mere@casino.example"]
    assert Client().get(link)["Referrer-Policy"] == "no-referrer"
    assert "The passwords do not match" in text(sets(link, again="another-one-of-mine"))
    assert "too common" in text(sets(link, new="password1234", again="password1234"))
    assert "Your password is set" in text(sets(link))
    assert not ConsoleSession.objects.filter(person__username="mere").exists()
    assert "password_changed: " in events("mere")
    assert not Pin.objects.exists()
    token.refresh_from_db()
    assert token.revoked_at is not None
    notes = AccessNote.objects.filter(username="mere").values_list("what", "detail")
    assert ("password_asked", "") in notes
    assert ("came_from", "of a password set by a link") in notes
    assert sets(link).status_code == 404
    assert Client().post("/login/", {"username": "mere", "password": PASSWORD}).status_code == 200
    browser = gives_password("mere", password=NEW)
    assert browser.get("/").status_code == 302
    assert gives_code(browser, code(1)).status_code == 302
    assert browser.get("/").status_code == 200
    secret = link.split("/")[-2]
    assert secret not in caplog.text
    assert not any(secret in each.detail for each in AccessNote.objects.all())


def test_no_handler_writes_a_link(caplog: pytest.LogCaptureFixture) -> None:
    asks()
    link = mailed()
    lines = io.StringIO()
    (handler,) = (each for each in logging.getLogger().handlers if each.name == "console")
    assert isinstance(handler, logging.StreamHandler)
    before = handler.setStream(lines)
    try:
        assert Client(enforce_csrf_checks=True).post(link, {"new": NEW}).status_code == 403
    finally:
        handler.setStream(before)
    secret = link.split("/")[-2]
    assert "/password/new/…" in lines.getvalue()
    assert secret not in lines.getvalue() + caplog.text
    loggers = ("django", "django.request", "django.security", "django.server")
    assert not any(logging.getLogger(name).handlers for name in loggers)


def test_who_lacks_a_factor_or_awaits_a_code_gets_no_link(settings: Settings) -> None:
    settings.SECOND_FACTOR_DEMANDED = True
    assert asks() == asks("nobody@casino.example")
    assert not PasswordLink.objects.exists()
    app = give_app("mere")
    User.objects.filter(username="mere").update(password="!none")
    asks()
    assert not PasswordLink.objects.exists()
    User.objects.filter(username="mere").update(password=make_password(PASSWORD))
    asks()
    link = mailed()
    app.ended_at, app.ended_by = timezone.now(), app.person
    app.save()
    assert sets(link).status_code == 404
    give_app("mere")
    EnrolmentCode.objects.create(
        person=app.person, second=app.person, digest="", expires_at="2099-01-01T00:00Z"
    )
    assert sets(link).status_code == 404
    with pytest.raises(DatabaseError, match="password_link"):
        set_in_database(link)
    EnrolmentCode.objects.update(used_at=timezone.now())
    assert set_in_database(link) == app.person_id


def set_in_database(link: str) -> Any:
    with (
        acting_as("web", logged_in=False),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("SELECT set_forgotten_password(%s, %s)", [link.split("/")[-2], sealed(NEW)])
        return cursor.fetchone()[0]


def test_a_link_ends_with_what_was_there_when_it_was_asked_for() -> None:
    mere = User.objects.get(username="mere")
    changes: list[Callable[[], Any]] = [
        lambda: User.objects.filter(pk=mere.pk).update(password=make_password("other")),
        lambda: User.objects.filter(pk=mere.pk).update(email="mere@elsewhere.example"),
        lambda: User.objects.filter(pk=mere.pk).update(is_active=False),
        lambda: persons.end_log_ins(User.objects.get(username="hana"), mere, None),
    ]
    for change in changes:
        PasswordLink.objects.all().delete()
        User.objects.filter(pk=mere.pk).update(email="mere@casino.example", is_active=True)
        asks()
        link = mailed()
        change()
        assert PasswordLink.objects.get().used_at is not None
        assert sets(link).status_code == 404
    PasswordLink.objects.all().delete()
    asks()
    PasswordLink.objects.update(made_at=timezone.now() - dt.timedelta(minutes=31))
    count = len(mail.outbox)
    with acting_as("worker"):
        mail_password_links()
    assert len(mail.outbox) == count


def test_links_are_few_and_old_ones_open_nothing() -> None:
    for _ in range(5):
        asks()
    assert PasswordLink.objects.count() == 3
    link = mailed()
    assert len(mail.outbox) == 3
    PasswordLink.objects.update(expires_at="2026-01-01T00:00Z")
    assert sets(link).status_code == 404
    User.objects.filter(username="david").update(email="david@casino.example")
    for _ in range(7):
        asks("nobody@casino.example")
    asks("david@casino.example")  # from an address that asked too often
    assert not PasswordLink.objects.filter(person__username="david").exists()


FORGED = {
    "a link of its own": (
        "web",
        "INSERT INTO settlement_passwordlink (person_id, digest, sealed, mailed_digest)"
        " SELECT id, repeat('0', 64), '', repeat('0', 64) FROM auth_user",
    ),
    "the other half": ("web", "UPDATE settlement_passwordlink SET mailed_digest = digest"),
    "the web's half": ("worker", "UPDATE settlement_passwordlink SET digest = mailed_digest"),
    "a link of the worker's": (
        "worker",
        "INSERT INTO settlement_passwordlink (person_id) SELECT id FROM auth_user",
    ),
    "the password": ("worker", "SELECT set_forgotten_password('', '')"),
    "drawn again": ("worker", "UPDATE settlement_passwordlink SET mailed_digest = 'x'"),
}


def test_neither_process_alone_sets_a_password() -> None:
    asks()
    mailed()
    for what, (role, query) in FORGED.items():
        with (
            acting_as(role, logged_in=False),
            connection.cursor() as cursor,
            pytest.raises(DatabaseError),
            transaction.atomic(),
        ):
            cursor.execute(f"/* {what} */ {query}")


def test_where_no_mail_goes_out_the_page_says_whom_to_ask(settings: Settings) -> None:
    settings.CONSOLE_ORIGIN = ""
    assert "This console sends no mail" in text(Client().get(ASK))
    asks()
    assert not PasswordLink.objects.exists()
