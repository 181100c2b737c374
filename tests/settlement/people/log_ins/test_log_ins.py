"""Who logs in or changes a password shows the old one to the database, whatever the web says."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from django.contrib.auth import SESSION_KEY, authenticate
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.utils import DatabaseError
from django.http import HttpRequest
from django.test import Client
from pytest_django import Settings

from settlement.models import ConsoleSession, SecurityEvent
from settlement.people import passwords
from settlement.people.sessions import session_store
from tests.support.people.access.log_ins import hasher, proof
from tests.support.people.cast import PASSWORD, hire
from tests.support.people.roles import acting_as

NEW = "harbour-lights-at-nine"
DAVIDS = "lanterns-on-the-pier"
REFUSED = "was not shown"


@pytest.fixture(autouse=True)
def true_passwords(quick_passwords: None, settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["settlement.people.passwords.SealedArgon2PasswordHasher"]


@pytest.fixture
def mere() -> User:
    """All of the house have the same password, but David."""
    hire()
    david = User.objects.get(username="david")
    david.set_password(DAVIDS)
    david.save()
    return User.objects.get(username="mere")


def events(username: str = "mere") -> list[str]:
    security_events = SecurityEvent.objects.filter(username=username).order_by("id")
    return list(security_events.values_list("what", flat=True))


def forged(user: User) -> str:
    """A session with everything that a log-in puts there, signed with the true key; its key."""
    session: Any = session_store.SessionStore()
    session.create()
    session[SESSION_KEY] = str(user.pk)
    session["_auth_user_backend"] = "settlement.people.passwords.Backend"
    session["_auth_user_hash"] = user.get_session_auth_hash()
    with transaction.atomic():
        ConsoleSession.objects.filter(session_key=session_store.hashed(session.session_key)).update(
            session_data=session.encode(session._session)
        )
    key: str = session.session_key
    return key


def is_in(key: str) -> bool:
    client = Client()
    client.cookies["sessionid"] = key
    return client.get("/").status_code == 200


@pytest.mark.django_db
def test_what_is_stored_does_not_let_in(mere: User) -> None:
    assert mere.check_password(PASSWORD)
    assert not mere.check_password(mere.password.split("$")[-1])
    assert hasher.proof("guess", mere.password) is None
    sealed = hashlib.sha256(proof(mere)).digest()
    assert sealed == passwords._bytes(mere.password.split("$")[-1])


@pytest.mark.django_db
def test_a_session_is_nobodys_without_the_proof(mere: User) -> None:
    """Not even with the key that signs sessions."""
    with acting_as("web", logged_in=False):
        key = forged(mere)
        assert not is_in(key)
        row = ConsoleSession.objects.filter(session_key=session_store.hashed(key))
        for secret in (None, b"", b"guess", passwords._bytes(mere.password.split("$")[-1])):
            with pytest.raises(DatabaseError, match=REFUSED), transaction.atomic():
                row.update(person=mere, proof=secret)
            with pytest.raises(DatabaseError, match=REFUSED), transaction.atomic():
                ConsoleSession.objects.create(
                    session_key="f" * 40,
                    session_data="",
                    person=mere,
                    proof=secret,
                    expire_date="2099-01-01T00:00Z",
                )
        assert not is_in(key)
        assert events() == ["person_insert"]
        row.update(person=mere, proof=proof(mere))
        assert is_in(key)
    assert events()[-1] == "logged_in"
    assert row.get().proof is None


@pytest.mark.django_db
def test_a_session_does_not_become_somebody_elses(mere: User) -> None:
    with acting_as("web"):
        client = Client()
        assert client.post("/login/", {"username": "mere", "password": PASSWORD}).status_code == 302
        assert client.get("/").status_code == 200
        key = client.cookies["sessionid"].value
        assert not ConsoleSession.objects.filter(session_key=key).exists()
        row = ConsoleSession.objects.get(session_key=session_store.hashed(key))
        assert row.person == mere
        other = User.objects.get(username="david")
        with pytest.raises(DatabaseError, match=REFUSED), transaction.atomic():
            ConsoleSession.objects.filter(pk=row.pk).update(person=other, proof=proof(mere))
        assert row.person == mere
        User.objects.filter(pk=mere.pk).update(last_login=None)


@pytest.mark.django_db
def test_nobody_logs_in_who_is_not_active(mere: User) -> None:
    User.objects.filter(pk=mere.pk).update(is_active=False)
    with acting_as("web", logged_in=False):
        key = forged(mere)
        row = ConsoleSession.objects.filter(session_key=session_store.hashed(key))
        with pytest.raises(DatabaseError, match=REFUSED), transaction.atomic():
            row.update(person=mere, proof=proof(mere))
    assert SecurityEvent.objects.order_by("-id")[0].detail == "is_active: true -> false"


@pytest.mark.django_db
@pytest.mark.parametrize("stored", ["", "unknown", "argon2s$", "argon2s$x$y", "md9$1$2", "!gone"])
def test_what_is_no_password_lets_nobody_in(
    mere: User, stored: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is a wrong one, not an error, and takes as long."""
    User.objects.filter(pk=mere.pk).update(password=stored)
    encoded: list[str] = []
    encode = passwords.SealedArgon2PasswordHasher.encode

    def counted(self: Any, password: str, salt: str) -> str:
        encoded.append(salt)
        return encode(self, password, salt)

    monkeypatch.setattr(passwords.SealedArgon2PasswordHasher, "encode", counted)
    assert authenticate(username="mere", password=PASSWORD, request=HttpRequest()) is None
    assert len(encoded) == 1


@pytest.mark.django_db
def test_a_password_changes_by_the_one_before(mere: User) -> None:
    sealed = make_password(NEW)
    change = "SELECT change_password(%s, %s, %s)"
    with acting_as("web"), connection.cursor() as cursor:
        for key in (None, b"guess", proof(User.objects.get(username="david"), DAVIDS)):
            with pytest.raises(DatabaseError, match=REFUSED), transaction.atomic():
                cursor.execute(change, [mere.pk, key, sealed])
        for plain in (NEW, "", "md5$x$y", make_password(NEW, hasher="default")[:-1]):
            with pytest.raises(DatabaseError, match="is not sealed"), transaction.atomic():
                cursor.execute(change, [mere.pk, proof(mere), plain])
        cursor.execute(change, [mere.pk, proof(mere), sealed])
    mere.refresh_from_db()
    assert mere.check_password(NEW)
    assert events()[-1] == "password_changed"
