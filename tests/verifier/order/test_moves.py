"""A table in two systems' orders: whoever forges one side of a move is found."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from pytest_django import Settings

from tests.support.houses.two_systems import TwoSystems
from tests.support.proof.evening_hands import Hands
from tests.support.suite.databases import FreshDatabase

FORGED: dict[str, tuple[list[str], str]] = {
    "the row says another place": (
        ["UPDATE tables_gamingtable SET code = 'h9' WHERE code = 'h1'"],
        "it left for high/h1 at entry",
    ),
    "the row says another entry": (
        ["UPDATE tables_gamingtable SET moved_entry = 2 WHERE code = 't3'"],
        "its row says high/h1 at 2",
    ),
    "a table that never left": (
        [
            "UPDATE tables_gamingtable SET in_service = false, moved_entry = 3, moved_to_id ="
            " (SELECT id FROM tables_gamingtable WHERE code = 't3') WHERE code = 't7'"
        ],
        "it is said to be main/t3 since entry 3, of no order",
    ),
    "nobody agreed": (
        ["DELETE FROM settlement_proposaldecision"],
        "move_table without a proposal by mere that david agreed to",
    ),
    "somebody else agreed": (
        [
            "UPDATE settlement_proposaldecision SET person_id ="
            " (SELECT id FROM auth_user WHERE username = 'sione')"
        ],
        "move_table names mere and david: mere proposed it, sione agreed",
    ),
    "it came from somewhere else": (
        [
            'UPDATE jackpot_command SET body = body || \'{"from_table": "t7"}\''
            " WHERE kind = 'receive_table'"
        ],
        "table h1 came from main, which never gave it away",
    ),
    "other people received it": (
        ["UPDATE jackpot_command SET first = 'sione' WHERE kind = 'receive_table'"],
        "table h1 came from main, which never gave it away",
    ),
    "it came by nobody's word": (
        ["UPDATE jackpot_entry SET type = 'suspend' WHERE type = 'receive_table'"],
        "it went to high/h1, whose order says so 0 times",
    ),
    "it was open": (
        ["DELETE FROM jackpot_entry WHERE type = 'session_closed'"],
        "by the rules it is refused (it is open), the outcome says otherwise",
    ),
    "more was receipted than is told": (
        [
            "UPDATE jackpot_command SET body = jsonb_set(body, '{receipted}', '[[1, 6]]')"
            " WHERE kind = 'move_table'",
            "INSERT INTO tables_tableevent (system_id, table_id, boot, seq, type, test,"
            " recorded_at, received_at, body) SELECT system_id, table_id, boot, 6, type, test,"
            " recorded_at, received_at, body FROM tables_tableevent WHERE seq = 5",
        ],
        "event 1/6 was receipted before, and has its place behind it",
    ),
    "the terms do not know it": (
        ["UPDATE jackpot_terms SET document = document - 'moved'"],
        "the document is not what was put into effect",
    ),
}


@pytest.fixture
def moved(fresh_database: FreshDatabase, settings: Settings) -> Iterator[Hands]:
    settings.CLAIM_WAIT_S = 0
    TwoSystems().move()
    with psycopg.connect(fresh_database.url) as connection:
        yield Hands(connection, Path())
        connection.rollback()


@pytest.mark.parametrize("name", ["nothing", *FORGED])
def test_a_forged_move_is_found(moved: Hands, name: str) -> None:
    statements, sentence = FORGED.get(name, ([], ""))
    if statements:
        moved.tamper(*statements)
    report = moved.look(journals=None)
    assert report.ok == (name == "nothing"), report.lines()
    assert any(sentence in line for line in report.lines()), report.lines()


def test_a_move_that_is_not_finished_is_a_remark(
    fresh_database: FreshDatabase, settings: Settings
) -> None:
    settings.CLAIM_WAIT_S = 0
    house = TwoSystems()
    house.agree(house.propose())
    house.post()
    with psycopg.connect(fresh_database.url) as connection:
        report = Hands(connection, Path()).look(journals=None)
    assert report.ok, report.lines()
    assert any("t3 left at entry" in remark for remark in report.remarks)
