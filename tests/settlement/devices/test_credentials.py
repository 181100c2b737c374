"""Credentials of devices: who issues, rotates and revokes them, and what the intake then takes."""

import datetime as dt
import hashlib
import json
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from settlement.core.errors import BadReason, BadSetUp, NotPermitted, WrongState
from settlement.devices import credentials, expiry
from settlement.devices.credentials import CERTIFICATE, PASSWORD, Device, Kind
from settlement.devices.health import health_of
from settlement.models import SetUpChange
from settlement.set_up import casinos
from tables import keys
from tables.keys import SealedKey
from tables.models import Alarm, DeviceCredential, DeviceEnd, GamingTable, UnitKey
from tests.support.pages.page_staff import page_of
from tests.support.people.roles import acting_as
from tests.support.people.set_up import user
from tests.support.units.devices import DAY, holding, is_heard, issue, revoke, rotate, unit_of

pytestmark = pytest.mark.django_db


def test_old_and_new_hold_until_the_new_one_is_heard(t7: GamingTable) -> None:
    first = issue(unit_of(t7))
    assert (first.credential.username, len(first.password), len(first.key)) == ("main/t7", 27, 64)
    assert is_heard(t7, first.key, 1)
    second = rotate(first)
    assert holding(unit_of(t7)) == ["main/t7", "main/t7.2"]
    assert is_heard(t7, first.key, 2)
    with pytest.raises(WrongState, match="another credential that holds"):
        rotate(first)
    with pytest.raises(WrongState, match="another credential that holds"):
        issue(unit_of(t7))
    assert holding(unit_of(t7)) == ["main/t7", "main/t7.2"]
    assert is_heard(t7, second.key, 3)
    assert holding(unit_of(t7)) == ["main/t7.2"]
    assert not is_heard(t7, first.key, 4)
    assert rotate(second).credential.username == "main/t7"
    (health,) = (each for each in health_of(t7.system) if each.table == t7)
    assert health.facts["wrong_macs"] == 1
    assert health.is_ailing
    log = SetUpChange.objects.filter(kind="device").order_by("id")
    assert [(each.by, each.subject, each.what) for each in log[:3]] == [
        ("hana", "main/t7", "made"),
        ("hana", "main/t7.2", "made"),
        (connection.settings_dict["USER"], "main/t7", "replaced"),
    ]
    text = str(list(log.values_list("before", "after")))
    hashes = DeviceCredential.objects.values_list("password_hash", flat=True)
    digest = hashlib.sha256(bytes.fromhex(second.key)).hexdigest()
    secret = [first.key, first.password, digest, *hashes]
    assert not any(each in text for each in secret)


def test_an_overlap_ends_with_its_time(t7: GamingTable) -> None:
    first = issue(unit_of(t7))
    rotate(first, dt.timedelta(seconds=1))
    soon = timezone.now() + dt.timedelta(seconds=2)
    rows = credentials.credentials_of(credentials.of_device(unit_of(t7)), soon)
    assert [each.end for each in rows] == ["replaced", ""]
    with pytest.raises(BadSetUp, match="seven days"):
        rotate(first, dt.timedelta(days=8))


def test_a_revoked_unit_is_refused_at_once(t7: GamingTable) -> None:
    first = issue(unit_of(t7))
    second = rotate(first)
    revoke(second)  # its code was photographed: the unit goes on with what it has
    assert holding(unit_of(t7)) == ["main/t7"]
    assert is_heard(t7, first.key, 1)
    assert not is_heard(t7, second.key, 2)
    revoke(first)
    assert holding(unit_of(t7)) == []
    assert not is_heard(t7, first.key, 3)
    with pytest.raises(WrongState, match="is no longer valid"):
        revoke(first)
    with pytest.raises(BadReason):
        revoke(first, " ")
    third = issue(unit_of(t7))
    assert third.credential.username == "main/t7"
    assert is_heard(t7, third.key, 4)


def test_the_key_before_holds_beside_the_first_credential(t7: GamingTable) -> None:
    keys.give(t7, "ab" * 32)
    first = issue(unit_of(t7), overlap=DAY)
    assert is_heard(t7, "ab" * 32, 1)
    assert is_heard(t7, first.key, 2)
    assert not is_heard(t7, "ab" * 32, 3)


def test_with_the_last_credential_the_key_ends_whatever_it_was(t7: GamingTable) -> None:
    def present() -> tuple[str, str]:
        row = UnitKey.objects.get(table=t7)
        other = SealedKey(row.sealed_other, row.other_digest)
        return keys.key_of(t7), keys.opened(t7.pk, "main/t7", other) if other.sealed else ""

    keys.give(t7, "ab" * 32)
    revoke(issue(unit_of(t7), overlap=DAY))  # the key before has no credential
    assert present() == ("", "")
    first = issue(unit_of(t7))
    display = issue(Device(Kind.DISPLAY, t7))
    second = rotate(first)
    assert is_heard(t7, second.key, 1)
    assert present() == (second.key, first.key)  # for the display; its account has ended
    revoke(second)
    assert present() == ("", "")
    third = issue(unit_of(t7))
    with acting_as("web"), pytest.raises(WrongState, match="rotate it on the page Devices"):
        casinos.rekey_table(user("hana"), t7)
    assert "Goes with the unit's credential" in page_of("hana", "/set-up/systems/main/")
    keys.give(t7, "cd" * 32)
    revoke(display)
    assert present()[0] == "cd" * 32
    revoke(third)
    assert present() == ("", "")
    with acting_as("web"):
        key = casinos.rekey_table(user("hana"), t7).key
    assert present()[0] == key


def test_another_is_issued_once_a_certificate_is_over(t7: GamingTable) -> None:
    DeviceCredential.objects.create(
        kind="unit",
        table=t7,
        number=1,
        username="main/t7.1",
        serial="1f",
        not_after=timezone.now() - DAY,
        issued_by="hana",
    )
    expiry.raise_for_ending(timezone.now())
    assert Alarm.objects.get(kind=expiry.ALARM).count == 1
    assert "Certificates that end within 30 days 1" in page_of("hana", "/devices/")
    second = issue(unit_of(t7))
    assert holding(unit_of(t7)) == ["main/t7"]
    expiry.raise_for_ending(timezone.now())
    assert Alarm.objects.get(kind=expiry.ALARM).count == 1
    assert "Certificates that end within 30 days 0" in page_of("hana", "/devices/")
    revoke(second)


def test_a_display_that_signs_keeps_the_old_key_for_its_time(t7: GamingTable) -> None:
    first = issue(unit_of(t7))
    display = issue(Device(Kind.DISPLAY, t7))
    assert (display.credential.username, display.key) == ("main/t7/readings", "")
    second = rotate(first)
    assert is_heard(t7, second.key, 1)
    assert holding(unit_of(t7)) == ["main/t7.2"]
    row = UnitKey.objects.get(table=t7)
    other = SealedKey(row.sealed_other, row.other_digest)
    assert keys.opened(t7.pk, "main/t7", other) == first.key


def test_intakes_are_of_every_casino(t7: GamingTable) -> None:
    issued = issue(Device(Kind.INTAKE, None, "intake-2"))
    assert issued.credential.username == "console/intake-2"
    for name, way in (("Intake 2", PASSWORD), ("intake-3", CERTIFICATE)):
        with pytest.raises(BadSetUp):
            issue(Device(Kind.INTAKE, None, name), way)
    with pytest.raises(BadSetUp, match="does not end in -stand-in"):
        issue(Device(Kind.INTAKE, None, "intake-1-stand-in"))
    assert issue(Device(Kind.INTAKE, None, "stand-in")).credential.username == "console/stand-in"


def test_nobody_else_issues_or_revokes(t7: GamingTable) -> None:
    first = issue(unit_of(t7))
    david = user("david")
    with acting_as("web"):
        for act in (
            lambda: credentials.issue(david, Device(Kind.DISPLAY, t7), PASSWORD),
            lambda: credentials.rotate(david, first.credential, PASSWORD, DAY),
            lambda: credentials.revoke(david, first.credential, "x"),
        ):
            with pytest.raises(NotPermitted):
                act()
    display = json.dumps({"kind": "display", "table_id": t7.pk, "username": "main/t7/readings"})
    calls = (("issue_device", display), ("revoke_device", first.credential.pk, "x"))
    for role, who in (("web", user("hana")), ("web", david), ("worker", user("hana"))):
        for function, *arguments in calls:
            marks = ", ".join(["%s"] * (len(arguments) + 1))
            with (
                acting_as(role, logged_in=False),
                pytest.raises(DatabaseError, match=r"not there|permission"),
                transaction.atomic(),
                connection.cursor() as cursor,
            ):
                cursor.execute(f"SELECT {function}({marks})", [who.pk, *arguments])
    assert not DeviceEnd.objects.exists()


NO_DEVICE, IN_USE = "no credential of such a device", "another credential that holds"
BAD: list[tuple[dict[str, Any], str]] = [
    ({"username": "main/t3"}, NO_DEVICE),
    ({"username": "console/x"}, NO_DEVICE),
    ({"username": "main/t7.1"}, IN_USE),  # of another device
    ({"password_hash": "secret"}, NO_DEVICE),
    ({"password_hash": ""}, "device_has_one_way"),
    ({"fingerprint": "ab" * 32}, NO_DEVICE),
    ({"serial": "0x1f"}, NO_DEVICE),
    ({"serial": "1f", "fingerprint": "ab"}, NO_DEVICE),
    ({"serial": "1f", "fingerprint": "ab" * 32}, "device_has_one_way"),
    ({"sealed_key": "zz"}, NO_DEVICE),
    ({"sealed_key": "ab" * 32}, NO_DEVICE),  # as it is, not sealed
    ({"sealed_key": None}, NO_DEVICE),
    ({"key_digest": "ab"}, NO_DEVICE),
    ({"kind": "intake"}, NO_DEVICE),
    ({"kind": "display"}, NO_DEVICE),
    ({"overlap_until": "2099-01-01T00:00:00Z"}, NO_DEVICE),
]


def test_the_database_takes_no_other_credential(t7: GamingTable) -> None:
    DeviceCredential.objects.create(
        kind="intake",
        name="x",
        number=1,
        username="main/t7.1",
        password_hash="x",
        issued_by="hana",
    )
    unit = {
        "kind": "unit",
        "table_id": t7.pk,
        "name": "",
        "number": 1,
        "username": "main/t7",
        "password_hash": credentials.password_hash("x"),
        "serial": "",
        "fingerprint": "",
        "sealed_key": "ab" * 64,
        "key_digest": "ab" * 32,
    }

    def ask(row: dict[str, Any]) -> None:
        with acting_as("web"), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT issue_device(%s, %s)", [user("hana").pk, json.dumps(row)])

    for bad, why in BAD:
        with pytest.raises(DatabaseError, match=why):
            ask(unit | bad)
    ask(unit)
