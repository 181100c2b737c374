"""What years of history cost: the writer, vacuum and disk, with and without a past.

    python -m benchmarks.years [--rounds 3000000] [--directory DIR]

A past is loaded as intake and poster would have written it, never frozen, as PostgreSQL leaves it
by its own defaults. Measured are: the writer with it and without, in turns; freezing all of it in
one piece, as every 200 million transactions ask; the same by slices, as the storage parameters of
the tables ask (`tables/schema/storage_parameters.py`), and what a whole freeze has left to do
behind them; the receipts while a table is frozen in one piece. Exit code 1 where a limit is missed.
"""

import argparse
import statistics
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from benchmarks.growth import WITHIN, load_history
from benchmarks.installation import PROJECT, LoadProcess, Stage
from benchmarks.meter import machine
from benchmarks.throughput import TABLES, run_on

GROWING = (
    "tables_tableevent",
    "jackpot_entry",
    "jackpot_transfer",
    "jackpot_roundstate",
    "jackpot_block",
)
SLICES = 3
BESIDE = "jackpot_transfer"  # the largest is frozen while the tables play
PER_SECOND = 200
LEFT_LIMIT = 0.05  # of the freeze in one piece is left where slices were frozen
WRITER, EMPTY, PAST = "writer", "nothing behind", "behind"

_SIZES = """
    SELECT relname, pg_relation_size(oid), pg_indexes_size(oid), reltuples
    FROM pg_class WHERE relname = ANY(%s) ORDER BY pg_total_relation_size(oid) DESC
"""
# As a display at a table says it each ten seconds, and as the worker sends a value of three tiers.
_READINGS = """
    INSERT INTO tables_displayreading (table_id, display, said_at, received_at, system_seq, terms,
                                       shown)
    SELECT t.id, 'main', now(), now() + n * interval '10 s', n, 1,
           '{"royal": 104117, "straight-flush": 102745, "aces-full": 101372}'
    FROM tables_gamingtable t, generate_series(1, %s) AS n
"""
_MESSAGES = """
    INSERT INTO jackpot_displaymessage (system_id, system_seq, at, payload)
    SELECT m.system_id, n, m.at + n * interval '1 s', m.payload
    FROM (SELECT * FROM jackpot_displaymessage ORDER BY id DESC LIMIT 1) m,
         generate_series(1, %s) AS n
"""


@dataclass(frozen=True)
class Vacuum:
    """One vacuum of the growing tables: seconds, and MB written to the log of the database."""

    seconds: float
    wal_mb: float


@dataclass(frozen=True)
class Result:
    """All that was measured."""

    rounds: int
    slice_rounds: int
    sizes: dict[str, tuple[float, float]]  # bytes of rows and of indexes a round
    whole: Vacuum
    slices: list[Vacuum]
    left: Vacuum  # a whole freeze behind the slices
    cpu_us: dict[str, list[float]]  # of an event, by what lies behind
    rates: dict[str, list[float]]
    receipts: dict[str, dict[str, float]]  # sequenced, quiet and beside a freeze


def vacuum(url: str, how: str) -> Vacuum:
    """Vacuum what grows, without the delays of autovacuum."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET vacuum_freeze_min_age = 0")
        before, start = _wal_bytes(connection), time.monotonic()
        for name in GROWING:
            connection.execute(sql.SQL(how).format(sql.Identifier(name)))
        seconds = time.monotonic() - start
        return Vacuum(seconds, (_wal_bytes(connection) - before) / 1e6)


def _wal_bytes(connection: psycopg.Connection[Any]) -> float:
    row = connection.execute("SELECT pg_current_wal_insert_lsn() - '0/0'").fetchone()
    return float(row[0]) if row else 0.0


def sizes(url: str, rounds: int) -> dict[str, tuple[float, float]]:
    """Bytes of rows and of indexes a round."""
    with psycopg.connect(url) as connection:
        rows = connection.execute(_SIZES, [list(GROWING)]).fetchall()
    return {name: (heap / rounds, indexes / rounds) for name, heap, indexes, _ in rows}


def grow(stage: Stage, url: str, rounds: int) -> None:
    """So many rounds more, not vacuumed."""
    run = [sys.executable, "-m", "benchmarks.history", "--no-vacuum", "--rounds", str(rounds)]
    subprocess.run(run, env=stage.environment(url), cwd=PROJECT, check=True, stderr=sys.stdout)


def receipts_beside(stage: Stage, url: str, boot: int, seconds: float) -> dict[str, Any]:
    """Press to the receipt sequenced, quiet and while a table is frozen, as autovacuum would."""
    measured = {}
    with stage.console(url, "intake", "poster") as console:
        for number, beside in enumerate(("quiet", "beside a freeze")):
            load = LoadProcess(
                console.broker.url,
                events=round(PER_SECOND * seconds),
                per_second=PER_SECOND,
                warm_up=PER_SECOND * 3,
                tables=TABLES,
                boot=boot + number,
                on_word=True,
            )
            try:
                load.wait("warm")
                freeze = threading.Thread(target=_freeze, args=[url])
                if number:
                    freeze.start()
                load.begin()
                measured[beside] = load.wait("report")["sequenced"]
            finally:
                load.stop()
        freeze.join()
    return measured


def _freeze(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET vacuum_cost_delay = '2ms'")  # autovacuum's own pace
        connection.execute(sql.SQL("VACUUM (FREEZE) {}").format(sql.Identifier(BESIDE)))


def row_bytes(stage: Stage, template: str, rows: int = 200_000) -> dict[str, float]:
    """Bytes of a reading of a display and of a message to displays, with their indexes."""
    with stage.database(template) as url, stage.console(url) as console:
        load = LoadProcess(console.broker.url, events=100, per_second=20, tables=TABLES, boot=99,
                           displays=True)  # fmt: skip
        try:
            load.report()
        finally:
            load.stop()
        bytes_of = {}
        with psycopg.connect(url) as connection:
            for name, insert in (
                ("tables_displayreading", _READINGS),
                ("jackpot_displaymessage", _MESSAGES),
            ):
                count = connection.execute(insert, [rows // TABLES]).rowcount
                row = connection.execute("SELECT pg_total_relation_size(%s)", [name]).fetchone()
                bytes_of[name] = row[0] / count if row else 0.0
        return bytes_of


def measure(stage: Stage, arguments: argparse.Namespace) -> Result:
    """All of it, on copies of one past."""
    rounds, part = arguments.rounds, arguments.slice
    for statement in ("ALTER SYSTEM SET autovacuum = off", "SELECT pg_reload_conf()"):
        stage.administer(statement)  # it would freeze by slices what is to be frozen in one piece
    past = load_history(stage, rounds)
    stage.create_seed_data("years_empty", 1, TABLES)
    rates: dict[str, list[float]] = {EMPTY: [], PAST: []}
    cpu_us: dict[str, list[float]] = {EMPTY: [], PAST: []}
    with stage.database(past) as url:
        for turn in range(arguments.repeats):
            with stage.database("years_empty") as empty:
                runs = {EMPTY: run_on(stage, empty, arguments.events)}
            runs[PAST] = run_on(stage, url, arguments.events, boot=2 + turn)
            for name, run in runs.items():
                rates[name].append(run["report"]["per_second_sequenced"])
                cpu_us[name].append(sum(run["cpu_us"].values()))
                print(f"  turn {turn + 1}, {name}: {rates[name][-1]:,.0f} a second", flush=True)
        receipts = receipts_beside(stage, url, 2 + arguments.repeats, arguments.seconds)
    size = sizes(stage.url_of(past), rounds)
    with stage.database(past) as url:
        whole = vacuum(url, "VACUUM (FREEZE) {}")
        print(f"  in one piece: {whole}", flush=True)
        slices = []
        for _ in range(SLICES):
            grow(stage, url, part)
            slices.append(vacuum(url, "VACUUM {}"))
            print(f"  a slice: {slices[-1]}", flush=True)
        left = vacuum(url, "VACUUM (FREEZE) {}")
    return Result(rounds, part, size, whole, slices, left, cpu_us, rates, receipts)


def misses(result: Result) -> list[str]:
    """Which limits are missed, in words."""
    missed = []
    empty, past = (statistics.median(result.cpu_us[name]) for name in (EMPTY, PAST))
    if past > (1 + WITHIN) * empty:
        missed.append(
            f"an event takes {past / empty:.0%} of the processor, wanted {1 + WITHIN:.0%}"
        )
    share = result.left.seconds / result.whole.seconds
    if share > LEFT_LIMIT:
        missed.append(f"behind slices {share:.1%} of a freeze is left, wanted {LEFT_LIMIT:.0%}")
    return missed


def render(result: Result) -> str:
    """As Markdown."""
    lines = [
        machine(),
        "",
        "| behind | events a second | processor time an event | to nothing behind |",
        "|---|---|---|---|",
    ]
    usual = statistics.median(result.cpu_us[EMPTY])
    for name in (EMPTY, PAST):
        spent = statistics.median(result.cpu_us[name])
        words = name if name == EMPTY else f"{result.rounds:,} rounds"
        lines.append(
            f"| {words} | {statistics.median(result.rates[name]):,.0f} | {spent:.0f} µs"
            f" | {spent / usual:.0%} |"
        )
    lines += ["", "| vacuum | seconds | MB of log | a million rounds |", "|---|---|---|---|"]
    part = Vacuum(
        statistics.median(one.seconds for one in result.slices),
        statistics.median(one.wal_mb for one in result.slices),
    )
    for words, one, rounds in (
        ("all of it, in one piece", result.whole, result.rounds),
        (f"a slice of {result.slice_rounds:,} rounds", part, result.slice_rounds),
        ("all of it, behind slices", result.left, result.rounds),
    ):
        million = one.seconds / rounds * 1e6
        lines.append(f"| {words} | {one.seconds:.2f} | {one.wal_mb:,.0f} | {million:.1f} s |")
    lines += ["", "| the receipt *sequenced* | p50 | p99 | longest |", "|---|---|---|---|"]
    for beside, spread in result.receipts.items():
        lines.append(
            f"| {beside} | {spread['p50_ms']:.0f} ms | {spread['p99_ms']:.0f} ms"
            f" | {spread['max_ms']:.0f} ms |"
        )
    lines += ["", "| bytes a round | rows | indexes |", "|---|---|---|"]
    lines += [f"| `{name}` | {heap:.0f} | {of:.0f} |" for name, (heap, of) in result.sizes.items()]
    return "\n".join(lines)


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--rounds", type=int, default=3_000_000, help="of the past")
    options.add_argument("--slice", type=int, default=100_000, help="rounds of a slice")
    options.add_argument("--events", type=int, default=60_000, help="of a run of the writer")
    options.add_argument("--repeats", type=int, default=3, help="runs of the writer")
    options.add_argument("--seconds", type=float, default=20.0, help="beside a freeze")
    options.add_argument("--directory", type=Path, help="keep the servers' files here")
    arguments = options.parse_args()
    with Stage(arguments.directory) as stage:
        result = measure(stage, arguments)
        rows = row_bytes(stage, "years_empty")
    print(render(result))
    lines = [f"A row of `{name}` takes {size:.0f} bytes." for name, size in rows.items()]
    print("\n".join(["", *lines]))
    if missed := misses(result):
        sys.exit("Missed: " + "; ".join(missed))


if __name__ == "__main__":
    main()
