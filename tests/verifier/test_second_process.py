"""A long order is looked at by two processes, which find what one finds."""

from typing import Any

import psycopg
import pytest

from benchmarks.history import load
from benchmarks.seed_data import create_seed_data
from tests.support.proof.evening_hands import Hands
from tests.support.suite.databases import FreshDatabase
from verifier import Report, second_process, verify
from verifier.__main__ import look_at_database

TAMPERED = [
    "UPDATE jackpot_transfer SET amount = amount + 1 WHERE number % 60 = 0",
    "UPDATE jackpot_transfer SET debit_after = 7 WHERE number = 33",
    'UPDATE jackpot_entry SET outcome = \'{"flags": ["void"]}\' WHERE seq = 50',
    "UPDATE tables_tableevent SET body = body || '}' WHERE seq = 100",
    "UPDATE jackpot_block SET at = at - interval '1 hour' WHERE number = 2",
    "DELETE FROM jackpot_entry WHERE seq = 400",
    "UPDATE jackpot_head SET block_hash = sha256('')",
]


@pytest.fixture
def long_order(fresh_database: FreshDatabase, monkeypatch: pytest.MonkeyPatch) -> FreshDatabase:
    """An order that counts as long, on a machine with two processors."""
    create_seed_data(systems=2, tables=2)
    load(fresh_database.url, rounds=500)
    monkeypatch.setattr(second_process, "FROM_ENTRIES", 100)
    monkeypatch.setattr(second_process, "_processors", lambda: 2)
    return fresh_database


def said_by(report: Report) -> tuple[Any, ...]:
    return sorted(report.findings), report.counts_by_kind, report.counts, report.remarks


def test_two_processes_find_what_one_finds(
    long_order: FreshDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_for: list[str] = []
    started = second_process.SecondProcess.__init__

    def starting(self: Any, url: str, connection: Any, system: Any, published: Any) -> None:
        asked_for.append(system.code)
        started(self, url, connection, system, published)

    monkeypatch.setattr(second_process.SecondProcess, "__init__", starting)
    untouched = verify(long_order.url, with_actions=False)
    assert untouched.ok, untouched.lines()
    with psycopg.connect(long_order.url) as connection:
        Hands(connection, None).tamper(*TAMPERED)  # type: ignore[arg-type]
    both = verify(long_order.url, with_actions=False)
    assert asked_for == ["main", "main"]  # the other system's order is short
    assert {"hash chain", "books", "order", "fold"} <= set(both.counts_by_kind)
    assert both.counts_by_kind["books"] > 20

    monkeypatch.setattr(second_process, "_processors", lambda: 1)
    assert said_by(verify(long_order.url, with_actions=False)) == said_by(both)
    assert asked_for == ["main", "main"]


def test_a_second_process_that_fails_is_no_report(
    long_order: FreshDatabase,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    monkeypatch.setattr("sys.argv", ["verifier", "--database", long_order.url])
    assert look_at_database() == 2
    assert "its second process ended with a fault" in capsys.readouterr().err
