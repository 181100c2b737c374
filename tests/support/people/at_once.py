"""Two people who press at the same instant, each with a connection of their own.

They meet at a row that the test holds until all of them wait for it, so that none is ahead.
"""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection, transaction

from jackpot.models import CommandQueue
from jackpot.writer.poster import Poster
from settlement.core.errors import RuleBroken
from settlement.models import Claim
from tables.models import JackpotSystem
from tests.support.people.roles import acting_as
from tests.support.suite.waiting import wait_until

# Of pg_locks, which is read again each time; pg_stat_activity stands still in a transaction.
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


def elsewhere(act: Callable[[], Any]) -> Any:
    """What it comes to over a connection of its own, to its commit; as the owner."""

    def run() -> Any:
        try:
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as other:
        return other.submit(run).result()


def after_look(patch: pytest.MonkeyPatch, owner: Any, look: str, act: Callable[[], Any]) -> None:
    """The first time that a service has looked by `owner.look`, somebody else acts."""
    looked, acts = getattr(owner, look), [act]

    def look_then(*arguments: Any, **keywords: Any) -> Any:
        result = looked(*arguments, **keywords)
        while acts:
            elsewhere(acts.pop())
        return result

    patch.setattr(owner, look, look_then)
