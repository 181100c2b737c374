"""What was recorded cannot be changed or removed, not even by a session that may do all."""

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from tables.intake.boots.gaps import close_gap
from tables.models import GamingTable, JackpotSystem, Quarantine, Stream, TableEvent
from tables.protocol.table_ref import table_ref_of
from tests.support.people.cast import hire
from tests.support.people.roles import acting_as
from tests.support.units.table_units import (
    NOON,
    event,
    make_table,
    message_of,
    messages_of,
    take_in,
)

pytestmark = pytest.mark.django_db

TABLES = ("tables_tableevent", "tables_quarantine", "tables_displayreading", "tables_closedgap")


def _fill() -> None:
    table_ref = make_table()
    reading = (
        b'{"v":1,"display":"d-1","at":"2026-11-21T12:00:00Z","terms":1,"shown":[],"system_seq":1}'
    )
    take_in(
        *messages_of(table_ref, 1, 3),
        message_of(table_ref, event(table_ref, 4, surprise=1)),
        message_of(table_ref, reading, kind="readings"),
        now=NOON,
    )
    close_gap(GamingTable.objects.get(), 1, 2, "Ana")


@pytest.mark.parametrize(
    "statement", ["UPDATE {} SET id = id", "DELETE FROM {}", "TRUNCATE {} CASCADE"]
)
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("role", ["origin", "replica"])
def test_append_only_tables_refuse(table: str, statement: str, role: str) -> None:
    _fill()
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(f"SELECT count(*) FROM {table}")
        assert cursor.fetchone()[0] > 0
        cursor.execute(f"SET LOCAL session_replication_role = {role}")
        with pytest.raises(IntegrityError, match="is append-only"), transaction.atomic():
            cursor.execute(statement.format(table))


@pytest.mark.parametrize("code", ["console", "display"])
def test_no_table_takes_the_name_of_a_topic(code: str) -> None:
    with pytest.raises(IntegrityError, match="table_code_is_no_topic"), transaction.atomic():
        make_table(code)


@pytest.mark.parametrize("fallen", [{"committed_seq": 0}, {"committed_seq": 1, "last_seq": 2}])
def test_a_watermark_never_falls(fallen: dict[str, int]) -> None:
    _fill()
    with pytest.raises(IntegrityError, match="the watermark of boot 1 falls"), transaction.atomic():
        Stream.objects.update(**fallen)


RAISED = {
    "by one": "UPDATE tables_stream SET committed_seq = committed_seq + 1",
    "to the last that was heard": "UPDATE tables_stream SET committed_seq = last_seq",
    "beyond it": "UPDATE tables_stream SET committed_seq = 900, last_seq = 900",
    "what was heard last": "UPDATE tables_stream SET last_seq = last_seq + 1",
    "a new boot": "INSERT INTO tables_stream (system_id, table_id, boot, committed_seq, last_seq)"
    " SELECT system_id, table_id, 2, 900, 900 FROM tables_stream",
    "a gap above all": "INSERT INTO tables_closedgap (system_id, table_id, boot, from_seq, to_seq,"
    " closed_by, note) SELECT system_id, table_id, boot, 5, 900, 'unit', '' FROM tables_stream",
    "a gap up to the last": "INSERT INTO tables_closedgap (system_id, table_id, boot, from_seq,"
    " to_seq, closed_by, note) SELECT system_id, table_id, boot, 8, 9, 'unit', ''"
    " FROM tables_stream",
    "a gap of another boot": "INSERT INTO tables_closedgap (system_id, table_id, boot, from_seq,"
    " to_seq, closed_by, note) SELECT system_id, table_id, 2, 2, 3, 'unit', '' FROM tables_stream",
}


@pytest.mark.parametrize("role", ["web", None])
@pytest.mark.parametrize("what", RAISED)
def test_a_watermark_rises_over_nothing_that_is_not_held(what: str, role: str | None) -> None:
    """Held are 1 to 6 (2 was given up, 4 is in quarantine), 7 fails its MAC, and 9 is held."""
    _fill()
    table_ref = table_ref_of(GamingTable.objects.select_related("system__casino").get())
    take_in(*messages_of(table_ref, 5, 6, 9))
    Quarantine.objects.create(
        topic="", table_id=table_ref.table_id, boot=1, seq=7, reason="wrong_mac", explanation="",
        received_at=NOON, body=b"", size=0, sha256=b"",
    )  # fmt: skip
    assert Stream.objects.values_list("committed_seq", "last_seq").get() == (6, 9)
    with (
        acting_as(role),
        pytest.raises(DatabaseError, match=r"not held|not at zero|nothing is held|permission"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(RAISED[what])


def test_the_web_closes_a_gap() -> None:
    _fill()
    table = GamingTable.objects.get()
    take_in(*messages_of(table_ref_of(table), 6, 7, 9))
    hire()
    with acting_as("web"), pytest.raises(IntegrityError, match="closed_by of aroha"):
        close_gap(table, 1, 5, "aroha")
    with acting_as("web"):
        assert close_gap(table, 1, 5, "mere") == 7
        with pytest.raises(ValueError, match="nothing was heard of boot 2"):
            close_gap(table, 2, 5, "mere")
    assert Stream.objects.values_list("committed_seq", "last_seq").get() == (7, 9)


@pytest.mark.parametrize("role", ["intake", None])
@pytest.mark.parametrize("stranger", ["of another system", "of nobody"])
def test_an_event_belongs_to_a_table_of_its_system(stranger: str, role: str | None) -> None:
    """One among many is refused with all of its batch."""
    _fill()
    table = GamingTable.objects.get()
    other = JackpotSystem.objects.create(casino=table.system.casino, code="other", name="Other")
    apart = GamingTable.objects.create(system=other, code="t1", name="Table 1")
    table_id = apart.pk if stranger == "of another system" else apart.pk + 1000
    before = TableEvent.objects.count()
    row = (
        "INSERT INTO tables_tableevent (system_id, table_id, boot, seq, type, test, recorded_at,"
        " received_at, body) SELECT %s, t, 9, 1, 'round_started', false, now(), now(), '' FROM"
        " unnest(%s::bigint[]) AS t"
    )
    with acting_as(role), connection.cursor() as cursor:
        refused = pytest.raises(IntegrityError, match="which is not one of system")
        with refused, transaction.atomic():
            cursor.execute(row, [table.system_id, [table.pk, table_id]])
        cursor.execute(row, [table.system_id, [table.pk]])
    assert TableEvent.objects.count() == before + 1


def test_a_table_with_events_stays() -> None:
    take_in(*messages_of(make_table(), 1), now=NOON)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        with pytest.raises(IntegrityError, match="tables_stream"), transaction.atomic():
            cursor.execute("DELETE FROM tables_unitpresence; DELETE FROM tables_gamingtable")
