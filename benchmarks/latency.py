"""From the press of the button to both receipts and to the display, under a steady load.

Open loop: every press is due at its moment, and its time counts from there, however late the
generator or the console is.
"""

import statistics
from typing import Any

from benchmarks.installation import LoadProcess, Stage
from benchmarks.throughput import DATABASE, TABLES

RATES = (500, 2_000)
# Limits of the 99th percentile, in milliseconds.
RECEIPT_LIMITS = {500: 10.0, 2_000: 20.0}
DISPLAY_LIMIT = 300.0
WARM_UP_S = 3
_NAMES = {
    "recorded": "receipt *recorded*",
    "sequenced": "receipt *sequenced*",
    "displayed": "display message",
}


def measure(stage: Stage, seconds: int, repeats: int) -> dict[str, Any]:
    """Reports of the loads, by rate."""
    stage.create_seed_data(DATABASE, 1, TABLES)
    reports_by_rate: dict[str, list[dict[str, Any]]] = {str(rate): [] for rate in RATES}
    for turn in range(repeats):
        for rate in RATES:
            report = _run(stage, rate, seconds)
            reports_by_rate[str(rate)].append(report)
            print(
                f"  turn {turn + 1}, {rate} a second: p99 recorded"
                f" {report['recorded']['p99_ms']} ms, sequenced"
                f" {report['sequenced']['p99_ms']} ms, displayed"
                f" {report['displayed']['p99_ms']} ms",
                flush=True,
            )
    return {"seconds": seconds, "repeats": repeats, "rates": reports_by_rate}


def _run(stage: Stage, rate: int, seconds: int) -> dict[str, Any]:
    with stage.database(DATABASE) as url, stage.console(url) as console:
        load = LoadProcess(
            console.broker.url,
            events=rate * seconds,
            per_second=rate,
            warm_up=rate * WARM_UP_S,
            tables=TABLES,
            displays=True,
        )
        try:
            return load.report()
        finally:
            load.stop()


def render(figures: dict[str, Any]) -> list[str]:
    """The section as Markdown."""
    lines = [
        f"{figures['seconds']} s of presses at each rate, {TABLES} tables, all processes running;"
        f" medians of {figures['repeats']} runs. Every press is due at its moment and its time"
        " counts from then, whether or not the one before has been answered:",
        "",
        "| from the press to | presses a second | p99 / limit | p50 | p99 | max |",
        "|---|---|---|---|---|---|",
    ]
    for rate_text, reports in figures["rates"].items():
        rate = int(rate_text)
        for name, words in _NAMES.items():
            p50, p99, most = (
                statistics.median(report[name][figure] for report in reports)
                for figure in ("p50_ms", "p99_ms", "max_ms")
            )
            limit = _limit(name, rate)
            share = f"{p99 / limit:.0%} of {limit:g} ms" if limit else ""
            lines.append(
                f"| the {words} | {rate:,} | {share} | {p50:.1f} ms | {p99:.1f} ms"
                f" | {most:.0f} ms |"
            )
    return lines


def misses(figures: dict[str, Any]) -> list[str]:
    """Which limits are missed, in words."""
    return [
        f"the {_NAMES[name]} at {rate} a second: p99 {p99:.1f} ms, limit {limit:g} ms"
        for rate, reports in figures["rates"].items()
        for name in _NAMES
        if (limit := _limit(name, int(rate))) is not None
        and (p99 := statistics.median(report[name]["p99_ms"] for report in reports)) > limit
    ]


def _limit(name: str, rate: int) -> float | None:
    if name == "displayed":
        return DISPLAY_LIMIT if rate == max(RATES) else None
    return RECEIPT_LIMITS[rate]
