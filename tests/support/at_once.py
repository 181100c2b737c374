"""Two people who press at the same instant, each with a connection of their own.

They meet at a row that the test holds until all of them wait for it, so that none is ahead.
"""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction

from jackpot.models import CommandQueue
from jackpot.writer.poster import Poster
from settlement.core.errors import RuleBroken
from settlement.models import Claim
from tables.models import JackpotSystem
from tests.support.roles import acting_as
from tests.support.waiting import wait_until

# Of pg_locks, which is read anew each time; pg_stat_activity stands still in a transaction.
_WAITING = """
    SELECT count(DISTINCT l.pid) FROM pg_locks l
    WHERE NOT l.granted AND l.pid IN (
        SELECT o.pid FROM pg_locks o JOIN pg_database d ON d.oid = o.database
        WHERE d.datname = current_database())
"""


class People:
    """As many people as press at once; close() ends their connections."""

    def __init__(self, count: int = 2) -> None:
        self._pool = ThreadPoolExecutor(count)
        self.count = count

    def press(self, gate: Any, *actions: Callable[[], Any]) -> list[Any]:
        """What each action came to: its answer, or the refusal. All wait at the `gate`, rows
        that the test holds, before any goes on."""
        assert len(actions) <= self.count
        with transaction.atomic():
            list(gate.select_for_update())
            running = [self._pool.submit(_outcome, action) for action in actions]
            wait_until(
                lambda: waiting() + sum(each.done() for each in running) >= len(actions),
                what="everybody to stand at the row",
            )
        return [each.result() for each in running]

    def close(self) -> None:
        met = threading.Barrier(self.count)

        def leave() -> None:
            met.wait()  # each thread takes one
            connection.close()

        for each in [self._pool.submit(leave) for _ in range(self.count)]:
            each.result()
        self._pool.shutdown()


def claims_of(system: JackpotSystem) -> Any:
    return Claim.objects.filter(system=system).order_by("pk")


def queue_of(system: JackpotSystem) -> Any:
    return CommandQueue.objects.filter(system=system)


@contextmanager
def people(count: int = 2) -> Iterator[People]:
    group = People(count)
    try:
        yield group
    finally:
        group.close()


@contextmanager
def writing() -> Iterator[None]:
    """The writer, in a thread of its own."""
    stop = threading.Event()

    def run() -> None:
        try:
            with acting_as("poster"):
                Poster("writer").run(stop)
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _outcome(action: Callable[[], Any]) -> Any:
    try:
        with acting_as("web"):
            return action()
    except RuleBroken as refusal:
        return refusal


def waiting() -> int:
    with connection.cursor() as cursor:
        cursor.execute(_WAITING)
        return int(cursor.fetchone()[0])
