"""Taking in alone: from a unit's publish to the receipt that says "recorded".

    python -m benchmarks.taking_in [--events 40000] [--tables 50] [--rates 500 2000]

A private PostgreSQL with fsync on, a private Mosquitto, the real intake as a process, one
publisher as another, every table with a key. Then the same events into the barest program that
keeps anything at all: paho and one COPY a batch, neither receipts nor identity nor watermark.
Linux only: processor times are read from /proc.
"""

import argparse
import datetime as dt
import json
import os
import platform
import queue
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

SYSTEM, KEY = "bench", "00112233445566778899aabbccddeeff"
WINDOW = 6000  # events on their way at most, as 120 units with 50 each would have
LATENCY_S = 10  # how long a rate is held
PEER_BATCH = 500
_TICK = os.sysconf("SC_CLK_TCK")


def payload(table: int, boot: int, seq: int) -> tuple[str, bytes]:
    """Topic and bytes of a round's start, signed."""
    from tables.protocol import topics
    from tables.protocol.signature import signed

    code = f"t{table}"
    event = {
        "v": 1,
        "type": "round_started",
        "system": SYSTEM,
        "table": code,
        "boot": boot,
        "seq": seq,
        "recorded_at": dt.datetime.now(dt.UTC).isoformat(timespec="milliseconds"),
        "round": boot * 1_000_000 + seq,
        "seats_dealt": [1, 2, 3, 5, 6, 8],
    }
    body = json.dumps(event, separators=(",", ":")).encode()
    return topics.events(SYSTEM, code), signed(body, KEY)


def hurry(_client: object, _data: object, line: Any) -> None:
    """No small message waits for the answer to the one before."""
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


# --- the publisher, a process of its own ---------------------------------------------------


class Publisher:
    """Publishes for all tables over one connection and hears their receipts."""

    def __init__(self, url: str, tables: int, boot: int) -> None:
        from paho.mqtt import client as paho

        where = urlsplit(url)
        self.tables, self.boot = tables, boot
        self.recorded = 0
        self.latencies: list[float] = []
        self._sent_at: dict[tuple[str, int], float] = {}
        self._changed = threading.Condition()
        self._client = paho.Client(paho.CallbackAPIVersion.VERSION2, client_id=f"bench-{boot}")
        self._client.max_inflight_messages_set(0)
        self._client.on_message = self._hear
        heard = threading.Event()
        self._client.on_subscribe = lambda *_: heard.set()
        self._client.on_socket_open = hurry
        self._client.connect(where.hostname or "", where.port or 1883)
        self._client.subscribe(f"jackpot/v1/{SYSTEM}/+/receipts", 1)
        self._client.loop_start()
        heard.wait(10)

    def _hear(self, _client: object, _data: object, message: Any) -> None:
        now = time.perf_counter()
        table = message.topic.split("/")[3]
        with self._changed:
            for result in json.loads(message.payload)["results"]:
                sent_at = self._sent_at.pop((table, result["seq"]), None)
                if sent_at is not None:
                    self.latencies.append(now - sent_at)
                    self.recorded += 1
            self._changed.notify()

    def send(self, number: int) -> None:
        """The event with this number, counted over all tables."""
        table, seq = number % self.tables, number // self.tables + 1
        topic, body = payload(table, self.boot, seq)
        self._sent_at[f"t{table}", seq] = time.perf_counter()
        self._client.publish(topic, body, qos=1)

    def wait(self, until: int, timeout_s: float = 60) -> None:
        """Until so many are recorded."""
        with self._changed:
            if not self._changed.wait_for(lambda: self.recorded >= until, timeout_s):
                raise SystemExit(f"Only {self.recorded} of {until} events were recorded.")

    def flood(self, events: int, receipts: bool) -> None:
        """All of them, at most WINDOW on their way where receipts tell."""
        for number in range(events):
            if receipts and number - self.recorded >= WINDOW:
                self.wait(number - WINDOW + 1)
            self.send(number)
        if receipts:
            self.wait(events)

    def keep_rate(self, per_second: int) -> None:
        """An event every so often, whatever comes back."""
        start = time.perf_counter()
        for number in range(per_second * LATENCY_S):
            due = start + number / per_second
            while (ahead := due - time.perf_counter()) > 0:
                time.sleep(ahead)
            self.send(number)
        self.wait(per_second * LATENCY_S)

    def close(self) -> None:
        """Everything is out, then the connection ends."""
        deadline = time.monotonic() + 60
        while self._client._out_messages and time.monotonic() < deadline:
            time.sleep(0.01)
        self._client.disconnect()
        self._client.loop_stop()


def publish(options: argparse.Namespace) -> None:
    """The publisher's process; says what it measured as a line of JSON."""
    publisher = Publisher(options.url, options.tables, options.boot)
    began, cpu = time.perf_counter(), time.process_time()
    if options.rate:
        publisher.keep_rate(options.rate)
    else:
        publisher.flood(options.events, receipts=not options.deaf)
    took = time.perf_counter() - began
    publisher.close()
    cpu = time.process_time() - cpu
    print(json.dumps({"s": took, "cpu_s": cpu, "latencies": publisher.latencies}))


# --- the barest program, a process of its own ------------------------------------------------


def take_barely(options: argparse.Namespace) -> None:
    """Paho's thread, a queue, one COPY a batch, then the acknowledgements."""
    import psycopg
    from paho.mqtt import client as paho

    where = urlsplit(options.url)
    waiting: queue.Queue[Any] = queue.Queue()
    client = paho.Client(paho.CallbackAPIVersion.VERSION2, client_id="bare", manual_ack=True)
    client.on_message = lambda _client, _data, message: waiting.put(message)
    client.on_subscribe = lambda *_: print("listening", flush=True)
    client.connect(where.hostname or "", where.port or 1883)
    client.subscribe(f"jackpot/v1/{SYSTEM}/+/events", 1)
    client.loop_start()
    with psycopg.connect(os.environ["DATABASE_URL"]) as database:
        while True:
            batch = [waiting.get()]
            while len(batch) < PEER_BATCH and not waiting.empty():
                batch.append(waiting.get())
            with database.cursor().copy("COPY bare (topic, body) FROM STDIN") as copy:
                for message in batch:
                    copy.write_row((message.topic, message.payload))
            database.commit()
            for message in batch:
                client.ack(message.mid, message.qos)


# --- the run -----------------------------------------------------------------------------------


def cpu_s(pid: int) -> float:
    """Processor time of a process and of the children that it has and had."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    own = sum(map(int, fields[11:15])) / _TICK
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return own + sum(map(cpu_s, map(int, children)))


@contextmanager
def process(arguments: list[str], ready: str, **environment: str) -> Iterator[int]:
    """A process of ours from its first word to the end of the block."""
    child = subprocess.Popen(
        [sys.executable, *arguments],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert child.stdout
        while ready not in (line := child.stdout.readline()):
            if not line:
                raise SystemExit(f"{arguments} ended.")
        yield child.pid
    finally:
        child.terminate()
        child.wait()


def run_publisher(url: str, tables: int, boot: int, *more: str) -> dict[str, Any]:
    """The publisher's measurements."""
    arguments = [
        "--role",
        "publish",
        "--url",
        url,
        "--tables",
        str(tables),
        "--boot",
        str(boot),
        *more,
    ]
    command = [sys.executable, "-m", "benchmarks.taking_in", *arguments]
    result = subprocess.run(command, check=True, capture_output=True, text=True)
    publisher_report: dict[str, Any] = json.loads(result.stdout)
    return publisher_report


def create_seed_data(tables: int) -> None:
    """One system with so many tables."""
    from tables import keys
    from tables.models import Casino, GamingTable, JackpotSystem

    casino = Casino.objects.create(code="bench", name="Bench", currency="NZD")
    system = JackpotSystem.objects.create(casino=casino, code=SYSTEM, name="Bench")
    gaming_tables = GamingTable.objects.bulk_create(
        GamingTable(system=system, code=f"t{number}", name=f"T {number}")
        for number in range(tables)
    )
    for table in gaming_tables:
        keys.give(table, KEY)


def report(name: str, events: int, took: float, cpu: dict[str, float]) -> None:
    """Events a second, and processor time by process."""
    costs = ", ".join(f"{who} {1e6 * used / events:.0f}" for who, used in cpu.items())
    print(f"{name:<22}{events / took:>8,.0f} events/s;  µs of processor an event: {costs}")


def measure(options: argparse.Namespace, url: str, postgres: int, broker: int) -> None:
    """Intake and the barest program, one after the other on the same servers."""
    from django.db import connection

    def spent(who: int) -> dict[str, float]:
        return {"taking in": cpu_s(who), "PostgreSQL": cpu_s(postgres), "broker": cpu_s(broker)}

    def less(after: dict[str, float], before: dict[str, float]) -> dict[str, float]:
        return {name: after[name] - before[name] for name in after}

    events = options.events
    with process(["manage.py", "run_intake"], "listening") as intake:
        run_publisher(url, options.tables, 1, "--events", "2000")  # everything is warm
        before = spent(intake)
        publisher_report = run_publisher(url, options.tables, 2, "--events", str(events))
        cpu = {**less(spent(intake), before), "publisher": publisher_report["cpu_s"]}
        report("intake, to receipt", events, publisher_report["s"], cpu)
        for boot, rate in enumerate(options.rates, 3):
            before = spent(intake)
            publisher_report = run_publisher(url, options.tables, boot, "--rate", str(rate))
            cpu = less(spent(intake), before)
            report(f"  at {rate:,} events/s", rate * LATENCY_S, publisher_report["s"], cpu)
            milliseconds = [1000 * one for one in publisher_report["latencies"]]
            p99 = statistics.quantiles(milliseconds, n=100, method="inclusive")[98]
            print(f"{'':<22}p50 {statistics.median(milliseconds):.1f} ms, p99 {p99:.1f} ms")
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE bare (id bigserial PRIMARY KEY, topic text, body bytea)")
        with process(
            ["-m", "benchmarks.taking_in", "--role", "bare", "--url", url], "listening"
        ) as bare:
            before, began = spent(bare), time.perf_counter()
            publisher_report = run_publisher(
                url, options.tables, 2, "--events", str(events), "--deaf"
            )
            counted: deque[int] = deque([0], maxlen=1)
            while counted[0] < events:
                time.sleep(0.02)
                cursor.execute("SELECT count(*) FROM bare")
                counted.append(cursor.fetchone()[0])
            took = time.perf_counter() - began
            report("bare paho and COPY", events, took, less(spent(bare), before))


def main() -> None:
    wishes = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    wishes.add_argument("--events", type=int, default=40_000)
    wishes.add_argument("--tables", type=int, default=50)
    wishes.add_argument("--rates", type=int, nargs="*", default=[500, 2000])
    for name in ("--role", "--url"):
        wishes.add_argument(name, help=argparse.SUPPRESS)
    wishes.add_argument("--boot", type=int, help=argparse.SUPPRESS)
    wishes.add_argument("--rate", type=int, help=argparse.SUPPRESS)
    wishes.add_argument("--deaf", action="store_true", help=argparse.SUPPRESS)
    options = wishes.parse_args()
    if options.role:
        return publish(options) if options.role == "publish" else take_barely(options)

    from demo.servers.broker import PrivateBroker
    from demo.servers.postgres import PrivatePostgres

    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    with tempfile.TemporaryDirectory(prefix="jackpot-bench-", dir="/var/tmp") as var:
        Path(var).chmod(0o755)
        with (
            PrivatePostgres(Path(var) / "postgres", durable=True) as postgres,
            PrivateBroker(Path(var) / "broker", kind="mosquitto") as broker,
        ):
            os.environ.update(
                {
                    "DJANGO_SETTINGS_MODULE": "config.settings",
                    "DATABASE_URL": postgres.url,
                    "MQTT_URL": broker.url,
                    "SECRET_KEY": "for-this-run-only",
                    "UNIT_EVENTS_PER_MINUTE": "0",  # units here press as none does
                    "DEMO": "1",
                    "LOG_LEVEL": "WARNING",
                }
            )
            import django
            from django.core.management import call_command

            django.setup()
            call_command("migrate", verbosity=0)
            create_seed_data(options.tables)
            assert postgres.pid
            assert broker.pid
            measure(options, broker.url, postgres.pid, broker.pid)
    return None


if __name__ == "__main__":
    main()
