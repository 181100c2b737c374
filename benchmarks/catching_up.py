"""After an outage: how long until what waited is through, and whether live tables are starved.

Twelve tables have played for ten minutes at 500 events a second while the poster, the intake, or
one of two intakes was away; it comes back, and eight other tables play on at 500 a second. An
intake that was alone finds all of it in one queue, in the order that money is decided by, and what
is said now stands behind it. Where another one listened, nobody waits.
"""

import statistics
import time
from typing import Any

from benchmarks.installation import Console, LoadProcess, Stage, until
from benchmarks.meter import cpu_s
from benchmarks.throughput import DATABASE, TABLES

OUTAGE_EVENTS = 10 * 60 * 500
LIVE_RATE = 500
WAITING_TABLES = 12
LIMIT_S = 60.0
# Of the 99th percentile from a live press to its receipt *recorded*, where somebody listened.
RECORDED_LIMIT_MS = 1_000.0
ALONE, SECOND = "intake", "second intake"
BUSY_S = 2.0  # of a processor: it has started, and is at work
AS_BUSY = 1.5  # times the processor time of the intake that was there: both hear the live tables
_PROCESSES = {
    "poster": ("intake", "poster"),
    ALONE: ("intake", "poster"),
    SECOND: ("intake", SECOND, "poster"),
}
WINDOW = 4_000
OUTAGE_RATE = 15_000  # the ten minutes pass faster here


def measure(stage: Stage, events: int, repeats: int) -> dict[str, Any]:
    """Seconds until caught up and the live tables' report, by who was away."""
    stage.create_seed_data(DATABASE, 1, TABLES)
    runs_by_process: dict[str, list[dict[str, Any]]] = {away: [] for away in _PROCESSES}
    for turn in range(repeats):
        for away, runs in runs_by_process.items():
            runs.append(_run(stage, away, events))
            live = runs[-1]["live"]
            print(
                f"  turn {turn + 1}, {away} was away: caught up in {runs[-1]['seconds']:.1f} s,"
                f" live p99 recorded {live['recorded']['p99_ms']:.0f} ms,"
                f" sequenced {live['sequenced']['p99_ms']:.0f} ms",
                flush=True,
            )
    return {"events": events, "repeats": repeats, "away": runs_by_process}


def _run(stage: Stage, away: str, events: int) -> dict[str, Any]:
    with (
        stage.database(DATABASE) as url,
        stage.console(url, *_PROCESSES[away]) as console,
    ):
        loads = _loads(console, away, events)
        waiting, live = loads
        try:
            for load in loads:
                load.wait("open")
            console.stop(away)
            waiting.begin()
            if away == SECOND:
                return _while_it_hears_all_again(console, waiting, live)
            # Without a poster all is recorded first; without an intake it waits at the broker.
            waiting.wait("recorded" if away == "poster" else "sent")
            began = time.time()
            console.start(away)
            waiting.wait("sequenced begins" if away == "poster" else "recorded begins")
            live.begin()
            caught_up = waiting.wait("sequenced")["at"]
            return {"seconds": caught_up - began, "live": live.end()}
        finally:
            for load in loads:
                load.stop()


def _while_it_hears_all_again(
    console: Console, waiting: LoadProcess, live: LoadProcess
) -> dict[str, Any]:
    """All was recorded and has its place; the intake that was away hears each event once more."""
    waiting.wait("sequenced")
    began = time.time()
    console.start(SECOND)
    live.begin()
    pids = console.pids()
    second, first = pids[SECOND], pids[ALONE]
    until(lambda: cpu_s(second) > BUSY_S, "The backlog of the second intake")
    until(lambda: _hears_as_much(second, first), "An end of what waits for the second intake")
    return {"seconds": time.time() - began, "live": live.end()}


def _hears_as_much(second: int, first: int) -> bool:
    """Whether in the next second one process is hardly busier than the other."""
    before = cpu_s(second), cpu_s(first)
    time.sleep(1.0)
    return cpu_s(second) - before[0] < AS_BUSY * (cpu_s(first) - before[1])


def _loads(console: Console, away: str, events: int) -> tuple[LoadProcess, LoadProcess]:
    """The tables that played through the outage, and those that play on."""
    pace = {"window": WINDOW} if away == "poster" else {"per_second": OUTAGE_RATE}
    url = console.broker.url
    waiting = LoadProcess(
        url, name="waiting", events=events, tables=WAITING_TABLES, on_word=True, **pace
    )
    live = LoadProcess(
        url,
        name="live",
        events=LIVE_RATE * 600,
        per_second=LIVE_RATE,
        first_table=WAITING_TABLES + 1,
        tables=TABLES - WAITING_TABLES,
        on_word=True,
    )
    return waiting, live


def _runs(repeats: int) -> str:
    return "one run" if repeats == 1 else f"medians of {repeats} runs"


def misses(figures: dict[str, Any]) -> list[str]:
    """What caught up too late, and which live tables were starved, in words."""
    missed = []
    for away, runs in figures["away"].items():
        seconds = statistics.median(run["seconds"] for run in runs)
        if seconds > LIMIT_S:
            missed.append(f"behind the {away} caught up in {seconds:.0f} s, limit {LIMIT_S:.0f} s")
        recorded = _recorded_ms(runs)
        if away != ALONE and recorded > RECORDED_LIMIT_MS:
            missed.append(
                f"beside the {away} live p99 to recorded {recorded:,.0f} ms,"
                f" limit {RECORDED_LIMIT_MS:,.0f} ms"
            )
    return missed


def _recorded_ms(runs: list[dict[str, Any]]) -> float:
    return statistics.median(run["live"]["recorded"]["p99_ms"] for run in runs)


def render(figures: dict[str, Any]) -> list[str]:
    """The section as Markdown."""
    lines = [
        f"{figures['events']:,} events of {WAITING_TABLES} tables wait, {TABLES - WAITING_TABLES}"
        f" other tables go on at {LIVE_RATE} events a second as soon as it is at work again"
        f" (its start is counted in the time to catch up); {_runs(figures['repeats'])}:",
        "",
        "| who was away | caught up in | limit | events a second | live press to *recorded* p99"
        " | limit | live press to *sequenced* p50, p99 |",
        "|---|---|---|---|---|---|---|",
    ]
    for away, runs in figures["away"].items():
        seconds = statistics.median(run["seconds"] for run in runs)
        p50 = statistics.median(run["live"]["sequenced"]["p50_ms"] for run in runs)
        p99 = statistics.median(run["live"]["sequenced"]["p99_ms"] for run in runs)
        limit = "" if away == ALONE else f"{RECORDED_LIMIT_MS:,.0f} ms"
        lines.append(
            f"| the {away} | {seconds:.0f} s | {LIMIT_S:.0f} s | {figures['events'] / seconds:,.0f}"
            f" | {_recorded_ms(runs):,.0f} ms | {limit} | {p50:,.0f} ms, {p99:,.0f} ms |"
        )
    return lines
