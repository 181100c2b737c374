"""One evening for all tests of the verifier, and hands to tamper with it."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
from pytest_django import DjangoDbBlocker

from tests.support.houses.evening import Evening
from tests.support.servers.databases import FreshDatabase, clone, used_by_django
from verifier import Report
from verifier.check import look
from verifier.journals import UnitRecords

_UNGUARDED = """
    DO $$ DECLARE name text; BEGIN
        FOR name IN SELECT DISTINCT relname FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid
                    WHERE tgenabled <> 'D' AND relname ~ '^(tables|jackpot|settlement)_' LOOP
            EXECUTE format('ALTER TABLE %I DISABLE TRIGGER ALL', name);
        END LOOP;
    END $$
"""


@dataclass(frozen=True)
class Played:
    """A database with a whole evening, to which nobody is connected, and the units' journals."""

    database: FreshDatabase
    journals: Path


@dataclass(frozen=True)
class Hands:
    """The evening in the hands of somebody with the superuser's password; nothing of it stays."""

    connection: psycopg.Connection[tuple[Any, ...]]
    journals: Path

    def tamper(self, *statements: str) -> None:
        """Change what is recorded, with all triggers off. Each statement must find its rows."""
        self.connection.execute(_UNGUARDED)
        for statement in statements:
            changed = self.connection.execute(statement.encode())
            assert changed.rowcount != 0, f"this changed nothing: {statement}"

    def look(self, **options: Any) -> Report:
        """What the verifier says now."""
        units = UnitRecords(options.pop("journals", self.journals), options.pop("covered", {}))
        return look(self.connection, units, **options)


@pytest.fixture(scope="session")
def evening(
    template_database: str,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Generator[Played]:
    """Played once; no test leaves a trace in it."""
    journals = tmp_path_factory.mktemp("journals")
    with clone(template_database) as database:
        with used_by_django(database, django_db_blocker):
            Evening(journals)
        yield Played(database, journals)


@pytest.fixture(scope="session")
def unguarded(evening: Played) -> Iterator[str]:
    """The address of the evening with all triggers off, once for all hands: each table that lost
    its triggers within a test would be read again by all that the verifier asks."""
    with clone(evening.database.name) as database:
        with psycopg.connect(database.url) as connection:
            connection.execute(_UNGUARDED)
        yield database.url


@pytest.fixture
def hands(evening: Played, unguarded: str) -> Iterator[Hands]:
    """The evening without guards for one test."""
    with psycopg.connect(unguarded) as connection:
        yield Hands(connection, evening.journals)
        connection.rollback()


@pytest.fixture
def guarded_hands(evening: Played) -> Iterator[Hands]:
    """The evening for one test that writes as the console does."""
    with psycopg.connect(evening.database.url) as connection:
        yield Hands(connection, evening.journals)
        connection.rollback()
