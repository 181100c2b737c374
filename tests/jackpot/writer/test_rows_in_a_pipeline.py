"""What a pipeline inserts is what COPY would have written."""

import json
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import pytest
from django.db import DataError, connection, transaction
from django.db.models import Model
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jackpot.models import Entry, Head, RoundState
from jackpot.storage.copying import RowsOf, null, text
from jackpot.storage.writing import _json
from tables.process.prepared_statements import is_in_pipeline, pipeline
from tests.support.play.house import House

pytestmark = pytest.mark.django_db

# Text of units has no control characters; what JSON has of them it escapes.
TEXTS = st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=20) | st.sampled_from(
    ["\\N", "\\", "\\\\N", "\\t", "'", '"', "{}", "NULL", ""]
)
JSON_TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
NUMBERS = st.none() | st.integers(-(2**63), 2**63 - 1)
ROUNDS = "system_id table_id round terms game stakes pot awaits"
ENTRIES = "system_id seq at kind type round body_hash body outcome"
AT = "2026-11-28T10:00:00.000001Z"


def rows_after(
    model: type[Model], names: str, lines: list[str], how: AbstractContextManager[None]
) -> list[tuple[Any, ...]]:
    """The rows as they are read back; nothing stays."""
    with transaction.atomic():
        with how:
            RowsOf(model, names).write(lines)
        with connection.cursor() as cursor:
            columns = names.replace(" ", ", ")
            cursor.execute(f"SELECT {columns} FROM {model._meta.db_table} ORDER BY 1, 2, 3")
            rows = cursor.fetchall()
        transaction.set_rollback(True)
    return rows


def both(model: type[Model], names: str, lines: list[str]) -> list[tuple[Any, ...]]:
    copied = rows_after(model, names, lines, nullcontext())
    assert len(copied) == len(lines)
    assert rows_after(model, names, lines, pipeline()) == copied
    return copied


@pytest.fixture
def head() -> Head:
    """Of a system that has an order: entries ask for it."""
    house = House()
    house.post()
    return house.head


@given(st.lists(st.tuples(st.none() | TEXTS, NUMBERS, st.booleans()), min_size=1, max_size=5))
def test_rounds(rounds: list[tuple[str | None, int | None, bool]]) -> None:
    lines = [
        f"1\t2\t{number}\t1\tholdem\t{text(stakes)}\t{null(pot)}\t{'t' if awaits else 'f'}\n"
        for number, (stakes, pot, awaits) in enumerate(rounds, 1)
    ]
    rows = both(RoundState, ROUNDS, lines)
    assert [row[5:] for row in rows] == rounds


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])  # nothing of it changes
@given(entries=st.lists(st.tuples(st.binary(max_size=4), NUMBERS, JSON_TEXTS), min_size=1))
def test_entries(head: Head, entries: list[tuple[bytes, int | None, str]]) -> None:
    lines = [
        f"{head.system_id}\t{seq}\t{AT}\tevent\tround_started\t{null(round_)}\t\\\\x{hash_.hex()}\t"
        f"{_json(word and {word: [word]})}\t{_json({'said': word})}\n"
        for seq, (hash_, round_, word) in enumerate(entries, 1)
    ]
    rows = both(Entry, ENTRIES, lines)
    assert [json.loads(row[-1])["said"] for row in rows] == [word for *_, word in entries]


def test_text_that_is_too_long_is_refused_and_not_cut() -> None:
    lines = [f"1\t2\t3\t1\tholdem\t{'x' * 201}\t\\N\tf\n"]
    for how in (nullcontext(), pipeline()):
        with pytest.raises(DataError, match="too long"):
            rows_after(RoundState, ROUNDS, lines, how)


@transaction.atomic
def write(*numbers: str) -> None:
    """Rounds of these numbers, a statement each."""
    with pipeline():
        assert is_in_pipeline()
        for number in numbers:
            RowsOf(RoundState, ROUNDS).write([f"1\t2\t{number}\t1\tholdem\t\\N\t\\N\tf\n"])


def test_a_fault_is_raised_at_the_end_and_the_next_pipeline_is_whole() -> None:
    with pytest.raises(DataError):
        write("three", "4")
    assert not is_in_pipeline()
    write("5")
    assert list(RoundState.objects.values_list("round", flat=True)) == [5]
