"""How fast the poster posts what waits, on a PostgreSQL of its own with fsync on.

    python -m benchmarks.posting [--rounds 20000] [--tables 10] [--systems 1] [--runs 3]
                                 [--batch 12]

Each run fills the inbox with `round_started` events, every one funding three tiers, and takes the
time until the poster has none left: order, books, transfers, hash blocks and sequenced receipts.
In turns with it, the same entries and transfers are copied into tables without an index, a
constraint or a trigger: what the rows alone cost. Then batches of `--batch` events, one after the
other, as a floor at play makes them: what one of them takes.
"""

import argparse
import cProfile
import os
import platform
import pstats
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from demo.servers.postgres import PrivatePostgres

BATCH = 500  # rows of a transaction of the plain copy
_TIERS = 3
_INBOX = """
    COPY tables_tableevent (system_id, table_id, boot, seq, type, round, test, recorded_at,
                            received_at, body) FROM STDIN
"""
_STREAM = """
    INSERT INTO tables_stream (system_id, table_id, boot, committed_seq, last_seq)
    VALUES (%s, %s, 1, 0, 0) ON CONFLICT DO NOTHING
"""
_HELD = "UPDATE tables_stream SET committed_seq = %s, last_seq = %s WHERE table_id = %s"
_PLAIN = """
    DROP TABLE IF EXISTS plain_entry, plain_transfer;
    CREATE TABLE plain_entry (LIKE jackpot_entry);
    CREATE TABLE plain_transfer (LIKE jackpot_transfer);
"""


@dataclass(frozen=True, slots=True)
class Run:
    """Seconds of one run, and of processor time: of this process, and of PostgreSQL's."""

    events: int
    wall_s: float
    python_s: float
    postgres_s: float


def terms() -> dict[str, Any]:
    """Three tiers, each fed by the operator at every round."""
    from jackpot.terms.money import MICROS

    weakest = {"category": "royal_flush", "ranks": []}
    return {
        "code": "house",
        "name": "House Jackpot",
        "funding": "operator",
        "games": ["holdem"],
        "tiers": [
            {
                "code": code,
                "name": code.title(),
                "rank": rank,
                "reset": 1000 * MICROS,
                "payable_unit": MICROS,
                "increments": [{"source": "per_round", "amount": MICROS // (2 * rank)}],
                "qualifying": {"games": ["holdem"], "weakest": weakest, "hole_cards_playing": 2},
            }
            for rank, code in enumerate(("royal", "steel", "quads")[:_TIERS], 1)
        ],
    }


class Casino:
    """Systems with tables, whose events are put into the inbox without intake or broker."""

    def __init__(self, systems: int, tables: int) -> None:
        from jackpot.writer import commands
        from jackpot.writer.poster import Poster
        from tables import models

        casino = models.Casino.objects.create(code="bench", name="Bench", currency="NZD")
        self.poster = Poster("benchmark")
        self.tables: list[tuple[str, Any]] = []  # system's code, table
        for number in range(systems):
            code = f"floor-{number}"
            system = models.JackpotSystem.objects.create(casino=casino, code=code, name=code)
            commands.queue(system, "put_terms", {"terms": terms()}, first="a", second="b")
            share = tables // systems + (number < tables % systems)
            for place in range(share):
                table = models.GamingTable.objects.create(
                    system=system, code=f"t{place}", name=f"Table {place}"
                )
                self.tables.append((code, table))
        self.seq = 0
        self._say("session_opened", 1)
        self.drain()

    def press(self, rounds: int) -> int:
        """Fill the inbox with that many rounds, tables in turns; how many it were."""
        each = max(1, rounds // len(self.tables))
        self._say("round_started", each)
        return each * len(self.tables)

    def drain(self) -> None:
        while self.poster.step():
            pass

    def _say(self, type_: str, each: int) -> None:
        import msgspec
        from django.db import connection, transaction
        from django.utils import timezone

        from tables.protocol import messages

        now = timezone.now()
        common: dict[str, Any] = {"v": 1, "boot": 1, "recorded_at": now}
        with transaction.atomic(), connection.cursor() as cursor:
            with cursor.copy(_INBOX) as copy:
                for seq in range(self.seq + 1, self.seq + each + 1):
                    for system, table in self.tables:
                        names = {**common, "system": system, "table": table.code, "seq": seq}
                        event: messages.AnyEvent
                        if type_ == "session_opened":
                            event = messages.SessionOpened(
                                game="holdem", deck=52, dealer="d", seats_in_play=[1, 2, 3], **names
                            )
                        else:
                            event = messages.RoundStarted(round=seq, **names)
                        body = msgspec.json.encode(event)
                        number = seq if type_ == "round_started" else None
                        where = (table.system_id, table.pk, 1, seq)
                        copy.write_row((*where, type_, number, False, now, now, body))
            self.seq += each
            for _, table in self.tables:
                cursor.execute(_STREAM, [table.system_id, table.pk])
                cursor.execute(_HELD, [self.seq, self.seq, table.pk])


class Server(Protocol):
    """The database server, by its first process; None: its time is not known here."""

    @property
    def pid(self) -> int | None: ...


def timed(postgres: Server, events: int, work: Callable[[], object]) -> Run:
    """Run it once."""
    before = processor_s(postgres.pid)
    python, wall = time.process_time(), time.perf_counter()
    work()
    wall, python = time.perf_counter() - wall, time.process_time() - python
    return Run(events, wall, python, processor_s(postgres.pid) - before)


def processor_s(pid: int | None) -> float:
    """Processor time of a process and all that it started, in seconds (Linux only, else 0)."""
    if pid is None or not Path("/proc").is_dir():
        return 0.0
    ticks, family = 0, {pid}
    stats = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            after = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        stats[int(path.parent.name)] = (int(after[1]), sum(map(int, after[11:15])))
    grown = True
    while grown:
        children = {child for child, (parent, _) in stats.items() if parent in family} - family
        grown = bool(children)
        family |= children
    ticks = sum(stats[member][1] for member in family if member in stats)
    return ticks / os.sysconf("SC_CLK_TCK")


def plain_copy(first_seq: int) -> Callable[[], None]:
    """The entries and transfers written since, for copying them once more into bare tables."""
    from django.db import connection, transaction

    with connection.cursor() as cursor:
        cursor.execute(_PLAIN)
        cursor.execute("SELECT * FROM jackpot_entry WHERE seq > %s", [first_seq])
        entries = cursor.fetchall()
        cursor.execute("SELECT * FROM jackpot_transfer WHERE entry_seq > %s", [first_seq])
        transfers = cursor.fetchall()

    def copy_again() -> None:
        for start in range(0, len(entries), BATCH):
            with transaction.atomic(), connection.cursor() as cursor:
                for name, rows, each in (("entry", entries, 1), ("transfer", transfers, _TIERS)):
                    with cursor.copy(f"COPY plain_{name} FROM STDIN") as copy:
                        for row in rows[start * each : (start + BATCH) * each]:
                            copy.write_row(row)

    return copy_again


def small_batches(casino: Casino, postgres: Server, rounds: int) -> str:
    """What a batch of about so many events takes, in a line."""
    runs = []
    for _ in range(300):
        events = casino.press(rounds)
        runs.append(timed(postgres, events, casino.poster.step))
    walls = sorted(1e3 * run.wall_s for run in runs)
    python, server = (
        1e3 * statistics.fmean(seconds)
        for seconds in ([r.python_s for r in runs], [r.postgres_s for r in runs])
    )
    return (
        f"a batch of {runs[0].events}: {statistics.median(walls):.1f} ms,"
        f" p99 {walls[-len(walls) // 100]:.1f} ms; Python {python:.1f} ms,"
        f" PostgreSQL {server:.1f} ms"
    )


def report(name: str, runs: list[Run]) -> None:
    """One line: the medians of the runs."""

    def each(seconds: Callable[[Run], float]) -> float:
        return statistics.median(1e6 * seconds(run) / run.events for run in runs)

    wall = each(lambda run: run.wall_s)
    print(
        f"{name:<22}{1e6 / wall:>12,.0f}{wall:>12.1f}"
        f"{each(lambda run: run.python_s):>12.1f}{each(lambda run: run.postgres_s):>12.1f}"
    )


def main() -> None:
    wishes = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    wishes.add_argument("--rounds", type=int, default=20_000)
    wishes.add_argument("--tables", type=int, default=10, help="of all systems together")
    wishes.add_argument("--systems", type=int, default=1)
    wishes.add_argument("--runs", type=int, default=3)
    wishes.add_argument("--batch", type=int, default=12, help="events of a small batch")
    wishes.add_argument("--profile", action="store_true", help="where the poster's time goes")
    options = wishes.parse_args()
    with tempfile.TemporaryDirectory(prefix="jackpot-bench-", dir="/var/tmp") as place:
        Path(place).chmod(0o755)
        with PrivatePostgres(Path(place)) as postgres:
            os.environ |= {
                "DATABASE_URL": postgres.url,
                "SECRET_KEY": "benchmark",
                "DEMO": "1",
                "DJANGO_SETTINGS_MODULE": "config.settings",
            }
            import django
            from django.core.management import call_command

            django.setup()
            call_command("migrate", verbosity=0)
            measure(postgres, options)


def measure(postgres: PrivatePostgres, options: argparse.Namespace) -> None:
    """Post and copy in turns, and print the medians."""
    from django.db import connection

    from jackpot.models import Head

    casino = Casino(options.systems, options.tables)
    casino.press(options.rounds // 10)
    casino.drain()  # plans and caches are warm
    posted, copied = [], []
    profile = cProfile.Profile() if options.profile else nullcontext()
    for _ in range(options.runs):
        before = min(Head.objects.values_list("seq", flat=True))
        events = casino.press(options.rounds)
        with connection.cursor() as cursor:
            cursor.execute("CHECKPOINT")
        with profile:
            posted.append(timed(postgres, events, casino.drain))
        if options.systems == 1:
            copied.append(timed(postgres, events, plain_copy(before)))
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()};"
        f" {options.systems} systems, {options.tables} tables,"
        f" {options.runs} runs of {options.rounds:,} rounds, three transfers each"
    )
    print(f"{'':<22}{'events/s':>12}{'µs/event':>12}{'Python µs':>12}{'PostgreSQL µs':>14}")
    report("poster", posted)
    if copied:
        report("plain copy of the rows", copied)
    print(small_batches(casino, postgres, options.batch))
    if isinstance(profile, cProfile.Profile):
        pstats.Stats(profile).sort_stats("tottime").print_stats(40)


if __name__ == "__main__":
    main()
