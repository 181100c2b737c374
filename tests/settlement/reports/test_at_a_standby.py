"""Exports are read at the standby where it shows what the primary had, else at the primary.

Real servers: a primary, at which Django looks, and standbys that stream from it (pg_basebackup -R).
"""

from __future__ import annotations

import copy
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import environ
import pytest
from django.db import connection
from django.utils import timezone
from psycopg import connect
from pytest_django import DjangoDbBlocker, Settings

from demo.servers.ports import free_port
from demo.servers.postgres import PrivatePostgres
from jackpot.models import Block, Transfer
from jackpot.writer.poster import Poster
from settlement.models import ReportExport
from settlement.reports import exports
from settlement.reports.catalogue import reports
from settlement.reports.exports import folder_of, run_next
from tables.process import read_standby
from tests.support.houses.office.exports import by_name, csv_rows, public_key, requested, write
from tests.support.houses.standby_house import (
    ROLE,
    first_house,
    house,
    newest,
    play,
    primary,
    read_at,
    standby,
)
from tests.support.pages.page_staff import page_of
from tests.support.people.cast import ClaimHouse
from tests.support.servers.streaming_standby import Primary, Standby
from tests.support.suite.databases import server_used_by_django
from tests.support.suite.waiting import wait_until
from verifier.export import findings

__all__ = ["first_house", "house", "primary", "standby"]

ROUNDS = 40  # the row of the head fills its page, which is cleared of what nobody reads there
Writer = Callable[[Any, Path, Any], dict[str, int]]
_CSV: Writer = exports._WRITERS["csv"]


def elsewhere(work: Callable[[], Any]) -> Any:
    """Done in another thread: this one may look at the standby."""

    def act() -> Any:
        try:
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as other:
        return other.submit(act).result()


@contextmanager
def written_meanwhile(export: ReportExport) -> Iterator[Future[ReportExport]]:
    """The worker is at work in another thread; it has ended when this has."""

    def work() -> ReportExport:
        try:
            return write(export)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as worker:
        yield worker.submit(work)


def source_of(export: ReportExport) -> tuple[str, str, str]:
    return export.state, export.source, export.refusal


def block_of(export: ReportExport) -> tuple[int, str]:
    """As its signed list names it."""
    (point,) = json.loads(by_name(export)["json"].read_text())["checkpoints"]
    return point["block"], point["hash"]


def holds_block(export: ReportExport, block: Block) -> bool:
    """Whether its ledger is that of this block: every transfer up to it, and none behind it."""
    amounts = Transfer.objects.filter(number__lte=block.last_transfer).order_by("number")
    rows = csv_rows(by_name(export)["csv"])
    return (
        block_of(export) == (block.number, bytes(block.hash).hex())
        and [round(float(row["amount_NZD"]) * 1_000_000) for row in rows]
        == list(amounts.values_list("amount", flat=True))
        and findings(folder_of(export), public_key()) == []
    )


def test_without_a_standby_all_is_as_it_was(house: ClaimHouse, settings: Settings) -> None:
    settings.READ_DATABASE = {}
    export = write(requested("ledger", "csv"))
    assert source_of(export) == ("done", "", "")
    assert holds_block(export, newest())
    assert "Read from" not in page_of("ines", "/reports/files/")


def content_of(path: Path) -> dict[str, bytes]:
    """The bytes of a file; of a workbook those of its parts, but for the second it was made in."""
    if path.suffix != ".xlsx":
        return {"": path.read_bytes()}
    with zipfile.ZipFile(path) as book:
        return {name: book.read(name) for name in book.namelist() if name != "docProps/core.xml"}


def test_the_files_are_those_of_the_primary_byte_for_byte(
    standby: Standby, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every report as CSV, one as every kind of file, said to be made at one time."""
    at, address = timezone.now(), settings.READ_DATABASE
    monkeypatch.setattr(exports, "timezone", SimpleNamespace(now=lambda: at))
    for code in reports():
        kinds = exports.formats() if code == "ledger" else ["csv"]
        first, second = requested(code, *kinds), requested(code, *kinds)
        settings.READ_DATABASE = address
        assert source_of(write(first)) == ("done", "standby", ""), code
        settings.READ_DATABASE = {}
        assert source_of(write(second)) == ("done", "", ""), code
        files, others = by_name(first), by_name(second)
        assert files.keys() == others.keys() == {*kinds, "json", "sig"}
        for kind in kinds:  # the list has the export's number
            assert content_of(files[kind]) == content_of(others[kind]), (code, kind)


def test_it_notes_the_block_of_when_it_was_asked_for(house: ClaimHouse, standby: Standby) -> None:
    block = play(house)
    export = requested("ledger", "csv")
    assert export.pins == [
        {"system": "main", "block": block.number, "hash": bytes(block.hash).hex()}
    ]
    later = play(house)
    assert source_of(write(export)) == ("done", "standby", "")
    assert holds_block(export, later)
    assert "Read from the standby" in page_of("ines", "/reports/files/")


def test_a_standby_that_lags_is_waited_for(house: ClaimHouse, standby: Standby) -> None:
    standby.pause()
    block = play(house)
    export = requested("ledger", "csv")
    query = f"SELECT count(*) FROM pg_stat_activity WHERE usename = '{ROLE}'"
    with written_meanwhile(export) as work:
        wait_until(lambda: standby.ask(query), what="the worker to look at the standby")
        assert not work.done()
        standby.resume()
        export = work.result()
    assert source_of(export) == ("done", "standby", "")
    assert holds_block(export, block)


def test_one_that_lags_for_too_long_is_not(
    house: ClaimHouse, standby: Standby, settings: Settings
) -> None:
    settings.READ_WAIT_S = 0.2
    standby.pause()
    block = play(house)
    export = write(requested("ledger", "csv"))
    assert source_of(export) == ("done", "primary", "behind")
    assert holds_block(export, block)
    words = "Read from the database itself: the standby did not catch up in time"
    assert words in page_of("ines", "/reports/files/")


def test_somebody_cancels_while_it_is_waited_for(
    house: ClaimHouse, primary: Primary, standby: Standby
) -> None:
    standby.pause()
    play(house)
    export = requested("ledger", "csv")
    with written_meanwhile(export) as work:
        with connect(primary.url, autocommit=True) as beside:
            running = "SELECT 1 FROM settlement_reportexport WHERE state = 'running'"
            wait_until(lambda: beside.execute(running).fetchone(), what="the worker")
            beside.execute("UPDATE settlement_reportexport SET cancel_at = now()")
        assert work.result().state == "cancelled"


def test_it_belongs_to_one_block_while_tables_play(
    house: ClaimHouse, primary: Primary, standby: Standby, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However much they play."""
    block = play(house)

    def after_another_round(sheet: Any, path: Path, tick: Any) -> dict[str, int]:
        assert elsewhere(lambda: [play(house) for _ in range(ROUNDS)])[-1].number > block.number
        standby.wait_for(primary.server)
        return _CSV(sheet, path, tick)

    monkeypatch.setitem(exports._WRITERS, "csv", after_another_round)
    with primary.clears_nothing():
        export = write(requested("ledger", "csv"))
    assert source_of(export) == ("done", "standby", "")
    assert holds_block(export, block)


def test_a_standby_that_dies_in_the_middle(
    house: ClaimHouse, standby: Standby, monkeypatch: pytest.MonkeyPatch
) -> None:
    block, times = play(house), []

    def while_it_dies(sheet: Any, path: Path, tick: Any) -> dict[str, int]:
        times.append(path)
        path.with_name("half").write_text("of the standby")
        if len(times) == 1:
            standby.server.kill()
        else:
            assert not path.exists()
            path.with_name("half").unlink()
        return _CSV(sheet, path, tick)

    monkeypatch.setitem(exports._WRITERS, "csv", while_it_dies)
    export = write(requested("ledger", "csv"))
    assert len(times) == 2
    assert source_of(export) == ("done", "primary", "lost")
    assert (export.attempts, export.rows_done) == (1, export.rows_total)
    assert holds_block(export, block)


def test_a_standby_that_ends_the_query_to_go_on(
    house: ClaimHouse, primary: Primary, standby: Standby, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the primary locked, the standby cannot replay while somebody reads it."""
    standby.waits_for_nobody()
    times = []

    def while_it_is_locked(sheet: Any, path: Path, tick: Any) -> dict[str, int]:
        times.append(path)
        if len(times) == 1:
            with connect(primary.url) as owner:
                owner.execute("LOCK TABLE jackpot_transfer IN ACCESS EXCLUSIVE MODE")
            ends = "SELECT confl_lock FROM pg_stat_database_conflicts WHERE datname = 'jackpot'"
            wait_until(lambda: standby.ask(ends), what="the query to be ended")
        return _CSV(sheet, path, tick)

    monkeypatch.setitem(exports._WRITERS, "csv", while_it_is_locked)
    export = write(requested("ledger", "csv"))
    assert len(times) == 2
    assert source_of(export) == ("done", "primary", "lost")
    assert holds_block(export, newest())


@contextmanager
def fork_of(house: ClaimHouse, standby: Standby, blocker: DjangoDbBlocker) -> Iterator[ClaimHouse]:
    """The house at a standby that was promoted; the primary lives on without it."""
    standby.promote()
    other = copy.copy(house)
    other.seqs, other.rounds = dict(house.seqs), dict(house.rounds)
    with server_used_by_django(standby.url, blocker):
        other.poster = Poster("of-the-fork")
        yield other


def test_a_standby_that_was_promoted_is_refused(
    house: ClaimHouse, standby: Standby, django_db_blocker: DjangoDbBlocker
) -> None:
    with fork_of(house, standby, django_db_blocker) as other:
        play(other)
    export = write(requested("ledger", "csv"))
    assert source_of(export) == ("done", "primary", "promoted")
    assert holds_block(export, newest())


@pytest.mark.parametrize("is_longer", [True, False])
@pytest.mark.usefixtures("house")
def test_a_standby_of_another_order_is_refused(
    first_house: ClaimHouse,
    standby: Standby,
    settings: Settings,
    django_db_blocker: DjangoDbBlocker,
    is_longer: bool,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It follows what was a standby of ours, and has another block of the same number."""
    settings.READ_WAIT_S = 0.2
    with fork_of(first_house, standby, django_db_blocker) as other:
        theirs = play(other)
    if is_longer:
        standby.ask("SELECT pg_switch_wal()")
    ours = play(first_house)
    assert (ours.number, bytes(ours.hash)) != (theirs.number, bytes(theirs.hash))
    with standby.follower() as follower:
        read_at(follower, settings)
        export = write(requested("ledger", "csv"))
    assert source_of(export) == ("done", "primary", "diverged")
    assert f"the standby: block {ours.number} of main" in caplog.text
    assert holds_block(export, ours)


def test_a_standby_without_the_block_or_with_more_is_refused(
    house: ClaimHouse, standby: Standby, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    standby.promote()
    standby.ask("SELECT pg_switch_wal()")
    with standby.follower() as follower:
        read_at(follower, settings)
        export = write(requested("ledger", "csv"))
        assert source_of(export) == ("done", "primary", "diverged")
        assert "its log is longer" in caplog.text
        ours = play(house)
        export = write(requested("ledger", "csv"))
    assert source_of(export) == ("done", "primary", "diverged")
    assert f"block {ours.number} of main" in caplog.text
    assert "is not there" in caplog.text
    assert holds_block(export, ours)


def test_a_standby_of_another_database_is_refused(
    house: ClaimHouse, settings: Settings, tmp_path: Path
) -> None:
    server = PrivatePostgres(tmp_path / "other", durable=False)
    with server:
        pass  # the database is made
    (server.home / "data" / "standby.signal").touch()
    with server:
        settings.READ_DATABASE = environ.Env.db_url_config(server.url)
        export = requested("ledger", "csv")
        assert run_next()
    export.refresh_from_db()
    assert source_of(export) == ("done", "primary", "strange")


def test_a_standby_that_is_not_there_holds_nobody_up(house: ClaimHouse, settings: Settings) -> None:
    settings.READ_DATABASE = environ.Env.db_url_config(
        f"postgresql://{ROLE}:none@127.0.0.1:{free_port()}/jackpot"
    )
    export = write(requested("ledger", "csv"))
    assert source_of(export) == ("done", "primary", "silent")
    assert holds_block(export, newest())


def test_totals_of_a_long_report_are_added_up_there(
    house: ClaimHouse,
    standby: Standby,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    play(house)
    reads: list[str] = []
    usual = read_standby.reading_from

    def counted(server: Any) -> Any:
        reads.append(server.settings_dict["PORT"])
        return usual(server)

    monkeypatch.setattr(read_standby, "reading_from", counted)
    read_at(standby, settings, role="")  # as the tests' web is the owner
    assert "Add up all rows" in page_of("ines", "/reports/ledger/")
    assert not reads
    page = page_of("ines", "/reports/ledger/?totals=1")
    assert len(reads) == 1
    settings.READ_DATABASE = {}
    assert at_no_time(page) == at_no_time(page_of("ines", "/reports/ledger/?totals=1"))
    read_at(standby, settings, role="")
    standby.pause()
    block = play(house)
    page = page_of("ines", "/reports/ledger/?totals=1")
    assert len(reads) == 1
    assert "in place of the standby: the standby did not catch up in time" in caplog.text
    assert f"block {block.number}" in page


def at_no_time(page: str) -> str:
    """Without the time at which it would be printed."""
    return re.sub(r"\d{2}:\d{2}(:\d{2})?", "", page)
