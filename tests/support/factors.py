"""Shared by tests: second factors."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from settlement.models import SecondFactor
from settlement.people import sealing, totp
from tests.support.cast import PASSWORD

SECRET = b"12345678901234567890"


def give_app(username: str, count: int = 0) -> SecondFactor:
    """An authenticator app of that person, as the owner of the database may make it."""
    return SecondFactor.objects.create(
        person=User.objects.get(username=username),
        kind=SecondFactor.Kind.TOTP,
        name="Phone",
        material=sealing.seal(SECRET),
        count=count,
    )


@contextmanager
def later(seconds: float) -> Iterator[None]:
    """So many seconds from now, for whoever asks Python for the time."""
    true_time = time.time
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "time", lambda: true_time() + seconds)
        yield


def code(steps: int = 0, secret: bytes = SECRET) -> str:
    """What the app shows now, or so many steps later."""
    return totp.code_at(secret, int(time.time()) // totp.STEP_S + steps)


def gives_password(username: str, client: Client | None = None, password: str = PASSWORD) -> Client:
    """A browser in which this person has given the password."""
    client = client or Client()
    answer = client.post("/login/", {"username": username, "password": password})
    assert answer.status_code == 302
    return client


def gives_code(client: Client, typed: str) -> Any:
    return client.post("/login/code/", {"code": typed})


def comes_in(username: str, steps: int = 0) -> Client:
    """A browser in which this person has come in with password and code."""
    client = gives_password(username)
    assert gives_code(client, code(steps)).status_code == 302
    return client
