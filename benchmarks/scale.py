"""A group's floor: 1,000 tables in 50 systems on two intakes and two posters.

    python -m benchmarks.scale [--runs 3]

In turns with the same floor on one intake and one poster, and with one system of 50 tables: real
Mosquitto and PostgreSQL, `fsync` on, the worker with the displays on RabbitMQ (without it neither).
A table plays a round about every 90 s, so 1,000 of them make eleven a second; from there the rate
rises, step by step, for as long as the receipt *sequenced* keeps its limit. Then as fast as the
receipts allow. Exit code 1 where a limit is missed.
"""

import argparse
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from benchmarks.installation import CONSOLE, Console, LoadProcess, Stage, until
from benchmarks.meter import descendants, machine, private_mib
from benchmarks.seed_data import system_codes
from tests.support.servers.rabbitmq import PrivateRabbitMQ, rabbitmq_program

ROUND_EVERY_S = 90.0
STEPS = (50, 100, 200, 500, 1_000, 2_000, 4_000)  # events a second
WINDOW = 4_000
WARM_UP_S = 2
LETTERS = "ab"

RECEIPT_LIMIT_MS = 300.0  # of the receipt sequenced, 99th percentile, at each step
TIMES_THE_FLOOR = 10.0  # what the group carries to what its tables make, at least
OF_ONE_OF_EACH = 0.5  # two intakes hear everything twice

_SHARES = """
    SELECT writer, count(*) FROM jackpot_head WHERE lease_until > clock_timestamp() GROUP BY writer
"""


class Floor(NamedTuple):
    """Systems with so many tables each, and how many intakes and posters serve them."""

    systems: int
    tables: int
    of_each: int  # intakes, and posters

    @property
    def in_all(self) -> int:
        return self.systems * self.tables

    @property
    def rounds_a_second(self) -> float:
        """What its tables make in play."""
        return self.in_all / ROUND_EVERY_S

    @property
    def programs(self) -> dict[str, list[str]]:
        """Its processes by name."""
        programs = {}
        for letter in LETTERS[: self.of_each]:
            programs[f"intake-{letter}"] = [*CONSOLE["intake"], "--instance", f"intake-{letter}"]
            programs[f"poster-{letter}"] = [*CONSOLE["poster"], "--name", f"poster-{letter}"]
        return programs

    def __str__(self) -> str:
        systems = "1 system" if self.systems == 1 else f"{self.systems} systems"
        of_each = ("one", "two")[self.of_each - 1]
        return f"{self.in_all:,} tables in {systems}, {of_each} of each"


GROUP, ONE_OF_EACH, HOUSE = Floor(50, 20, 2), Floor(50, 20, 1), Floor(1, 50, 1)
FLOORS = (GROUP, ONE_OF_EACH, HOUSE)


@dataclass(frozen=True)
class Step:
    """A rate: the load's report, and what each process used, in shares of a core."""

    per_second: float
    report: dict[str, Any]
    cores: dict[str, float]

    def centile(self, what: str, which: str = "p99_ms") -> float:
        """Milliseconds from the press to `what`; endless where some never came."""
        spread = self.report[what]
        return float("inf") if spread is None or self.report["missing"] else float(spread[which])

    @property
    def us_an_event(self) -> float:
        """Processor time of all processes, in microseconds."""
        return sum(self.cores.values()) / self.per_second * 1e6

    @property
    def is_kept(self) -> bool:
        return self.centile("sequenced") <= RECEIPT_LIMIT_MS


@dataclass(frozen=True)
class Run:
    """A floor, once: in play, at rising rates, and as fast as it goes."""

    in_play: Step
    steps: list[Step]
    fastest: Step
    shares: dict[str, int]  # systems of each poster
    mib: dict[str, float]  # private memory behind all that, by process

    def step(self, number: int) -> Step:
        """In play, and then the steps."""
        return self.steps[number - 1] if number else self.in_play

    @property
    def sustained(self) -> float:
        """The highest rate that kept the limit of the receipt."""
        rates = [step.per_second for step in [self.in_play, *self.steps] if step.is_kept]
        return max(rates, default=0.0)


@dataclass(frozen=True)
class Size:
    """How long a run is: seconds in play, seconds of each step, events as fast as it goes."""

    seconds: float
    step_s: float
    events: int
    steps: Sequence[float] = STEPS


def measure(stage: Stage, floor: Floor, size: Size) -> Run:
    """One run of a floor on a copy of its seed data."""
    with ExitStack() as stack:
        url = stack.enter_context(stage.database(name_of(floor)))
        broker = stack.enter_context(stage.broker())
        environment = stage.environment(url, broker.url)
        programs = floor.programs
        if rabbitmq_program() is not None:
            name = f"rabbitmq-{len(list(stage.directory.iterdir()))}"
            (stage.directory / name).mkdir()
            node = stack.enter_context(PrivateRabbitMQ(stage.directory / name))
            environment["CELERY_BROKER_URL"] = node.url
            programs["worker"] = CONSOLE["worker"]
        running = stack.enter_context(stage.running(programs, environment))
        console = Console(stage, broker, environment, running)
        rows = stack.enter_context(psycopg.connect(url, autocommit=True))
        until(lambda: is_shared(shares(rows), floor), "A part of the systems for each poster")
        in_play = step(console, floor, 1, floor.rounds_a_second, size.seconds)
        steps: list[Step] = []
        for rate in size.steps:
            if rate <= floor.rounds_a_second:
                continue
            steps.append(step(console, floor, 2 + len(steps), rate, size.step_s))
            if not steps[-1].is_kept:
                break
        fastest = step(console, floor, 2 + len(steps), None, events=size.events)
        return Run(in_play, steps, fastest, shares(rows), memory(console))


def step(
    console: Console,
    floor: Floor,
    boot: int,
    per_second: float | None,
    seconds: float = 0.0,
    events: int = 0,
) -> Step:
    """The units at this rate, or as fast as the receipts allow; each step is another boot."""
    warm_up = round((per_second or 0.0) * WARM_UP_S)
    load = LoadProcess(
        console.broker.url,
        events=round(per_second * seconds) if per_second else events,
        per_second=per_second,
        warm_up=warm_up,
        window=WINDOW,
        system=system_codes(floor.systems),
        tables=floor.tables,
        boot=boot,
        displays="worker" in console.children,
        on_word=True,
    )
    try:
        load.wait("warm" if warm_up else "open")
        meter = console.stage.meter({**pids(console), "units": load.pid})
        meter.start()
        start = time.monotonic()
        load.begin()
        report = load.wait("report")
        passed_s = time.monotonic() - start
        spent = meter.stop()
    finally:
        load.stop()
    rate = per_second or report["per_second_sequenced"]
    return Step(rate, report, {name: used / passed_s for name, used in together(spent).items()})


def pids(console: Console) -> dict[str, int]:
    """Its processes and the broker, by name; their children as `name/number`."""
    return console.pids() | {
        f"{name}/{child}": child
        for name, pid in console.pids().items()
        for child in descendants(pid)
    }


def together(figures: Mapping[str, float]) -> dict[str, float]:
    """What each process comes to with its children."""
    sums: dict[str, float] = defaultdict(float)
    for name, figure in figures.items():
        sums[name.partition("/")[0]] += figure
    return sums


def shares(rows: psycopg.Connection[Any]) -> dict[str, int]:
    """How many systems each poster has."""
    counted: dict[str, int] = defaultdict(int)
    for writer, count in rows.execute(_SHARES).fetchall():
        counted[writer.rpartition("-")[0]] += count
    return dict(sorted(counted.items()))


def is_shared(parts: dict[str, int], floor: Floor) -> bool:
    """Whether every system has its poster, and each poster about as many as another."""
    return (
        sum(parts.values()) == floor.systems
        and len(parts) == min(floor.of_each, floor.systems)
        and max(parts.values()) - min(parts.values()) <= 1
    )


def memory(console: Console) -> dict[str, float]:
    """MiB that no other process shares, of ours with their children and of their backends."""
    sizes = together({name: private_mib(pid) for name, pid in pids(console).items()})
    backends: dict[str, float] = defaultdict(float)
    for pid, name in console.meter().served().items():
        backends[name] += private_mib(pid)
    return {**sizes, **backends}


def name_of(floor: Floor) -> str:
    """The database with its seed data."""
    return f"scale_{floor.systems}_{floor.tables}"


def misses(runs: dict[Floor, list[Run]]) -> list[str]:
    """Which limits are missed, in words; of several runs the median counts."""
    missed = []
    group = runs[GROUP]
    p99 = statistics.median(run.in_play.centile("sequenced") for run in group)
    if p99 > RECEIPT_LIMIT_MS:
        missed.append(f"in play: p99 to the receipt {p99:.0f} ms, limit {RECEIPT_LIMIT_MS:.0f} ms")
    times = statistics.median(run.sustained for run in group) / GROUP.rounds_a_second
    if times < TIMES_THE_FLOOR:
        missed.append(f"{times:.1f} times what the tables make, wanted {TIMES_THE_FLOOR:g}")
    of_one = fastest(group) / fastest(runs[ONE_OF_EACH])
    if of_one < OF_ONE_OF_EACH:
        missed.append(f"{of_one:.2f} of one intake and one poster, wanted {OF_ONE_OF_EACH:g}")
    missed += [
        f"the posters have {run.shares} of {GROUP.systems} systems"
        for run in group
        if not is_shared(run.shares, GROUP)
    ]
    return missed


def fastest(runs: Sequence[Run]) -> float:
    """Events a second to the receipt sequenced, as fast as it goes."""
    return statistics.median(run.fastest.per_second for run in runs)


def render(runs: dict[Floor, list[Run]], size: Size) -> str:
    """Medians of the runs, as Markdown."""
    lines = [
        f"{machine()}; {size.seconds:g} s in play, {size.step_s:g} s a step, medians of"
        f" {len(next(iter(runs.values())))} runs in turns",
        "",
        "| floor | events a second | from the press to | p50 | p99 | p99 / limit |",
        "|---|---|---|---|---|---|",
    ]
    for floor, of_floor in runs.items():
        for number in range(1 + max(len(run.steps) for run in of_floor)):
            of_step = [run.step(number) for run in of_floor if number <= len(run.steps)]
            for what in ("recorded", "sequenced", "displayed"):
                if any(one.report[what] is None for one in of_step):
                    continue  # displays, without a worker
                p50 = statistics.median(one.centile(what, "p50_ms") for one in of_step)
                p99 = statistics.median(one.centile(what) for one in of_step)
                share = f"{p99 / RECEIPT_LIMIT_MS:.0%}" if what == "sequenced" else ""
                rate = of_step[0].per_second
                lines.append(
                    f"| {floor} | {rate:,.0f}{'' if number else ', in play'} | {what}"
                    f" | {p50:.0f} ms | {p99:.0f} ms | {share} |"
                )
    lines += [
        "",
        "| floor | sustained, to what the tables make | as fast as it goes: recorded, sequenced"
        " a second | processor time an event | systems of each poster |",
        "|---|---|---|---|---|",
    ]
    for floor, of_floor in runs.items():
        sustained = statistics.median(run.sustained for run in of_floor)
        recorded = statistics.median(run.fastest.report["per_second_recorded"] for run in of_floor)
        spent = statistics.median(run.fastest.us_an_event for run in of_floor)
        parts = ", ".join(map(str, of_floor[-1].shares.values()))
        lines.append(
            f"| {floor} | {sustained:,.0f}, {sustained / floor.rounds_a_second:,.0f} times"
            f" | {recorded:,.0f}, {fastest(of_floor):,.0f} | {spent:,.0f} µs | {parts} |"
        )
    return "\n".join([*lines, "", *_of_processes(runs)])


def _of_processes(runs: dict[Floor, list[Run]]) -> list[str]:
    """Shares of a core and memory of each process of the group."""
    group = runs[GROUP]
    names = {name for run in group for name in run.in_play.cores | run.fastest.cores}
    lines = [
        "| process | of a core, in play | as fast as it goes | memory behind all that |",
        "|---|---|---|---|",
    ]
    for name in sorted(names):
        in_play, share, mib = (
            statistics.median(figures.get(name, 0.0) for figures in of_runs)
            for of_runs in (
                [run.in_play.cores for run in group],
                [run.fastest.cores for run in group],
                [run.mib for run in group],
            )
        )
        size = f"{mib:.0f} MiB" if mib else ""
        lines.append(f"| {name} | {in_play:.1%} | {share:.0%} | {size} |")
    return lines


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--seconds", type=float, default=45.0, help="in play")
    options.add_argument("--step-seconds", type=float, default=8.0)
    options.add_argument("--events", type=int, default=60_000, help="as fast as it goes")
    options.add_argument("--runs", type=int, default=1)
    options.add_argument("--directory", type=Path, help="keep the servers' files here")
    arguments = options.parse_args()
    size = Size(arguments.seconds, arguments.step_seconds, arguments.events)
    runs: dict[Floor, list[Run]] = {floor: [] for floor in FLOORS}
    with Stage(arguments.directory) as stage:
        for floor in {name_of(floor): floor for floor in FLOORS}.values():
            stage.create_seed_data(name_of(floor), floor.systems, floor.tables)
        for _ in range(arguments.runs):
            for floor in FLOORS:
                runs[floor].append(measure(stage, floor, size))
                run = runs[floor][-1]
                print(f"{floor}: {run.sustained:,.0f} a second sustained", flush=True)
    print(render(runs, size))
    if missed := misses(runs):
        sys.exit("Missed: " + "; ".join(missed))


if __name__ == "__main__":
    main()
