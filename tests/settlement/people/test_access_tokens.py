"""Access tokens: programs read with them, and do nothing else."""

import datetime as dt
import re

import pytest
from django.contrib.auth import hashers
from django.contrib.auth.models import User
from django.db import IntegrityError, ProgrammingError
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from settlement.core.errors import WrongState
from settlement.models import AccessToken, SecurityEvent
from settlement.people import second_factor, tokens
from settlement.people.permissions import Reauthenticated
from tests.support.cast import PASSWORD, ClaimHouse, hire
from tests.support.databases import FreshDatabase
from tests.support.factors import give_app
from tests.support.page_staff import logged_in, words
from tests.support.roles import acting_as

CLAIMS = "/api/claims/"


def issued(name: str = "mere", days: int = 30) -> str:
    person = Reauthenticated(User.objects.get(username=name))
    return tokens.issue(person, "Signage", days)[1]


def answer_to(secret: str, address: str = CLAIMS, method: str = "get") -> tuple[int, str]:
    answer = getattr(Client(headers={"Authorization": f"Bearer {secret}"}), method)(address)
    return answer.status_code, answer.content.decode()


def test_from_the_page_to_a_reading_and_its_end(
    fresh_database: FreshDatabase, settings: Settings
) -> None:
    settings.PASSWORD_HASHERS = ["settlement.people.passwords.SealedArgon2PasswordHasher"]
    ClaimHouse().hit_royal()
    client = logged_in("mere")
    with acting_as("web"):
        assert "You have no token" in words(client.get("/tokens/"))
        fields = {"name": "Signage", "days": 30, "password": PASSWORD}
        page = client.post("/tokens/", fields).content.decode()
        (secret,) = re.findall(r"jmc_[\w-]{43}", page)
        status, body = answer_to(secret)
        assert status == 200
        assert '"number":1' in body
        listed = words(client.get("/tokens/"))
        assert "Signage" in listed
        assert secret not in listed  # it is shown once
        token = AccessToken.objects.get()
        assert token.used_at is not None
        client.post(f"/tokens/{token.pk}/end/")
        status, body = answer_to(secret)
        assert status == 401
        assert "issues a new one" in body
    assert secret not in AccessToken.objects.values_list("digest", flat=True)


@pytest.mark.django_db
def test_no_password_is_hashed_for_a_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    ClaimHouse().hit_royal()
    secret = issued()

    def hashed(*_args: object, **_named: object) -> None:
        raise AssertionError("a password was hashed")

    monkeypatch.setattr(hashers, "verify_password", hashed)
    assert answer_to(secret)[0] == 200


@pytest.mark.django_db
@pytest.mark.parametrize("superuser", [False, True])
def test_the_holder_is_the_person_who_issued_it(superuser: bool) -> None:
    hire()
    names = {"first_name": "Mere", "last_name": "Kahu", "email": "mere@example.org"}
    User.objects.filter(username="mere").update(**names, is_superuser=superuser)
    holder = tokens.holder(issued())
    assert holder is not None
    person, token = User.objects.get(username="mere"), AccessToken.objects.get()
    for field in User._meta.concrete_fields:  # what was not read comes when it is asked for
        assert getattr(holder.person, field.attname) == getattr(person, field.attname)
    for of_token in AccessToken._meta.concrete_fields:
        if of_token.attname != "used_at":
            assert getattr(holder, of_token.attname) == getattr(token, of_token.attname)


@pytest.mark.django_db
def test_nothing_is_done_with_a_token() -> None:
    ClaimHouse().hit_royal()
    status, body = answer_to(issued(), f"{CLAIMS}main-1/verify/", "post")
    assert status == 403
    assert "An access token reads only" in body


@pytest.mark.django_db
def test_no_token_reads_past_a_second_factor(settings: Settings) -> None:
    ClaimHouse().hit_royal()
    mere, tane, sione = issued(), issued("tane"), issued("sione")
    give_app("sione")  # the first: what was issued without one ends
    assert [answer_to(each)[0] for each in (mere, sione)] == [200, 401]
    settings.SECOND_FACTOR_DEMANDED = True
    status, body = answer_to(mere)
    assert status == 401
    assert "Your role needs a second factor" in body
    assert answer_to(tane)[0] == 200  # looks on only
    sione = issued("sione")
    assert answer_to(sione)[0] == 200
    give_app("sione")
    assert answer_to(sione)[0] == 200
    second_factor.end_all(User.objects.get(username="sione"), by=None)
    assert answer_to(sione)[0] == 401
    give_app("sione")
    assert answer_to(sione)[0] == 401


@pytest.mark.django_db
def test_whose_time_or_person_is_gone_reads_nothing() -> None:
    ClaimHouse().hit_royal()
    secret, other = issued(), issued("aroha")
    User.objects.filter(username="aroha").update(is_active=False)
    past = timezone.now() - dt.timedelta(days=31)
    AccessToken.objects.filter(person__username="mere").update(
        made_at=past, expires_at=past + dt.timedelta(days=30)
    )
    assert [answer_to(each)[0] for each in (secret, other, "jmc_guessed", "", "a b")] == [401] * 5
    assert answer_to(issued("david"))[0] == 200


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"password": "guess"}, "That is not your password"),
        ({"days": "400"}, "less than or equal to 366"),
        ({"name": " "}, "This field is required"),
    ],
)
def test_what_is_refused_issues_nothing(fields: dict[str, str], says: str) -> None:
    hire()
    client = logged_in("mere")
    form_values = {"name": "Signage", "days": "30", "password": PASSWORD, **fields}
    answer = client.post("/tokens/", form_values)
    assert (answer.status_code, AccessToken.objects.count()) == (422, 0)
    assert says in words(answer)


@pytest.mark.django_db
def test_nobody_has_too_many_or_ends_another_persons() -> None:
    hire()
    for _ in range(tokens.MOST_OPEN):
        issued()
    with pytest.raises(WrongState, match="end one"):
        issued()
    token = AccessToken.objects.earliest("pk")
    logged_in("aroha").post(f"/tokens/{token.pk}/end/")
    token.refresh_from_db()
    assert token.revoked_at is None


def test_the_web_role_issues_and_revives_none(fresh_database: FreshDatabase) -> None:
    """Whoever has the web role's password gives nobody a token, and an ended one stays ended."""
    ClaimHouse()
    issued()
    token = AccessToken.objects.get()
    tokens.end(token.person, token.pk)
    with acting_as("web"):
        with pytest.raises(ProgrammingError, match="was not shown"):
            issued("ines")
        AccessToken.objects.update(revoked_at=None)
        with pytest.raises(IntegrityError, match="366 days"):
            AccessToken.objects.create(
                person=token.person,
                name="Long",
                digest="0" * 64,
                expires_at=timezone.now() + dt.timedelta(days=400),
            )
    token.refresh_from_db()
    assert token.revoked_at is not None
    assert SecurityEvent.objects.filter(what="token_issued", username="mere").exists()
