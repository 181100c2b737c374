"""Codes of an app, recovery codes, resets, and what the database refuses of them."""

from __future__ import annotations

import base64
import re
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.models import User
from django.db import transaction
from django.db.utils import DatabaseError
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from settlement.core.errors import WrongState
from settlement.models import (
    ConsoleSession,
    RecoveryCode,
    SecondFactor,
)
from settlement.models.access import AccessNote
from settlement.people.factors import second_factor, totp
from settlement.people.rights.permissions import Reauthenticated
from settlement.people.sessions.session_store import hashed
from settlement.people.shared import sealing
from tables.models import Alarm
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.access.factors import (
    SECRET,
    adds_app,
    code,
    comes_in,
    events,
    give_app,
    gives_code,
    gives_password,
    later,
    secret_on,
)
from tests.support.people.cast import PASSWORD, hire
from tests.support.people.roles import acting_as

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def house() -> None:
    hire()


def test_codes_are_those_of_the_standard() -> None:
    """RFC 6238, appendix B: the last six digits of its eight."""
    table = {59: "287082", 1111111109: "081804", 1234567890: "005924", 20000000000: "353130"}
    for now, expected in table.items():
        step = now // totp.STEP_S
        assert totp.code_at(SECRET, step) == expected
        assert totp.step_of(SECRET, expected, now, after=0) == step
        assert totp.step_of(SECRET, expected, now + 30, after=0) == step
        assert totp.step_of(SECRET, expected, now + 60, after=0) is None
        assert totp.step_of(SECRET, expected, now, after=step) is None


def test_secrets_are_sealed_by_a_key_of_the_environment(settings: Settings) -> None:
    by_default = sealing.seal(SECRET, "x")
    assert SECRET not in by_default
    settings.FACTOR_KEY = "11" * 32
    assert sealing.unseal(by_default, "x") is None
    first = sealing.seal(SECRET, "x")
    settings.FACTOR_KEY = f"{'22' * 32}\n{'11' * 32}"
    assert sealing.unseal(first, "x") == SECRET
    assert sealing.unseal(first, "y") is None
    settings.FACTOR_KEY = "short"
    with pytest.raises(WrongState, match="64 hexadecimal digits"):
        sealing.seal(SECRET, "x")
    settings.FACTOR_KEY, settings.FACTOR_KEY_FILE = "", "/nowhere"
    with pytest.raises(WrongState, match="cannot be read"):
        sealing.seal(SECRET, "x")


def test_an_app_is_added_with_recovery_codes_and_asked_for_at_the_next_log_in(
    settings: Settings,
) -> None:
    settings.PASSWORD_HASHERS = ["settlement.people.passwords.SealedArgon2PasswordHasher"]
    mere = User.objects.get(username="mere")
    mere.set_password(PASSWORD)
    mere.save()
    client, elsewhere = gives_password("mere"), gives_password("mere")
    page = client.get("/account/app/").content.decode()
    secret = secret_on(page)
    assert "<svg" in page.partition("factor-key")[2]
    assert base64.b32encode(secret) not in client.session["new_app"].encode()
    fields = {"name": "Phone", "password": PASSWORD, "code": code(secret=secret)}
    for wrong in ({"code": code(5, secret)}, {"password": "guess"}):
        assert client.post("/account/app/", {**fields, **wrong}).status_code == 422
        assert not SecondFactor.objects.exists()
    with acting_as("web"):
        answer = client.post("/account/app/", fields)
    codes = re.findall(r"<code>([A-Z2-7-]{19})</code>", answer.content.decode())
    assert len(set(codes)) == 10
    assert RecoveryCode.objects.filter(digest__in=codes).count() == 0
    assert elsewhere.get("/").status_code == 302
    assert client.get("/").status_code == 200
    factor = SecondFactor.objects.get()
    assert secret not in bytes(factor.material)
    assert events("mere")[-2:] == ["factor_added: totp: Phone", "recovery_codes_made: 10"]

    home = gives_password("mere")
    assert home.get("/").status_code == 302
    assert "_auth_user_id" not in home.session
    with acting_as("web"):
        assert gives_code(home, fields["code"]).status_code == 422  # it was used to confirm
        assert gives_code(home, codes[0].lower()).status_code == 302
    assert home.get("/").status_code == 200
    again = gives_password("mere")
    assert gives_code(again, codes[0]).status_code == 422
    with later(60):
        assert gives_code(again, code(secret=secret)).status_code == 302
        assert "9 codes are left" in words(again.get("/account/"))


def test_a_code_is_good_once_and_wrong_ones_lock() -> None:
    give_app("mere")
    comes_in("mere")
    client = gives_password("mere")
    assert gives_code(client, code()).status_code == 422
    answers = [gives_code(client, "000000").status_code for _ in range(4)]
    assert answers == [422, 422, 422, 429]
    assert gives_code(client, code(1)).status_code == 429
    assert Client().post("/login/", {"username": "mere", "password": PASSWORD}).status_code == 429
    with pytest.raises(DatabaseError, match="was used before"), transaction.atomic():
        SecondFactor.objects.update(count=0, used_at=timezone.now())


def test_slow_guessing_ends_the_codes_of_the_app() -> None:
    """Ten wrong codes beside the right password, however long apart; the person's own do not."""
    give_app("mere")

    def wrong_ones(number: int) -> Client:
        client = gives_password("mere")
        for _ in range(number):
            gives_code(client, "000000")
        AccessAttempt.objects.all().delete()  # a quarter of an hour later
        return client

    assert gives_code(wrong_ones(3), code(-1)).status_code == 302
    wrong_ones(0)
    assert gives_code(wrong_ones(1), "").status_code == 422  # a slip that is no guess
    for number in (4, 4):
        wrong_ones(number)
    assert not Alarm.objects.exists()
    client = wrong_ones(1)
    assert "with the password of mere" in Alarm.objects.get(kind="factor_guessed").message
    answer = gives_code(client, code())
    assert answer.status_code == 422
    assert "Too many codes of your app were wrong" in answer.content.decode()
    AccessAttempt.objects.all().delete()
    person = Reauthenticated(User.objects.get(username="mere"))
    (recovery, *_others) = second_factor.new_codes(person)
    assert gives_code(client, recovery).status_code == 302
    comes_in("mere", 1)
    notes = AccessNote.objects.filter(username="mere", detail__contains="second factor missing")
    assert notes.count() >= 6


def test_one_key_is_added_once_and_a_first_factor_alone_comes_without_another() -> None:
    client = gives_password("mere")
    page = client.get("/account/app/").content.decode()
    assert secret_on(client.get("/account/app/").content.decode()) == secret_on(page)
    before = dict(client.session)
    secret = secret_on(page)
    fields = {"name": "Phone", "password": PASSWORD, "code": code(secret=secret)}
    assert client.post("/account/app/", fields).status_code == 200
    assert "new_app" not in client.session
    late = client.session  # as the second of a double click had read it
    late["new_app"] = before["new_app"]
    late.save()
    with later(30):
        fields["code"] = code(secret=secret)
        answer = client.post("/account/app/", fields)
    assert answer.status_code == 422
    assert "was added already" in words(answer)
    assert SecondFactor.objects.count() == 1


def test_the_mark_of_a_factor_shown_ends_with_the_factor(settings: Settings) -> None:
    settings.SECOND_FACTOR_DEMANDED = True
    first = give_app("mere")
    client, elsewhere = comes_in("mere"), comes_in("mere", 1)
    adds_app(client)
    assert elsewhere.get("/").status_code == 200
    client.post(f"/account/factors/{first.pk}/end/", {"password": PASSWORD})
    assert SecondFactor.objects.filter(ended_at=None).count() == 1
    assert elsewhere.get("/")["Location"].startswith("/login/")
    assert not ConsoleSession.objects.filter(
        session_key=hashed(elsewhere.cookies["sessionid"].value)
    ).exists()
    assert client.get("/").status_code == 200  # it showed the new one
    SecondFactor.objects.filter(ended_at=None).update(
        ended_at=timezone.now(), ended_by=first.person
    )
    assert client.get("/")["Location"] == "/account/app/"


def test_a_key_that_cannot_be_read_is_said_and_no_fault(settings: Settings) -> None:
    give_app("mere")
    client = gives_password("mere")
    settings.FACTOR_KEY_FILE = "/nowhere"
    fields = {"username": "mere", "password": PASSWORD}
    for answer in (
        client.post("/login/code/", {"code": code()}, follow=True),
        Client().post("/login/", fields, follow=True),
        logged_in("aroha").get("/account/app/", follow=True),
    ):
        assert answer.status_code == 200
        assert "cannot be read" in answer.content.decode()
    assert client.get("/login/passkey/").status_code == 404


def test_the_second_step_is_for_who_gave_the_password_within_five_minutes() -> None:
    give_app("mere")
    assert gives_code(Client(), code())["Location"] == "/login/"
    client = gives_password("mere")
    assert client.get("/login/code/").status_code == 200
    assert b'"proof"' not in client.session["log_in"].encode()
    with later(301):
        assert gives_code(client, code())["Location"] == "/login/"
    client = gives_password("mere")
    User.objects.filter(username="mere").update(password="!")
    assert gives_code(client, code())["Location"] == "/login/"


def test_the_page_asked_for_is_opened_and_no_other_site() -> None:
    give_app("mere")
    client = Client()
    answer = client.post("/login/?next=/claims/", {"username": "mere", "password": PASSWORD})
    assert answer["Location"] == "/login/code/?next=%2Fclaims%2F"
    assert 'value="/claims/"' in client.get(answer["Location"]).content.decode()
    form = {"code": code(), "next": "https://elsewhere.example/"}
    assert client.post("/login/code/", form)["Location"] == "/"
    client = gives_password("mere")
    form = {"code": code(1), "next": "/claims/"}
    assert client.post("/login/code/", form)["Location"] == "/claims/"


def test_nothing_typed_stands_in_a_report_of_an_error() -> None:
    client = logged_in("mere")
    for address in ("/account/app/", "/account/passkey/", "/handover/", "/tokens/", "/login/code/"):
        answer: Any = client.post(address)
        parameters = getattr(answer.wsgi_request, "sensitive_post_parameters", None)
        assert parameters == "__ALL__", address


def test_a_factor_of_ones_own_ends_in_a_log_in_that_showed_one() -> None:
    factor = give_app("mere")
    without = logged_in("mere")
    without.post(f"/account/factors/{factor.pk}/end/", {"password": PASSWORD})
    without.post("/account/recovery-codes/", {"password": PASSWORD})
    assert not RecoveryCode.objects.exists()
    client = comes_in("mere")
    client.post(f"/account/factors/{factor.pk}/end/", {"password": "guess"})
    factor.refresh_from_db()
    assert factor.ended_at is None
    with acting_as("web"):
        client.post(f"/account/factors/{factor.pk}/end/", {"password": PASSWORD})
    factor.refresh_from_db()
    assert factor.ended_at
    assert events("mere")[-1] == "factor_ended: totp: Phone; by mere"
