"""How long nobody posts when the poster that writes is killed and another takes over."""

import statistics
from typing import Any

import psycopg

from benchmarks.installation import CONSOLE, LoadProcess, Stage, until
from benchmarks.throughput import DATABASE, TABLES

POSTERS = ("poster-a", "poster-b")
RATES = (500, 2_000)
SECONDS = 20
LIMIT_S = 5.0


def measure(stage: Stage, repeats: int) -> dict[str, Any]:
    """Seconds without a block, by rate."""
    stage.create_seed_data(DATABASE, 1, TABLES)
    pauses: dict[str, list[float]] = {str(rate): [] for rate in RATES}
    for turn in range(repeats):
        for rate in RATES:
            pauses[str(rate)].append(_run(stage, rate))
            print(
                f"  turn {turn + 1}, {rate} a second: nobody posted for"
                f" {pauses[str(rate)][-1]:.1f} s",
                flush=True,
            )
    return {"repeats": repeats, "rates": pauses}


def _run(stage: Stage, rate: int) -> float:
    programs = {"intake": CONSOLE["intake"]} | {
        name: [*CONSOLE["poster"], "--name", name] for name in POSTERS
    }
    with (
        stage.database(DATABASE) as url,
        stage.broker() as broker,
        stage.running(programs, stage.environment(url, broker.url)) as children,
        psycopg.connect(url, autocommit=True) as rows,
    ):
        load = LoadProcess(broker.url, events=rate * SECONDS, per_second=rate, tables=TABLES)
        try:
            load.wait("open")
            writer, seq, _ = _head(rows)
            until(lambda: _head(rows)[1] > seq + 2 * rate, "Two seconds of events")
            writer, seq, block = _head(rows)
            children.pop(writer).kill()
            until(lambda: _head(rows)[1] > seq + 8 * rate, "Eight seconds of events")
            load.report()
        finally:
            load.stop()
        return _longest_pause_s(rows, block)


def _head(rows: psycopg.Connection[Any]) -> tuple[str, int, int]:
    """Who writes, and how far the order goes: entries and blocks."""
    (row,) = rows.execute("SELECT writer, seq, block_number FROM jackpot_head").fetchall()
    writer, seq, block = row
    return writer.rpartition("-")[0], seq, block


def _longest_pause_s(rows: psycopg.Connection[Any], block: int) -> float:
    (row,) = rows.execute(
        "SELECT extract(epoch FROM max(pause)) FROM (SELECT at - lag(at) OVER (ORDER BY number)"
        " AS pause FROM jackpot_block WHERE number >= %s) AS pauses",
        [block],
    ).fetchall()
    return float(row[0])


def misses(figures: dict[str, Any]) -> list[str]:
    """At which rates a takeover took too long, in words."""
    return [
        f"nobody posted for {pause:.1f} s at {rate} a second, limit {LIMIT_S:g} s"
        for rate, pauses in figures["rates"].items()
        if (pause := statistics.median(pauses)) > LIMIT_S
    ]


def render(figures: dict[str, Any]) -> list[str]:
    """The section as Markdown."""
    return [
        "Two posters, of which the one that writes is killed while the tables play; the longest"
        f" time between two blocks, medians of {figures['repeats']} runs:",
        "",
        f"| events a second | nobody posted for | longest | to the limit of {LIMIT_S:g} s |",
        "|---|---|---|---|",
        *(
            f"| {int(rate):,} | {statistics.median(pauses):.1f} s | {max(pauses):.1f} s"
            f" | {statistics.median(pauses) / LIMIT_S:.0%} |"
            for rate, pauses in figures["rates"].items()
        ),
    ]
