"""Hundreds of requests at once, of nobody who is logged in: pages go on, and so does the order."""

import asyncio
import os
import secrets
import signal
import statistics
import time
from collections import Counter
from pathlib import Path

import psycopg
import pytest

from demo.casino.seed_data import PASSWORD
from demo.servers.installation import Installation
from demo.servers.ports import LOOPBACK
from settlement.database_roles.limits import LIMITS
from tests.support.servers.demo.alive import command_of
from tests.support.servers.demo.running import RunningDemo
from tests.support.suite.waiting import wait_until

pytestmark = [pytest.mark.long, pytest.mark.postgres, pytest.mark.broker]

FLOOD = 230
PAGES = 40
READER = "127.0.0.2"  # another address than that of the flood
# A page waits for a processor that four others share, not for the flood: in line behind 230 others,
# or with each of its steps behind theirs, it took more than a second.
SLOWER_S = 0.8
BACK_S = 60.0


class Line:
    """Requests to a console, each on a connection of its own."""

    def __init__(self, port: int, address: str) -> None:
        self._port, self._address = port, address

    async def ask(self, path: str, cookie: str = "", body: str | None = None) -> tuple[int, str]:
        """Status and headers of an answer that was read to its end."""
        reader, writer = await asyncio.open_connection(
            LOOPBACK, self._port, local_addr=(self._address, 0)
        )
        lines = [
            f"{'GET' if body is None else 'POST'} {path} HTTP/1.1",
            f"Host: {LOOPBACK}:{self._port}",
            f"Cookie: {cookie}",
            "Connection: close",
        ]
        if body is not None:
            lines += ["Content-Type: application/x-www-form-urlencoded"]
            lines += [f"Content-Length: {len(body)}"]
        writer.write("\r\n".join([*lines, "", body or ""]).encode())
        answer = (await reader.read()).decode(errors="replace")
        writer.close()
        head = answer.partition("\r\n\r\n")[0]
        return int(head.split(" ")[1]), head

    async def log_in(self, name: str) -> str:
        """The cookie of somebody who has logged in."""
        token = secrets.token_urlsafe(24)[:32].replace("-", "a").replace("_", "b")
        body = f"username={name}&password={PASSWORD}&csrfmiddlewaretoken={token}"
        status, head = await self.ask("/login/", f"csrftoken={token}", body)
        assert status == 302, head
        (cookie,) = [line for line in head.splitlines() if "sessionid=" in line]
        return cookie.split(":", 1)[1].split(";")[0].strip()

    async def seconds(self, path: str, cookie: str) -> float:
        began = time.monotonic()
        status, head = await self.ask(path, cookie)
        assert status == 200, head
        return time.monotonic() - began


def p95(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]


async def flood(line: Line, until: asyncio.Event, answers: Counter[int]) -> None:
    """230 at once with made-up sessions; whoever has an answer asks again."""

    async def one() -> None:
        while True:
            status, _ = await line.ask("/", f"sessionid={secrets.token_hex(16)}")
            answers[status] += 1
            if until.is_set():
                return

    async with asyncio.TaskGroup() as everybody:
        for _ in range(FLOOD):
            everybody.create_task(one())


def poster_of(demo: RunningDemo) -> int | None:
    return next((pid for pid in demo.now() if "run_poster" in command_of(pid)), None)


def test_pages_and_the_order_go_on_in_a_flood(var: Path) -> None:
    with RunningDemo(var) as demo:
        running = Installation(var).running()
        assert running
        with psycopg.connect(running["environment"]["DATABASE_URL"], autocommit=True) as watcher:
            asyncio.run(_flooded(demo, watcher))


async def _flooded(demo: RunningDemo, watcher: psycopg.Connection) -> None:
    def connections() -> int:
        row = watcher.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE usename = 'jackpot_web'"
        ).fetchone()
        return int(row[0]) if row else 0

    def posted() -> int:
        row = watcher.execute("SELECT coalesce(sum(seq), 0) FROM jackpot_head").fetchone()
        return int(row[0]) if row else 0

    reader = Line(demo.port, READER)
    cookie = await reader.log_in("mere")
    calm = [await reader.seconds("/pools/", cookie) for _ in range(PAGES)]

    until, answers = asyncio.Event(), Counter[int]()
    flooding = asyncio.create_task(flood(Line(demo.port, LOOPBACK), until, answers))
    await asyncio.to_thread(wait_until, lambda: answers[302] > FLOOD, what="the flood to rise")
    stormy = [await reader.seconds("/pools/", cookie) for _ in range(PAGES)]
    most = connections()

    killed = poster_of(demo)
    assert killed
    os.kill(killed, signal.SIGKILL)
    there = posted()
    await asyncio.to_thread(
        wait_until,
        lambda: poster_of(demo) not in (None, killed) and posted() > there + 20,
        BACK_S,
        what="another poster to post",
    )
    until.set()
    await flooding
    assert set(answers) == {302}, "all are told to log in; nobody is told of a fault"
    assert most <= LIMITS["web"].connections / 2
    assert connections() <= most, "and none is left behind"
    assert p95(stormy) < p95(calm) + SLOWER_S, (calm, stormy)
