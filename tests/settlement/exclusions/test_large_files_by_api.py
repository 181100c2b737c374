"""Long files of excluded persons as bodies larger than others: who sends one is known before it is
read."""

import base64
import json
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.test import RequestFactory
from pytest_django import Settings

from jackpot.web.body_limits import large_body_of
from settlement.models import ExclusionFile
from settlement.people.programs import tokens
from settlement.people.rights.permissions import Reauthenticated
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.cases.exclusions import REGISTER
from tests.support.cases.long_lists import register
from tests.support.people.cast import PASSWORD
from tests.support.servers.sender import Sender
from tests.support.suite.databases import FreshDatabase

FILES = "/api/exclusions/harbour/files/"
MB = 1024 * 1024


@pytest.fixture
def house(fresh_database: FreshDatabase) -> ConfirmedHouse:
    return ConfirmedHouse()


def basic(name: str, password: str = PASSWORD) -> str:
    return f"Basic {base64.b64encode(f'{name}:{password}'.encode()).decode()}"


def is_let_in(authorization: str, address: str = FILES) -> bool:
    large = large_body_of(address)
    assert large is not None
    return large.may(RequestFactory().post(address, headers={"Authorization": authorization}))


def test_it_is_taken_by_the_view_and_from_nobody_else(
    house: ConfirmedHouse, console_url: str, settings: Settings
) -> None:
    settings.PASSWORD_HASHERS = ["settlement.people.passwords.SealedArgon2PasswordHasher"]
    for name in ("ines", "mere"):  # as the console reads it
        user = person(name)
        user.set_password(PASSWORD)
        user.save()
    content = register(25_000)
    body = json.dumps({"list": REGISTER, "csv": content.decode()}).encode()
    assert len(body) > MB  # what Django reads of a form

    def send(authorization: str, payload: bytes) -> Any:
        return Sender(console_url).post(
            FILES,
            payload,
            declared=len(body),
            kind="application/json",
            more=(f"Authorization: {authorization}",),
        )

    reply = send(basic("ines"), body)
    assert reply.status == 202, reply.body
    file = json.loads(reply.body)
    assert (file["state"], file["lines"], file["problems"]) == ("preview", 25_000, 0)
    for stranger in (basic("ines", "guessed"), basic("mere"), basic("in\x00es"), "Bearer x"):
        reply = send(stranger, b"")
        assert (reply.status, json.loads(reply.body)["code"]) == (413, "too_large"), stranger
    assert ExclusionFile.objects.count() == 1


def test_a_token_is_let_in_where_the_view_takes_one(house: ConfirmedHouse) -> None:
    secret = tokens.issue(Reauthenticated(person("ines")), "Register", 1)[1]
    assert is_let_in(f"Bearer {secret}", "/api/form-filings/1/attach/")
    assert not is_let_in("Bearer unknown", "/api/form-filings/1/attach/")
    assert not is_let_in(f"Bearer {secret}")


def test_a_right_password_of_who_must_use_the_provider_is_told_as_a_wrong_one(
    house: ConfirmedHouse, settings: Settings
) -> None:
    settings.PASSWORD_LOG_IN = False
    for count, password in enumerate((PASSWORD, "guessed"), 1):
        assert not is_let_in(basic("ines", password))
        assert AccessAttempt.objects.get().failures_since_start == count
    assert not is_let_in(basic("in\x00es"))
