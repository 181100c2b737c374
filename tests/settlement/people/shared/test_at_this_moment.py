"""What is asked of people is asked of this moment, and of one person one after the other."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.db import DatabaseError, connection, transaction

from jackpot.storage.snapshot import snapshot
from settlement.models import ConsoleSession, PasswordLink, SecondFactor
from tests.support.people.access.factors import give_app
from tests.support.people.access.log_ins import proof
from tests.support.people.at_once import waiting
from tests.support.people.cast import hire
from tests.support.people.roles import acting_as
from tests.support.suite.waiting import wait_until

LATER = "2099-01-01T00:00Z"
OWN, MAILED = "a" * 32, "b" * 32


@pytest.fixture
def mere(fresh_database: None, quick_passwords: None, settings: Any) -> User:
    settings.PASSWORD_HASHERS = ["settlement.people.passwords.SealedArgon2PasswordHasher"]
    hire()
    return User.objects.get(username="mere")


def asks(query: str, *values: Any) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        return cursor.fetchone()[0]


def test_nobody_acts_in_a_moment_of_before(mere: User) -> None:
    tried: list[Callable[[], Any]] = [
        lambda: asks("SELECT is_there(%s)", mere.pk),
        lambda: session_of(mere, proof(mere)),
        lambda: add_app(mere),
        lambda: asks(
            "INSERT INTO settlement_accesstoken (person_id, name, scopes, digest, expires_at,"
            " proof) VALUES (%s, 'x', '{}', 'x', now() + interval '1 day', %s) RETURNING id",
            mere.pk,
            proof(mere),
        ),
    ]
    for act in tried:
        with (
            acting_as("web"),
            pytest.raises(DatabaseError, match="isolation"),
            snapshot(),
        ):
            act()
    with acting_as("web"):
        assert asks("SELECT is_there(%s)", mere.pk)


def test_what_begins_beside_a_reset_or_a_new_password_does_not_outlive_it(mere: User) -> None:
    give_app("mere")
    assert "gave no code" in meanwhile(
        lambda: asks("SELECT end_factors(%s, %s, %s, 'two')", mere.pk, mere.pk, mere.pk),
        lambda: add_app(mere),
    )
    assert not SecondFactor.objects.filter(person=mere, ended_at=None).exists()
    asks("UPDATE settlement_enrolmentcode SET used_at = now() RETURNING id")
    PasswordLink.objects.create(
        person=mere,
        digest=hashlib.sha256(OWN.encode()).hexdigest(),
        mailed_digest=hashlib.sha256(MAILED.encode()).hexdigest(),
        sealed="",
        expires_at=LATER,
    )
    key, new = proof(mere), make_password("tablet-counter-eleven")
    assert "was not shown" in meanwhile(
        lambda: asks("SELECT set_forgotten_password(%s, %s)", OWN + MAILED, new),
        lambda: session_of(mere, key),
    )
    assert not ConsoleSession.objects.filter(person=mere, session_data="thief").exists()


def meanwhile(first: Callable[[], Any], second: Callable[[], Any]) -> str:
    """What became of the second, begun by the web process while the first was under way."""

    def begin() -> str:
        try:
            with acting_as("web"):
                second()
        except DatabaseError as refusal:
            return str(refusal)
        finally:
            connection.close()
        return "it was done"

    with ThreadPoolExecutor(1) as other:
        with transaction.atomic():
            first()
            attempt = other.submit(begin)
            wait_until(lambda: waiting() or attempt.done(), what="the second one to wait")
        return attempt.result()


def add_app(person: User) -> None:
    SecondFactor.objects.create(
        person=person, kind=SecondFactor.Kind.TOTP, name="Thief", material=b"x", count=0
    )


def session_of(person: User, key: Any) -> None:
    ConsoleSession.objects.create(
        session_key=uuid.uuid4().hex,
        session_data="thief",
        person=person,
        proof=key,
        expire_date=LATER,
    )
