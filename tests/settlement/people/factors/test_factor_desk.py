"""Second factors of others: resets, which roles need one, and what the database refuses."""

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

from settlement.core.errors import NotPermitted
from settlement.models import (
    ConsoleSession,
    EnrolmentCode,
    FactorDemand,
    SecondFactor,
    SetUpDecision,
    SetUpProposal,
)
from settlement.people.factors import factor_resets, second_factor
from settlement.people.log_ins.checks import factors_are_demanded
from settlement.people.rights import roles
from settlement.people.rights.permissions import Reauthenticated
from tables.models import Alarm, Casino
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.access.factors import (
    code,
    comes_in,
    events,
    give_app,
    gives_password,
    secret_on,
)
from tests.support.people.access.factors import code as app_code
from tests.support.people.cast import PASSWORD, hire
from tests.support.people.roles import acting_as

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def house() -> None:
    hire()


def code_of(answer: Any) -> str:
    match = re.search(r'class="secret">([A-Z2-7-]{19})<', answer.content.decode())
    assert match, words(answer)
    return match[1]


def proposal() -> int:
    return SetUpProposal.objects.latest("id").pk


def test_two_colleagues_reset_and_the_second_hands_over_the_code() -> None:
    give_app("sione")
    second_factor.new_codes(Reauthenticated(User.objects.get(username="sione")))
    give_app("mere")
    sione, mere, ines = comes_in("sione"), logged_in("mere"), logged_in("ines")
    of = {name: User.objects.get(username=name).pk for name in ("sione", "mere", "aroha")}
    with acting_as("web"):
        refused = sione.post(f"/second-factors/{of['mere']}/reset/", {"password": PASSWORD})
        assert refused.status_code == 403
        own = mere.post(f"/second-factors/{of['mere']}/reset/", {"password": PASSWORD}, follow=True)
        assert "You cannot change your own roles or log-in" in words(own)
        for name, typed in (("sione", "guess"), ("aroha", PASSWORD)):
            mere.post(f"/second-factors/{of[name]}/reset/", {"password": typed})
        assert not SetUpProposal.objects.exists()
        for _ in range(2):
            page = mere.post(
                f"/second-factors/{of['sione']}/reset/", {"password": PASSWORD}, follow=True
            )
        assert "Reset proposed" in words(page)
        agree = f"/house-rules/proposals/{proposal()}/agree/"
        mere.post(agree, {"password": PASSWORD})
        assert not SecondFactor.objects.exclude(ended_at=None).exists(), "nobody is two people"
        code = code_of(ines.post(agree, {"password": PASSWORD}))
        assert 'class="secret"' not in ines.post(agree, {"password": PASSWORD}).content.decode()
    assert events("sione")[-2:] == [
        "factor_reset: totp: Phone; by mere and ines",
        "recovery_codes_ended: 10",
    ]
    assert not ConsoleSession.objects.filter(person=of["sione"]).exists()
    assert sione.get("/").status_code == 302
    assert set(Alarm.objects.values_list("kind", "subject")) == {
        ("factor_reset", "sione by mere and ines")
    }
    adds_with_the_code_alone(code)


def adds_with_the_code_alone(code: str) -> None:
    """Whoever knows the password, as the proposer may, adds no device without the code."""
    client = gives_password("sione")
    secret = secret_on(client.get("/account/app/").content.decode())
    fields = {"name": "Phone", "password": PASSWORD, "code": app_code(secret=secret)}
    with (
        acting_as("web"),
        pytest.raises(DatabaseError, match="gave no code"),
        transaction.atomic(),
    ):
        give_app("sione")
    with acting_as("web"):
        for typed in ("", "AAAA-AAAA-AAAA-AAAA"):
            assert client.post("/account/app/", fields | {"reset_code": typed}).status_code == 422
        assert not SecondFactor.objects.filter(ended_at=None, person__username="sione").exists()
        answer = client.post("/account/app/", fields | {"reset_code": code.lower()})
        assert answer.status_code == 200, words(answer)
        assert "reset_code" not in client.get("/account/app/").content.decode()
    assert SecondFactor.objects.filter(ended_at=None, person__username="sione").count() == 1
    assert ("factor_after_reset", "sione by mere") in Alarm.objects.values_list("kind", "subject")


def test_a_code_that_is_too_old_takes_another_reset(settings: Settings) -> None:
    settings.SECOND_FACTOR_DEMANDED = True
    give_app("tane")  # whose role needs none
    with pytest.raises(CommandError, match="has no second factor"):
        call_command("reset_second_factor", "sione")
    output = StringIO()
    call_command("reset_second_factor", "tane", stdout=output)
    assert events("tane")[-1] == "factor_reset: totp: Phone; by the owner of the database"
    client = gives_password("tane")
    assert client.get("/")["Location"] == "/account/app/", "no password alone comes in meanwhile"
    EnrolmentCode.objects.update(expires_at="2026-01-01T00:00Z")
    secret = secret_on(client.get("/account/app/").content.decode())
    code = output.getvalue().split()[-1]
    fields = {"name": "Phone", "password": PASSWORD, "code": app_code(secret=secret)}
    with acting_as("web"):
        answer = client.post("/account/app/", fields | {"reset_code": code})
        assert "older than 24 hours" in words(answer)
    settings.SECOND_FACTOR_DEMANDED = False  # mere and david have none here
    mere, david = logged_in("mere"), logged_in("david")
    with acting_as("web"):
        tane = User.objects.get(username="tane").pk
        mere.post(f"/second-factors/{tane}/reset/", {"password": PASSWORD})
        agree = f"/house-rules/proposals/{proposal()}/agree/"
        code = code_of(david.post(agree, {"password": PASSWORD}))
    client = gives_password("tane")
    secret = secret_on(client.get("/account/app/").content.decode())
    fields["code"] = app_code(secret=secret)
    with acting_as("web"):
        assert client.post("/account/app/", fields | {"reset_code": code}).status_code == 200
    assert client.get("/").status_code == 200


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
    "all its later codes away": "UPDATE settlement_secondfactor SET count = count + 99999999999",
    "recovery codes away": "UPDATE settlement_recoverycode SET ended_at = now()",
    "a recovery code for somebody": "INSERT INTO settlement_recoverycode (person_id, digest)"
    f" VALUES ({WHO}, 'x')",
    "a role that needs none": "INSERT INTO settlement_factordemand (role_id, demanded, person_id)"
    " SELECT g.id, false, u.id FROM auth_group g, auth_user u WHERE u.username = 'mere'",
}


@pytest.mark.parametrize("name", FORGED)
def test_the_password_of_the_web_role_alone_changes_no_factor(name: str) -> None:
    give_app("sione")
    second_factor.new_codes(Reauthenticated(User.objects.get(username="sione")))
    with (
        acting_as("web", logged_in=False),
        connection.cursor() as cursor,
        pytest.raises(DatabaseError),
        transaction.atomic(),
    ):
        cursor.execute(FORGED[name])


def test_nobody_ends_factors_of_others_alone_and_what_has_ended_stays_ended() -> None:
    factor = give_app("sione")
    rows = SecondFactor.objects.filter(pk=factor.pk)
    with acting_as("web"):
        for name in ("aroha", "mere"):
            by = User.objects.get(username=name)
            with pytest.raises(DatabaseError, match="alone"), transaction.atomic():
                rows.update(ended_at=timezone.now(), ended_by=by)
        rows.update(ended_at=timezone.now(), ended_by=User.objects.get(username="sione"))
        with pytest.raises(DatabaseError, match="has ended"), transaction.atomic():
            rows.update(ended_at=None)
        cashier, aroha = Group.objects.get(name="Cashier"), User.objects.get(username="aroha")
        with pytest.raises(DatabaseError, match="is not there or may not"), transaction.atomic():
            FactorDemand.objects.create(role=cashier, demanded=True, person=aroha)


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
    states = {
        kind: re.findall(rf'name="{kind}" value="([^"]+)"', page) for kind in ("needed", "free")
    }
    assert set(states["needed"]) == ticked
    form = {"role": needing, "password": PASSWORD, **states}
    client.post("/second-factors/roles/", {**form, "password": "guess"})
    client.post("/second-factors/roles/", {"password": PASSWORD})  # showed nothing
    assert not FactorDemand.objects.exists()
    with acting_as("web"):
        saved = client.post("/second-factors/roles/", form, follow=True)
    assert "Proposed: a role needs its second factor until somebody else approves it" in words(
        saved
    )
    assert "Exemption waits for approval" in words(saved)
    assert events("mere")[-1:] == ["factor_demand: Surveillance: needed"]
    assert [each.demanded for each in FactorDemand.objects.all()] == [True]
    assert not Alarm.objects.filter(kind="factor_demand").exists()
    assert gives_password("aroha").get("/")["Location"] == "/account/app/"
    assert gives_password("tane").get("/")["Location"] == "/account/app/"
    answer = client.post("/second-factors/roles/", form, follow=True)
    assert "It was changed meanwhile" in words(answer)
    again = {"needed": "Cashier", "password": PASSWORD}
    with acting_as("web"):
        answer = client.post("/second-factors/roles/", again, follow=True)
    assert "That is proposed already" in words(answer)
    assert SetUpProposal.objects.count() == 1


def test_a_manager_of_one_casino_is_told_what_is_beyond_it() -> None:
    casino, other = (
        Casino.objects.create(code=code, name=code, currency="NZD") for code in ("bay", "cape")
    )
    hani, rua = (User.objects.create_user(name, password=PASSWORD) for name in ("hani", "rua"))
    roles.grant(hani, "Casino manager", casino)
    roles.grant(rua, "Cashier", casino)
    give_app("rua")
    give_app("sione")  # of every casino
    client = logged_in("hani")
    with acting_as("web"):
        page = client.get("/second-factors/").content.decode()
        assert f"/second-factors/{rua.pk}/reset/" in page
        sione = User.objects.get(username="sione").pk
        assert f"/second-factors/{sione}/reset/" not in page
        assert "/second-factors/roles/" not in page
        confirmed = {"password": PASSWORD, "free": "Surveillance", "role": "Surveillance"}
        for address in (f"/second-factors/{sione}/reset/", "/second-factors/roles/"):
            answer = client.post(address, confirmed, follow=True)
            assert answer.status_code in (200, 404)
            assert "Your log-in had ended" not in answer.content.decode()
        answer = client.post("/second-factors/roles/", confirmed, follow=True)
        assert "every casino" in answer.content.decode()
        answer = client.post(f"/second-factors/{rua.pk}/reset/", confirmed, follow=True)
    assert "Proposed" in words(answer)
    assert not FactorDemand.objects.exists()
    SetUpDecision.objects.create(
        proposal_id=proposal(), agreed=False, person=User.objects.get(username="mere")
    )
    roles.grant(rua, "Cashier", other)
    with pytest.raises(NotPermitted):
        factor_resets.propose(Reauthenticated(User.objects.get(username="hani")), rua)


def test_where_nobody_needs_one_a_check_says_it_and_no_page_of_a_casino(settings: Settings) -> None:
    settings.SECOND_FACTOR_DEMANDED, settings.DEMO = False, False
    assert [each.id for each in factors_are_demanded()] == ["settlement.W001"]
    assert "No role needs a second factor" not in Client().get("/login/").content.decode()
    settings.DEMO = True
    assert factors_are_demanded() == []
    assert "No role needs a second factor here" in Client().get("/login/").content.decode()
    settings.SECOND_FACTOR_DEMANDED = True
    assert "No role needs a second factor" not in Client().get("/login/").content.decode()


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


def test_many_people_cost_no_more_queries(django_assert_max_num_queries: Any) -> None:
    mere = logged_in("mere")
    for number in range(30):
        person = User.objects.create_user(
            f"more-{number}", first_name="More", last_name=f"{number}"
        )
        roles.grant(person, "Cashier")
    with django_assert_max_num_queries(20):
        page = words(mere.get("/second-factors/"))
    assert "More 29" in page
