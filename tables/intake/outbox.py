"""Messages that leave only after the commit of the transaction that wrote them.

A higher floor appends in its own transaction; the intake publishes between two batches.
At least once and in order: a message is deleted only after the broker has acknowledged it, so
after a crash some are published twice.
"""

import time
from collections.abc import Callable, Iterable
from itertools import takewhile
from typing import NamedTuple, Protocol

from django.db import connection, transaction

from tables.intake.traces import intake_traces
from tables.metrics import SEND_DELAY
from tables.models import JackpotSystem
from tables.process.prepared_statements import prepared_cursor
from tables.telemetry import traces

SENT_AT_ONCE = 500
ON_THE_WAY = 1000  # at most, unacknowledged
LOST_AFTER_S = 30.0  # unacknowledged so long, it is sent again
HINT_CHANNEL = "jackpot_outbox"

_PUT = """
    INSERT INTO tables_outboxmessage (system_id, topic, payload, retain, created)
    SELECT put.*, now() FROM unnest(%s::bigint[], %s::text[], %s::bytea[], %s::boolean[]) AS put
"""
# Should a crash undo the deletion, the messages are published once more: nothing to wait for the
# disk for. Messages are committed in another order than they are numbered: those that are on
# their way are left out one by one, never all below a number.
_GO_ON = """
    WITH gone AS (
        DELETE FROM tables_outboxmessage WHERE id = ANY(%(gone)s::bigint[])
        RETURNING set_config('synchronous_commit', 'off', true)
    )
    SELECT id, topic, payload, retain, extract(epoch FROM created)::float8
    FROM tables_outboxmessage AS message
    WHERE NOT EXISTS (SELECT FROM unnest(%(mine)s::bigint[]) AS mine (id)
                      WHERE mine.id = message.id)
    ORDER BY id LIMIT %(limit)s
"""
_TRY_LOCK = "SELECT pg_try_advisory_lock(hashtext('jackpot_outbox'))"
_UNLOCK = "SELECT pg_advisory_unlock(hashtext('jackpot_outbox'))"


class Outgoing(NamedTuple):
    """A message as it is published."""

    topic: str
    payload: bytes
    retain: bool = False


def put(system_code: str, topic: str, payload: bytes, retain: bool = False) -> None:
    """Append a message for `topic`; JackpotSystem.DoesNotExist for an unknown system."""
    system_id = JackpotSystem.objects.values_list("id", flat=True).get(code=system_code)
    put_all([(system_id, Outgoing(topic, payload, retain))])


def put_all(messages: Iterable[tuple[int, Outgoing]]) -> None:
    """Append messages, each with its system's id, in this order, and wake the intake once they
    are committed."""
    rows = [(system_id, *message) for system_id, message in messages]
    if not rows:
        return
    with prepared_cursor() as cursor:
        cursor.execute(_PUT, [list(column) for column in zip(*rows, strict=True)])
    transaction.on_commit(_hint)


def _hint() -> None:
    """Only a hint: the intake looks now and then in any case."""
    with connection.cursor() as cursor:
        cursor.execute(f"NOTIFY {HINT_CHANNEL}")


class Publication(Protocol):
    """A message that was handed to the broker."""

    @property
    def is_acknowledged(self) -> bool: ...


class Sender:
    """Publishes the outbox, in order, and waits for nothing.

    What the broker has acknowledged by the next step is deleted then, never ahead of what is
    older: whatever must be sent again, all that is newer follows it. Of several intakes one
    sends: it holds a lock that goes with its connection to the database.
    """

    def __init__(self, publish: Callable[[Outgoing], Publication | None]) -> None:
        self._publish = publish
        self._on_the_way: dict[int, Publication] = {}  # by id, in order
        self._line = 0  # the connection to the broker on which they left
        self._since = 0.0  # when one was acknowledged last, or none was on its way
        self._locked_on: object = None  # the connection that holds the lock

    @property
    def is_answered(self) -> bool:
        """Whether all that is on its way has arrived."""
        return bool(self._on_the_way) and next(reversed(self._on_the_way.values())).is_acknowledged

    def step(self, connection_number: int) -> bool:
        """Delete what has arrived, send what waits; whether more waits than was sent.

        `connection_number` tells the connection to the broker from the one before.
        """
        if not self._is_ours():
            self._on_the_way.clear()  # whoever sends now sends these as well
            return False
        acks = dict(takewhile(lambda each: each[1].is_acknowledged, self._on_the_way.items()))
        now = time.monotonic()
        if acks or not self._on_the_way:
            self._since = now
        # What left on a connection that is gone is acknowledged no more: it leaves once again.
        if connection_number != self._line or now - self._since > LOST_AFTER_S:
            self._on_the_way, self._line, self._since = dict(acks), connection_number, now
        room = min(SENT_AT_ONCE, ON_THE_WAY - len(self._on_the_way) + len(acks))
        names = {"gone": list(acks), "mine": list(self._on_the_way), "limit": room}
        with prepared_cursor() as cursor:
            cursor.execute(_GO_ON, names)
            rows = cursor.fetchall()
        for id_ in acks:
            del self._on_the_way[id_]
        for id_, topic, payload, retain, _ in rows:
            publication = self._publish(Outgoing(topic, bytes(payload), retain))
            if publication is None:
                return False
            self._on_the_way[id_] = publication
        SEND_DELAY.observe_since(created_s for *_, created_s in rows)
        if traces.is_on():
            intake_traces.note_messages(
                (topic, bytes(body), at_s) for _, topic, body, _, at_s in rows
            )
        return len(rows) == SENT_AT_ONCE

    def rest(self) -> None:
        """There is no connection to the broker: let another intake send."""
        if self._locked_on is not None and self._locked_on is connection.connection:
            with connection.cursor() as cursor:
                cursor.execute(_UNLOCK)
        self._locked_on = None

    def _is_ours(self) -> bool:
        if self._locked_on is None or self._locked_on is not connection.connection:
            with connection.cursor() as cursor:
                cursor.execute(_TRY_LOCK)
                (is_ours,) = cursor.fetchone()
            self._locked_on = connection.connection if is_ours else None
        return self._locked_on is not None
