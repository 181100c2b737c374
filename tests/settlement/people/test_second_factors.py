"""Codes of an app, recovery codes, resets, and what the database refuses of them."""

from __future__ import annotations

import base64
import re
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.utils import DatabaseError
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from settlement.core.errors import WrongState
from settlement.models import (
    ConsoleSession,
    FactorDemand,
    RecoveryCode,
    SecondFactor,
    SecurityEvent,
)
from settlement.people import sealing, totp
from tables.models import Alarm
from tests.support.cast import PASSWORD, hire
from tests.support.factors import (
    SECRET,
    code,
    comes_in,
    give_app,
    gives_code,
    gives_password,
    later,
)
from tests.support.page_staff import logged_in, words
from tests.support.roles import acting_as

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def house() -> None:
    hire()


def events(username: str) -> list[str]:
    rows = SecurityEvent.objects.filter(username=username).order_by("id")
    return [f"{row.what}: {row.detail}" for row in rows if "insert" not in row.what]


def adds_app(client: Client) -> bytes:
    """The secret of an app that this browser's person has added."""
    page = client.get("/account/app/").content.decode()
    shown = re.search(r'class="secret">([A-Z2-7 ]+)<', page)
    key = re.search(r'name="key" value="([^"]+)"', page)
    assert shown
    secret = base64.b32decode(shown[1].replace(" ", ""))
    fields = {"name": "Phone", "password": PASSWORD, "code": code(secret=secret)}
    if key:
        fields["key"] = key[1]
    assert client.post("/account/app/", fields).status_code == 200
    return secret


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
    by_default = sealing.seal(SECRET)
    assert SECRET not in by_default
    settings.FACTOR_KEY = "11" * 32
    assert sealing.unseal(by_default) is None
    first = sealing.seal(SECRET)
    settings.FACTOR_KEY = f"{'22' * 32}\n{'11' * 32}"
    assert sealing.unseal(first) == SECRET
    settings.FACTOR_KEY = "short"
    with pytest.raises(WrongState, match="64 hexadecimal digits"):
        sealing.seal(SECRET)
    settings.FACTOR_KEY, settings.FACTOR_KEY_FILE = "", "/nowhere"
    with pytest.raises(WrongState, match="cannot be read"):
        sealing.seal(SECRET)


def test_an_app_is_added_with_recovery_codes_and_asked_for_at_the_next_log_in(
    settings: Settings,
) -> None:
    settings.PASSWORD_HASHERS = ["settlement.people.passwords.SealedArgon2PasswordHasher"]
    mere = User.objects.get(username="mere")
    mere.set_password(PASSWORD)
    mere.save()
    client, elsewhere = gives_password("mere"), gives_password("mere")
    page = client.get("/account/app/").content.decode()
    key = re.search(r'name="key" value="([^"]+)"', page)
    shown = re.search(r'class="secret">([A-Z2-7 ]+)<', page)
    assert key
    assert shown
    assert "<svg" in page.partition("factor-key")[2]
    secret = sealing.unseal(key[1].encode())
    assert secret
    assert shown[1] == totp.as_text(secret)
    fields = {"key": key[1], "name": "Phone", "password": PASSWORD, "code": code(secret=secret)}
    for wrong in ({"code": code(5, secret)}, {"password": "guess"}, {"key": "made-up"}):
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
    wanted = {"code": code(), "next": "https://elsewhere.example/"}
    assert client.post("/login/code/", wanted)["Location"] == "/"
    client = gives_password("mere")
    wanted = {"code": code(1), "next": "/claims/"}
    assert client.post("/login/code/", wanted)["Location"] == "/claims/"


def test_a_colleague_resets_what_nobody_resets_for_themselves() -> None:
    give_app("sione")
    give_app("mere")
    sione = comes_in("sione")
    mere = logged_in("mere")
    of = {name: User.objects.get(username=name).pk for name in ("sione", "mere", "aroha")}
    with acting_as("web"):
        refused = sione.post(f"/second-factors/{of['mere']}/reset/", {"password": PASSWORD})
        assert refused.status_code == 403
        own = mere.post(f"/second-factors/{of['mere']}/reset/", {"password": PASSWORD}, follow=True)
        assert "Nobody resets second factors of their own" in words(own)
        for name, typed in (("sione", "guess"), ("aroha", PASSWORD)):
            mere.post(f"/second-factors/{of[name]}/reset/", {"password": typed})
        assert not SecondFactor.objects.exclude(ended_at=None).exists()
        page = mere.post(
            f"/second-factors/{of['sione']}/reset/", {"password": PASSWORD}, follow=True
        )
    assert "have ended" in words(page)
    assert events("sione")[-1] == "factor_reset: totp: Phone; by mere"
    assert not ConsoleSession.objects.filter(person=of["sione"]).exists()
    assert sione.get("/").status_code == 302
    give_app("sione")
    call_command("reset_second_factor", "sione", stdout=StringIO())
    assert events("sione")[-1] == "factor_reset: totp: Phone"
    with pytest.raises(CommandError, match="has no second factor"):
        call_command("reset_second_factor", "sione")
    client = gives_password("sione")  # and without a code until there is a new one
    with acting_as("web"):
        adds_app(client)
    assert set(Alarm.objects.values_list("kind", "subject")) == {
        ("factor_reset", "sione by mere"),
        ("factor_reset", "sione by the owner of the database"),
        ("factor_after_reset", "sione by the owner of the database"),
    }


def test_nothing_typed_stands_in_a_report_of_an_error() -> None:
    client = logged_in("mere")
    for address in ("/account/app/", "/account/passkey/", "/handover/", "/tokens/", "/login/code/"):
        answer: Any = client.post(address)
        wanted = getattr(answer.wsgi_request, "sensitive_post_parameters", None)
        assert wanted == "__ALL__", address


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


WHO = "(SELECT id FROM auth_user WHERE username = 'sione')"
FACTOR = "INSERT INTO settlement_secondfactor (person_id, kind, name, material, count) VALUES "
FORGED = {
    "a factor for somebody": f"{FACTOR} ({WHO}, 'totp', 'Mine', 'x', 0)",
    "its end in a name": "UPDATE settlement_secondfactor SET ended_at = now(), ended_by_id ="
    " (SELECT id FROM auth_user WHERE username = 'mere')",
    "its end in nobody's name": "UPDATE settlement_secondfactor SET ended_at = now()",
    "a secret in its place": "UPDATE settlement_secondfactor SET material = 'x'",
    "a person in its place": "UPDATE settlement_secondfactor SET person_id = person_id + 1",
    "a factor away": "DELETE FROM settlement_secondfactor",
    "a recovery code for somebody": "INSERT INTO settlement_recoverycode (person_id, digest)"
    f" VALUES ({WHO}, 'x')",
    "a role that needs none": "INSERT INTO settlement_factordemand (role_id, demanded, person_id)"
    " SELECT g.id, false, u.id FROM auth_group g, auth_user u WHERE u.username = 'mere'",
}


@pytest.mark.parametrize("name", FORGED)
def test_the_password_of_the_web_role_alone_changes_no_factor(name: str) -> None:
    give_app("sione")
    with (
        acting_as("web", logged_in=False),
        connection.cursor() as cursor,
        pytest.raises(DatabaseError),
        transaction.atomic(),
    ):
        cursor.execute(FORGED[name])


def test_who_is_there_resets_by_role_alone_and_what_has_ended_stays_ended() -> None:
    factor = give_app("sione")
    rows = SecondFactor.objects.filter(pk=factor.pk)
    with acting_as("web"):
        with pytest.raises(DatabaseError, match="may not"), transaction.atomic():
            rows.update(ended_at=timezone.now(), ended_by=User.objects.get(username="aroha"))
        rows.update(ended_at=timezone.now(), ended_by=User.objects.get(username="mere"))
        with pytest.raises(DatabaseError, match="has ended"), transaction.atomic():
            rows.update(ended_at=None)
        cashier, aroha = Group.objects.get(name="Cashier"), User.objects.get(username="aroha")
        with pytest.raises(DatabaseError, match="is not there or may not"), transaction.atomic():
            FactorDemand.objects.create(role=cashier, demanded=False, person=aroha)


# --- who must have one ------------------------------------------------------------------------
def test_who_needs_one_reaches_nothing_but_its_page(settings: Settings) -> None:
    settings.SECOND_FACTOR_DEMANDED = True
    client = gives_password("mere")
    for address in ("/", "/claims/", "/account/", "/second-factors/"):
        assert client.get(address)["Location"] == "/account/app/"
    answer = client.get("/api/claims/")
    assert (answer.status_code, answer.json()["code"]) == (403, "second_factor_needed")
    assert "Your role needs a second factor" in words(client.get("/account/app/"))
    assert client.get("/account/passkey/").status_code == 200
    assert gives_password("tane").get("/").status_code == 200  # looks on only
    give_app("mere")
    assert client.get("/")["Location"] == "/login/"  # added elsewhere: not shown here
    client = comes_in("mere")
    assert client.get("/").status_code == 200
    factor = SecondFactor.objects.get()
    client.post(f"/account/factors/{factor.pk}/end/", {"password": PASSWORD})
    assert SecondFactor.objects.filter(ended_at=None).exists()  # the last one


def test_which_roles_need_one_is_said_on_the_console(settings: Settings) -> None:
    settings.SECOND_FACTOR_DEMANDED = True
    give_app("mere")
    client = comes_in("mere")
    page = client.get("/second-factors/").content.decode()
    ticked = set(re.findall(r'name="role" value="([^"]+)" checked', page))
    assert ticked == {
        *("Game supervisor", "Casino manager", "Cashier", "Compliance", "Administrator")
    }
    needing = [*(ticked - {"Cashier"}), "Surveillance"]
    client.post("/second-factors/roles/", {"role": needing, "password": "guess"})
    assert not FactorDemand.objects.exists()
    with acting_as("web"):
        client.post("/second-factors/roles/", {"role": needing, "password": PASSWORD})
    assert events("mere")[-2:] == [
        "factor_demand: Cashier: not needed",
        "factor_demand: Surveillance: needed",
    ]
    assert gives_password("aroha").get("/").status_code == 200
    assert gives_password("tane").get("/")["Location"] == "/account/app/"
    with pytest.raises(DatabaseError), transaction.atomic():
        FactorDemand.objects.all().delete()


def test_a_program_gives_a_code_beside_the_password(settings: Settings) -> None:
    basic = base64.b64encode(f"mere:{PASSWORD}".encode()).decode()

    def status(**headers: str) -> int:
        return (
            Client()
            .get("/api/claims/", headers={"Authorization": f"Basic {basic}", **headers})
            .status_code
        )

    assert status() == 200
    settings.SECOND_FACTOR_DEMANDED = True
    assert status() == 401
    give_app("mere")
    assert status() == 401
    assert status(**{"Second-Factor": code()}) == 200
    assert status(**{"Second-Factor": code()}) == 401
    assert status(**{"Second-Factor": code(1)}) == 200


def test_the_log_in_page_says_where_nobody_needs_one(settings: Settings) -> None:
    assert "No role needs a second factor here" in Client().get("/login/").content.decode()
    settings.SECOND_FACTOR_DEMANDED = True
    assert "No role needs a second factor" not in Client().get("/login/").content.decode()
