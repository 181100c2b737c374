"""The database that every seed begins with: migrated and seeded once, then cloned."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from urllib.parse import urlsplit, urlunsplit

import psycopg
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection, connections
from psycopg import sql

from settlement.people.rights.roles import grant, install_roles
from simulation.environment.clocks import DAWN
from tables import keys
from tables.models import Casino, GamingTable, JackpotSystem

# Systems with their tables; every second table has a key.
Tables = Mapping[str, tuple[str, ...]]
SYSTEMS: Tables = {"north": ("n1", "n2", "n3"), "south": ("s1", "s2")}
WITH_DISPLAYS = "north"  # its terms post for how long a display may be dark
KEY = "5e" * 32
PEOPLE = {
    "mere": "Game supervisor",
    "tom": "Game supervisor",
    "david": "Casino manager",
    "anna": "Casino manager",
    "lucia": "Cashier",
    "priya": "Compliance",
}


# The database counts missed rounds by its own day: here it is that of the modelled time.
_DAY = """
    CREATE OR REPLACE FUNCTION gaming_day_of(casino bigint, instant timestamptz DEFAULT now())
    RETURNS date
    LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$ SELECT %s::date $$
"""


class TemplateDatabase:
    """Databases on the server that the settings name; none of theirs is touched."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._settings = connections.settings["default"]
        self._prefix = f"simulation_{os.getpid()}"
        self.template = f"{self._prefix}_template"
        self.empty = ""  # a database that carries all migrations, and nothing else
        self._databases: set[str] = set()

    def prepare(self, migrated: str | None = None, systems: Tables = SYSTEMS) -> None:
        """Make the template with these systems and their tables; from a database that carries all
        migrations, if one is named.
        """
        self.empty = migrated or self._migrated()
        self._administer("CREATE DATABASE {} TEMPLATE {}", self.template, self.empty)
        self._databases.add(self.template)
        with self.default_at(self.template):
            create_seed_data(systems)

    def _migrated(self) -> str:
        name = f"{self._prefix}_empty"
        self._administer("CREATE DATABASE {}", name)
        self._databases.add(name)
        with self.default_at(name):
            call_command("migrate", verbosity=0)
        return name

    def clone(self, source: str | None = None) -> str:
        """A new database like the template, or like `source`, to which nobody is connected."""
        name = f"{self._prefix}_{next(self._numbers)}"
        self._administer("CREATE DATABASE {} TEMPLATE {}", name, source or self.template)
        self._databases.add(name)
        return name

    def drop(self, name: str) -> None:
        """Take a database away, whoever is connected."""
        self._administer("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)
        self._databases.discard(name)

    def keep(self, name: str, under: str) -> None:
        """Let a database stay, under a name of its own."""
        self._administer("ALTER DATABASE {} RENAME TO {}", name, under)
        self._databases.discard(name)

    def close(self) -> None:
        """Take all of them away."""
        for name in sorted(self._databases):
            self.drop(name)

    @contextmanager
    def default_at(self, name: str) -> Iterator[None]:
        """Django's own connection is at this database meanwhile."""
        before = self._settings["NAME"]
        connections["default"].close()
        self._settings["NAME"] = name
        try:
            yield
        finally:
            connections["default"].close()
            self._settings["NAME"] = before

    def url(self, name: str) -> str:
        """The address of one of these databases."""
        return urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}"))

    def _administer(self, statement: str, *names: str) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


def create_seed_data(systems: Tables = SYSTEMS) -> None:
    """A casino with jackpot systems, their tables and people; no terms yet."""
    casino = Casino.objects.create(
        code="harbour", name="Harbour Casino", currency="NZD", timezone="Pacific/Auckland"
    )
    for code, tables in systems.items():
        system = JackpotSystem.objects.create(casino=casino, code=code, name=code.title())
        for number, table in enumerate(tables):
            gaming_table = GamingTable.objects.create(
                system=system, code=table, name=f"Table {table}"
            )
            if number % 2:
                keys.give(gaming_table, KEY)
    install_roles()
    for name, role in PEOPLE.items():
        person = User.objects.create(username=name, first_name=name.title())
        grant(person, role)
    with connection.cursor() as cursor:
        cursor.execute(_DAY, [DAWN.date()])
