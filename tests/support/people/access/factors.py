"""Second factors: authenticator apps, their codes, and people who log in with them."""

from __future__ import annotations

import base64
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from settlement.models import SecondFactor, SecurityEvent
from settlement.people.factors import totp
from settlement.people.factors.second_factor import PURPOSE
from settlement.people.shared import sealing
from tests.support.people.cast import PASSWORD

SECRET = b"12345678901234567890"


def give_app(username: str, count: int = 0) -> SecondFactor:
    """An authenticator app of that person, as the owner of the database may make it."""
    return SecondFactor.objects.create(
        person=User.objects.get(username=username),
        kind=SecondFactor.Kind.TOTP,
        name="Phone",
        material=sealing.seal(SECRET, PURPOSE),
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


def events(username: str) -> list[str]:
    rows = SecurityEvent.objects.filter(username=username).order_by("id")
    return [f"{row.what}: {row.detail}" for row in rows if "insert" not in row.what]


def secret_on(page: str) -> bytes:
    """The secret that the page of a new app shows."""
    secret = re.search(r'class="secret">([A-Z2-7 ]+)<', page)
    assert secret
    return base64.b32decode(secret[1].replace(" ", ""))


def adds_app(client: Client) -> bytes:
    """The secret of an app that this browser's person has added."""
    secret = secret_on(client.get("/account/app/").content.decode())
    fields = {"name": "Phone", "password": PASSWORD, "code": code(secret=secret)}
    assert client.post("/account/app/", fields).status_code in (200, 302)
    return secret
