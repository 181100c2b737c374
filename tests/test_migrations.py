"""Every migration can be taken back, and made again; the guards it makes stand in SQL files."""

import io
import re

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations import RunSQL

from tests.support.suite.databases import FreshDatabase
from tests.support.suite.sql_files import APPS, PROJECT, TABLES_ALONE, files, without_comments

OURS = "SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY proname"
GUARDS = """
    SELECT tgrelid::regclass::text, tgname, tgenabled FROM pg_trigger
    WHERE NOT tgisinternal ORDER BY 1, 2
"""
SETTINGS = """
    SELECT proname, coalesce(proconfig::text, '') FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace
"""
CONSTRAINTS = """
    SELECT conrelid::regclass::text, conname FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace AND contype <> 't' ORDER BY 1, 2
"""
MADE_IN_A_LOOP = re.compile(r"record_(tables|jackpot|settlement)_\w+")


def rows(query: str) -> list[tuple[str, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return list(cursor.fetchall())


def schema() -> tuple[list[str] | list[tuple[str, ...]], ...]:
    """What there is, without its columns."""
    queries = (OURS, GUARDS, CONSTRAINTS, SETTINGS)
    return (connection.introspection.table_names(), *(sorted(rows(query)) for query in queries))


def test_all_migrations_are_reversible(fresh_database: FreshDatabase) -> None:
    before = schema()
    assert ("refuse_change",) in before[1]
    for label in sorted({label for label, _ in MigrationLoader(connection).graph.nodes}):
        call_command("migrate", label, "zero", verbosity=0, interactive=False)
    assert connection.introspection.table_names() == ["django_migrations"]
    assert rows(OURS) == []
    call_command("migrate", verbosity=0, interactive=False)
    assert schema() == before
    call_command("grant_roles", stdout=io.StringIO())


def test_guards_alone_are_reversible(fresh_database: FreshDatabase) -> None:
    before = schema()
    for app in reversed(APPS):
        call_command("migrate", app, TABLES_ALONE[app], verbosity=0, interactive=False)
    assert rows(OURS) == []
    assert rows(GUARDS) == []
    call_command("migrate", verbosity=0, interactive=False)
    assert schema() == before


@pytest.mark.django_db
def test_every_function_has_its_search_path() -> None:
    """Without it a temporary table of the same name would be read first."""
    assert [
        name for name, settings in rows(SETTINGS) if "search_path=public, pg_temp" not in settings
    ] == []


def test_no_model_waits_for_its_migration(fresh_database: FreshDatabase) -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def functions(text: str) -> set[str]:
    """The names of the functions that a file makes one by one."""
    return set(re.findall(r"^CREATE FUNCTION (\w+)\(", text, re.MULTILINE))


@pytest.mark.django_db
def test_every_function_and_trigger_comes_from_its_file() -> None:
    texts = {name: without_comments(path.read_text()) for name, path in files().items()}
    names: set[str] = set()
    for name, text in texts.items():
        of_file = functions(text)
        assert of_file <= {name.partition("/")[2]}, name  # one a file, named after it
        names |= of_file
    ours = {name for (name,) in rows(OURS)}
    assert {name for name in ours if not MADE_IN_A_LOOP.fullmatch(name)} == names
    by_files = {
        trigger
        for text in texts.values()
        for trigger in re.findall(r"CREATE (?:CONSTRAINT )?TRIGGER (\w+)", text)
    }
    assert {trigger for _, trigger, _ in rows(GUARDS)} == by_files
    assert {enabled for *_, enabled in rows(GUARDS)} == {"A"}


def test_every_file_is_loaded_and_says_why() -> None:
    loaded = [
        statement
        for key, migration in MigrationLoader(None).disk_migrations.items()
        if key[0] in APPS
        for operation in migration.operations
        if isinstance(operation, RunSQL)
        for statement in operation.sql
    ]
    for name, path in files().items():
        text = path.read_text()
        assert text.startswith("-- "), name
        assert loaded.count(text.partition("\n-- Backwards:\n")[0]) == 1, name
    assert len(loaded) == len(files())


@pytest.mark.django_db
def test_every_guard_is_in_the_table_with_its_file() -> None:
    """Functions that are no triggers refuse nothing, and are not."""
    _, _, section = (PROJECT / "docs/proof.md").read_text().partition("## Guards of the database")
    table = re.findall(r"^\| (`\w+`.*?) \| .* \| `(\w+)/sql/` \|$", section, re.MULTILINE)
    guard_names = [f"{app}/{name}" for names, app in table for name in re.findall(r"\w+", names)]
    triggers = re.compile(r"^CREATE FUNCTION \w+\(\) RETURNS trigger", re.MULTILINE)
    guards = [
        name
        for name, path in files().items()
        if triggers.search(path.read_text()) or not functions(path.read_text())
    ]
    assert sorted(guard_names) == sorted(guards)


@pytest.mark.django_db
def test_no_index_is_only_the_beginning_of_another() -> None:
    """Each is written with every row, and a planner may take the worse one."""
    redundant = rows("""
        SELECT short.indexrelid::regclass::text, long.indexrelid::regclass::text
        FROM pg_index short
        JOIN pg_index long ON long.indrelid = short.indrelid
          AND long.indexrelid <> short.indexrelid
          AND (long.indkey::text || ' ') LIKE (short.indkey::text || ' %')
        WHERE short.indrelid::regclass::text ~ '^(tables|jackpot|settlement)_'
          AND NOT short.indisunique AND short.indpred IS NULL AND long.indpred IS NULL
          AND short.indclass[0] = long.indclass[0]
    """)
    assert redundant == []
