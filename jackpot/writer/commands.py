"""Queueing what people decided, and waiting a moment for the writer's answer."""

from __future__ import annotations

import time
import uuid
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from jackpot.models import Command, CommandQueue, Entry
from tables.models import JackpotSystem


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a command. `seq` is None while it is queued."""

    number: int
    seq: int | None
    outcome: dict[str, Any]

    @property
    def refused(self) -> str | None:
        return self.outcome.get("refused")


class KeyReused(Exception):
    """A key came again with another command."""


def queue(
    system: JackpotSystem,
    kind: str,
    body: dict[str, Any],
    *,
    first: str,
    second: str | None = None,
    key: uuid.UUID | None = None,
) -> int:
    """Queue a command; its number in the system's queue.

    The same `key` again is the same command: a double click queues nothing new. Numbers follow
    the order of commit, since the queue's row is locked until then.
    """
    key = key or uuid.uuid4()
    CommandQueue.objects.get_or_create(system=system)
    with transaction.atomic():
        last = CommandQueue.objects.select_for_update().get(system=system)
        command = Command.objects.filter(key=key).first()
        if command is not None:
            if (command.system_id, command.kind, command.body) != (system.pk, kind, body):
                raise KeyReused(f"The key {key} belongs to another command.")
            return command.number
        last.last_number += 1
        last.save(update_fields=["last_number"])
        Command.objects.create(
            system=system,
            number=last.last_number,
            kind=kind,
            body=body,
            first=first,
            second=second,
            issued_at=timezone.now(),
            key=key,
        )
        with connection.cursor() as cursor:
            cursor.execute("NOTIFY jackpot_inbox")  # a hint: the poster looks anyway
    return last.last_number


def answer(system: JackpotSystem, number: int) -> Answer:
    """What became of a command so far."""
    entry = Entry.objects.filter(system=system, command=number).values("seq", "outcome").first()
    if entry is None:
        return Answer(number, None, {})
    return Answer(number, entry["seq"], entry["outcome"])


def wait(system: JackpotSystem, number: int, timeout_s: float | None = None) -> Answer:
    """Wait for the writer's answer; after `timeout_s` (the setting's 2 s) say that it is queued.

    Not inside a transaction: the command must be committed for the writer to see it.
    """
    deadline = time.monotonic() + (settings.CLAIM_WAIT_S if timeout_s is None else timeout_s)
    while True:
        reply = answer(system, number)
        if reply.seq is not None or time.monotonic() >= deadline:
            return reply
        time.sleep(0.02)
