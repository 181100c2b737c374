"""Writing an archive and opening it again, beside pg_dump and pg_restore of the same database.

python -m benchmarks.archives [--rounds N] [--directory DIR]

Ninety gaming days of rounds that feed three tiers, all but the last one closed. `manage.py archive`
and `manage.py open_archive` into a database that is not there yet, pg_dump (custom format, which
compresses as an archive does) and pg_restore take turns. What counts is the ratio of the medians:
both work on the same rows in the same run. An archive that has not the rows, or not the hash of
the last block, ends with exit code 1.
"""

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from benchmarks.installation import PROJECT, Stage
from benchmarks.reports import prepared
from demo.servers import postgres_binaries

REPEATS = 3
WRITE, OPEN, DUMP, RESTORE = "archive", "open_archive", "pg_dump", "pg_restore"
_STANDS = """
    SELECT (SELECT count(*) FROM jackpot_transfer), (SELECT count(*) FROM tables_tableevent),
           (SELECT encode(hash, 'hex') FROM jackpot_block ORDER BY number DESC LIMIT 1)
"""
_LAST_DAY = """
    SELECT max(outcome->>'day') FROM jackpot_entry WHERE type = 'close_day'
"""


@dataclass(frozen=True)
class Run:
    """What a program took: by the clock, of the processors (its own and PostgreSQL's), and its
    output."""

    clock_s: float
    cpu_s: float
    output: str


@dataclass(frozen=True)
class Result:
    """Every run by what it did; the bytes of an archive, of a dump and of the database."""

    runs: dict[str, list[Run]]
    archive_bytes: int
    dump_bytes: int
    database_bytes: int

    def median(self, name: str) -> Run:
        some = self.runs[name]
        clock, processor = (
            statistics.median(getattr(each, field) for each in some)
            for field in ("clock_s", "cpu_s")
        )
        return Run(clock, processor, "")


class Measurement:
    """The turns over one database."""

    def __init__(self, stage: Stage, database: str) -> None:
        self.stage, self.database = stage, database
        self.url = stage.url_of(database)
        self.bin = postgres_binaries.find().bin
        self.folder = stage.directory / "archive"
        self.dump = stage.directory / "dump"

    def run(self, argv: Sequence[str | Path]) -> Run:
        """One program of a turn. SystemExit with its words where it fails."""
        environment = self.stage.environment(self.url)
        environment |= {"DEMO": "1", "LOG_LEVEL": "ERROR"}
        meter = self.stage.meter({})
        meter.start()
        start = time.monotonic()
        process = subprocess.Popen(
            [str(each) for each in argv],
            cwd=PROJECT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert process.stdout is not None
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        clock_s = time.monotonic() - start
        if process.returncode:
            raise SystemExit(f"{argv[0]} ended with {process.returncode}: {output[-2000:]}")
        own = usage.ru_utime + usage.ru_stime
        return Run(clock_s, own + sum(meter.stop().values()), output)

    def turn(self, day: str) -> dict[str, Run]:
        """Each program once; what was opened and restored has the rows of the database."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.dump.unlink(missing_ok=True)
        runs = {}
        runs[WRITE] = self.run(
            [sys.executable, "manage.py", "archive", "--through", day, "--to", self.folder]
        )
        runs[DUMP] = self.run(
            [self.bin / "pg_dump", "-Fc", "-Z", "6", "-d", self.url, "-f", self.dump]
        )
        key = re.search(r"--key (\w+)", runs[WRITE].output)
        assert key is not None
        opened, restored = f"{self.database}_opened", f"{self.database}_restored"
        with self._gone_afterwards(opened):
            url = self.stage.url_of(opened)
            into = ["--into", url, "--key", key[1]]
            runs[OPEN] = self.run([sys.executable, "manage.py", "open_archive", self.folder, *into])
            self._compare(opened)
        with self._gone_afterwards(restored):
            self.stage.administer("CREATE DATABASE {}", restored)
            url = self.stage.url_of(restored)
            runs[RESTORE] = self.run([self.bin / "pg_restore", "-d", url, self.dump])
            self._compare(restored)
        return runs

    def result(self) -> Result:
        (day,) = self._ask(self.database, _LAST_DAY)
        turns = [self.turn(str(day)) for _ in range(REPEATS)]
        (size,) = self._ask(self.database, "SELECT pg_database_size(current_database())")
        return Result(
            {name: [turn[name] for turn in turns] for name in (WRITE, DUMP, OPEN, RESTORE)},
            sum(each.stat().st_size for each in self.folder.iterdir()),
            self.dump.stat().st_size,
            int(str(size)),
        )

    def _compare(self, other: str) -> None:
        """SystemExit where another database does not hold the same order."""
        if self._ask(other, _STANDS) != self._ask(self.database, _STANDS):
            raise SystemExit(f"{other} does not hold what {self.database} does.")

    def _ask(self, database: str, query: str) -> tuple[object, ...]:
        with psycopg.connect(self.stage.url_of(database)) as connection:
            row = connection.execute(query).fetchone()
        assert row is not None
        return tuple(row)

    @contextmanager
    def _gone_afterwards(self, database: str) -> Iterator[None]:
        """A database that a program makes meanwhile."""
        self.stage.administer("DROP DATABASE IF EXISTS {} WITH (FORCE)", database)
        try:
            yield
        finally:
            self.stage.administer("DROP DATABASE IF EXISTS {} WITH (FORCE)", database)


def render(result: Result, rounds: int) -> str:
    """As tables."""
    lines = [
        f"{rounds:,} rounds, a database of {_mb(result.database_bytes)}; medians of {REPEATS}:",
        "",
        "| what | seconds | to PostgreSQL's | of the processors | to PostgreSQL's | size |",
        "|---|---|---|---|---|---|",
    ]
    sizes = {WRITE: result.archive_bytes, DUMP: result.dump_bytes}
    for name, beside in ((WRITE, DUMP), (DUMP, None), (OPEN, RESTORE), (RESTORE, None)):
        own, other = result.median(name), result.median(beside) if beside else None
        clock = f"{own.clock_s / other.clock_s:.2f} times" if other else ""
        processor = f"{own.cpu_s / other.cpu_s:.2f} times" if other else ""
        size = _mb(sizes[name]) if name in sizes else ""
        lines.append(
            f"| `{name}` | {own.clock_s:.1f} s | {clock} | {own.cpu_s:.1f} s | {processor}"
            f" | {size} |"
        )
    ratio = result.archive_bytes / result.dump_bytes
    lines += ["", f"The archive is {ratio:.2f} times the dump."]
    return "\n".join(lines)


def _mb(size: int) -> str:
    return f"{size / 1e6:,.0f} MB"


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--rounds", type=int, default=300_000)
    options.add_argument("--directory", type=Path, help="keep the servers' files here")
    arguments = options.parse_args()
    with Stage(arguments.directory) as stage:
        measurement = Measurement(stage, prepared(stage, arguments.rounds))
        result = measurement.result()
        shutil.rmtree(measurement.folder)
        measurement.dump.unlink()
    print(render(result, arguments.rounds))


if __name__ == "__main__":
    main()
