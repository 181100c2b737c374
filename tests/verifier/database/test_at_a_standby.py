"""The verifier looks at a standby as at its primary: nothing is written, no lock is asked for."""

import io
import pickle
import subprocess
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from psycopg import OperationalError, connect

from tests.support.houses.standby_house import first_house, house, play, primary, standby
from tests.support.people.cast import ClaimHouse
from tests.support.servers.streaming_standby import Primary, Standby
from tests.support.suite.waiting import wait_until
from verifier import second_process, verify
from verifier.__main__ import main
from verifier.database import rows
from verifier.database.report import CannotLook, Report
from verifier.database.rows import Conflict
from verifier.journals import UnitRecords

__all__ = ["first_house", "house", "primary", "standby"]

ROLE = "jackpot_reporting"
_CONFLICTS = "SELECT confl_lock FROM pg_stat_database_conflicts WHERE datname = 'jackpot'"


@pytest.fixture
def url(primary: Primary, standby: Standby, house: ClaimHouse) -> str:
    """Of the standby, by the role for people's own queries, with a round that the house played."""
    play(house)
    primary.let_in(ROLE)
    standby.wait_for(primary.server)
    return standby.server.url_as(ROLE)


def lock_at(primary: Primary, standby: Standby, times: int) -> Callable[[str], None]:
    """What is called as the verifier goes on: so many times the primary locks what it has read,
    which the standby cannot follow before the look has ended."""
    standby.waits_for_nobody()
    calls: list[str] = []

    def lock(line: str) -> None:
        if "inbox, receipts, people" not in line or len(calls) == times:
            return
        calls.append(line)
        with connect(primary.url) as owner:
            owner.execute("LOCK TABLE jackpot_transfer IN ACCESS EXCLUSIVE MODE")
        wait_until(lambda: standby.ask(_CONFLICTS) >= len(calls), what="the look to be ended")

    return lock


def outcome(report: Report) -> tuple[Any, ...]:
    return report.findings, report.counts


@pytest.mark.parametrize("processes", [1, 2])
def test_it_finds_there_what_it_finds_at_the_primary(
    url: str, primary: Primary, monkeypatch: pytest.MonkeyPatch, processes: int
) -> None:
    monkeypatch.setattr(second_process, "FROM_ENTRIES", 1)
    monkeypatch.setattr(second_process, "_processors", lambda: processes)
    report, of_primary = verify(url), verify(primary.url)
    assert outcome(report) == outcome(of_primary)
    assert report.ok, report.lines()
    assert report.counts["transfers"] > 0
    (remark,) = set(report.remarks) - set(of_primary.remarks)
    assert remark.startswith("the server is a standby: commits after ")


def test_a_look_that_the_standby_ends_begins_again(
    url: str, primary: Primary, standby: Standby
) -> None:
    report = verify(url, progress=lock_at(primary, standby, times=1))
    assert report.ok, report.lines()
    assert report.counts == verify(url).counts  # not those of both looks


def test_one_that_ends_it_again_says_what_to_do(
    url: str, primary: Primary, standby: Standby
) -> None:
    with pytest.raises(CannotLook, match=r"twice, to follow its primary.*max_standby_streaming"):
        verify(url, progress=lock_at(primary, standby, times=2))


def test_the_program_ends_with_2_then(
    url: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def ended(*_: Any) -> Any:
        raise Conflict("canceling statement due to conflict with recovery")

    monkeypatch.setattr("verifier.check._look", ended)
    monkeypatch.setattr(sys, "argv", ["verifier", "--database", url])
    assert main() == 2
    assert "could not look: the standby ended the look twice" in capsys.readouterr().err


def test_a_second_process_that_the_standby_ends_says_so(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(*_: Any) -> Any:
        raise Conflict

    monkeypatch.setattr(second_process, "walk", ended)
    with rows.snapshot(url) as connection:
        ((moment,),) = rows.ask(connection, "SELECT pg_export_snapshot()")
        (system,) = rows.systems(connection, None)
        what = pickle.dumps((url, moment, system, UnitRecords().log))
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(what)))
        with pytest.raises(SystemExit) as ended_with:
            second_process.main()
    process = second_process.SecondProcess.__new__(second_process.SecondProcess)
    process._process = subprocess.Popen(
        [sys.executable, "-c", f"raise SystemExit({ended_with.value.code})"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with process, pytest.raises(Conflict):
        process.report_to(Report())


def test_another_fault_is_raised_as_it_is() -> None:
    with pytest.raises(OperationalError):
        verify("postgresql://nobody@127.0.0.1:1/none")
