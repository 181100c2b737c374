"""What the verifier says, and how it ends."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.proof.evening_hands import Hands, Played
from verifier import Report
from verifier.__main__ import main

PROJECT = Path(__file__).resolve().parents[2]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command, as an inspector types it: without Django and its settings."""
    return subprocess.run(
        [sys.executable, "-m", "verifier", *arguments],
        cwd=PROJECT,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_the_command_says_that_all_holds(evening: Played) -> None:
    process = run("--database", evening.database.url, "--journals", str(evening.journals), "--json")
    assert process.returncode == 0, process.stdout + process.stderr
    assert json.loads(process.stdout)["counts"]["systems"] == 1
    process = run("--database", evening.database.url, "--system", "main", "--running")
    assert process.stdout.endswith("all promises hold\n")


@pytest.fixture
def command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str]]:
    """The command in this process; its exit code and all that it said."""

    def called(*arguments: str) -> tuple[int, str]:
        monkeypatch.delenv("DATABASE_URL")
        monkeypatch.setattr(sys, "argv", ["verifier", *arguments])
        code = main()
        monkeypatch.undo()
        return code, "".join(capsys.readouterr())

    return called


def test_the_command_says_that_it_could_not_look(
    evening: Played, tmp_path: Path, command: Callable[..., tuple[int, str]]
) -> None:
    for arguments, why in (
        ((), "Name the database"),
        (("--database", "postgresql://nobody@127.0.0.1:1/none"), "could not look"),
        (("--database", evening.database.url, "--system", "nowhere"), "no system nowhere"),
        (("--database", evening.database.url, "--journals", str(tmp_path)), "no journal of a"),
    ):
        code, output = command(*arguments)
        assert code == 2
        assert why in output


def test_the_command_ends_with_1_where_a_promise_is_broken(
    evening: Played, tmp_path: Path, command: Callable[..., tuple[int, str]]
) -> None:
    journal = tmp_path / "main--t3.sqlite3"
    shutil.copy(evening.journals / journal.name, journal)
    with closing(sqlite3.connect(journal)) as file:
        file.execute("UPDATE event SET payload = payload || ' '")
        file.commit()
    code, output = command("--database", evening.database.url, "--journals", str(tmp_path))
    assert code == 1
    assert "journals: system main, event t3/1/1: the inbox has other bytes" in output


def test_a_flood_is_counted(hands: Hands) -> None:
    hands.tamper("UPDATE jackpot_transfer SET debit_after = debit_after + number")
    report = hands.look()
    sentences = [says for kind, says in report.findings if kind == "books"]
    assert len(sentences) == 20 < report.counts_by_kind["books"]
    more = report.counts_by_kind["books"] - 20
    assert f"books: and {more:,} more of this kind" in report.lines()


def test_a_report_without_findings_is_ok() -> None:
    assert Report().ok
    assert Report().as_json()["found"] == {}
