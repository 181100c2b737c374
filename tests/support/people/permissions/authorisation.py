"""Actions and commands written past the services, for the audit of authorisation."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction

from jackpot.writer import commands
from settlement.models import Action, Claim, Record
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import owner_without_guards
from tests.support.suite.kept_house import kept_house


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    house.hit_royal()
    return house


house = kept_house(build_house)


def action(
    house: ClaimHouse,
    name: str,
    kind: str,
    command: int | None = None,
    body: dict[str, Any] | None = None,
) -> None:
    Action.objects.create(
        claim=Claim.objects.get(),
        kind=kind,
        person=User.objects.get(username=name),
        report_entry=house.hit(1).report_entry,
        command=command,
        body=body or {},
        key=uuid.uuid4(),
    )


def queue(house: ClaimHouse, kind: str, first: str, second: str | None, **body: Any) -> int:
    payload = {"hit": 1, "report_entry": house.hit(1).report_entry, **body}
    return commands.queue(house.system, kind, payload, first=first, second=second)


def is_rested_on(source: str, command: int) -> None:
    """The rows of a table as if that command of the one system had taken their records in."""
    with owner_without_guards("settlement_record"), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO settlement_record (system_id, source, row, said)"
            f" SELECT s.id, %s, t.id, to_jsonb(t)::text FROM {source} t, tables_jackpotsystem s"
            " ON CONFLICT DO NOTHING",
            [source],
        )
        Record.objects.filter(source=source).update(command=command)


@contextmanager
def refused(match: str) -> Iterator[None]:
    """What the block did is judged at its end, and refused."""
    with pytest.raises(IntegrityError, match=match), transaction.atomic():  # noqa: PT012
        yield
        at_the_end()


def at_the_end() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
