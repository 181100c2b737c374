"""Rows on which decisions rest are recorded by the database, and taken in by the next command."""

import json
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone

from jackpot.models import Command, Entry
from jackpot.writer import commands
from settlement.audit import recorded_rows
from settlement.audit.reconciliation import reconcile
from settlement.audit.recorded_rows import changed_records
from settlement.claims import workbench
from settlement.models import Claim, Note, Record
from settlement.tasks import seal_records
from tables.alarms import clear_alarm, raise_alarm
from tables.models import Alarm, ClosedGap, GamingTable, JackpotSystem
from tests.support.cases.confirmed_house import person
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as, owner_without_guards
from tests.support.suite.kept_house import kept_house
from verifier.check import look
from verifier.people.decision_basis import SOURCES

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
# Append-only, and under other promises of docs/proof.md.
ELSEWHERE = {
    *("jackpot_block", "jackpot_command", "jackpot_entry", "jackpot_transfer"),
    *("jackpot_terms", "jackpot_tierstep", "jackpot_displaymessage"),
    # Signed, and computed again from the blocks.
    *("jackpot_checkpoint", "jackpot_treetile", "jackpot_witnessanswer"),
    *("tables_tableevent", "tables_quarantine", "tables_quarantineday", "tables_displayreading"),
    *("settlement_reconciliation", "tables_alarmclearing"),  # an alarm says who cleared it
    # Copies of the ledger, which the verifier compares with it.
    *("settlement_closedday", "settlement_daymovement", "settlement_closeddaycheck"),
}
KEPT_BY_OTHER_WORDS = {
    "settlement_record",
    "settlement_checkpoint",
    *("settlement_displayday", "settlement_readingsmark"),  # sums, computed again each night
    *("settlement_tableday", "settlement_tabledaysmark"),
    "settlement_reportexport",  # files, which are signed
    "settlement_reportschedule",  # a change of set-up
    # On its way into a list, whose import and entries are recorded.
    *("settlement_exclusionfile", "settlement_exclusionline"),
    "settlement_filekey",  # public parts of keys, published; what they signed names its key
    "settlement_backuprun",  # what a machine did and found; kept by its guard
    "settlement_securityevent",
    *("settlement_accesstoken", "settlement_accessnote", "settlement_rolemark"),
    "settlement_program",  # a change of set-up
    # Of log-ins, in the security log by triggers; how pages look.
    *("settlement_secondfactor", "settlement_recoverycode", "settlement_factordemand"),
    *("settlement_enrolmentcode", "settlement_passwordlink", "settlement_passwordcode"),
    *("settlement_mailchange", "settlement_addressnotice"),
    *("settlement_loginprovider", "settlement_providerlogin", "settlement_providerlink"),
    "settlement_passwordlogin",
    *("settlement_preference", "settlement_savedview"),
    *("settlement_pin", "settlement_badge", "settlement_sharedtablet"),
    "settlement_idlelimit",  # a change of set-up
    "settlement_escalationpolicy",  # likewise
    # Set-up: what was proposed; what came of it is a change, which is recorded.
    *("settlement_setupproposal", "settlement_setupdecision"),
    *("settlement_invitation", "settlement_setupcode"),
    # Of devices and webhooks what was set up is a change, which is recorded; the rest is messages.
    *("tables_devicecredential", "tables_deviceend", "settlement_webhookendpoint"),
    *("settlement_webhookevent", "settlement_webhookdelivery", "settlement_eventmark"),
    # So of screens.
    *("jackpot_screen", "jackpot_slide", "jackpot_houselook"),
    *("jackpot_screenrequest", "jackpot_screenreport"),
    # Of notifications: what was sent, and what people want to be told.
    *("settlement_occasion", "settlement_notification", "settlement_notificationdelivery"),
    *("settlement_notificationchoice", "settlement_pushsubscription"),
}


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    house.hit_royal()
    return house


house = kept_house(build_house)


def note(text: str = "The player waits") -> None:
    with acting_as("web"):
        workbench.add_note(Claim.objects.get(), person("mere"), text)


def waiting() -> list[str]:
    """What is in no basis yet, beside set-up and the roles that everybody was given."""
    records = Record.objects.filter(command=None).exclude(source__startswith="settlement_role")
    records = records.exclude(source="settlement_setupchange").order_by("id")
    return list(records.values_list("source", flat=True))


def test_every_table_is_a_source_or_under_another_promise() -> None:
    """A new table says here where it stands: `is_recorded.sql` takes one line."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname, bool_or(t.tgname = 'append_only_rows'), bool_or(t.tgname ="
            " 'is_recorded') FROM pg_class c LEFT JOIN pg_trigger t ON t.tgrelid = c.oid"
            " WHERE c.relname ~ '^(tables|jackpot|settlement)_' AND c.relkind = 'r'"
            " GROUP BY c.relname"
        )
        rows = cursor.fetchall()
    assert {name for name, _, is_recorded in rows if is_recorded} == SOURCES.keys()
    append_only = {name for name, is_kept, _ in rows if is_kept}
    of_people = {name for name, *_ in rows if name.startswith("settlement_")}
    tables = SOURCES.keys() | ELSEWHERE | KEPT_BY_OTHER_WORDS
    assert append_only | of_people <= tables


def test_a_row_is_recorded_and_taken_in_by_the_next_command(house: ClaimHouse) -> None:
    assert waiting() == ["settlement_claim"]
    note()
    record = Record.objects.get(source="settlement_note")
    stored_note = Note.objects.get()
    columns = json.loads(record.said)
    assert (record.row, record.command, columns["text"]) == (stored_note.pk, None, stored_note.text)
    body = {"jackpot": "royal", "tier": None, "table": None, "reason": "x"}
    with acting_as("web"):
        number = commands.queue(house.system, "suspend", body, first="mere")
    record.refresh_from_db()
    assert record.command == number
    assert Command.objects.get(number=number).basis is not None
    assert waiting() == []
    house.post()
    assert look(connection.connection, settled=False).ok
    assert reconcile(house.system).differences == []


def test_the_console_takes_in_what_waits(house: ClaimHouse) -> None:
    note()
    with acting_as("worker"):
        seal_records()
        seal_records()
    (command,) = Command.objects.filter(kind="seal_records")
    assert (command.first, command.second, command.body) == ("console", None, {})
    house.post()
    assert "refused" not in Entry.objects.get(type="seal_records").outcome
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # nobody is asked for
    report = look(connection.connection, settled=False)
    assert report.ok
    assert not [remark for remark in report.remarks if "under no hash" in remark]
    assert recorded_rows.seal(house.system) is None


@pytest.mark.parametrize(
    ("first", "second", "body"),
    [("mere", None, {}), ("console", "mere", {}), ("console", None, {"hit": 1})],
)
def test_a_seal_says_nothing_else(
    house: ClaimHouse, first: str, second: str | None, body: dict[str, Any]
) -> None:
    with pytest.raises(IntegrityError, match="seal_says_nothing"), transaction.atomic():
        commands.queue(house.system, "seal_records", body, first=first, second=second)


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO settlement_record (system_id, source, row, said) VALUES (1, 'x', 1, '{}')",
        "UPDATE settlement_record SET command = 7",
        "UPDATE settlement_record SET said = '{}'",
        "DELETE FROM settlement_record",
        "INSERT INTO jackpot_command (system_id, number, kind, body, first, issued_at, key, basis)"
        " SELECT id, 1 + (SELECT count(*) FROM jackpot_command), 'suspend', '{}', 'mere', now(),"
        " gen_random_uuid(), '1'"
        " FROM tables_jackpotsystem",
    ],
)
def test_no_process_writes_records(house: ClaimHouse, statement: str) -> None:
    for role in ("web", "worker"):
        with acting_as(role), pytest.raises(DatabaseError), transaction.atomic():
            connection.cursor().execute(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE settlement_record SET said = '{}', command = 7",
        "UPDATE settlement_record SET command = NULL",
        "DELETE FROM settlement_record",
        "TRUNCATE settlement_record",
        "UPDATE settlement_claim SET opened_at = now()",
        "DELETE FROM settlement_claim",
        "UPDATE tables_alarm SET cleared_note = 'another'",
        "UPDATE tables_alarm SET cleared_at = NULL",
        "DELETE FROM tables_alarm",
        "TRUNCATE tables_alarm CASCADE",
    ],
)
def test_the_owner_changes_none_of_it(house: ClaimHouse, statement: str) -> None:
    raise_alarm("silent", "t3", "Table 3 is silent.", house.system)
    clear_alarm(Alarm.objects.get(), "mere", "the cable")
    assert waiting() == ["settlement_claim", "tables_alarm"]
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        with pytest.raises(DatabaseError, match=r"append-only|stays as it is"):
            cursor.execute(statement)


def test_an_open_alarm_counts_and_is_cleared_once(house: ClaimHouse) -> None:
    for _ in range(2):
        raise_alarm("silent", "t3", "Table 3 is silent.", house.system)
    clear_alarm(Alarm.objects.get(), "mere", "the cable")
    clear_alarm(Alarm.objects.get(), "david", "no, the plug")
    raise_alarm("silent", "t3", "Table 3 is silent.", house.system)
    assert list(Alarm.objects.order_by("id").values_list("count", "cleared_by")) == [
        (2, "mere"),
        (1, ""),
    ]


def test_an_alarm_of_the_whole_house_is_of_each_system(house: ClaimHouse) -> None:
    other = JackpotSystem.objects.create(casino=house.system.casino, code="vip", name="VIP")
    raise_alarm("broker", "broker", "The broker is away.")
    clear_alarm(Alarm.objects.get(), "mere", "it is back")
    system_ids = Record.objects.filter(source="tables_alarm").values_list("system", flat=True)
    assert set(system_ids) == {house.system.pk, other.pk}


def test_a_new_system_begins_with_what_its_casino_decided(house: ClaimHouse) -> None:
    call_command("set_second_manager", "harbour", "500", "--first=mere", "--second=david")
    other = JackpotSystem.objects.create(casino=house.system.casino, code="vip", name="VIP")
    records = Record.objects.filter(source="settlement_secondmanagerlimit")
    assert len(set(records.values_list("said", flat=True))) == 1
    assert set(records.values_list("system", flat=True)) == {house.system.pk, other.pk}


def test_a_gap_that_a_person_closed_is_recorded(house: ClaimHouse) -> None:
    gap = {"system": house.system, "table": GamingTable.objects.get(code="t3"), "boot": 1}
    for by in ("unit", "mere"):
        ClosedGap.objects.create(**gap, from_seq=1, to_seq=1, closed_by=by)
    assert waiting() == ["settlement_claim", "tables_closedgap"]


def test_reconciliation_tells_of_what_was_changed(house: ClaimHouse) -> None:
    note()
    note("Second")
    system, (first, second) = house.system, Note.objects.order_by("id")
    recorded_rows.seal(system)
    number = Command.objects.get(kind="seal_records").number
    assert changed_records(system.pk) == []
    with owner_without_guards("settlement_note"), connection.cursor() as cursor:
        cursor.execute("UPDATE settlement_note SET at = at + '1 s' WHERE id = %s", [first.pk])
        cursor.execute("DELETE FROM settlement_note WHERE id = %s", [second.pk])
    with owner_without_guards("jackpot_command"), connection.cursor() as cursor:
        cursor.execute("UPDATE jackpot_command SET issued_at = %s", [timezone.now()])
    for role in ("worker", None):
        with acting_as(role):
            assert changed_records(system.pk) == [
                f"settlement_note {first.pk} is not what was recorded",
                f"settlement_note {second.pk} is gone",
                "command 1: what people recorded does not make its basis",
                f"command {number}: what people recorded does not make its basis",
            ]
    house.post()
    assert changed_records(system.pk)[0] in reconcile(system).differences
