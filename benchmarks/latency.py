"""From the press of the button to both receipts and to the display, under a steady load.

Open loop: every press is due at its moment, and its time counts from there, however late the
generator or the console is. In turns with the bare prototype, which answers when it has stored, as
milliseconds depend on the machine.
"""

import statistics
from typing import Any

from benchmarks.installation import LoadProcess, Stage
from benchmarks.throughput import DATABASE, TABLES, peer_at_work

RATES = (500, 2_000)
# Of the 99th percentile of a receipt: milliseconds, and times the prototype's.
RECORDED_LIMITS = {500: 10.0, 2_000: 20.0}
TIMES_LIMITS = {"recorded": 2.0, "sequenced": 8.0}
DISPLAY_LIMIT = 300.0
PROTOTYPE = "prototype"
WARM_UP_S = 3
_NAMES = {
    "recorded": "receipt *recorded*",
    "sequenced": "receipt *sequenced*",
    "displayed": "display message",
}


def measure(stage: Stage, seconds: int, repeats: int) -> dict[str, Any]:
    """Reports of the loads, by rate and who."""
    stage.create_seed_data(DATABASE, 1, TABLES)
    rates: dict[str, dict[str, list[dict[str, Any]]]] = {
        str(rate): {"console": [], PROTOTYPE: []} for rate in RATES
    }
    for turn in range(repeats):
        for rate in RATES:
            with stage.database(DATABASE) as url, stage.console(url) as console:
                report = _report(console.broker.url, rate, seconds, displays=True)
            with peer_at_work(stage, PROTOTYPE) as (broker, _child):
                bare = _report(broker.url, rate, seconds)
            rates[str(rate)]["console"].append(report)
            rates[str(rate)][PROTOTYPE].append(bare)
            print(
                f"  turn {turn + 1}, {rate} a second: p99 recorded"
                f" {report['recorded']['p99_ms']} ms, sequenced"
                f" {report['sequenced']['p99_ms']} ms, displayed"
                f" {report['displayed']['p99_ms']} ms;"
                f" prototype {bare['recorded']['p99_ms']} ms",
                flush=True,
            )
    return {"seconds": seconds, "repeats": repeats, "rates": rates}


def _report(mqtt_url: str, rate: int, seconds: int, *, displays: bool = False) -> dict[str, Any]:
    load = LoadProcess(
        mqtt_url,
        events=rate * seconds,
        per_second=rate,
        warm_up=rate * WARM_UP_S,
        tables=TABLES,
        displays=displays,
    )
    try:
        return load.report()
    finally:
        load.stop()


def _median(reports: list[dict[str, Any]], name: str, figure: str) -> float:
    return statistics.median(report[name][figure] for report in reports)


def render(figures: dict[str, Any]) -> list[str]:
    """The section as Markdown."""
    lines = [
        f"{figures['seconds']} s of presses at each rate, {TABLES} tables, all processes running,"
        f" in turns with the bare prototype; medians of {figures['repeats']} runs. Every press is"
        " due at its moment and its time counts from then, whether or not the one before has been"
        " answered:",
        "",
        "| from the press to | presses a second | p99 / prototype's | p99 / limit | p50 | p99 | max"
        " |",
        "|---|---|---|---|---|---|---|",
    ]
    for rate_text, reports in figures["rates"].items():
        rate = int(rate_text)
        bare = _median(reports[PROTOTYPE], "recorded", "p99_ms")
        for name, words in _NAMES.items():
            p50, p99, most = (
                _median(reports["console"], name, figure)
                for figure in ("p50_ms", "p99_ms", "max_ms")
            )
            times = f"{p99 / bare:.1f} of {TIMES_LIMITS[name]:g}" if name in TIMES_LIMITS else ""
            limit = _limit(name, rate)
            share = f"{p99 / limit:.0%} of {limit:g} ms" if limit else ""
            lines.append(
                f"| the {words} | {rate:,} | {times} | {share} | {p50:.1f} ms | {p99:.1f} ms"
                f" | {most:.0f} ms |"
            )
        p50 = _median(reports[PROTOTYPE], "recorded", "p50_ms")
        most = _median(reports[PROTOTYPE], "recorded", "max_ms")
        lines.append(
            f"| the word of the prototype | {rate:,} | | | {p50:.1f} ms | {bare:.1f} ms"
            f" | {most:.0f} ms |"
        )
    return lines


def misses(figures: dict[str, Any]) -> list[str]:
    """Which limits are missed, in words."""
    missed = []
    for rate, reports in figures["rates"].items():
        bare = _median(reports[PROTOTYPE], "recorded", "p99_ms")
        for name, words in _NAMES.items():
            p99 = _median(reports["console"], name, "p99_ms")
            where = f"the {words} at {rate} a second: p99"
            limit = _limit(name, int(rate))
            if limit is not None and p99 > limit:
                missed.append(f"{where} {p99:.1f} ms, limit {limit:g} ms")
            if name in TIMES_LIMITS and p99 > TIMES_LIMITS[name] * bare:
                missed.append(
                    f"{where} {p99 / bare:.1f} times the prototype's, limit {TIMES_LIMITS[name]:g}"
                )
    return missed


def _limit(name: str, rate: int) -> float | None:
    """In milliseconds."""
    if name == "displayed":
        return DISPLAY_LIMIT if rate == max(RATES) else None
    return RECORDED_LIMITS[rate] if name == "recorded" else None
