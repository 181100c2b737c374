"""How soon every display and every open page of the console shows a press of a whole floor.

python -m benchmarks.live [--seconds N] [--runs N] [--directory DIR]

200 tables press 200 times a second, into intake and poster as processes of their own. 500 displays
and 50 pages of the console hang on two web processes by their streams; somebody at each page opens
another one every half minute. Of each press the time counts from when it was due by the unit's
clock until each of them was handed a value with that press in it, and until a display and a paired
screen in Chromium had counted up to it; beside it the time until the message for hardware displays
was at the broker, in the same run. Every two seconds an alarm is raised: each page that shows
alarms reads those again and, within ten seconds, all of itself; each page counts its badges, and
the time counts from its commit until its row is on the screen of a 51st, in Chromium. Exit code 1
where the 99th centile of displays, of pages or of anything on a screen is above a second, or a
stream ended.
"""

import argparse
import asyncio
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import time
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from benchmarks import console_lists, on_screen
from benchmarks.installation import PROJECT, LoadProcess, Stage
from benchmarks.meter import Meter
from benchmarks.web_processes import ask, web

LIMIT_S = 1.0
DISPLAYS, PAGES, TABLES, PER_SECOND, WEB_PROCESSES = 500, 50, 200, 200, 2
PAGE_EVERY_S = 30.0
WARM_UP_S = 5
AGAIN_S = 0.5
PERSON = "anna"
SEED_DATA = "live"
OPEN_PAGES = ("/", "/claims/", "/pools/", "/tables/")
KINDS = {"displays": DISPLAYS, "pages": PAGES, "screen": 1, "paired": 1}
IN_CHROMIUM = {
    "screen": "a display's screen, counted up",
    "paired": "a paired screen, counted up",
    "list": "from the alarm to its row in a list of the console",
}
_SEQ = re.compile(rb'"system_seq":(\d+)')
# Of each press its place in the order, and when it was due by the unit's clock.
_PRESSES = """
    SELECT e.seq, extract(epoch FROM (convert_from(t.body, 'UTF8')::jsonb ->> 'recorded_at')
                                     ::timestamptz)::float8
    FROM jackpot_entry e JOIN tables_tableevent t ON t.id = e.event_id
    WHERE e.type = 'round_started' ORDER BY e.seq
"""


@dataclass
class Stream:
    """One display, page or screen: the number in the order that it showed, and since when."""

    kind: str
    updates: list[tuple[int, float]] = field(default_factory=list)
    fault: str = ""
    news: console_lists.News = field(default_factory=console_lists.News)  # of a page

    def note(self, number: int, at: float) -> None:
        self.updates.append((number, at))

    def lags(self, presses: Sequence[tuple[int, float]]) -> "array[float]":
        """Seconds from each press to the first value with it; of those between its first and its
        last value."""
        lags, place = array("d"), 0
        for seq, due in presses:
            if seq <= self.updates[0][0]:
                continue
            while place < len(self.updates) and self.updates[place][0] < seq:
                place += 1
            if place == len(self.updates):
                break
            lags.append(self.updates[place][1] - due)
        return lags


async def follow(port: int, address: str, headers: str, stream: Stream) -> None:
    """As a browser does, until the task is cancelled. All come at once: who is told that the
    console is busy comes again."""
    while True:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET {address} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n".encode())
        status = (await reader.readuntil(b"\r\n\r\n")).split()[1]
        if status == b"200":
            break
        writer.close()
        if status != b"503":
            stream.fault = f"{stream.kind}: a stream answered {status.decode()}"
            return
        await asyncio.sleep(AGAIN_S)
    is_activity = False
    async for line in reader:
        if match := _SEQ.search(line):
            stream.note(int(match[1]), time.time())
        elif is_activity:
            stream.news.hear(line.decode().removeprefix("data: ").strip())
        is_activity = line.startswith(b"event: activity")
    stream.fault = f"{stream.kind}: the stream ended"


async def open_pages(port: int, pages: Sequence[str], cookie: str, number: int) -> None:
    """Somebody at a desk, who opens one page after the other."""
    source = f"127.0.2.{number + 1}"
    await asyncio.sleep(PAGE_EVERY_S * number / PAGES)
    while True:
        await ask(port, pages[number % len(pages)], cookie + "Connection: close\r\n", None, source)
        number += 1
        await asyncio.sleep(PAGE_EVERY_S)


@dataclass(frozen=True)
class Measured:
    """A run: lags in seconds by kind, the worst stream's 99th centile, the message's in ms."""

    lags: dict[str, list[float]]
    worst_stream: float
    message: dict[str, float]
    faults: list[str]
    processor: dict[str, float]
    updates: int

    @property
    def of_web(self) -> float:
        """Processor time of the web processes, whose names are of this run."""
        return sum(spent for name, spent in self.processor.items() if name.startswith("web"))


async def run(
    ports: Sequence[int], identity: dict[str, Any], load: LoadProcess, meter: Meter
) -> tuple[list[Stream], dict[str, Any], dict[str, float]]:
    """All of them at once, until the load has its receipts; the report has the `list`'s lags."""
    cookie = f"Cookie: sessionid={identity['session']}\r\n"
    keys = identity["displays"]
    streams = [Stream(kind) for kind, count in KINDS.items() for _ in range(count)]
    rows, raised = Stream("list"), dict[int, float]()
    async with on_screen.screens() as screens:
        await _open_in_chromium(screens, ports[0], identity, [*streams[-2:], rows])
        tasks = []
        for number, stream in enumerate(streams[:-2]):
            port = ports[number % len(ports)]
            of_display = stream.kind == "displays"
            key = keys[number % len(keys)]
            address = f"/display/{key}/stream" if of_display else "/live/stream"
            following = follow(port, address, "" if of_display else cookie, stream)
            tasks.append(asyncio.create_task(following))
            if not of_display:
                page = identity["pages"][number % len(identity["pages"])]
                stream.news.shows = identity["shows"][page]
                source = f"127.0.2.{number % PAGES + 1}"
                again = console_lists.read_again(port, page, cookie, stream.news, source)
                badges = console_lists.count_again(port, cookie, stream.news, source)
                tasks += [asyncio.create_task(again), asyncio.create_task(badges)]
        for number in range(PAGES):
            desk = open_pages(ports[number % len(ports)], identity["pages"], cookie, number)
            tasks.append(asyncio.create_task(desk))
        await _all_shown(streams)
        alarms = console_lists.raise_alarms(identity["database"], len(keys), raised)
        raising = asyncio.create_task(alarms)
        report, spent = await _while_they_press(load, meter)
        raising.cancel()
        await asyncio.sleep(2 * LIMIT_S)  # rows of the last ones
    report["list"] = console_lists.lags(raised, rows.updates)
    failed = [repr(task.exception()) for task in tasks if task.done() and task.exception()]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    report["faults"] = failed
    return streams, report, spent


async def _open_in_chromium(
    screens: on_screen.Screens, port: int, identity: dict[str, Any], streams: Sequence[Stream]
) -> None:
    """A display, a paired screen and a list of the console."""
    display, paired, rows = streams
    console = f"http://localhost:{port}"
    address = f"{console}/display/{identity['displays'][0]}/"
    await screens.values(address, on_screen.ON_DISPLAY, display.note)
    cookie = {"name": "screen", "value": identity["screen"]}
    await screens.values(f"{console}/screen/", on_screen.ON_PAIRED_SCREEN, paired.note, cookie)
    log_in = {"name": "sessionid", "value": identity["session"]}
    row = console_lists.LIST, console_lists.WORDS
    await screens.rows(f"{console}/", row, rows.note, log_in)


async def _all_shown(streams: Sequence[Stream]) -> None:
    """Until each stream shows a value."""
    while not all(stream.updates or stream.fault for stream in streams):
        await asyncio.sleep(0.1)


async def _while_they_press(
    load: LoadProcess, meter: Meter
) -> tuple[dict[str, Any], dict[str, float]]:
    """What the load reports, and processor time."""
    meter.start()
    load.begin()
    report = await asyncio.to_thread(load.report)
    await asyncio.sleep(LIMIT_S)  # what is shown last
    spent = meter.stop()
    return report, spent


def within() -> dict[str, Any]:
    """In the environment of the console: a log-in, and where displays and pages are."""
    import django

    django.setup()
    from django.contrib.auth.models import User
    from django.test import Client

    from jackpot.screens import pairing
    from settlement.people.rights.roles import ROLES, grant, install_roles
    from settlement.screens import screens
    from tables.models import Casino, GamingTable

    install_roles()
    person = User.objects.get(username=PERSON)
    for role in ROLES:
        grant(person, role)
    client = Client(headers={"host": "localhost"})
    client.force_login(person, backend="settlement.people.passwords.Backend")
    keys = GamingTable.objects.order_by("pk").values_list("display_key", flat=True)
    waiting, secret = pairing.request_code("127.0.0.1")
    layout = screens.ScreenSettings(name="Wall", place="Pit", layouts=("tiers",))
    screens.pair(person, Casino.objects.get(), waiting.code, layout)
    return {
        "screen": secret,
        "session": client.session.session_key,
        "displays": list(keys),
        "pages": list(OPEN_PAGES),
        "shows": {
            page: console_lists.shown_by(client.get(page, secure=True).content.decode())
            for page in OPEN_PAGES
        },
    }


def measure(stage: Stage, seconds: int) -> Measured:
    """One run on a copy of the seed data."""
    with stage.database(SEED_DATA) as url, stage.console(url) as console:
        environment = {**console.environment, "DJANGO_SETTINGS_MODULE": "config.settings"}
        environment |= {"DEMO": "1", "LOG_LEVEL": "ERROR"}  # plain HTTP
        process = subprocess.run(
            [sys.executable, "-m", "benchmarks.live", "--within"],
            env=environment,
            cwd=PROJECT,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        identity = {**json.loads(process.stdout.splitlines()[-1]), "database": url}
        load = LoadProcess(
            console.broker.url,
            events=PER_SECOND * seconds,
            per_second=PER_SECOND,
            warm_up=PER_SECOND * WARM_UP_S,
            tables=TABLES,
            displays=True,
            on_word=True,
        )
        try:
            load.wait("warm")
            with web(stage, environment, WEB_PROCESSES) as (ports, of_web):
                meter = console.meter(**of_web.pids, load=load.pid)
                streams, report, spent = asyncio.run(run(ports, identity, load, meter))
        finally:
            load.stop()
        with psycopg.connect(url) as connection:
            presses = connection.execute(_PRESSES).fetchall()
    faults = report["faults"] + [stream.fault for stream in streams if stream.fault]
    lags: dict[str, list[float]] = {kind: [] for kind in KINDS} | {"list": report["list"]}
    worst = 0.0
    for stream in streams:
        if stream.updates:
            own = stream.lags(presses)
            lags[stream.kind].extend(own)
            if stream.kind not in IN_CHROMIUM:  # which count up besides
                worst = max(worst, centile(own, 99))
    updates = sum(len(stream.updates) for stream in streams[:-2])
    return Measured(lags, worst, report["displayed"], faults, spent, updates)


def centile(values: Sequence[float], which: int) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * which // 100)]


def render(runs: Sequence[Measured], seconds: int) -> str:
    """Medians of the runs."""

    def median(figure: Any) -> float:
        return statistics.median(map(figure, runs))

    message = median(lambda one: one.message["p99_ms"])
    lines = [
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()};"
        f" {seconds} s of {PER_SECOND} rounds a second at {TABLES} tables, {DISPLAYS} displays,"
        f" {PAGES} pages; medians of {len(runs)} runs",
        "",
        "| from the press to | p50 | p99 | longest | p99 / limit | p99 / message at the broker |",
        "|---|---|---|---|---|---|",
        f"| the message at the broker | {median(lambda one: one.message['p50_ms']):.0f} ms"
        f" | {message:.0f} ms | {median(lambda one: one.message['max_ms']):.0f} ms | | |",
    ]
    for kind in (*KINDS, "list"):
        p50, p99 = (
            1_000 * median(lambda one: centile(one.lags[kind], which))  # noqa: B023
            for which in (50, 99)
        )
        longest = 1_000 * median(lambda one: max(one.lags[kind]))  # noqa: B023
        what = IN_CHROMIUM.get(kind, kind)
        lines.append(
            f"| {what} | {p50:.0f} ms | {p99:.0f} ms | {longest:.0f} ms"
            f" | {p99 / 1_000 / LIMIT_S:.0%} | {p99 / message:.1f} times |"
        )
    spent = median(lambda one: sum(one.processor.values()))
    of_web = median(lambda one: one.of_web)
    lines += [
        "",
        f"Of the worst stream p99 is {1_000 * median(lambda one: one.worst_stream):.0f} ms.",
        f"{median(lambda one: one.updates):,.0f} values were handed over. All processes with the"
        f" load took {spent / seconds:.2f} cores, the web processes {of_web / seconds:.2f}.",
    ]
    return "\n".join(lines)


def misses(runs: Sequence[Measured]) -> list[str]:
    """What is over the limit, or broke, in words."""
    over = [fault for one in runs for fault in one.faults[:3]]
    for kind in (*KINDS, "list"):
        p99 = statistics.median(centile(one.lags[kind], 99) for one in runs)
        if p99 > LIMIT_S:
            over.append(f"{kind}: p99 {p99:.2f} s, limit {LIMIT_S:g} s")
    return over


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--seconds", type=int, default=30)
    options.add_argument("--runs", type=int, default=3)
    options.add_argument("--directory", type=Path, help="keep the servers' files here")
    options.add_argument("--within", action="store_true", help=argparse.SUPPRESS)
    arguments = options.parse_args()
    if arguments.within:
        print(json.dumps(within()))
        return
    with Stage(arguments.directory) as stage:
        stage.create_seed_data(SEED_DATA, 1, TABLES)
        runs = [measure(stage, arguments.seconds) for _ in range(arguments.runs)]
    print(render(runs, arguments.seconds))
    if over := misses(runs):
        sys.exit("Missed: " + "; ".join(over))


if __name__ == "__main__":
    main()
