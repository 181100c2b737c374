"""Roles and log-ins proposed by the API are approved or refused there, by somebody else."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from settlement.models import RoleChange, SetUpDecision, SetUpProposal
from settlement.people.programs import tokens
from settlement.people.programs.tokens import Reach
from settlement.people.rights import roles
from settlement.people.rights.permissions import Reauthenticated, may
from settlement.set_up import proposals
from tables.models import Casino
from tests.support.api.account_calls import ACCOUNTS, sends, user
from tests.support.pages.page_staff import logged_in
from tests.support.people.cast import PASSWORD, ClaimHouse

pytestmark = pytest.mark.django_db
WAITING = "/api/account-proposals/"
PASS = {"password": PASSWORD}
ROLE = {"role": "Surveillance", "casino": "harbour", "last_day": "2090-03-31", **PASS}


@pytest.fixture(autouse=True)
def house() -> ClaimHouse:
    return ClaimHouse()


def propose(**role: Any) -> int:
    """By hana, for aroha; the number that waits."""
    status, answer = sends("hana", f"{ACCOUNTS}aroha/give-role/", {**ROLE, **role})
    assert (status, answer["waits"]) == (200, True), answer
    number: int = answer["proposal"]
    return number


def test_what_waits_is_listed_until_it_is_decided() -> None:
    number = propose()
    sends("hana", f"{ACCOUNTS}tane/lock/", {})
    _status, answer = sends("hana", f"{ACCOUNTS}tane/unlock/", PASS)
    first, second = logged_in("ines").get(WAITING).json()["results"]
    assert dt.datetime.fromisoformat(first.pop("proposed_at")) <= timezone.now()
    assert first == {
        "proposal": number,
        "kind": "give_role",
        "username": "aroha",
        "role": "Surveillance",
        "casino": "harbour",
        "last_day": "2090-03-31",
        "state": "waits",
        "proposed_by": "hana",
    }
    assert second["proposal"] == answer["proposal"]
    assert (second["kind"], second["username"], second["role"]) == ("unlock", "tane", "")
    proposals.propose_count(user("hana"), Casino.objects.get(), "missed_rounds", 3)
    assert len(logged_in("ines").get(WAITING).json()["results"]) == 2, "no rule of the house"
    for each in (first, second):
        sends("david", f"{WAITING}{each['proposal']}/approve/", PASS)
    assert logged_in("ines").get(WAITING).json()["results"] == []
    assert logged_in("aroha").get(WAITING).status_code == 403


def test_somebody_else_approves_with_the_password_and_the_role_holds() -> None:
    number, key = propose(), str(uuid.uuid4())
    address = f"{WAITING}{number}/approve/"
    assert sends("hana", address, PASS)[0] == 403, "who administers does not agree"
    assert sends("david", address, {"password": "guess"})[0] == 403
    assert sends("david", f"{WAITING}999/approve/", PASS)[0] == 404
    assert not SetUpDecision.objects.exists()
    status, answer = sends("david", address, PASS, key)
    assert (status, answer["proposal"], answer["state"]) == (200, number, "approved")
    held = {"role": "Surveillance", "casino": "harbour", "last_day": "2090-03-31"}
    assert held in logged_in("ines").get(f"{ACCOUNTS}aroha/").json()["roles"]
    assert may(user("aroha"), "add_footage")
    newest = RoleChange.objects.filter(person=user("aroha")).last()
    assert newest is not None
    assert newest.by == "hana and david"
    assert sends("david", address, PASS, key) == (status, answer), "sent again with its key"
    assert sends("david", address, PASS)[1]["code"] == "wrong_state", "and without one"
    assert sends("mere", address, PASS, str(uuid.uuid4()))[0] == 409, "another one's word"
    assert SetUpDecision.objects.count() == 1


def test_neither_who_proposed_it_nor_who_gets_it_approves() -> None:
    for name in ("hana", "aroha"):
        roles.grant(user(name), "Compliance")
    number = propose()
    for name in ("hana", "aroha"):
        status, answer = sends(name, f"{WAITING}{number}/approve/", PASS)
        assert (status, answer["code"]) == (409, "same_person")
    assert not SetUpDecision.objects.exists()


def test_a_token_reads_what_waits_and_decides_nothing() -> None:
    number = propose()
    ines = Reauthenticated(user("ines"))
    secret = tokens.issue(ines, "Directory", 30, Reach(("read:people",)))[1]
    token = Client(headers={"Authorization": f"Bearer {secret}"})
    assert token.get(WAITING).status_code == 200
    for act, body in (("approve", PASS), ("withdraw", {"note": "x"})):
        answer = token.post(f"{WAITING}{number}/{act}/", body, content_type="application/json")
        assert answer.status_code == 403, answer.content
    assert not SetUpDecision.objects.exists()


def test_it_is_refused_with_a_note_and_nothing_changes() -> None:
    number, key = propose(), str(uuid.uuid4())
    address = f"{WAITING}{number}/withdraw/"
    assert sends("david", address, {"note": " "})[0] == 422
    assert sends("aroha", address, {"note": "x"})[0] == 403
    for _again in range(2):
        status, answer = sends("david", address, {"note": "She starts in May"}, key)
        assert (status, answer["state"]) == (200, "withdrawn")
    assert sends("david", address, {"note": "Another"}, key)[0] in (409, 422)
    assert not may(user("aroha"), "add_footage")
    own = propose(role="Cashier", casino="harbour")
    assert sends("hana", f"{WAITING}{own}/withdraw/", {"note": "My mistake"})[0] == 200
    assert SetUpDecision.objects.filter(agreed=False).count() == 2


def test_what_is_proposed_elsewhere_is_not_there() -> None:
    """Of another casino, and what is no role and no log-in."""
    proposals.propose_count(user("hana"), Casino.objects.get(), "missed_rounds", 3)
    rule = SetUpProposal.objects.get().pk
    assert sends("david", f"{WAITING}{rule}/approve/", PASS)[0] == 404
    number = propose()
    bay = Casino.objects.create(code="bay", name="Bay", currency="NZD")
    roles.grant(User.objects.create_user("anna", password=PASSWORD), "Compliance", bay)
    assert logged_in("anna").get(WAITING).json()["results"] == []
    assert sends("anna", f"{WAITING}{number}/approve/", PASS)[0] == 404


def test_who_has_roles_elsewhere_too_is_decided_on_all_the_same() -> None:
    """The account itself is not seen in one casino; that the role was given is said."""
    number = propose()
    Casino.objects.create(code="bay", name="Bay", currency="NZD")
    kiri = User.objects.create_user("kiri", password=PASSWORD)
    roles.grant(kiri, "Compliance", Casino.objects.get(code="harbour"))
    assert logged_in("kiri").get(f"{ACCOUNTS}aroha/").status_code == 404
    status, answer = sends("kiri", f"{WAITING}{number}/approve/", PASS)
    assert (status, answer["state"], answer["username"]) == (200, "approved", "aroha")
    assert may(user("aroha"), "add_footage")
