"""Credentials of many devices by the API, with the guards that the pages have."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from settlement.devices.setup_code import setup_code
from tables.models import DeviceCredential, DeviceEnd, GamingTable
from tests.support.pages.page_staff import logged_in
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.units.devices import holding, issue, unit_of

pytestmark = pytest.mark.django_db
LIST = "/api/credentials/"
BOTH: dict[str, Any] = {"kind": "unit", "tables": ["t3", "t7"]}


@pytest.fixture(autouse=True)
def house() -> ClaimHouse:
    return ClaimHouse()


def table(code: str) -> GamingTable:
    return GamingTable.objects.select_related("system").get(code=code)


def sends(act: str, body: dict[str, Any], name: str = "hana", key: str = "") -> tuple[int, Any]:
    client: Client = logged_in(name)
    headers = {"Idempotency-Key": key} if key else {}
    address = f"/api/systems/main/{act}-credentials/"
    with acting_as("web"):
        answer = client.post(address, body, content_type="application/json", headers=headers)
    return answer.status_code, answer.json()


def test_many_are_issued_and_secrets_stand_in_that_answer_alone() -> None:
    issue(unit_of(table("t7")))
    status, answer = sends("issue", BOTH | {"way": "password"})
    assert status == 201
    (issued,) = answer["issued"]
    assert (issued["table"], issued["username"]) == ("t3", "main/t3")
    assert issued["password"] in issued["setup_code"]
    assert len(issued["key"]) == 64
    (refused,) = answer["refused"]
    assert (refused["table"], refused["code"]) == ("t7", "wrong_state")
    again = sends("issue", BOTH | {"way": "password"})[1]
    assert [each["table"] for each in again["refused"]] == ["t3", "t7"]
    page = logged_in("hana").get(LIST)
    text = page.content.decode()
    assert issued["password"] not in text
    assert issued["key"] not in text
    assert DeviceCredential.objects.get(table__code="t3").password_hash not in text
    newest = page.json()["results"][0]
    assert (newest["username"], newest["way"], newest["holds"], newest["end"]) == (
        *("main/t3", "password", True, ""),
    )


def test_many_are_rotated_and_revoked() -> None:
    for code in ("t3", "t7"):
        issue(unit_of(table(code)))
    status, answer = sends("rotate", BOTH | {"way": "password", "hours": 24})
    assert (status, len(answer["issued"]), answer["refused"]) == (201, 2, [])
    assert holding(unit_of(table("t3"))) == ["main/t3", "main/t3.2"]
    assert sends("rotate", BOTH | {"way": "password", "hours": 0})[0] == 422
    again = sends("rotate", BOTH | {"way": "password", "hours": 24})[1]
    assert (again["issued"], len(again["refused"])) == ([], 2)
    key, body = str(uuid.uuid4()), BOTH | {"reason": "Closed room"}
    status, answer = sends("revoke", body, key=key)
    assert (status, len(answer["revoked"]), answer["refused"]) == (200, 4, [])
    assert sends("revoke", body, key=key)[1] == answer, "sent again with its key"
    assert len(sends("revoke", body)[1]["refused"]) == 2
    assert DeviceEnd.objects.filter(by="hana", reason="Closed room").count() == 4


def test_what_was_revoked_long_ago_is_not_answered_for_another_key() -> None:
    for code in ("t3", "t7"):
        credential = issue(unit_of(table(code))).credential
        DeviceEnd.objects.create(
            credential=credential,
            kind="revoked",
            by="hana",
            reason="Closed room",
            at=timezone.now() - dt.timedelta(days=150),
        )
    assert holding(unit_of(table("t3"))) == []
    answer = sends("revoke", BOTH | {"reason": "Closed room"}, key=str(uuid.uuid4()))[1]
    assert (answer["revoked"], [each["table"] for each in answer["refused"]]) == ([], ["t3", "t7"])


def test_who_may_not_set_up_does_nothing_and_what_is_not_there_is_named() -> None:
    body = BOTH | {"way": "password"}
    assert sends("issue", body, "david")[0] == 403
    assert logged_in("david").get(LIST).status_code == 403
    status, refused = sends("issue", {**body, "tables": ["t3", "t99"]})
    assert (status, refused["code"]) == (422, "bad_set_up")
    assert "t99" in refused["detail"]
    assert sends("issue", {**body, "kind": "intake"})[0] == 422
    assert sends("issue", {**body, "way": "certificate"})[1]["issued"] == []
    assert not DeviceCredential.objects.exists()


def test_a_code_that_was_answered_sets_a_device_up() -> None:
    """The same text as the QR code of the page."""
    issued = issue(unit_of(table("t3")))
    assert setup_code(issued).startswith("jackpot-unit:1?")
    answer = sends("rotate", {"kind": "unit", "tables": ["t3"], "way": "password", "hours": 1})[1]
    assert answer["issued"][0]["setup_code"].startswith("jackpot-unit:1?s=main&t=t3&")
