"""Guards of a database with an evening in it: taken off and made again."""

from collections import defaultdict

import psycopg
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from psycopg import sql
from pytest_django import DjangoDbBlocker

from tests.support.proof.evening_hands import Played
from tests.support.suite.databases import clone, used_by_django
from tests.support.suite.sql_files import TABLES_ALONE
from verifier import UnitRecords, verify

_COLUMNS = """
    SELECT c.table_name, c.column_name FROM information_schema.columns c
    JOIN pg_tables t ON t.tablename = c.table_name AND t.schemaname = c.table_schema
    WHERE c.table_schema = 'public' AND c.table_name ~ '^(tables|jackpot|settlement|auth)_'
    ORDER BY c.table_name, c.ordinal_position
"""


def digests(url: str) -> dict[str, str | None]:
    """The rows of every table, hashed."""
    columns: dict[str, list[str]] = defaultdict(list)
    query = "SELECT md5(string_agg(r::text, ' ' ORDER BY r::text)) FROM (SELECT {} FROM {}) AS r"
    with psycopg.connect(url) as other:
        for table, column in other.execute(_COLUMNS):
            columns[table].append(column)
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
    """Guards and constraints are made over rows, and change none."""
    with clone(evening.database.name) as database, used_by_django(database, django_db_blocker):
        before = digests(evening.database.url)
        assert sum(digest is not None for digest in before.values()) > 30
        executor = MigrationExecutor(connection)
        newest = executor.loader.graph.leaf_nodes()
        executor.migrate(list(TABLES_ALONE.items()))
        assert digests(database.url) == before
        MigrationExecutor(connection).migrate(newest)
        assert digests(database.url) == before
        assert not verify(database.url, UnitRecords(evening.journals)).counts_by_kind
