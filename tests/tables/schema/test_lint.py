"""Migrations after a release let the version before go on; those that would not are named."""

import io
from collections.abc import Mapping
from importlib import import_module

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.core.management.commands import migrate as django_migrate
from django.db import OperationalError, connection, models
from django.db.migrations import (
    AddConstraint,
    AddField,
    AddIndex,
    AlterField,
    CreateModel,
    DeleteModel,
    Migration,
    RemoveField,
    RenameField,
    RunSQL,
)
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models.functions import Now
from psycopg.errors import DeadlockDetected
from pytest_django import Settings

from release import baseline
from tables.schema.guards import renew
from tables.schema.lint import Recorder, faults
from tests.support.suite.databases import FreshDatabase

BIG = models.BigAutoField(primary_key=True)
SHOE = CreateModel(
    "Shoe", [("id", BIG), ("decks", models.IntegerField()), ("note", models.TextField(null=True))]
)
NEW_TABLE = CreateModel("Card", [("id", models.BigAutoField(primary_key=True))])


def _migration(*operations: Operation) -> Migration:
    return type("Migration", (Migration,), {"operations": list(operations)})("made", "cards")


def statements_of(*operations: Operation) -> list[str]:
    """What the database gets of a migration that comes after the one with the table of shoes."""
    before = ProjectState()
    first, second = _migration(SHOE), _migration(*operations)
    with connection.schema_editor(atomic=False) as editor:
        before = first.apply(before, editor)
    recorder = Recorder()
    with connection.execute_wrapper(recorder), connection.schema_editor(atomic=False) as editor:
        second.apply(before, editor)
    return recorder.statements


UNSAFE: list[tuple[Operation, str]] = [
    (
        AddField("Shoe", "seals", models.IntegerField(default=0)),
        "DROP DEFAULT cards_shoe",  # Django's own default is in Python alone
    ),
    (AlterField("Shoe", "decks", models.BigIntegerField()), "ALTER COLUMN TYPE cards_shoe"),
    (AlterField("Shoe", "note", models.TextField(default="")), "SET NOT NULL cards_shoe"),
    (
        AddConstraint(
            "Shoe", models.CheckConstraint(condition=models.Q(decks__gt=0), name="some_decks")
        ),
        "ADD CONSTRAINT cards_shoe",
    ),
    (
        AddConstraint("Shoe", models.UniqueConstraint(fields=["note"], name="one_note")),
        "ADD CONSTRAINT cards_shoe",
    ),
    (AddIndex("Shoe", models.Index(fields=["decks"], name="by_decks")), "CREATE INDEX cards_shoe"),
    (RemoveField("Shoe", "note"), "DROP COLUMN cards_shoe"),
    (RenameField("Shoe", "note", "remark"), "RENAME cards_shoe"),
    (DeleteModel("Shoe"), "DROP TABLE cards_shoe"),
    (
        RunSQL("ALTER TABLE cards_shoe ADD COLUMN seals int NOT NULL"),
        "ADD COLUMN NOT NULL cards_shoe",
    ),
    (RunSQL("UPDATE cards_shoe SET note = ''"), "UPDATE OR DELETE cards_shoe"),
    (RunSQL("LOCK TABLE cards_shoe"), "LOCK cards_shoe"),
    (RunSQL("DO $$ BEGIN PERFORM 1; END $$"), "DO"),
]
SAFE: list[Operation] = [
    NEW_TABLE,
    AddField("Shoe", "seals", models.IntegerField(db_default=0)),
    AddField("Shoe", "at", models.DateTimeField(db_default=Now())),
    AddField("Shoe", "remark", models.TextField(null=True)),
    RunSQL("ALTER TABLE cards_shoe ADD CONSTRAINT some_decks CHECK (decks > 0) NOT VALID"),
    RunSQL("COMMENT ON TABLE cards_shoe IS 'Of cards'"),
    renew("settlement", "was_dealt_in"),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("operation", "fault"), UNSAFE, ids=[fault for _, fault in UNSAFE])
def test_what_the_version_before_cannot_live_with_is_refused(
    operation: Operation, fault: str
) -> None:
    faults_found = faults(statements_of(operation))
    assert any(each.startswith(f"{fault}: ") for each in faults_found), faults_found


@pytest.mark.django_db
@pytest.mark.parametrize("operation", SAFE, ids=str)
def test_what_it_can_live_with_is_not(operation: Operation) -> None:
    assert faults(statements_of(operation)) == []


@pytest.mark.django_db
def test_what_a_migration_makes_itself_nobody_uses_yet() -> None:
    index = AddIndex("Card", models.Index(fields=["id"], name="cards_by_id"))
    assert faults(statements_of(NEW_TABLE, index)) == []


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE INDEX CONCURRENTLY by_decks ON cards_shoe (decks)",
        "ALTER TABLE cards_shoe ADD CONSTRAINT u UNIQUE USING INDEX by_decks",
        "ALTER TABLE cards_shoe VALIDATE CONSTRAINT some_decks",
        "-- DROP TABLE cards_shoe\nSELECT 1",
    ],
)
def test_what_takes_no_long_lock_is_not(statement: str) -> None:
    assert faults([statement]) == []


@pytest.mark.parametrize(
    "notes", [{}, {"DROP COLUMN cards_shoe": "nobody reads it"}, {"RENAME cards_shoe": "1.2.0"}]
)
def test_a_second_step_names_the_release_that_made_the_first(notes: Mapping[str, str]) -> None:
    drop = ["ALTER TABLE cards_shoe DROP COLUMN note"]
    assert faults(drop, notes)
    assert faults(drop, {"DROP COLUMN cards_shoe": "1.2.0 no longer reads it"}) == []


def test_a_migration_holds_no_table_while_it_waits_for_another() -> None:
    """A rolling restart under load met it: the poster works on both."""
    add = "ALTER TABLE {} ADD COLUMN note text NULL"
    assert faults([add.format("cards_shoe"), add.format("cards_shoe")]) == []
    (fault,) = faults([add.format("cards_shoe"), add.format("cards_deck")])
    assert fault.startswith("SEVERAL TABLES cards_deck, cards_shoe: ")
    slices = "ALTER TABLE {} SET (autovacuum_freeze_min_age = 0)"
    assert faults([slices.format("cards_shoe"), slices.format("cards_deck")]) == []
    creation = "CREATE TABLE cards_box (id bigint)"
    assert faults([creation, add.format("cards_box"), add.format("cards_shoe")]) == []


@pytest.mark.django_db
def test_a_renewed_function_has_the_text_of_its_file() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT prosrc FROM pg_proc WHERE proname = 'was_dealt_in'")
        text = cursor.fetchone()
        cursor.execute(
            "CREATE OR REPLACE FUNCTION was_dealt_in(claim bigint, person integer, through"
            " bigint DEFAULT NULL) RETURNS boolean LANGUAGE sql AS 'SELECT true'"
        )
        statements = statements_of(renew("settlement", "was_dealt_in"))
        assert len(statements) == 1
        cursor.execute("SELECT prosrc FROM pg_proc WHERE proname = 'was_dealt_in'")
        assert cursor.fetchone() == text


def test_migrations_since_the_last_release_let_it_go_on_working(
    fresh_database: FreshDatabase,
) -> None:
    """Those of the release are exempt by name; before the first one all are."""
    released = baseline.released()
    if released is None:
        return
    assert set(released) <= set(baseline.present()), "a migration of the release is gone"
    new = [name.split(" ") for name in baseline.present() if name not in released]
    for app in {app for app, _ in new}:
        newest = [name.split(" ")[1] for name in released if name.startswith(f"{app} ")][-1]
        call_command("migrate", app, newest, verbosity=0, interactive=False)
    for app, name in new:
        recorder = Recorder()
        with connection.execute_wrapper(recorder):
            call_command("migrate", app, name, verbosity=0, interactive=False)
        notes = getattr(import_module(f"{app}.migrations.{name}").Migration, "second_step", {})
        assert faults(recorder.statements, notes) == [], f"{app} {name}"


def test_a_migration_in_each_other_s_way_is_taken_back(
    fresh_database: FreshDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A deadlock, of which it is the victim, is said like a table that is held."""

    def deadlock(*_arguments: object, **_options: object) -> None:
        raise OperationalError("deadlock detected") from DeadlockDetected()

    monkeypatch.setattr(django_migrate.Command, "handle", deadlock)
    with pytest.raises(CommandError, match="Run migrate again"):
        call_command("migrate", verbosity=0)


def test_a_migration_gives_up_where_somebody_holds_the_table(
    fresh_database: FreshDatabase, settings: Settings
) -> None:
    settings.MIGRATE_LOCK_S = 0.1
    with psycopg.connect(fresh_database.url) as other:
        other.execute("LOCK TABLE settlement_program IN ACCESS SHARE MODE")
        with pytest.raises(CommandError, match="Run migrate again"):
            call_command("migrate", "settlement", "0001", verbosity=0, stdout=io.StringIO())
    with connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        assert cursor.fetchone() == ("0",)
    call_command("migrate", verbosity=0, interactive=False)
