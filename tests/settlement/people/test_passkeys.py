"""Passkeys: what is refused, and where one stands in for the password."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from settlement.models import AccessToken, Action, SecondFactor
from tests.support.cast import PASSWORD, ClaimHouse, hire
from tests.support.factors import gives_password
from tests.support.page_staff import verify
from tests.support.roles import acting_as
from tests.support.soft_passkey import PRESENT, SoftPasskey

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
NEW, OPTIONS = "/account/passkey/", "/account/passkey/options/"
FORM = {"name": "Key", "password": PASSWORD}


def added(client: Client, key: SoftPasskey) -> Client:
    """The same browser, after it added the passkey."""
    made = key.makes(client.get(OPTIONS).json())
    with acting_as("web"):
        assert client.post(NEW, {**FORM, "passkey": made}).status_code == 200
    return client


def test_only_what_this_console_asked_for_is_kept() -> None:
    hire()
    client, key = gives_password("mere"), SoftPasskey()
    options = client.get(OPTIONS).json()
    answers = {
        "nothing": "",
        "no JSON": "{",
        "another's words": json.dumps({"id": 1}),
        "another site's": SoftPasskey("https://elsewhere.example").makes(options),
        "of nobody verified": key.makes(options, PRESENT),
    }
    for what, answer in answers.items():
        options = client.get(OPTIONS).json()
        assert client.post(NEW, {**FORM, "passkey": answer}).status_code == 422, what
    made = key.makes(options)
    client.post(NEW, {**FORM, "passkey": made, "password": "guess"})
    assert client.post(NEW, {**FORM, "passkey": made}).status_code == 422  # of an older challenge
    assert not SecondFactor.objects.exists()
    added(client, key)


def test_the_second_step_of_a_log_in() -> None:
    hire()
    key = SoftPasskey()
    added(gives_password("mere"), key)
    client = gives_password("mere")
    signed = key.signs_for(client, "/login/passkey/")
    elsewhere = gives_password("mere")
    elsewhere.get("/login/passkey/")
    assert elsewhere.post("/login/code/", {"passkey": signed}).status_code == 422
    assert client.post("/login/code/", {"passkey": signed}).status_code == 302
    assert client.get("/").status_code == 200
    key.counter = 0  # a copy of the key counts from where it was copied
    signed = key.signs_for(elsewhere, "/login/passkey/")
    assert elsewhere.post("/login/code/", {"passkey": signed}).status_code == 422


def test_it_confirms_a_claim_once_and_gives_no_token() -> None:
    house = ClaimHouse()
    house.hit_royal()
    verify(house)
    key = SoftPasskey()
    client = added(gives_password("mere"), key)
    confirm = {"do": "confirm", "amount": house.hit(1).held, "password": ""}
    wrong = SoftPasskey().signs_for(client)
    keys = iter(f"00000000-0000-4000-8000-00000000000{number}" for number in range(9))

    def sent(signed: str) -> int:
        with acting_as("web"):
            form = {**confirm, "key": next(keys), "passkey": signed}
            return client.post("/claims/main/1/", form).status_code

    assert sent("") == 422
    assert sent(wrong) == 422
    signed = key.signs_for(client)
    assert sent(signed) == 302
    assert Action.objects.filter(kind="confirm").count() == 1
    assert sent(signed) != 302
    client.post("/tokens/", {"name": "x", "days": 1, "passkey": key.signs_for(client)})
    assert not AccessToken.objects.exists()
