"""Accounts and invitations by the API: what takes two people on pages takes two people here."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from settlement.models import (
    Invitation,
    RoleChange,
    SecondFactor,
    SetUpDecision,
    SetUpProposal,
)
from settlement.people.rights.permissions import may
from settlement.people.staff import invitations
from tests.support.api.account_calls import ACCOUNTS, sends, user
from tests.support.pages.page_staff import logged_in
from tests.support.people.cast import PASSWORD, ClaimHouse

pytestmark = pytest.mark.django_db
INVITATIONS = "/api/invitations/"
RUA: dict[str, Any] = {"username": "rua", "last_name": "Tamati", "role": "Cashier"}
KIRI: dict[str, Any] = {
    "username": "kiri",
    "first_name": "Kiri",
    "last_name": "Ngata",
    "email": "kiri@casino.example",
    "role": "Game supervisor",
    "casino": "harbour",
    "last_day": "2090-03-31",
}


@pytest.fixture(autouse=True)
def house() -> ClaimHouse:
    return ClaimHouse()


def invite(*guests: dict[str, Any]) -> list[int]:
    """The numbers of the proposals."""
    status, body = sends("hana", INVITATIONS, {"guests": list(guests), "password": PASSWORD})
    assert status == 201, body
    return [each["proposal"] for each in body["invitations"]]


def test_people_are_invited_and_the_link_is_shown_once(settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    body = {"guests": [RUA, KIRI], "password": PASSWORD}
    status, body_of_new = sends("hana", INVITATIONS, body)
    assert status == 201
    rua, kiri = body_of_new["invitations"]
    assert rua["link"].startswith("http://testserver/invitation/")
    assert (kiri["link"], kiri["casino"], kiri["last_day"]) == ("", "harbour", "2090-03-31")
    assert [message.to for message in mail.outbox] == [["kiri@casino.example"]]
    rows = logged_in("ines").get(INVITATIONS).json()["results"]
    assert [(each["username"], each["approved_by"]) for each in rows] == [
        ("kiri", None),
        ("rua", None),
    ]
    assert "link" not in rows[0]
    status, refused = sends("hana", INVITATIONS, body)
    assert (status, refused["code"]) == (422, "bad_set_up"), "sent again the names are taken"


def test_everybody_of_a_list_is_invited_or_nobody() -> None:
    for guests, password, status in (
        ([RUA, {**KIRI, "casino": "nowhere"}], PASSWORD, 422),
        ([RUA, {**KIRI, "username": "mere"}], PASSWORD, 422),
        ([RUA, {**KIRI, "username": "no good"}], PASSWORD, 422),
        ([RUA], "guess", 403),
        ([], PASSWORD, 422),
    ):
        answer = sends("hana", INVITATIONS, {"guests": guests, "password": password})
        assert answer[0] == status, answer
    assert not Invitation.objects.exists()
    assert sends("mere", INVITATIONS, {"guests": [RUA], "password": PASSWORD})[0] == 403


def test_a_second_person_approves_several_and_one_that_is_refused_stops_no_other() -> None:
    numbers = invite(RUA, KIRI, {**RUA, "username": "tama"})
    Invitation.objects.filter(username="kiri").update(expires_at=timezone.now())
    body = {"proposals": [*numbers, 999], "password": PASSWORD}
    address, key = f"{INVITATIONS}approve/", str(uuid.uuid4())
    assert sends("hana", address, body)[0] == 403, "who invited approves none"
    assert sends("david", address, {**body, "password": "guess"})[0] == 403
    assert not SetUpDecision.objects.exists()
    status, answer = sends("david", address, body, key)
    assert status == 200
    assert answer["decided"] == [numbers[0], numbers[2]]
    refused = {each["proposal"]: each["code"] for each in answer["refused"]}
    assert refused == {numbers[1]: "wrong_state", 999: "wrong_state"}
    assert sends("david", address, body, key)[1] == answer, "sent again with its key"
    assert sends("david", address, body)[1]["decided"] == [], "and without one"
    assert Invitation.objects.filter(second=user("david")).count() == 2


def test_several_are_refused_with_a_note() -> None:
    numbers = invite(RUA, KIRI)
    address = f"{INVITATIONS}withdraw/"
    assert sends("david", address, {"proposals": numbers, "note": " "})[0] == 422
    assert sends("aroha", address, {"proposals": numbers, "note": "x"})[0] == 403
    status, answer = sends("david", address, {"proposals": numbers, "note": "They start in May"})
    assert (status, answer) == (200, {"decided": numbers, "refused": []})
    assert not invitations.open_invitations().exists()


def test_an_invitation_is_revoked() -> None:
    invite(RUA)
    address = f"{INVITATIONS}{Invitation.objects.get().pk}/revoke/"
    key = str(uuid.uuid4())
    assert sends("hana", address, {}, key)[0] == 200
    assert sends("hana", address, {}, key)[0] == 200
    status, answer = sends("hana", address, {})
    assert (status, answer["code"]) == (409, "wrong_state")
    assert sends("hana", f"{INVITATIONS}999/revoke/", {})[0] == 404


def test_many_invitations_take_as_many_queries_as_few() -> None:
    """Those to every casino, too, whose last day is in the zone of the first one."""
    everywhere = {"last_day": "2090-03-31", "role": "Cashier", "last_name": "Tamati"}
    invite({"username": "rua", **everywhere})
    client = logged_in("ines")
    client.get(INVITATIONS)
    with CaptureQueriesContext(connection) as few:
        client.get(INVITATIONS)
    invite(*({"username": f"rua-{number}", **everywhere} for number in range(5)))
    with CaptureQueriesContext(connection) as many:
        rows = client.get(INVITATIONS).json()["results"]
    assert [each["last_day"] for each in rows] == ["2090-03-31"] * 6
    assert len(many) == len(few)


def test_accounts_have_roles_and_factors_and_nothing_secret() -> None:
    SecondFactor.objects.create(
        person=user("mere"), kind="totp", name="Telephone", material=b"sekret", count=1
    )
    answer = logged_in("ines").get(ACCOUNTS)
    rows = {each["username"]: each for each in answer.json()["results"]}
    mere = rows["mere"]
    assert mere["roles"] == [{"role": "Casino manager", "casino": None, "last_day": None}]
    (factor,) = mere["factors"]
    assert (factor["kind"], factor["name"]) == ("totp", "Telephone")
    assert set(factor) == {"kind", "name", "made_at", "used_at"}
    assert "sekret" not in answer.content.decode()
    assert user("mere").password not in answer.content.decode()
    assert list(rows) == sorted(rows)
    assert logged_in("ines").get(f"{ACCOUNTS}mere/").json() == mere
    assert logged_in("ines").get(f"{ACCOUNTS}guessed/").status_code == 404
    assert logged_in("aroha").get(ACCOUNTS).status_code == 403


def test_an_administrator_locks_lets_in_and_lets_leave() -> None:
    assert sends("mere", f"{ACCOUNTS}aroha/lock/", {})[0] == 403
    status, answer = sends("hana", f"{ACCOUNTS}aroha/lock/", {})
    assert (status, answer["account"]["is_active"]) == (200, False)
    body = {"password": PASSWORD}
    assert sends("hana", f"{ACCOUNTS}aroha/unlock/", {"password": "guess"})[0] == 403
    key = str(uuid.uuid4())
    for _again in range(2):  # who locked somebody lets them in with a second person
        status, answer = sends("hana", f"{ACCOUNTS}aroha/unlock/", body, key)
        assert (status, answer["waits"], answer["account"]["is_active"]) == (200, True, False)
    assert SetUpProposal.objects.filter(kind="unlock").count() == 1
    status, answer = sends("hana", f"{ACCOUNTS}tane/leave/", {})
    assert (answer["account"]["is_active"], answer["account"]["roles"]) == (False, [])
    status, refused = sends("hana", f"{ACCOUNTS}hana/lock/", {})
    assert (status, refused["code"]) == (409, "same_person")


def test_a_role_waits_for_a_second_person_and_is_taken_at_once() -> None:
    body = {"role": "Surveillance", "casino": "harbour", "password": PASSWORD}
    address, key = f"{ACCOUNTS}aroha/give-role/", str(uuid.uuid4())
    for _again in range(2):
        status, answer = sends("hana", address, body, key)
        assert (status, answer["waits"]) == (200, True)
    assert SetUpProposal.objects.filter(kind="give_role").count() == 1
    assert not may(user("aroha"), "add_footage")
    assert sends("hana", address, {**body, "role": "Owner"})[0] == 422
    assert sends("hana", f"{ACCOUNTS}hana/give-role/", body)[0] == 409
    assert sends("mere", address, body)[0] == 403
    status, answer = sends("hana", f"{ACCOUNTS}aroha/take-role/", {"role": "Cashier"})
    assert (status, answer["account"]["roles"]) == (200, [])
    newest = RoleChange.objects.filter(person=user("aroha")).last()
    assert newest is not None
    assert (newest.granted, newest.by) == (False, "hana")
