"""Prepared statements meet outages like all others (found by the seeded simulator), and pass
through whatever wraps Django's own."""

from typing import Any

import pytest
from django.db import DatabaseError, DataError, OperationalError, connection, transaction
from psycopg.errors import PipelineAborted

from tables.process.prepared_statements import pipeline, prepared_cursor
from tables.process.transient_errors import is_outage
from tests.support.suite.databases import FreshDatabase


@pytest.mark.parametrize("broken", ["connection", "lock"])
def test_an_outage_in_a_prepared_statement_is_an_outage(
    fresh_database: FreshDatabase, broken: str
) -> None:
    """Else the batch would be quarantined and acknowledged, and not be in the inbox."""
    with pytest.raises(DatabaseError) as caught:
        _meet(broken)
    assert is_outage(caught.value)


def _meet(broken: str) -> None:
    with prepared_cursor() as cursor:
        if broken == "connection":
            connection.connection.close()
        cursor.execute("DO $$ BEGIN RAISE lock_not_available; END $$")


@pytest.mark.django_db
def test_who_wraps_statements_sees_and_may_change_these_too() -> None:
    statements: list[tuple[str, bool]] = []

    def wrapper(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        statements.append((sql.split()[0], many))
        return execute(sql.replace("'as written'", "'as changed'"), params, many, context)

    with connection.execute_wrapper(wrapper), prepared_cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE said (word text) ON COMMIT DROP")
        cursor.executemany("INSERT INTO said VALUES (%s)", [["one"], ["two"]])
        with cursor.copy("COPY said FROM STDIN") as copy:
            copy.write("three\n")
        cursor.execute("SELECT 'as written', count(*) FROM said")
        assert cursor.fetchall() == [("as changed", 3)]
    assert statements == [("CREATE", False), ("INSERT", True), ("COPY", False), ("SELECT", False)]


def _divide_by_nothing() -> None:
    with transaction.atomic(), pipeline(), prepared_cursor() as cursor:
        cursor.execute("SELECT 1 / %s::int", [0])
        cursor.execute("SELECT 2")
        cursor.fetchall()


@pytest.mark.django_db
def test_the_first_fault_in_a_pipeline_is_the_one_that_is_raised() -> None:
    """What follows it was not looked at: alone that is no outage, which would be waited out."""
    with pytest.raises(DataError) as fault:
        _divide_by_nothing()
    assert not is_outage(fault.value)
    aborted = OperationalError()
    aborted.__cause__ = PipelineAborted()
    assert not is_outage(aborted)
