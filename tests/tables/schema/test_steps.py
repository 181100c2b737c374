"""A step of several changes makes what they make one by one, and takes it back."""

from typing import Any

import pytest
from django.db import connection, models
from django.db.migrations import (
    AddConstraint,
    AddField,
    AddIndex,
    AlterField,
    AlterModelOptions,
    CreateModel,
    Migration,
    RemoveConstraint,
)
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

from tables.schema.steps import Change, in_one_step

pytestmark = pytest.mark.django_db

BEFORE = (
    CreateModel(
        "Shoe",
        [("id", models.BigAutoField(primary_key=True)), ("decks", models.IntegerField())],
        options={
            "constraints": [models.CheckConstraint(condition=models.Q(decks=1), name="one_deck")]
        },
    ),
)
# What is new, with all that belongs to it, in both directions; and of what was there, each kind.
CHANGES: tuple[Change, ...] = (
    CreateModel("Card", [("id", models.BigAutoField(primary_key=True))]),
    CreateModel(
        "Seal",
        [
            ("id", models.BigAutoField(primary_key=True)),
            ("card", models.ForeignKey("cards.Card", models.PROTECT)),
        ],
    ),
    AddField("Card", "seal", models.ForeignKey("cards.Seal", models.PROTECT, null=True)),
    AddField("Card", "rank", models.CharField(max_length=1)),
    AddIndex("Card", models.Index(fields=["rank"], name="card_by_rank")),
    AlterField("Card", "rank", models.CharField(max_length=2)),
    AddConstraint("Card", models.UniqueConstraint(fields=["seal", "rank"], name="one_of_a_seal")),
    AlterModelOptions("Card", {"ordering": ["rank"]}),
    AddField("Shoe", "top", models.ForeignKey("cards.Card", models.PROTECT, null=True)),
    AlterField("Shoe", "decks", models.BigIntegerField()),
    RemoveConstraint("Shoe", "one_deck"),
    AddConstraint("Shoe", models.CheckConstraint(condition=models.Q(decks__gt=0), name="one_deck")),
    AddIndex("Shoe", models.Index(fields=["decks"], name="shoe_by_decks")),
)
TABLES = ("cards_shoe", "cards_card", "cards_seal")


def shape() -> Any:
    """Columns in their order, indexes and constraints."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT table_name, column_name, data_type, character_maximum_length, is_nullable
            FROM information_schema.columns WHERE table_name = ANY(%s)
            ORDER BY table_name, ordinal_position
            """,
            [[*TABLES]],
        )
        columns = cursor.fetchall()
        cursor.execute(
            "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = ANY(%s) ORDER BY 1",
            [[*TABLES]],
        )
        indexes = cursor.fetchall()
        cursor.execute(
            """
            SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid)
            FROM pg_constraint WHERE conrelid::regclass::text = ANY(%s) ORDER BY 1, 2
            """,
            [[*TABLES]],
        )
        return columns, indexes, cursor.fetchall()


def migration(operations: list[Operation]) -> Migration:
    cards: Migration = type("Cards", (Migration,), {"operations": operations})("0001", "cards")
    return cards


def forwards(operations: list[Operation], state: ProjectState) -> ProjectState:
    """The state behind them; they begin with a rendered one, as Django's own command does."""
    assert state.apps
    with connection.schema_editor() as editor:
        return migration(operations).apply(state.clone(), editor)


def backwards(operations: list[Operation], state: ProjectState) -> None:
    with connection.schema_editor() as editor:
        migration(operations).unapply(state.clone(), editor)


def test_a_step_makes_what_its_changes_make_one_by_one() -> None:
    before = forwards([*BEFORE], ProjectState())
    empty = shape()
    one_by_one = forwards([*CHANGES], before)
    expected = shape()
    backwards([*CHANGES], before)
    assert shape() == empty

    step = forwards(in_one_step(*CHANGES), before)
    assert shape() == expected
    assert step == one_by_one
    backwards(in_one_step(*CHANGES), before)
    assert shape() == empty
