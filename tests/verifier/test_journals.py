"""Units' journals and receipts beside the database."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.support.proof.evening_hands import Hands

SESSION = "(SELECT min(seq) FROM event)"


@pytest.fixture
def folder(hands: Hands, tmp_path: Path) -> Path:
    """The evening's journals, to tamper with."""
    return Path(shutil.copytree(hands.journals, tmp_path / "journals"))


def change(folder: Path, table: str, statement: str, *values: Any) -> None:
    with closing(sqlite3.connect(folder / f"main--{table}.sqlite3")) as journal:
        assert journal.execute(statement, values).rowcount != 0
        journal.commit()


def report_text(hands: Hands, folder: Path, **options: Any) -> str:
    return "\n".join(hands.look(journals=folder, **options).lines())


def receipts(folder: Path, *messages: dict[str, Any]) -> None:
    lines = [json.dumps({"v": 1, "era": 1, "boot": 1, "results": [], **each}) for each in messages]
    (folder / "main--t3.receipts.jsonl").write_text("\n".join([*lines, '{"v": 1, "er']))


def test_an_event_that_never_arrived_is_found_once_all_is_settled(
    hands: Hands, folder: Path
) -> None:
    body = '{"type":"session_closed"}'
    change(folder, "t3", "INSERT INTO event VALUES (1, 17, ?, 0)", body.encode())
    assert "event t3/1/17: the unit wrote it down, and it is neither" in report_text(hands, folder)
    assert "all promises hold" in report_text(hands, folder, settled=False)


def test_an_event_that_a_receipt_covered_must_be_there_at_any_time(
    hands: Hands, folder: Path
) -> None:
    change(folder, "t3", "INSERT INTO event VALUES (1, 17, ?, 0)", b'{"type":"session_closed"}')
    output = report_text(hands, folder, settled=False, covered={("main", "t3", 1): 17})
    assert "event t3/1/17: a receipt covered it, and it is neither" in output
    assert "a receipt says 17, held is 16" in output


def test_what_a_journal_lost_it_must_declare(hands: Hands, folder: Path) -> None:
    change(folder, "t7", "DELETE FROM event WHERE seq = 5")
    output = report_text(hands, folder)
    assert "event t7/1/5: the journal has no seq 5 to 5, undeclared" in output
    assert "event t7/1/5: it is recorded, and no unit wrote it down" in output


def test_what_was_forgotten_from_the_beginning_is_no_fault(hands: Hands, folder: Path) -> None:
    change(folder, "t7", "DELETE FROM event WHERE seq < 5")
    assert "all promises hold" in report_text(hands, folder)


def test_a_boot_of_a_unit_that_was_replaced_is_no_fault(hands: Hands, folder: Path) -> None:
    """Its journal is gone with it; the events of its boot stay in the inbox."""
    change(folder, "t7", "UPDATE event SET boot = 2")
    output = report_text(hands, folder, settled=False)
    assert "no unit wrote it down" not in output


def test_other_bytes_than_the_journal_has(hands: Hands, folder: Path) -> None:
    change(folder, "t8", f"UPDATE event SET payload = payload || ' ' WHERE seq = {SESSION}")
    assert "event t8/1/1: the inbox has other bytes than the unit's journal" in report_text(
        hands, folder
    )


def test_a_mac_belongs_to_the_wire_and_not_to_the_inbox(hands: Hands, folder: Path) -> None:
    mac = b"\n" + b"0f" * 32
    change(folder, "t7", "UPDATE event SET payload = CAST(payload || ? AS BLOB)", mac)
    assert "all promises hold" in report_text(hands, folder)


def test_journals_of_strangers_are_named(hands: Hands, folder: Path) -> None:
    for name, place in (("a", "main"), ("b", "elsewhere")):
        shutil.copy(folder / "main--t3.sqlite3", folder / f"{name}.sqlite3")
        with closing(sqlite3.connect(folder / f"{name}.sqlite3")) as journal:
            body = json.dumps({"system": place, "table": "t99", "type": "session_closed"})
            journal.execute("UPDATE event SET payload = ?", [body.encode()])
            journal.commit()
    output = report_text(hands, folder)
    assert "table t99: a journal names it, the console does not know it" in output
    assert "b.sqlite3 is of a system elsewhere, which the console does not know" in output


def test_a_journal_without_events_is_remarked_on(hands: Hands, folder: Path) -> None:
    shutil.copy(folder / "main--t3.sqlite3", folder / "main--t9.sqlite3")
    change(folder, "t9", "DELETE FROM event")
    output = report_text(hands, folder)
    assert "main--t9.sqlite3 has no events" in output
    assert "all promises hold" in output


def test_a_folder_without_journals_is_an_error(hands: Hands, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no journal of a table unit lies in"):
        hands.look(journals=tmp_path)


def test_what_a_unit_was_told_stands(hands: Hands, folder: Path) -> None:
    ((number,),) = hands.connection.execute(
        "SELECT n.seq FROM jackpot_entry n JOIN tables_gamingtable g ON g.id = n.table_id"
        " WHERE (g.code, boot, event_seq) = ('t3', 1, 2)"
    ).fetchall()
    result = {"seq": 2, "outcome": "sequenced", "system_seq": number}
    receipts(folder, {"committed_seq": 16, "results": [result]})
    assert "all promises hold" in report_text(hands, folder)
    receipts(folder, {"committed_seq": 16, "results": [{**result, "system_seq": number + 1}]})
    assert f"event t3/1/2: its unit was told the number {number + 1}" in report_text(hands, folder)
    receipts(folder, {"committed_seq": 17})
    assert "a receipt says 17, held is 16" in report_text(hands, folder)
    receipts(folder, {"committed_seq": 17, "era": 7})  # of another era: that one is over
    assert "all promises hold" in report_text(hands, folder)
