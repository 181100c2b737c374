"""The tests' own databases and broker behave as the other tests rely on."""

import os
import re
import subprocess
import sys
import threading

import psycopg
import pytest

from demo.servers.ports import answers
from tests.support.servers.services import Broker
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.run_length import LIST, is_left_out, longest
from tests.support.suite.waiting import wait_until


def _make_note(text: str) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE IF NOT EXISTS note (body text)")
        cursor.execute("INSERT INTO note VALUES (%s)", [text])


def _table_exists(url: str, table: str) -> bool:
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT to_regclass(%s) IS NOT NULL", [table]).fetchone()
        return bool(row and row[0])


@pytest.mark.parametrize("attempt", [1, 2])
def test_fresh_database_has_migrations_and_nothing_of_other_tests(
    fresh_database: FreshDatabase, attempt: int
) -> None:
    assert _table_exists(fresh_database.url, "django_migrations")
    assert not _table_exists(fresh_database.url, "note")
    _make_note("committed")
    assert _table_exists(fresh_database.url, "note")


def test_fresh_database_is_that_of_other_threads(fresh_database: FreshDatabase) -> None:
    from django.db import connection

    def in_a_thread() -> None:
        try:
            _make_note("from a thread")
        finally:
            connection.close()

    thread = threading.Thread(target=in_a_thread)
    thread.start()
    thread.join()
    assert _table_exists(fresh_database.url, "note")


def test_fresh_database_is_that_of_child_processes(fresh_database: FreshDatabase) -> None:
    process = subprocess.run(
        [sys.executable, "-c", "import os; print(os.environ['DATABASE_URL'])"],
        env=fresh_database.environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert process.stdout.strip() == fresh_database.url


def test_broker_listens(broker: Broker) -> None:
    assert answers(broker.port, broker.host)


def test_waiting_says_what_was_awaited() -> None:
    with pytest.raises(AssertionError, match=r"in vain for: the lamp \(last answer: 0\)"):
        wait_until(lambda: 0, timeout=0.01, what="the lamp")


@pytest.mark.parametrize("is_whole", [False, True])
def test_long_tests_are_left_out_unless_searches_are_whole(is_whole: bool) -> None:
    files = ["tests/crash", "tests/rules/test_cards.py"]
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    environment = {**os.environ, "WHOLE_SEARCHES": "1" if is_whole else "", "LONG_TESTS": ""}
    process = subprocess.run(
        [*command, *files], env=environment, capture_output=True, text=True, check=False
    )
    assert ("test_nothing_is_lost" in process.stdout) == is_whole, process.stdout


def test_ten_commits_run_all_long_tests() -> None:
    names = [f"tests/room/test_{number}.py::test_it" for number in range(300)]
    turns = [
        [n for n in range(10) if not is_left_out(name, f"{n}/10", is_whole=False)] for name in names
    ]
    assert all(len(turn) == 1 for turn in turns)
    assert all(turns.count([n]) > 15 for n in range(10))
    assert all(is_left_out(name, "", is_whole=False) for name in names)


def test_the_list_of_long_tests_names_functions_that_there_are() -> None:
    missing = []
    for name in LIST.read_text().splitlines():
        path, *_, function = name.split("::")
        file = LIST.parent.parent / path
        if not file.exists() or not re.search(rf"def {function}\(", file.read_text()):
            missing.append(name)
    assert missing == [], "make test ARGS=--write-long-tests writes the list again"


def test_long_are_those_that_take_most_of_the_time() -> None:
    seconds = {"a.py::one": 50.0, "a.py::two[1]": 20.0, "a.py::two[2]": 20.0, "b.py::three": 10.0}
    reports = [
        pytest.TestReport(name, ("", 0, ""), {}, "passed", None, "call", duration=took)
        for name, took in seconds.items()
    ]
    assert longest(reports) == ["a.py::one", "a.py::two"]
