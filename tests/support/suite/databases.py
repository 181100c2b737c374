"""Databases of the tests' own: clones of one template that carries all migrations.

The append-only tables refuse TRUNCATE, so a database cannot be emptied after a test that
commits; it is thrown away instead. Cloning takes some tens of milliseconds.
"""

import fcntl
import io
import itertools
import os
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from psycopg import sql
from pytest_django import DjangoDbBlocker

_numbers = itertools.count(1)
# Files are copied in half the time in which their pages are written to the log, too.
_CLONE = "CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy"


@dataclass(frozen=True)
class FreshDatabase:
    """A database with all migrations and no rows, for one test."""

    name: str
    url: str

    def environment(self) -> dict[str, str]:
        """The environment in which a child process works on this database."""
        return {**os.environ, "DATABASE_URL": self.url}

    def go_away(self) -> None:
        """All connections end, and nobody gets a new one until `come_back`."""
        administer("ALTER DATABASE {} ALLOW_CONNECTIONS false", self.name)
        with psycopg.connect(url_of("postgres"), autocommit=True) as superuser:
            superuser.execute(
                "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = %s",
                [self.name],
            )

    def come_back(self) -> None:
        administer("ALTER DATABASE {} ALLOW_CONNECTIONS true", self.name)


@pytest.fixture(scope="session")
def django_db_setup(
    request: pytest.FixtureRequest,
    django_test_environment: None,
    django_db_modify_db_settings: None,
    django_db_blocker: DjangoDbBlocker,
) -> Generator[None]:
    """Make the test database and a template of it, and take both away after the last test.

    In place of pytest-django's fixture, which makes it only for its own marks and fixtures and
    would leave `fresh_database` with the database that the settings name. Of xdist's workers the
    first one migrates, and the others begin with its template.
    """
    from django.core.management import call_command
    from django.db import connection
    from django.test.utils import setup_databases, teardown_databases

    from settlement.people.rights.roles import install_roles

    verbosity = request.config.option.verbose
    with django_db_blocker.unblock(), _migrated_by_a_worker() as note:
        template_name = note.read()
        connection.settings_dict["TEST"]["TEMPLATE"] = template_name or None
        old_config = setup_databases(
            verbosity, interactive=False, aliases={"default": False}, serialized_aliases=set()
        )
        # Each: a copy has the rights on its tables, not those on the database itself.
        call_command("grant_roles", verbosity=0, stdout=io.StringIO())
        install_roles()  # once, for every house of a test
        connection.close()  # a database that somebody is connected to cannot be cloned
        migrated = connection.settings_dict["NAME"]
        template = _template_of(migrated)
        administer("DROP DATABASE IF EXISTS {}", template)
        administer(_CLONE, template, migrated)
        if not template_name:
            note.write(template)
    yield
    with django_db_blocker.unblock(), _migrated_by_a_worker() as note:
        if note.read() == template:  # a worker that begins only now migrates for itself
            note.truncate(0)
        administer("DROP DATABASE {} WITH (FORCE)", template)
        teardown_databases(old_config, verbosity)


@contextmanager
def _migrated_by_a_worker() -> Iterator[TextIO]:
    """A note of this run, for one worker at a time: the template that is migrated, if one is."""
    with (Path(os.environ["JACKPOT_TEST_DIRECTORY"]) / "migrated").open("a+") as note:
        fcntl.flock(note, fcntl.LOCK_EX)
        note.seek(0)
        yield note


def _template_of(migrated: str) -> str:
    return f"{migrated}_template"


@pytest.fixture(scope="session")
def template_database(django_db_setup: None) -> str:
    """The name of a database with all migrations, to which nobody connects."""
    from django.db import connection

    return _template_of(connection.settings_dict["NAME"])


@pytest.fixture
def fresh_database(
    request: pytest.FixtureRequest, template_database: str, django_db_blocker: DjangoDbBlocker
) -> Generator[FreshDatabase]:
    """A database in which the test, its threads and its processes may commit.

    Django's default connection is pointed at it, in every thread.
    """
    if request.node.get_closest_marker("django_db") or "db" in request.fixturenames:
        pytest.fail("Use either fresh_database or db: one commits, the other rolls back.", False)
    with clone(template_database) as database, used_by_django(database, django_db_blocker):
        yield database


@contextmanager
def clone(template: str) -> Iterator[FreshDatabase]:
    """A copy of a database to which nobody is connected; it is dropped at the end."""
    name = f"{_prefix(template)}{next(_numbers)}"
    administer(_CLONE, name, template)
    try:
        yield FreshDatabase(name, url_of(name))
    finally:
        administer("DROP DATABASE {} WITH (FORCE)", name)


def drop_clones(template: str, first: int, count: int) -> None:
    """Take away what a process that has ended left of its clones, which had numbers from here."""
    prefix = _prefix(template)
    with psycopg.connect(url_of("postgres"), autocommit=True) as connection:
        rows = connection.execute("SELECT datname FROM pg_database").fetchall()
    for (name,) in rows:
        number = name.removeprefix(prefix)
        if name.startswith(prefix) and number.isdecimal() and first <= int(number) < first + count:
            administer("DROP DATABASE {} WITH (FORCE)", name)


def _prefix(template: str) -> str:
    return f"{template.removesuffix('_template')}_"


@contextmanager
def used_by_django(database: FreshDatabase, blocker: DjangoDbBlocker) -> Iterator[None]:
    """Django's default connection is one to this database, in every thread."""
    with _led_elsewhere(blocker, NAME=database.name):
        yield


@contextmanager
def server_used_by_django(url: str, blocker: DjangoDbBlocker) -> Iterator[None]:
    """The same for a database of another server."""
    address = urlsplit(url)
    with _led_elsewhere(
        blocker,
        HOST=address.hostname,
        PORT=address.port,
        USER=address.username,
        PASSWORD=address.password,
        NAME=address.path.removeprefix("/"),
    ):
        yield


@contextmanager
def _led_elsewhere(blocker: DjangoDbBlocker, **elsewhere: str | int | None) -> Iterator[None]:
    from django.db import connections

    # The same dictionary is used by connections of other threads.
    settings = connections.settings["default"]
    before = {name: settings[name] for name in elsewhere}
    with blocker.unblock():
        connections["default"].close()
        settings.update(elsewhere)
        try:
            yield
        finally:
            connections["default"].close()
            settings.update(before)


def url_of(name: str) -> str:
    """The address of a database of the tests' server."""
    return urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}"))


def administer(statement: str, *names: str) -> None:
    """A statement about whole databases; `{}` in it are names."""
    with psycopg.connect(url_of("postgres"), autocommit=True) as connection:
        connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))
