"""An evening in the hands of somebody who may change what is recorded."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from tests.support.suite.databases import FreshDatabase
from verifier import Report
from verifier.check import look
from verifier.journals import UnitRecords

UNGUARDED = """
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
    test: str = ""  # in which they are, by its name

    def tamper(self, *statements: str) -> None:
        """Change what is recorded, with all triggers off. Each statement must find its rows."""
        self.connection.execute(UNGUARDED)
        for statement in statements:
            changed = self.connection.execute(statement.encode())
            assert changed.rowcount != 0, f"this changed nothing: {statement}"

    def look(self, **options: Any) -> Report:
        """What the verifier says now."""
        units = UnitRecords(options.pop("journals", self.journals), options.pop("covered", {}))
        return look(self.connection, units, **options)
