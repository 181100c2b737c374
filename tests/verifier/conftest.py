"""One evening for all tests of the verifier, and hands to tamper with it."""

from collections.abc import Generator, Iterator

import psycopg
import pytest
from pytest_django import DjangoDbBlocker

from tests.support.houses.evening import Evening
from tests.support.proof.evening_hands import UNGUARDED, Hands, Played
from tests.support.suite.databases import clone, used_by_django


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
            connection.execute(UNGUARDED)
        yield database.url


@pytest.fixture
def hands(evening: Played, unguarded: str, request: pytest.FixtureRequest) -> Iterator[Hands]:
    """The evening without guards for one test."""
    with psycopg.connect(unguarded) as connection:
        yield Hands(connection, evening.journals, request.node.nodeid)
        connection.rollback()


@pytest.fixture
def guarded_hands(evening: Played) -> Iterator[Hands]:
    """The evening for one test that writes as the console does."""
    with psycopg.connect(evening.database.url) as connection:
        yield Hands(connection, evening.journals)
        connection.rollback()
