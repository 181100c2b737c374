"""Acting as one of the database's lesser roles, in this thread; or as an owner who cheats."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.db.backends.signals import connection_created

from settlement.database_roles.grants import PREFIX

_role = threading.local()

# A session of this thread's for everybody who has none, under keys that nobody else has.
_LOG_IN = """
    INSERT INTO console_session (session_key, session_data, expire_date, person_id)
    SELECT left(encode(sha256(convert_to(%(key)s || id, 'UTF8')), 'hex'), 40), '', 'infinity', id
    FROM auth_user u WHERE NOT EXISTS (SELECT FROM settlement_program WHERE person_id = u.id)
    ON CONFLICT DO NOTHING
"""
_SHOW = """
    SELECT set_config('jackpot.shown', (
        SELECT string_agg(%(key)s || id, ' ') FROM auth_user), false)
"""


@contextmanager
def acting_as(role: str | None, *, logged_in: bool = True) -> Iterator[None]:
    """What this thread asks of the database is asked as `role`, new connections included.

    None: as the owner. As `web`, everybody is logged in and shows it, whoever acts; nobody is
    with `logged_in=False`, as of a thief who has the password of the role alone.
    """
    before = getattr(_role, "name", None), getattr(_role, "logged_in", True)
    act_as(role, logged_in=logged_in)
    try:
        yield
    finally:
        _role.name, _role.logged_in = before
        if not connection.needs_rollback:
            _put_on(connection)


def act_as(role: str | None, *, logged_in: bool = True) -> None:
    """The same from now on: for a thread that is one process to its end."""
    _role.name, _role.logged_in = role, logged_in
    _put_on(connection)


def _put_on(to: Any, **_: Any) -> None:
    name = getattr(_role, "name", None)
    key = {"key": f"of-the-tests-{threading.get_ident()}-"}
    with to.cursor() as cursor:
        if name == "web" and _role.logged_in:
            cursor.execute("RESET ROLE")
            cursor.execute(_LOG_IN, key)
            cursor.execute(_SHOW, key)
        else:
            cursor.execute("RESET jackpot.shown")
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
