"""Passkeys: what is refused, and where one stands in for the password."""

from __future__ import annotations

import json
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.models import User
from django.http import JsonResponse
from django.test import Client, RequestFactory
from fido2.cose import UnsupportedKey
from fido2.webauthn import AttestedCredentialData

from settlement.models import AccessToken, Action, SecondFactor
from settlement.people.factors import passkeys
from tests.support.pages.page_staff import verify
from tests.support.people.access.factors import gives_password
from tests.support.people.access.soft_passkey import PRESENT, SoftPasskey
from tests.support.people.cast import PASSWORD, ClaimHouse, hire
from tests.support.people.roles import acting_as

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
NEW, OPTIONS = "/account/passkey/", "/account/passkey/options/"
FORM = {"name": "Key", "password": PASSWORD}


def added(client: Client, key: SoftPasskey) -> Client:
    """The same browser, after it added the passkey."""
    answer = key.makes(client.get(OPTIONS).json())
    with acting_as("web"):
        assert client.post(NEW, {**FORM, "passkey": answer}).status_code == 200
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
    deep = json.dumps({"id": 1}).replace("1", "[" * 9000 + "]" * 9000)
    for answer in (deep, json.dumps({"id": "x" * 30_000})):
        client.get(OPTIONS)
        assert client.post(NEW, {**FORM, "passkey": answer}).status_code == 422
    odd = SoftPasskey()
    unknown = UnsupportedKey({1: 2, 3: -999})
    odd.credential = AttestedCredentialData.create(bytes(16), b"odd", unknown)
    passkey_answer = odd.makes(client.get(OPTIONS).json())
    assert client.post(NEW, {**FORM, "passkey": passkey_answer}).status_code == 422
    passkey_answer = key.makes(options)
    client.post(NEW, {**FORM, "passkey": passkey_answer, "password": "guess"})
    assert (
        client.post(NEW, {**FORM, "passkey": passkey_answer}).status_code == 422
    )  # of an older challenge
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
    for body in ("[" * 9000 + "]" * 9000, "x" * 30_000):
        elsewhere.get("/login/passkey/")
        assert elsewhere.post("/login/code/", {"passkey": body}).status_code == 422
    AccessAttempt.objects.all().delete()
    key.counter = 0  # a copy of the key counts from where it was copied
    signed = key.signs_for(elsewhere, "/login/passkey/")
    assert elsewhere.post("/login/code/", {"passkey": signed}).status_code == 422


def test_a_challenge_is_of_one_person_for_one_purpose_and_is_answered_once() -> None:
    hire()
    key = SoftPasskey()
    client = added(gives_password("mere"), key)
    request: Any = RequestFactory(REMOTE_ADDR="10.0.0.9").get("/")
    request.session = client.session
    mere, aroha = (User.objects.get(username=name) for name in ("mere", "aroha"))

    def signed(purpose: str, answers: str, person: User = mere) -> bool:
        AccessAttempt.objects.all().delete()
        key.counter = -1  # as keys that count nothing
        answer = key.signs(as_json(passkeys.check_options(request, mere, purpose)))
        before = dict(request.session)
        outcome = passkeys.show(request, person, answer, answers) is not None
        if outcome:  # a second request that had read the same session
            request.session.update(before)
            assert passkeys.show(request, person, answer, answers) is None
        return outcome

    assert not signed(passkeys.LOG_IN, passkeys.CONFIRM)
    assert not signed(passkeys.CONFIRM, passkeys.LOG_IN)
    assert not signed(passkeys.LOG_IN, passkeys.LOG_IN, aroha)
    assert signed(passkeys.LOG_IN, passkeys.LOG_IN)
    assert signed(passkeys.CONFIRM, passkeys.CONFIRM)
    passkeys.check_options(request, mere, passkeys.CONFIRM)
    passkeys.forget(request)
    assert not {"passkey_log_in", "passkey_confirm"} & set(request.session.keys())


def as_json(options: Any) -> Any:
    """As the browser has it."""
    return json.loads(JsonResponse(options).content)


def test_it_confirms_a_claim_once_and_gives_no_token() -> None:
    house = ClaimHouse()
    house.hit_royal()
    verify(house)
    key = SoftPasskey()
    client = added(gives_password("mere"), key)
    confirm = {"do": "confirm", "amount": house.hit(1).held, "password": ""}
    wrong = SoftPasskey().signs_for(client)
    keys = iter(f"00000000-0000-4000-8000-00000000000{number}" for number in range(9))

    def status_of(signed: str) -> int:
        with acting_as("web"):
            form = {**confirm, "key": next(keys), "passkey": signed}
            return client.post("/claims/main/1/", form).status_code

    assert status_of("") == 422
    assert status_of(wrong) == 422
    signed = key.signs_for(client)
    assert status_of(signed) == 302
    assert Action.objects.filter(kind="confirm").count() == 1
    assert status_of(signed) != 302
    client.post("/tokens/", {"name": "x", "days": 1, "passkey": key.signs_for(client)})
    assert not AccessToken.objects.exists()
