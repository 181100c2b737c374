"""Web processes as an installation starts them, and a client that asks them without a library."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from benchmarks.installation import Stage
from benchmarks.meter import Meter
from demo.servers.ports import free_port

_READY_S = 60.0


async def ask(
    port: int, address: str, headers: str, streams: tuple[Any, Any] | None, source: str = ""
) -> tuple[int, tuple[Any, Any]]:
    """The status, and the connection for the next question. `source`: the client's address."""
    begun_at = (source, 0) if source else None
    reader, writer = streams or await asyncio.open_connection(
        "127.0.0.1", port, local_addr=begun_at
    )
    writer.write(f"GET {address} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n\r\n".encode())
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    length = head.partition("content-length: ")[2].partition("\r\n")[0]
    await (reader.readexactly(int(length)) if length else reader.read())
    return int(head.split()[1]), (reader, writer)


@contextmanager
def web(
    stage: Stage, environment: dict[str, str], processes: int
) -> Iterator[tuple[list[int], Meter]]:
    """The ports of the web processes, once all are ready; a meter over them."""
    ports = [free_port() for _ in range(processes)]
    programs = {
        f"web-{port}": [
            *("-m", "uvicorn", "config.asgi:application", "--port", str(port)),
            *("--lifespan", "off", "--no-access-log", "--log-level", "warning"),
            *("--limit-concurrency", "1500", "--timeout-graceful-shutdown", "1"),
        ]
        for port in ports
    }
    with stage.running(programs, environment) as children:
        for port in ports:
            asyncio.run(_ready(port))
        yield ports, stage.meter({name: child.pid for name, child in children.items()})


async def _ready(port: int) -> None:
    until = time.monotonic() + _READY_S
    while time.monotonic() < until:
        try:
            if (await ask(port, "/health/ready", "Connection: close", None))[0] == 200:
                return
        except OSError:
            pass
        await asyncio.sleep(0.2)
    raise SystemExit(f"No web process answers on port {port}.")
