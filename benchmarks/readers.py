"""Many who read at once: programs that ask the API without a pause, people at pages, and streams.

python -m benchmarks.readers [--seconds N] [--commits N] [--no-cache] [--directory DIR]

Two web processes, as an installation starts them, on an evening with open claims, proposals and
alarms. So many times a second something is committed beside them, as on a floor in play: no answer
of the API outlives that. Fails where the 95th centile of programs or of people is over its limit,
or the overview takes more of the processor than its own.
"""

import argparse
import asyncio
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from benchmarks import evening
from benchmarks.installation import PROJECT, Stage
from benchmarks.meter import Meter
from benchmarks.web_processes import ask, web

PROGRAMS = 50  # each asks again as soon as it has its answer
MACHINES = 5  # on which they run: places are given out by address (`jackpot.web.admission`)
PEOPLE = 5  # each opens a page every PAUSE_S, at a desk of their own
PAUSE_S = 4.0
STREAMS = 200
WEB_PROCESSES = 2
COMMITS = 10.0  # a second
LIMIT_S = 1.0  # 95th centile of the answers, of programs and of people each
OVERVIEW_MS = 60.0  # of processor time of the web process
SEED, STEPS = 5, 1_500  # an evening with 28 open claims and 42 proposals
PERSON = "david"
REPEATS = 5


@dataclass
class Readings:
    """Seconds by kind of reader, and what came back that was no answer."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    streamed: int = 0  # bytes
    processor: dict[str, float] = field(default_factory=dict)  # seconds, by whom

    def add(self, kind: str, seconds: float, status: int, address: str) -> None:
        self.seconds.setdefault(kind, []).append(seconds)
        if status != 200:
            self.faults.append(f"{address} answered {status}")


@dataclass(frozen=True, slots=True)
class _Reader:
    """A program or a person who reads pages, one after the other."""

    kind: str
    number: int
    addresses: Sequence[str]
    headers: str


async def _read(reader: _Reader, port: int, until: float, readings: Readings) -> None:
    kind, number = reader.kind, reader.number
    dice, streams = random.Random(f"{kind} {number}"), None
    source = f"127.0.1.{number % MACHINES + 1}" if kind == "programs" else f"127.0.2.{number + 1}"
    while (start := time.monotonic()) < until:
        address = dice.choice(reader.addresses)
        status, streams = await ask(port, address, reader.headers, streams, source)
        readings.add(kind, time.monotonic() - start, status, address)
        if kind == "people":
            await asyncio.sleep(PAUSE_S)


async def _listen(port: int, cookie: str, readings: Readings) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET /live/stream HTTP/1.1\r\nHost: localhost\r\n{cookie}\r\n\r\n".encode())
    head = await reader.readuntil(b"\r\n\r\n")
    if b" 200 " not in head.splitlines()[0]:
        readings.faults.append(f"a stream answered {head.splitlines()[0]!r}")
        return
    while piece := await reader.read(65_536):
        readings.streamed += len(piece)


async def _commit(database_url: str, pause_s: float) -> None:
    """Transactions that change nothing, but have a number as those that do."""
    async with await psycopg.AsyncConnection.connect(database_url, autocommit=True) as connection:
        while True:
            await connection.execute("SELECT pg_current_xact_id()")
            await asyncio.sleep(pause_s)


async def load(
    ports: Sequence[int],
    identity: dict[str, Any],
    seconds: float,
    beside: Sequence[Any],
    meter: Meter,
) -> Readings:
    """All of them at once, for so long; the first two seconds count as little as the rest.

    `beside`: what else goes on meanwhile.
    """
    readings = Readings()
    cookie = f"Cookie: sessionid={identity['session']}"
    token = f"Authorization: Bearer {identity['token']}"
    going_on = [
        asyncio.create_task(_listen(ports[n % len(ports)], cookie, readings))
        for n in range(STREAMS)
    ]
    going_on += map(asyncio.create_task, beside)
    await asyncio.sleep(2.0)
    meter.start()
    until = time.monotonic() + seconds
    readers = [
        *(_Reader("programs", n, identity["api"], token) for n in range(PROGRAMS)),
        *(_Reader("people", n, identity["pages"], cookie) for n in range(PEOPLE)),
    ]
    await asyncio.gather(
        *(_read(reader, ports[reader.number % len(ports)], until, readings) for reader in readers)
    )
    readings.processor = meter.stop()
    readings.faults += ["a stream ended" for task in going_on if task.done()]
    for task in going_on:
        task.cancel()
    await asyncio.gather(*going_on, return_exceptions=True)
    return readings


def within() -> dict[str, Any]:
    """In the environment of the console: a log-in, a token, addresses, and the overview's cost."""
    import django

    django.setup()
    from django.contrib.auth.models import User
    from django.test import Client

    from jackpot.models import Hit
    from settlement.people.programs import tokens
    from settlement.people.rights.permissions import Reauthenticated

    person = User.objects.get(username=PERSON)
    client = Client(headers={"host": "localhost"})
    client.force_login(person, backend="settlement.people.passwords.Backend")
    costs = []
    for _ in range(3 * REPEATS):
        start = time.process_time()
        if client.get("/", secure=True).status_code != 200:
            raise SystemExit("The overview does not answer.")
        costs.append(1_000 * (time.process_time() - start))
    for old in tokens.open_tokens(person).filter(name="benchmark"):  # of a directory that is kept
        tokens.end(person, old.pk)
    _, secret = tokens.issue(Reauthenticated(person), "benchmark", 1)
    hits = Hit.objects.filter(state="held").values_list("system__code", "number")
    hits = hits.order_by("system", "number")[:8]
    return {
        "session": client.session.session_key,
        "token": secret,
        "api": [
            *("/api/claims/", "/api/systems/", "/api/requests/"),
            *(f"/api/claims/{system}-{number}/" for system, number in hits[:1]),
        ],
        "pages": [
            *("/", "/claims/", "/pools/", "/tables/"),
            *(f"/claims/{system}/{number}/" for system, number in hits),
        ],
        "overview_ms": statistics.median(costs[REPEATS:]),
    }


def render(readings: Readings, overview_ms: float) -> tuple[str, float]:
    """The table, and the worse 95th centile of the two kinds of readers in seconds."""
    lines = ["| who | answers | median | 95th centile | longest |", "|---|---|---|---|---|"]
    worst = 0.0
    for kind, times in readings.seconds.items():
        p95 = statistics.quantiles(times, n=20)[-1]
        worst = max(worst, p95)
        lines.append(
            f"| {kind} | {len(times):,} | {statistics.median(times):.2f} s | {p95:.2f} s"
            f" | {max(times):.2f} s |"
        )
    answers = sum(map(len, readings.seconds.values()))
    of_web = sum(spent for name, spent in readings.processor.items() if name.startswith("web"))
    others = sum(readings.processor.values()) - of_web
    lines += [
        "",
        f"{STREAMS} streams beside them; {worst / LIMIT_S:.0%} of the limit of {LIMIT_S:.0f} s.",
        f"An answer takes {1_000 * of_web / answers:.1f} ms of the processor in the web processes"
        f" and {1_000 * others / answers:.1f} ms in PostgreSQL.",
        f"The overview takes {overview_ms:.0f} ms of the processor,"
        f" {overview_ms / OVERVIEW_MS:.0%} of its limit.",
    ]
    return "\n".join(lines), worst


def missed(readings: Readings, worst_s: float, overview_ms: float) -> list[str]:
    """What is over its limit, or was not answered."""
    over = []
    if readings.faults:
        over.append(f"{len(readings.faults)} were not answered: {readings.faults[0]}.")
    if worst_s > LIMIT_S:
        over.append(f"Over the limit: a 95th centile of {worst_s:.2f} s.")
    if overview_ms > OVERVIEW_MS:
        over.append(f"Over the limit: {overview_ms:.0f} ms of the processor for the overview.")
    return over


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--seconds", type=float, default=30.0)
    options.add_argument("--commits", type=float, default=COMMITS, help="a second, beside the load")
    options.add_argument("--no-cache", action="store_true", help="the API makes each answer again")
    options.add_argument("--directory", type=Path, help="keep the servers' files here")
    options.add_argument("--within", action="store_true", help=argparse.SUPPRESS)
    arguments = options.parse_args()
    if arguments.within:
        print(json.dumps(within()))
        return
    with Stage(arguments.directory) as stage:
        environment = stage.environment(stage.url_of(evening.play(stage, SEED, STEPS)))
        environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
        environment |= {"DEMO": "1", "LOG_LEVEL": "ERROR", "API_PER_MINUTE": "0"}  # plain HTTP
        environment |= {"API_CACHE_S": "0"} if arguments.no_cache else {}
        process = subprocess.run(
            [sys.executable, "-m", "benchmarks.readers", "--within"],
            env=environment,
            cwd=PROJECT,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        identity = json.loads(process.stdout.splitlines()[-1])
        with web(stage, environment, WEB_PROCESSES) as (ports, meter):
            url = environment["DATABASE_URL"]
            beside = [_commit(url, 1 / arguments.commits)] if arguments.commits else []
            readings = asyncio.run(load(ports, identity, arguments.seconds, beside, meter))
    table, worst_s = render(readings, identity["overview_ms"])
    print(table)
    if over := missed(readings, worst_s, identity["overview_ms"]):
        sys.exit("\n".join(over))


if __name__ == "__main__":
    main()
