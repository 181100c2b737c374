"""Credentials of devices: who issues, rotates and revokes them, and what the intake then takes."""

import datetime as dt
import hashlib
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.utils import timezone
from pytest_django import Settings

from settlement.core.errors import BadReason, BadSetUp, NotPermitted, WrongState
from settlement.devices import authority, credentials, expiry
from settlement.devices.credentials import CERTIFICATE, PASSWORD, Device, Issued, Kind
from settlement.devices.health import health_of
from settlement.models import SetUpChange
from settlement.set_up import casinos
from tables.intake.reception import receive
from tables.models import Alarm, GamingTable, Quarantine
from tables.models_of_devices import DeviceCredential, DeviceEnd, UnitKey
from tables.protocol import messages, topics
from tables.protocol.inbound_message import InboundMessage
from tables.protocol.signature import signed
from tests.support.books import royal_terms
from tests.support.cast import ClaimHouse
from tests.support.page_staff import refused, sent, shown, words
from tests.support.roles import acting_as
from tests.support.set_up import user

pytestmark = pytest.mark.django_db
DAY = dt.timedelta(days=1)


@pytest.fixture
def t7() -> GamingTable:
    ClaimHouse(royal_terms())
    return GamingTable.objects.select_related("system__casino").get(code="t7")


def unit_of(table: GamingTable) -> Device:
    return Device(Kind.UNIT, table)


def issue(device: Device, way: str = PASSWORD, overlap: dt.timedelta | None = None) -> Issued:
    with acting_as("web"):
        return credentials.issue(user("hana"), device, way, overlap)


def rotate(issued: Issued, overlap: dt.timedelta = DAY) -> Issued:
    with acting_as("web"):
        return credentials.rotate(user("hana"), issued.credential, PASSWORD, overlap)


def revoke(issued: Issued, reason: str = "Stolen") -> None:
    with acting_as("web"):
        credentials.revoke(user("hana"), issued.credential, reason)


def holding(device: Device) -> list[str]:
    rows = credentials.credentials_of(credentials.of_device(device), timezone.now())
    return [each.credential.username for each in rows if each.holds]


def is_heard(table: GamingTable, key: str, connection_number: int) -> bool:
    """Whether the intake takes a presence that is signed with this key."""
    presence = messages.Presence(v=1, state="online", boot=1, connection=connection_number)
    body = signed(messages.encoder.encode(presence), key)
    before = Quarantine.objects.count()
    topic = topics.presence(table.system.code, table.code)
    with acting_as("intake"):
        receive([InboundMessage.of(topic, body)], timezone.now())
    return Quarantine.objects.count() == before


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
    with pytest.raises(WrongState, match="holds no longer"):
        revoke(first)
    with pytest.raises(BadReason):
        revoke(first, " ")
    third = issue(unit_of(t7))
    assert third.credential.username == "main/t7"
    assert is_heard(t7, third.key, 4)


def test_the_key_before_holds_beside_the_first_credential(t7: GamingTable) -> None:
    UnitKey.objects.update_or_create(table=t7, defaults={"key": "ab" * 32})
    first = issue(unit_of(t7), overlap=DAY)
    assert is_heard(t7, "ab" * 32, 1)
    assert is_heard(t7, first.key, 2)
    assert not is_heard(t7, "ab" * 32, 3)


def test_with_the_last_credential_the_key_ends_whatever_it_was(t7: GamingTable) -> None:
    def present() -> tuple[str, str]:
        row = UnitKey.objects.get(table=t7)
        return row.key, row.other

    UnitKey.objects.update_or_create(table=t7, defaults={"key": "ab" * 32})
    revoke(issue(unit_of(t7), overlap=DAY))  # the key before has no credential
    assert present()[0] != "ab" * 32
    assert present()[1] == ""
    first = issue(unit_of(t7))
    display = issue(Device(Kind.DISPLAY, t7))
    second = rotate(first)
    assert is_heard(t7, second.key, 1)
    assert present() == (second.key, first.key)  # for the display; its account has ended
    revoke(second)
    assert present()[0] not in (first.key, second.key)
    third = issue(unit_of(t7))
    with acting_as("web"), pytest.raises(WrongState, match="rotate it on the page Devices"):
        casinos.rekey_table(user("hana"), t7)
    assert "Goes with the unit's credential" in shown("hana", "/set-up/systems/main/")
    UnitKey.objects.filter(table=t7).update(key="cd" * 32)
    revoke(display)
    assert present()[0] == "cd" * 32
    revoke(third)
    assert present()[0] != "cd" * 32
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
    assert "Certificates that end within 30 days 1" in shown("hana", "/devices/")
    second = issue(unit_of(t7))
    assert holding(unit_of(t7)) == ["main/t7"]
    expiry.raise_for_ending(timezone.now())
    assert Alarm.objects.get(kind=expiry.ALARM).count == 1
    assert "Certificates that end within 30 days 0" in shown("hana", "/devices/")
    revoke(second)


def test_a_display_that_signs_keeps_the_old_key_for_its_time(t7: GamingTable) -> None:
    first = issue(unit_of(t7))
    display = issue(Device(Kind.DISPLAY, t7))
    assert (display.credential.username, display.key) == ("main/t7/readings", "")
    second = rotate(first)
    assert is_heard(t7, second.key, 1)
    assert holding(unit_of(t7)) == ["main/t7.2"]
    assert UnitKey.objects.get(table=t7).other == first.key


def test_certificates_need_an_authority(
    t7: GamingTable, settings: Settings, tmp_path: Any, capsys: Any
) -> None:
    with pytest.raises(WrongState, match="take a password"):
        issue(unit_of(t7), CERTIFICATE)
    settings.DEVICE_CA_DIR = str(tmp_path / "authority")
    with pytest.raises(CommandError, match="DEVICE_CA_SECRET"):
        call_command("provision", "ca")
    settings.DEVICE_CA_SECRET = "for this test"
    call_command("provision", "ca")
    with pytest.raises(CommandError, match="There is an authority"):
        call_command("provision", "ca")
    key = (tmp_path / "authority" / "ca.key").read_text()
    assert "ENCRYPTED" in key
    first = issue(unit_of(t7), CERTIFICATE)
    assert first.credential.username == "main/t7.1"  # a name in a certificate is never used again
    assert first.credential.not_after is not None
    assert "BEGIN CERTIFICATE" in first.certificate
    soon = first.credential.not_after - dt.timedelta(days=29)
    expiry.raise_for_ending(soon - dt.timedelta(days=2))
    assert not Alarm.objects.exists()
    expiry.raise_for_ending(soon)
    assert Alarm.objects.get().subject == "main/t7.1"
    settings.DEVICE_CA_SECRET = "another"
    with pytest.raises(WrongState, match="cannot be read"):
        authority.certificate_for("main/t7.2")
    capsys.readouterr()


def test_the_owner_does_the_same_by_command(t7: GamingTable, tmp_path: Any, capsys: Any) -> None:
    def answer(*words: str) -> str:
        call_command("provision", *words)
        return str(capsys.readouterr().out)

    assert "No device has a credential yet" in answer("list")
    words = answer("issue", "main/t7", "--by", "hana", "--qr")
    assert "Set-up code jackpot-unit:1?s=main&t=t7&u=main%2Ft7&p=" in words
    assert "kept by hand" in words
    assert "main/t7.2" in answer("rotate", "main/t7", "--by", "hana", "--hours", "1")
    with pytest.raises(CommandError, match="Two credentials hold"):
        answer("rotate", "main/t7", "--by", "hana")
    answer("write", "--to", str(tmp_path / "accounts"))
    passwords = (tmp_path / "accounts" / "passwords").read_text()
    assert [line.split(":")[0] for line in passwords.splitlines()] == [
        *("console-check", "main/t7", "main/t7.2")
    ]
    assert "Revoked: main/t7.2." in answer("revoke", "main/t7", "--by", "hana", "--reason", "Lost")
    assert answer("list").count("revoked") == 2
    for wrong, why in {"main/t9": "no table", "x": "A device is", "main/t7": "holds"}.items():
        with pytest.raises(CommandError, match=why):
            answer("revoke", wrong, "--by", "hana", "--reason", "Lost")
    with pytest.raises(CommandError, match="Your role does not allow"):
        answer("issue", "main/t7/readings", "--by", "david")


def test_intakes_are_of_every_casino(t7: GamingTable) -> None:
    issued = issue(Device(Kind.INTAKE, None, "intake-2"))
    assert issued.credential.username == "console/intake-2"
    for name, way in (("Intake 2", PASSWORD), ("intake-3", CERTIFICATE)):
        with pytest.raises(BadSetUp):
            issue(Device(Kind.INTAKE, None, name), way)


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


NO_DEVICE, TAKEN = "no credential of such a device", "another credential that holds"
BAD: list[tuple[dict[str, Any], str]] = [
    ({"username": "main/t3"}, NO_DEVICE),
    ({"username": "console/x"}, NO_DEVICE),
    ({"username": "main/t7.1"}, TAKEN),  # of another device
    ({"password_hash": "secret"}, NO_DEVICE),
    ({"password_hash": ""}, "device_has_one_way"),
    ({"fingerprint": "ab" * 32}, NO_DEVICE),
    ({"serial": "0x1f"}, NO_DEVICE),
    ({"serial": "1f", "fingerprint": "ab"}, NO_DEVICE),
    ({"serial": "1f", "fingerprint": "ab" * 32}, "device_has_one_way"),
    ({"unit_key": "zz"}, NO_DEVICE),
    ({"unit_key": None}, NO_DEVICE),
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
        "unit_key": "ab" * 32,
    }

    def ask(row: dict[str, Any]) -> None:
        with acting_as("web"), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT issue_device(%s, %s)", [user("hana").pk, json.dumps(row)])

    for bad, why in BAD:
        with pytest.raises(DatabaseError, match=why):
            ask(unit | bad)
    ask(unit)


def test_an_administrator_walks_the_pages(t7: GamingTable, settings: Settings) -> None:
    settings.UNIT_BROKER_URL = "mqtts://broker.example.com:8883"
    assert "None issued" in shown("hana", "/devices/")
    assert "kept by hand" in shown("hana", "/devices/")
    page = "/devices/tables/main/t7/"
    answer = sent("hana", page, do="issue", kind="unit", way="password", hours="24")
    text = words(answer)
    assert "this page is not shown again" in text
    html = answer.content.decode()
    assert "jackpot-unit:1?b=mqtts%3A%2F%2Fbroker.example.com%3A8883" in html
    assert answer["Cache-Control"].count("no-store")
    assert "main/t7" in shown("hana", "/devices/")
    rotated = sent("hana", page, do="rotate", kind="unit", number="1", way="password", hours="1")
    assert "main/t7.2" in words(rotated)
    assert "until the new one is heard" in shown("hana", page)
    assert "Say why" in refused("hana", page, do="revoke", kind="unit", number="1", note="")
    assert sent("hana", page, do="revoke", kind="unit", number="1", note="Lost").status_code == 302
    assert "Revoked" in shown("hana", page)
    assert "Device main/t7" in shown("hana", "/set-up/changes/?kind=device")
    assert sent("hana", "/devices/", name="intake-2").status_code == 302
    intake = sent("hana", "/devices/intakes/intake-2/", do="issue", kind="intake", way="password")
    assert "console/intake-2" in words(intake)
    assert sent("david", page, do="issue", kind="unit", way="password").status_code == 403
    for wrong in ({"do": "x"}, {"do": "revoke", "kind": "unit", "number": "x"}):
        assert sent("hana", page, **wrong).status_code == 400
