"""Tables that only grow are vacuumed by slices, and autovacuum freezes each row once; films are
kept in slices."""

import re
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.db.migrations.state import ProjectState

from demo.servers.postgres import PrivatePostgres
from tables.schema.storage_parameters import OF_WHAT_GROWS, KeepInSlices, VacuumBySlices
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.waiting import wait_until

GROWING = {
    "jackpot_block",
    "jackpot_displaymessage",
    "jackpot_entry",
    "jackpot_roundstate",
    "jackpot_transfer",
    "tables_displayreading",
    "tables_tableevent",
}
_PARAMETERS = """
    SELECT relname, reloptions FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND reloptions IS NOT NULL
"""


def parameters() -> dict[str, set[str]]:
    """Of each table that has some."""
    with connection.cursor() as cursor:
        cursor.execute(_PARAMETERS)
        return {name: set(options) for name, options in cursor.fetchall()}


@pytest.mark.django_db
def test_each_of_them_has_the_parameters() -> None:
    values = {f"{name}={value}" for name, value in OF_WHAT_GROWS.items()}
    assert parameters() == dict.fromkeys(GROWING, values)


def test_they_can_be_taken_back(fresh_database: FreshDatabase) -> None:
    operation, state = VacuumBySlices("Entry"), ProjectState()
    before = parameters()
    with connection.schema_editor() as editor:
        operation.database_backwards("jackpot", editor, state, state)
    assert parameters() == {name: before[name] for name in GROWING - {"jackpot_entry"}}
    with connection.schema_editor() as editor:
        operation.database_forwards("jackpot", editor, state, state)
    assert parameters() == before


_STORAGE = """
    SELECT attstorage FROM pg_attribute
    WHERE attrelid = 'jackpot_slide'::regclass AND attname = 'picture'
"""


def storage() -> str:
    with connection.cursor() as cursor:
        cursor.execute(_STORAGE)
        return str(cursor.fetchone()[0])


def test_a_film_is_kept_in_slices(fresh_database: FreshDatabase) -> None:
    """Compressed a range of it could not be read without all before it."""
    operation, state = KeepInSlices("Slide", "picture"), ProjectState()
    assert storage() == "e"
    with connection.schema_editor() as editor:
        operation.database_backwards("jackpot", editor, state, state)
    assert storage() == "x"
    with connection.schema_editor() as editor:
        operation.database_forwards("jackpot", editor, state, state)
    assert storage() == "e"


_AT_WORK = {
    "autovacuum": "on",
    "autovacuum_naptime": "1s",
    "log_autovacuum_min_duration": "0",
    # A row is visible to all once its commit is on the disk.
    "synchronous_commit": "on",
}
_VACUUMS = "SELECT autovacuum_count FROM pg_stat_user_tables WHERE relname = 'slices'"
_PAGES = re.compile(r'vacuum of table "[^"]*slices".*\s+pages: .* (\d+) remain, (\d+) scanned')


@pytest.mark.slow
@pytest.mark.postgres
def test_autovacuum_freezes_a_slice_and_goes_past_it_afterwards() -> None:
    """Its log says of how many pages it looked at how many."""
    with tempfile.TemporaryDirectory(prefix="jackpot-tests-") as name:
        Path(name).chmod(0o711)
        with (
            PrivatePostgres(Path(name), durable=False, settings=_AT_WORK) as postgres,
            psycopg.connect(postgres.url, autocommit=True) as rows,
        ):
            values = ", ".join(f"{name} = {value}" for name, value in OF_WHAT_GROWS.items())
            rows.execute(f"CREATE TABLE slices (n bigint) WITH ({values})".encode())
            for vacuums in (1, 2):
                rows.execute("INSERT INTO slices SELECT generate_series(1, 100001)")
                wait_until(partial(is_vacuumed, rows, vacuums), what="A vacuum of the slice")
            frozen = rows.execute(
                "SELECT age(relfrozenxid) <= (SELECT min(age(xmin)) FROM slices)"
                " FROM pg_class WHERE relname = 'slices'"
            ).fetchone()
            log = (postgres.home / "server.log").read_text()
    assert frozen == (True,)
    (first, all_of_it), (both, second) = [(int(a), int(b)) for a, b in _PAGES.findall(log)]
    assert first == all_of_it
    assert second < 0.6 * both


def is_vacuumed(rows: psycopg.Connection[Any], times: int) -> bool:
    """Whether autovacuum was there so often."""
    return bool(rows.execute(_VACUUMS).fetchone() == (times,))
