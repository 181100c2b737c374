"""Sustained throughput: the console, a bare prototype, a plain ORM program and django-hordak.

In turns, each with a database and a broker of its own; the same units, events, tiers and window.
"""

import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.installation import PROJECT, LoadProcess, Stage, StageError, until
from benchmarks.meter import Meter
from demo.servers.broker import PrivateBroker
from demo.servers.child import Child

DATABASE = "seed_data"
TABLES = 20
WINDOW = 4_000
PEERS_PYTHON = PROJECT / ".venv-peers" / "bin" / "python"
PEERS: dict[str, tuple[str, Path]] = {
    "prototype": ("benchmarks.peers.prototype", Path(sys.executable)),
    "plain ORM": ("benchmarks.peers.plain_orm", Path(sys.executable)),
    "django-hordak": ("benchmarks.peers.hordak_legs", PEERS_PYTHON),
}
# The console's rate over the peer's, at least.
TARGETS = {"prototype": 0.75, "plain ORM": 40.0, "django-hordak": 15.0}
# Peers that take some hundred events a second get that share of the events.
SHARE = {"prototype": 1.0, "plain ORM": 0.015, "django-hordak": 0.01}


def measure(stage: Stage, events: int, repeats: int) -> dict[str, Any]:
    """Rates and processor time of every run, by who."""
    stage.create_seed_data(DATABASE, 1, TABLES)
    runs: dict[str, list[dict[str, Any]]] = {"console": [], **{peer: [] for peer in PEERS}}
    for turn in range(repeats):
        runs["console"].append(console_run(stage, events))
        _say("console", turn, runs)
        for peer in PEERS:
            runs[peer].append(_peer_run(stage, peer, int(events * SHARE[peer])))
            _say(peer, turn, runs)
    return {"events": events, "repeats": repeats, "runs": runs}


def console_run(
    stage: Stage, events: int, *, template: str = DATABASE, **wishes: Any
) -> dict[str, Any]:
    """One run of the console on a copy of a database."""
    with stage.database(template) as url:
        return run_on(stage, url, events, **wishes)


def run_on(stage: Stage, url: str, events: int, **wishes: Any) -> dict[str, Any]:
    """One run of the console on this database."""
    with stage.console(url, "intake", "poster") as console:
        wishes = {"tables": TABLES, "window": WINDOW, **wishes}
        report, cpu_us = _measured(console.meter, console.broker, events, **wishes)
    if report["missing"]:
        raise StageError(f"{report['missing']} receipts never came.")
    return {"report": report, "cpu_us": cpu_us}


def _peer_run(stage: Stage, peer: str, events: int) -> dict[str, Any]:
    with peer_at_work(stage, peer) as (broker, child):

        def meter(**others: int) -> Meter:
            return stage.meter({peer: child.pid, "Mosquitto": broker.pid or 0, **others})

        report, cpu_us = _measured(meter, broker, events, tables=TABLES, window=WINDOW)
        if report["missing"]:
            raise StageError(f"{peer} stored too little:\n{child.last_words()}")
    return {"report": report, "cpu_us": cpu_us}


def _measured(
    meter_with: Callable[..., Meter], broker: PrivateBroker, events: int, **wishes: Any
) -> tuple[dict[str, Any], dict[str, float]]:
    """The report of a load, and the processor time of an event, by process, in microseconds."""
    load = LoadProcess(broker.url, events=events, **wishes)
    try:
        load.wait("open")
        meter = meter_with(units=load.pid)
        meter.start()
        report = load.wait("report")
        spent = meter.stop()
    finally:
        load.stop()
    return report, {name: round(seconds / events * 1e6, 1) for name, seconds in spent.items()}


@contextmanager
def peer_at_work(stage: Stage, peer: str) -> Iterator[tuple[PrivateBroker, Child]]:
    """A peer on a database and a broker of its own, ready for events."""
    module, python = PEERS[peer]
    if not python.exists():
        raise StageError(f"{python} is missing: `make bench-load` makes the peers' environment.")
    with stage.database() as url, stage.broker() as broker:
        argv = ["-m", module, broker.url, url]
        child = stage.start(peer, argv, stage.environment(url, broker.url), str(python))
        try:
            until(lambda: "ready" in child.log.read_text(), f"The start of {peer}")
            yield broker, child
        finally:
            child.stop([])


def _say(who: str, turn: int, runs: dict[str, list[dict[str, Any]]]) -> None:
    report = runs[who][-1]["report"]
    print(
        f"  turn {turn + 1}, {who}: {report['per_second_recorded']:,.0f} recorded,"
        f" {report['per_second_sequenced']:,.0f} sequenced a second",
        flush=True,
    )


def median_of(runs: Sequence[dict[str, Any]], name: str) -> float:
    """Of a figure of the reports."""
    return statistics.median(run["report"][name] for run in runs)


def misses(figures: dict[str, Any]) -> list[str]:
    """Which targets are missed, in words. The rate itself depends on the machine: no limit."""
    runs = figures["runs"]
    ours = median_of(runs["console"], "per_second_sequenced")
    shares = {peer: ours / median_of(runs[peer], "per_second_recorded") for peer in PEERS}
    return [
        f"{share:.2f} times {peer}, wanted {TARGETS[peer]:g}"
        for peer, share in shares.items()
        if share < TARGETS[peer]
    ]


def render(figures: dict[str, Any]) -> list[str]:
    """The section as Markdown."""
    runs = figures["runs"]
    ours = median_of(runs["console"], "per_second_sequenced")
    lines = [
        f"{figures['events']:,} events, each `round_started` funding three tiers, {TABLES} tables,"
        f" at most {WINDOW:,} events without a receipt; medians of {figures['repeats']}"
        " interleaved runs, peers that are slower with fewer events:",
        "",
        "| who | events a second | the console to it | wanted |",
        "|---|---|---|---|",
        f"| the console, to the receipt *sequenced* | {ours:,.0f} | | about 10,000 |",
        "| the console, to the receipt *recorded* |"
        f" {median_of(runs['console'], 'per_second_recorded'):,.0f} | | |",
    ]
    for peer in PEERS:
        theirs = median_of(runs[peer], "per_second_recorded")
        target = f"at least {TARGETS[peer]:g}"
        lines.append(f"| {peer} | {theirs:,.0f} | {ours / theirs:.2f} times | {target} |")
    return [*lines, "", *_difference(runs)]


def _difference(runs: dict[str, list[dict[str, Any]]]) -> list[str]:
    """Where the processor time goes, beside the prototype."""
    lines = [
        "Processor time an event, in microseconds (the units are the load itself):",
        "",
        "| process | the console | the prototype |",
        "|---|---|---|",
    ]
    ours, theirs = (_median_cpu(runs[who]) for who in ("console", "prototype"))
    for name in sorted(ours.keys() | theirs.keys(), key=lambda name: -ours.get(name, 0.0)):
        cells = [f"{cpu[name]:.0f}" if name in cpu else "" for cpu in (ours, theirs)]
        lines.append(f"| {name} | {cells[0]} | {cells[1]} |")
    mine, bare = sum(ours.values()), sum(theirs.values())
    return [
        *lines,
        f"| together | {mine:.0f} | {bare:.0f} |",
        "",
        f"By processor time, which other work on the machine disturbs least, the console is at"
        f" {bare / mine:.2f} of the prototype; two cores that do nothing else carry"
        f" {2e6 / mine:,.0f} events a second of it at the most.",
    ]


def _median_cpu(runs: Sequence[dict[str, Any]]) -> dict[str, float]:
    names = {name for run in runs for name in run["cpu_us"]}
    return {name: statistics.median(run["cpu_us"].get(name, 0.0) for run in runs) for name in names}
