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


def test_its_options(
    evening: Played, tmp_path: Path, command: Callable[..., tuple[int, str]]
) -> None:
    at = ("--database", evening.database.url)
    code, output = command(*at, "--json", "--journals", str(evening.journals))
    document, end = json.JSONDecoder().raw_decode(output)
    assert code == 0
    assert (document["ok"], document["counts"]["systems"]) == (True, 1)
    assert output[:end].count("\n  ") > 5  # a line for each
    assert output[end:].splitlines()[1:] == [
        "system main: inbox, receipts, people",
        "system main: 3 journals",
    ]
    folder = Path(shutil.copytree(evening.journals, tmp_path / "journals"))
    with closing(sqlite3.connect(folder / "main--t3.sqlite3")) as file:
        file.execute('INSERT INTO event VALUES (1, 17, \'{"type":"session_closed"}\', 0)')
        file.commit()
    for option, expected in ((), 1), (("--running",), 0):
        assert command(*at, "--system", "main", "--journals", str(folder), *option)[0] == expected
    for options, why in (
        (("--log-key", "x"), "x is no public key: it has the form NAME+ID+KEY"),
        (("--checkpoints", str(tmp_path / "nowhere")), "No such file or directory"),
    ):
        code, output = command(*at, *options)
        assert (code, why in output) == (2, True), output
        assert output.startswith("The verifier could not look: ")


def test_it_says_how_far_it_is(hands: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every two seconds; never where it takes no time."""
    clock = iter(range(10**9))
    lines: list[str] = []
    hands.look(progress=lines.append)
    assert lines == ["system main: inbox, receipts, people", "system main: 3 journals"]
    monkeypatch.setattr("verifier.check.time.monotonic", lambda: next(clock))
    lines.clear()
    report = hands.look(progress=lines.append)
    entries, blocks = report.counts["entries"], report.counts["blocks"]
    *steps, people, journals = lines
    assert [people, journals] == [
        "system main: inbox, receipts, people", "system main: 3 journals",
    ]  # fmt: skip
    numbers = [int(line.split()[3].replace(",", "")) for line in steps]
    assert steps == [f"system main: entry {each:,} of {entries:,}" for each in numbers]
    assert numbers == sorted(set(numbers))
    assert blocks / 4 - 1 <= len(steps) <= blocks / 3  # each third block, and where it was said
    assert report.seconds == blocks + len(steps) + 2
