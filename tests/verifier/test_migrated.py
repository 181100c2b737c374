"""Migrations of a database with an evening in it: backwards and forwards again."""

from collections import defaultdict

import psycopg
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from psycopg import sql
from pytest_django import DjangoDbBlocker

from tests.databases import clone, used_by_django
from tests.verifier.conftest import Played
from verifier import verify

BACK_TO = [
    ("settlement", "0028_alone_on_rounds"),
    ("jackpot", "0020_newest_session"),
    ("tables", "0010_events_of_known_tables"),
]
_COLUMNS = """
    SELECT c.table_name, c.column_name FROM information_schema.columns c
    JOIN pg_tables t ON t.tablename = c.table_name AND t.schemaname = c.table_schema
    WHERE c.table_schema = 'public' AND c.table_name ~ '^(tables|jackpot|settlement|auth)_'
    ORDER BY c.table_name, c.ordinal_position
"""
Columns = dict[str, list[str]]


def columns_of(url: str) -> Columns:
    """The columns of every table."""
    found: Columns = defaultdict(list)
    with psycopg.connect(url) as other:
        for table, column in other.execute(_COLUMNS):
            found[table].append(column)
    return dict(found)


def digests(url: str, columns: Columns) -> dict[str, str | None]:
    """The rows of these tables and columns, hashed."""
    query = "SELECT md5(string_agg(r::text, ' ' ORDER BY r::text)) FROM (SELECT {} FROM {}) AS r"
    with psycopg.connect(url) as other:
        return {
            table: other.execute(
                sql.SQL(query).format(
                    sql.SQL(", ").join(map(sql.Identifier, names)), sql.Identifier(table)
                )
            ).fetchall()[0][0]
            for table, names in columns.items()
        }


def test_migrations_leave_an_evening_as_it_was(
    evening: Played, django_db_blocker: DjangoDbBlocker
) -> None:
    """The newest of each app: keys, checks, indexes and guards are made over rows.

    A table or a column that a migration brought goes with it, and what stood there.
    """
    with clone(evening.database.name) as database, used_by_django(database, django_db_blocker):
        executor = MigrationExecutor(connection)
        newest = executor.loader.graph.leaf_nodes()
        executor.migrate(BACK_TO)
        # A column that a migration took away has its say elsewhere: keys in `tables_unitkey`.
        present = columns_of(evening.database.url)
        older, gone = {}, set()
        for table, names in columns_of(database.url).items():
            older[table] = [name for name in names if name in present[table]]
            gone |= {(table, name) for name in names if name not in present[table]}
        assert gone == {("tables_gamingtable", "mac_key")}
        before = digests(evening.database.url, older)
        assert sum(digest is not None for digest in before.values()) > 30
        assert digests(database.url, older) == before
        executor = MigrationExecutor(connection)
        executor.migrate(newest)
        assert columns_of(database.url) == columns_of(evening.database.url)
        assert digests(database.url, older) == before
        # What went with its table or column the verifier misses, and nothing else.
        found = set(verify(database.url, evening.journals).found)
        assert found == {"files", "hash chain", "people", "projections"}
