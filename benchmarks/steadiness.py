"""Private memory of each process over minutes of a steady load: it must not grow."""

import statistics
import time
from collections import defaultdict
from typing import Any

from benchmarks.installation import Console, LoadProcess, Stage, StageError
from benchmarks.meter import children, private_mib
from benchmarks.throughput import DATABASE, TABLES

RATE = 2_000
EVERY_S = 5.0
FLAT = 0.1  # MiB a minute over the second half of a run


def measure(stage: Stage, minutes: float) -> dict[str, Any]:
    """Samples of each process: minutes since the beginning, MiB."""
    stage.create_seed_data(DATABASE, 1, TABLES)
    samples: dict[str, list[tuple[float, float]]] = defaultdict(list)
    with stage.database(DATABASE) as url, stage.console(url) as console:
        events = int(RATE * 60 * minutes)
        load = LoadProcess(console.broker.url, events=events, per_second=RATE, tables=TABLES)
        try:
            load.wait("open")
            start = time.monotonic()
            while (passed_s := time.monotonic() - start) < minutes * 60:
                for name, mib in _look(console).items():
                    samples[name].append((passed_s / 60, mib))
                if load.process.poll() is not None:
                    raise StageError("The load ended before its time.")
                time.sleep(EVERY_S)
            report = load.wait("report")
        finally:
            load.stop()
    return {"minutes": minutes, "samples": samples, "report": report}


def _look(console: Console) -> dict[str, float]:
    """Private memory by name, that of children included; shared buffers are nobody's own."""
    sizes = {
        name: sum(map(private_mib, [pid, *children(pid)])) for name, pid in console.pids().items()
    }
    backends: dict[str, float] = defaultdict(float)
    for pid, name in console.meter().served().items():
        backends[name] += private_mib(pid)
    return {**sizes, **backends}


def misses(figures: dict[str, Any]) -> list[str]:
    """Whose memory grows, in words."""
    slopes = {
        name: _slope(samples[len(samples) // 2 :]) for name, samples in figures["samples"].items()
    }
    return [
        f"{name} grows by {slope:.2f} MiB a minute, limit {FLAT}"
        for name, slope in slopes.items()
        if slope > FLAT
    ]


def render(figures: dict[str, Any]) -> list[str]:
    """The section as Markdown."""
    report = figures["report"]
    lines = [
        f"{figures['minutes']:g} minutes at {RATE:,} events a second ({report['events']:,} events,"
        f" p99 to the receipt *sequenced* {report['sequenced']['p99_ms']:.0f} ms); memory that no"
        " other process shares, the slope over the second half:",
        "",
        "| process | MiB a minute | after a tenth | at the end | most |",
        "|---|---|---|---|---|",
    ]
    for name, samples in figures["samples"].items():
        mib = [value for _, value in samples]
        lines.append(
            f"| {name} | {_slope(samples[len(samples) // 2 :]):+.2f} | {mib[len(mib) // 10]:.0f}"
            f" MiB | {mib[-1]:.0f} MiB | {max(mib):.0f} MiB |"
        )
    return lines


def _slope(samples: list[tuple[float, float]]) -> float:
    """MiB a minute, by least squares."""
    if len(samples) < 2:
        return 0.0
    minutes, mib = zip(*samples, strict=True)
    return statistics.linear_regression(minutes, mib).slope
