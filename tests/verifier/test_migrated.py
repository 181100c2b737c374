"""Migrations of a database with an evening in it: backwards and forwards again."""

import psycopg
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from pytest_django import DjangoDbBlocker

from tests.databases import clone, used_by_django
from tests.verifier.conftest import Played
from verifier import verify

BACK_TO = [
    ("settlement", "0028_alone_on_rounds"),
    ("jackpot", "0020_newest_session"),
    ("tables", "0010_events_of_known_tables"),
]
# A column that a migration brought goes with it, and what stood there: files lose the number of
# the command that took their hashes into the order.
LOST = {"settlement_attachment": "command"}


def digests(url: str) -> dict[str, str | None]:
    """The rows of every table, hashed."""
    with psycopg.connect(url) as other:
        names = other.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
            " AND tablename ~ '^(tables|jackpot|settlement|auth)_'"
        ).fetchall()
        found = {}
        for (name,) in names:
            row = f"(to_jsonb(t) - '{LOST.get(name, '')}')::text"
            query = f"SELECT md5(string_agg({row}, ' ' ORDER BY {row})) FROM {name} t"
            ((found[name],),) = other.execute(query.encode()).fetchall()
        return found


def test_migrations_leave_an_evening_as_it_was(
    evening: Played, django_db_blocker: DjangoDbBlocker
) -> None:
    """The newest of each app: keys, checks, indexes and guards are made over rows."""
    with clone(evening.database.name) as database, used_by_django(database, django_db_blocker):
        before = digests(database.url)
        assert sum(digest is not None for digest in before.values()) > 30
        executor = MigrationExecutor(connection)
        newest = executor.loader.graph.leaf_nodes()
        executor.migrate(BACK_TO)
        assert digests(database.url).items() <= before.items()
        executor = MigrationExecutor(connection)
        executor.migrate(newest)
        assert digests(database.url) == before
        # Of all that the verifier asks, it misses what that column said.
        assert set(verify(database.url, evening.journals).found) == {"files"}
