"""What was recorded cannot be changed or removed, not even by a session that may do all."""

import pytest
from django.db import IntegrityError, connection, transaction

from tables.gaps import close_gap
from tables.models import GamingTable, Stream
from tests.tables.floor import NOON, arrival, arrivals, event, make_table, take_in

pytestmark = pytest.mark.django_db

TABLES = ("tables_tableevent", "tables_quarantine", "tables_displayreading", "tables_closedgap")


def _fill() -> None:
    place = make_table()
    reading = (
        b'{"v":1,"display":"d-1","at":"2026-11-21T12:00:00Z","terms":1,"shown":[],"system_seq":1}'
    )
    take_in(
        *arrivals(place, 1, 3),
        arrival(place, event(place, 4, surprise=1)),
        arrival(place, reading, kind="readings"),
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
