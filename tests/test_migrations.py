"""Every migration can be taken back, and made again."""

import io
import re
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.test import override_settings

from jackpot.models import Entry
from tables.messages import RoundStarted
from tables.models import Straggler
from tests.databases import FreshDatabase
from tests.jackpot.books import royal_terms
from tests.jackpot.house import House

PROJECT = Path(__file__).resolve().parent.parent
APPS = ("tables", "jackpot", "settlement")
OURS = "SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY proname"
GUARDS = """
    SELECT tgrelid::regclass::text, tgname, tgenabled FROM pg_trigger
    WHERE NOT tgisinternal ORDER BY 1, 2
"""
SETTINGS = """
    SELECT proname, proconfig::text FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace AND prorettype = 'trigger'::regtype
"""


def rows(query: str) -> list[tuple[str, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return list(cursor.fetchall())


def test_all_migrations_are_reversible(fresh_database: FreshDatabase) -> None:
    before = (connection.introspection.table_names(), rows(OURS), rows(GUARDS))
    assert ("refuse_change",) in before[1]
    for label in sorted({label for label, _ in MigrationLoader(connection).graph.nodes}):
        call_command("migrate", label, "zero", verbosity=0, interactive=False)
    assert connection.introspection.table_names() == ["django_migrations"]
    assert rows(OURS) == []
    call_command("migrate", verbosity=0, interactive=False)
    assert (connection.introspection.table_names(), rows(OURS), rows(GUARDS)) == before
    call_command("grant_roles", stdout=io.StringIO())


def test_a_guard_that_is_replaced_keeps_its_settings(fresh_database: FreshDatabase) -> None:
    """Forwards and backwards: without its search path a temporary table would be read first."""
    settings = sorted(rows(SETTINGS))
    assert any(
        "head_moves" in name and "search_path=public" in said for name, said in settings if said
    )
    for name in (
        "0021_checks_of_a_batch_read_the_batch",
        "0020_newest_session",
        "0023_numbers_from_one",
    ):
        call_command("migrate", "jackpot", name, verbosity=0, interactive=False)
        # Guards of the floor above that need more of this one are gone meanwhile.
        assert set(rows(SETTINGS)) <= set(settings), name
    call_command("migrate", verbosity=0, interactive=False)
    assert sorted(rows(SETTINGS)) == settings


@override_settings(GAP_WAIT_S=0.0)
def test_late_events_that_wait_at_an_update_get_their_places(fresh_database: FreshDatabase) -> None:
    """The intake of before left no notes of them."""
    house = House(royal_terms())
    house.open("t3")
    missing = [house.event("t3", RoundStarted, round=number) for number in (1, 2, 3)]
    house.rounds["t3"] = 3
    house.press("t3")
    house.record("t3", missing[0])
    house.post()
    house.record("t3", missing[1])
    house.record("t3", missing[2])
    Straggler.objects.all().delete()
    for name in ("0021_checks_of_a_batch_read_the_batch", "0022_gaps_by_stream"):
        call_command("migrate", "jackpot", name, verbosity=0, interactive=False)
    assert sorted(Straggler.objects.values_list("seq", flat=True)) == [3, 4]
    call_command("migrate", verbosity=0, interactive=False)
    house.post()
    assert not Straggler.objects.exists()
    assert Entry.objects.filter(outcome__flags__contains=["late"]).count() == 2


def test_no_model_waits_for_its_migration(fresh_database: FreshDatabase) -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def _last_text(name: str) -> str:
    """The newest migration that says what this function does."""
    makes = re.compile(rf"CREATE (?:OR REPLACE )?FUNCTION {name}\(|by_(?:act|proposal)\(\"{name}\"")
    files = (path for app in APPS for path in sorted((PROJECT / app / "migrations").glob("0*.py")))
    found = [str(path.relative_to(PROJECT)) for path in files if makes.search(path.read_text())]
    return found[-1] if found else "tables/guards.py"


@pytest.mark.django_db
def test_every_guard_is_in_the_table_with_the_file_of_its_text() -> None:
    _, _, section = (PROJECT / "docs/proof.md").read_text().partition("## Guards of the database")
    table = re.findall(r"^\| (`\w+`.*?) \| .* \| `(.*?)` \|$", section, re.MULTILINE)
    said = {name: file for names, file in table for name in re.findall(r"\w+", names)}
    # One writes the rows of each recorded table, all made from one list (settlement/recording.py).
    of_tables = {f"record_{table}" for table in connection.introspection.table_names()}
    guards = {name for name, _ in rows(SETTINGS)} - of_tables
    assert said == {name: _last_text(name) for name in guards}


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
