"""Whether throughput holds with millions of rounds behind, with one and many tables and systems."""

import statistics
import subprocess
import sys
from collections.abc import Callable
from typing import Any, LiteralString

import psycopg

from benchmarks.installation import PROJECT, Stage
from benchmarks.seed_data import system_codes
from benchmarks.throughput import TABLES, console_run, run_on

WITHIN = 0.15
# Systems and tables of each, beside the usual floor of one system.
FLOORS = {
    f"1 system, {TABLES} tables": (1, TABLES),
    "1 system, 1 table": (1, 1),
    "1 system, 200 tables": (1, 200),
    "50 systems, 4 tables each": (50, 4),
}
USUAL = next(iter(FLOORS))
KEY = "5a" * 32
BOOTS = 5_000  # of each unit: thirteen years of a start a day
_BOOTS = """
    WITH past AS (
        INSERT INTO tables_stream (system_id, table_id, boot, committed_seq, last_seq, settled)
        SELECT t.system_id, t.id, boot, 0, 0, true
        FROM tables_gamingtable t, generate_series(1, %s) AS boot
        RETURNING system_id, table_id, boot
    )
    INSERT INTO jackpot_cursor (system_id, table_id, boot, through) SELECT *, 0 FROM past
"""
GAPS = 10_000  # of one event each, which never came
_GAPS = """
    WITH past AS (
        SELECT system_id, id AS table_id, 1 AS boot, 2 * (%s / count(*) OVER ()) AS last_seq
        FROM tables_gamingtable
    ), heard AS (
        INSERT INTO tables_stream (system_id, table_id, boot, committed_seq, last_seq, settled)
        SELECT system_id, table_id, boot, 0, 0, true FROM past
    ), taken AS (
        INSERT INTO jackpot_cursor (system_id, table_id, boot, through) TABLE past
    )
    INSERT INTO jackpot_gap (system_id, table_id, boot, from_seq, to_seq, entry_seq, arrived)
    SELECT system_id, table_id, boot, seq, seq, 1, 0
    FROM past, generate_series(1, last_seq, 2) AS seq
"""


def measure(stage: Stage, rounds: int, events: int, repeats: int) -> dict[str, Any]:
    """Rates of the console by circumstance, and the disk that a round takes."""
    past = load_history(stage, rounds)
    for number, (systems, tables) in enumerate(FLOORS.values()):
        stage.create_seed_data(f"floor_{number}", systems, tables)
    stage.create_seed_data("floor_signed", 1, TABLES, KEY)
    long_past = f"{USUAL}, {rounds:,} rounds in the database"
    runs: dict[str, Callable[[int], dict[str, Any]]] = {
        name: _on_a_copy(stage, f"floor_{number}", events, *size)
        for number, (name, size) in enumerate(FLOORS.items())
    }
    runs[f"{USUAL}, every event signed"] = lambda _: console_run(
        stage, events, template="floor_signed", key=KEY
    )
    runs[f"{USUAL}, {BOOTS:,} boots of each unit before"] = lambda _: _behind(
        stage, events, _BOOTS, BOOTS, boot=BOOTS + 1
    )
    runs[f"{USUAL}, {GAPS:,} open gaps"] = lambda _: _behind(stage, events, _GAPS, GAPS, boot=2)
    # Each turn is another boot of the same units, behind all that is there.
    boot = _last_boot(stage.url_of(past))
    runs[long_past] = lambda turn: run_on(stage, stage.url_of(past), events, boot=boot + 1 + turn)
    rates: dict[str, list[float]] = {name: [] for name in runs}
    cpu_us: dict[str, list[float]] = {name: [] for name in runs}
    for turn in range(repeats):
        for name, run in runs.items():
            run_figures = run(turn)
            rates[name].append(run_figures["report"]["per_second_sequenced"])
            cpu_us[name].append(sum(run_figures["cpu_us"].values()))
            print(f"  turn {turn + 1}, {name}: {rates[name][-1]:,.0f} a second", flush=True)
    return {
        "rounds": rounds,
        "events": events,
        "repeats": repeats,
        "rates": rates,
        "cpu_us": cpu_us,
        "disk": disk(stage.url_of(past), rounds),
    }


def _on_a_copy(
    stage: Stage, template: str, events: int, systems: int, tables: int
) -> Callable[[int], dict[str, Any]]:
    wishes: dict[str, Any] = {"system": system_codes(systems), "tables": tables}
    return lambda _turn: console_run(stage, events, template=template, **wishes)


def _behind(stage: Stage, events: int, past: LiteralString, size: int, boot: int) -> dict[str, Any]:
    with stage.database("floor_0") as url:
        with psycopg.connect(url) as connection:
            connection.execute(past, [size])
        return run_on(stage, url, events, boot=boot)


def load_history(stage: Stage, rounds: int) -> str:
    """A database with so many rounds; one that the stage kept is used again."""
    name = f"history_{rounds}"
    if stage.has(name):
        stage.migrate(name)
    else:
        unfinished = f"{name}_unfinished"
        stage.create_seed_data(unfinished, 1, TABLES)
        run = [sys.executable, "-m", "benchmarks.history", "--rounds", str(rounds)]
        environment = stage.environment(stage.url_of(unfinished))
        subprocess.run(run, env=environment, cwd=PROJECT, check=True)
        stage.administer("ALTER DATABASE {} RENAME TO {}", unfinished, name)
    return name


def _last_boot(url: str) -> int:
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT max(boot) FROM tables_stream").fetchone()
    return int(row[0]) if row else 0


def disk(url: str, rounds: int) -> dict[str, float]:
    """Bytes of disk a round, with indexes: in all, and of the largest tables."""
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "SELECT relname, pg_total_relation_size(oid) FROM pg_class"
            " WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 2 DESC"
        ).fetchall()
        counted = connection.execute("SELECT count(*) FROM jackpot_roundstate").fetchone()
    count = int(counted[0]) if counted else rounds
    sizes = {name: size / count for name, size in rows[:5]}
    return {"in all": sum(size for _, size in rows) / count, **sizes}


def misses(report: dict[str, Any]) -> list[str]:
    """Which circumstances cost more than they may, in words."""
    medians = {name: statistics.median(rates) for name, rates in report["rates"].items()}
    return [
        f"{name}: {rate / medians[USUAL]:.0%} of the usual, wanted {1 - WITHIN:.0%}"
        for name, rate in medians.items()
        if rate < (1 - WITHIN) * medians[USUAL]
    ]


def render(report: dict[str, Any]) -> list[str]:
    """The section as Markdown."""
    medians = {name: statistics.median(rates) for name, rates in report["rates"].items()}
    spent = {name: statistics.median(cpu_us) for name, cpu_us in report["cpu_us"].items()}
    usual = medians[USUAL]
    lines = [
        f"{report['events']:,} events to both receipts, medians of {report['repeats']} interleaved"
        f" runs; wanted within {WITHIN:.0%} of the first line:",
        "",
        "| circumstance | to the first line | events a second | processor time an event |",
        "|---|---|---|---|",
        *(
            f"| {name} | {rate / usual:.0%} | {rate:,.0f} | {spent[name]:.0f} µs |"
            for name, rate in medians.items()
        ),
        "",
    ]
    of_tables = ", ".join(
        f"`{name}` {size:,.0f}" for name, size in report["disk"].items() if name != "in all"
    )
    return [
        *lines,
        f"Disk, indexes included: {report['disk']['in all']:,.0f} bytes a round ({of_tables}),"
        f" so {report['disk']['in all'] * 1e7 / 2**30:.0f} GiB for 10 million rounds.",
    ]
