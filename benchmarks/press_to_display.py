"""From the press of the button to the receipt and to the displays, in a demo of its own.

    python -m benchmarks.press_to_display [--presses 300] [--per-second 5]

Starts the demo in a temporary directory, with its simulated tables in play, presses the button
of one more table and takes the time until the unit has its receipt, until a hardware display
(MQTT) and a display page (server-sent events) show a value with that press in it. Limit: 1 s
at the 99th percentile.
"""

import argparse
import http.client
import json
import os
import platform
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from demo.servers.installation import PROJECT, SETTING, Installation

LIMIT_S = 1.0


class Watcher:
    """When each sequence number was first shown."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._values: list[tuple[int, float]] = []

    def saw(self, system_seq: int) -> None:
        with self._changed:
            self._values.append((system_seq, time.monotonic()))
            self._changed.notify_all()

    def first(self, system_seq: int, timeout_s: float = 10.0) -> float:
        """The moment at which that number, or a later one, was shown."""
        with self._changed:
            shown_at = self._changed.wait_for(
                lambda: next((at for seq, at in self._values if seq >= system_seq), None),
                timeout_s,
            )
        if shown_at is None:
            raise SystemExit(f"Entry {system_seq} was never shown: look at the demo's logs.")
        return shown_at


def start_demo(var: Path) -> subprocess.Popen[bytes]:
    """A demo in that directory; returns when it runs."""
    demo = subprocess.Popen(
        [sys.executable, "-m", "demo"],
        cwd=PROJECT,
        env={**os.environ, SETTING: str(var)},
        stdout=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 120
    while Installation(var).running() is None:
        if demo.poll() is not None or time.monotonic() > deadline:
            raise SystemExit("The demo did not start.")
        time.sleep(0.1)
    return demo


def watch_page(address: str, display_key: str, watcher: Watcher) -> None:
    """Follow a display page's stream as a browser does."""
    where = urlsplit(address)
    line = http.client.HTTPConnection(where.netloc)
    line.request("GET", f"/display/{display_key}/stream")
    answer = line.getresponse()
    for raw in answer:
        text = raw.decode().strip()
        if text.startswith("data: ") and "system_seq" in text:
            watcher.saw(json.loads(text[6:])["system_seq"])


def measure(address: str, presses: int, per_second: float) -> dict[str, list[float]]:
    """Seconds from each press to what is named."""
    from demo.casino.seed_data import TERMINAL_TABLE
    from tables.keys import key_of
    from tables.models import GamingTable
    from tables.mqtt.client import Link
    from tables.protocol import topics
    from tables.unit.unit import TableUnit, UnitSettings

    table = GamingTable.objects.select_related("system").get(code=TERMINAL_TABLE)
    page, hardware = Watcher(), Watcher()
    threading.Thread(
        target=watch_page, args=(address, table.display_key, page), daemon=True
    ).start()
    link = Link("benchmark-display", [topics.display(table.system.code)])
    link.start()

    def hear() -> None:
        while True:
            delivery = link.deliveries.get()
            hardware.saw(json.loads(delivery.message.body)["system_seq"])
            link.ack(delivery)

    threading.Thread(target=hear, daemon=True).start()
    unit = TableUnit(table.system.code, table.code, UnitSettings(mac_key=key_of(table), guard_s=0))
    unit.start()
    unit.wait_ready(10)
    unit.wait_sequenced(unit.open_session(), 10)
    latencies: dict[str, list[float]] = {"receipt": [], "MQTT display": [], "display page": []}
    for _ in range(presses):
        pressed = time.monotonic()
        seq = unit.press()
        if seq is None or unit.wait_recorded(seq, 10) is None:
            raise SystemExit("A press was not recorded.")
        latencies["receipt"].append(time.monotonic() - pressed)
        posted = unit.wait_sequenced(seq, 10)
        if posted is None or posted.system_seq is None:
            raise SystemExit("A press was not sequenced.")
        latencies["MQTT display"].append(hardware.first(posted.system_seq) - pressed)
        latencies["display page"].append(page.first(posted.system_seq) - pressed)
        time.sleep(max(0.0, 1 / per_second - (time.monotonic() - pressed)))
    unit.stop()
    return latencies


def report(latencies: dict[str, list[float]]) -> list[str]:
    """A line for each, with its share of the limit; the names of those that missed it."""
    late = []
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(f"{'press to':<14}{'p50 ms':>9}{'p99 ms':>9}{'max ms':>9}{'p99 / limit':>13}")
    for name, seconds in latencies.items():
        p99 = statistics.quantiles(seconds, n=100, method="inclusive")[98]
        print(
            f"{name:<14}{statistics.median(seconds) * 1000:>9.0f}{p99 * 1000:>9.0f}"
            f"{max(seconds) * 1000:>9.0f}{p99 / LIMIT_S:>12.0%}"
        )
        if p99 > LIMIT_S:
            late.append(name)
    return late


def main() -> None:
    wishes = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    wishes.add_argument("--presses", type=int, default=300)
    wishes.add_argument("--per-second", type=float, default=5.0)
    options = wishes.parse_args()
    with tempfile.TemporaryDirectory(prefix="jackpot-bench-", dir="/var/tmp") as var:
        Path(var).chmod(0o755)
        demo = start_demo(Path(var))
        try:
            running: dict[str, Any] = Installation(Path(var)).running() or {}
            os.environ.update(running["environment"])
            import django

            django.setup()
            late = report(measure(running["address"], options.presses, options.per_second))
        finally:
            demo.send_signal(signal.SIGTERM)
            demo.wait()
    if late:
        sys.exit(f"Later than {LIMIT_S:g} s at the 99th percentile: {', '.join(late)}.")


if __name__ == "__main__":
    main()
