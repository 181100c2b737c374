"""Acting as one of the database's lesser roles, in this thread; or as an owner who cheats."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.db.backends.signals import connection_created

from settlement.grants import PREFIX

_role = threading.local()


@contextmanager
def acting_as(role: str | None) -> Iterator[None]:
    """What this thread asks of the database is asked as `role`, new connections included.

    None: as the owner.
    """
    before = getattr(_role, "name", None)
    act_as(role)
    try:
        yield
    finally:
        _role.name = before
        if not connection.needs_rollback:
            _put_on(connection)


def act_as(role: str | None) -> None:
    """The same from now on: for a thread that is one process to its end."""
    _role.name = role
    _put_on(connection)


def _put_on(to: Any, **_: Any) -> None:
    name = getattr(_role, "name", None)
    with to.cursor() as cursor:
        cursor.execute(f"SET ROLE {PREFIX}{name}" if name else "RESET ROLE")


def _on_connection(connection: Any, **_: Any) -> None:
    if getattr(_role, "name", None):
        _put_on(connection)


connection_created.connect(_on_connection)


@contextmanager
def owner_without_guards(table: str) -> Iterator[None]:
    """What somebody with the owner's password could do: the guards are off for a moment."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        yield
        cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")
