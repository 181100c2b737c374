"""Whether a role has another password than it was given: every role may set its own.

PostgreSQL knows no way to refuse that, so it is noticed. A function of the server's administrator
gives a SHA-256 of each password as the server keeps it, which has a new salt each time;
`grant_roles` writes down what it finds, and the worker raises an alarm where it is another one.
"""

from __future__ import annotations

import logging
from typing import Any

from django.db import DatabaseError, connection, transaction

from tables.alarms import raise_alarm

log = logging.getLogger(__name__)

_MARKS = "SELECT role, mark FROM jackpot_admin.password_marks() ORDER BY role"
# As in deploy/roles.sh.
_MAKE = r"""
CREATE SCHEMA IF NOT EXISTS jackpot_admin;
CREATE OR REPLACE FUNCTION jackpot_admin.password_marks() RETURNS TABLE (role name, mark text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT rolname, encode(sha256(convert_to(coalesce(rolpassword, ''), 'UTF8')), 'hex')
    FROM pg_authid WHERE rolname LIKE 'jackpot\_%'
$$;
REVOKE ALL ON FUNCTION jackpot_admin.password_marks() FROM PUBLIC;
GRANT USAGE ON SCHEMA jackpot_admin TO jackpot_worker;
GRANT EXECUTE ON FUNCTION jackpot_admin.password_marks() TO jackpot_worker;
"""
_LESSER_ROLES = r"""
    SELECT FROM pg_roles WHERE rolname LIKE 'jackpot\_%' AND rolname <> 'jackpot_owner' LIMIT 1
"""
UNWATCHED = (
    "Nobody would notice a role that sets its own password: let the database's administrator run"
    " deploy/roles.sh again."
)
_NOTED = "SELECT role, mark FROM settlement_rolemark"
_NOTE = """
    INSERT INTO settlement_rolemark (role, mark, at) VALUES (%s, %s, now())
    ON CONFLICT (role) DO UPDATE SET mark = excluded.mark, at = excluded.at
    WHERE settlement_rolemark.mark <> excluded.mark
"""


def note(cursor: Any) -> list[str]:
    """Write down the passwords as they are; what somebody must look at."""
    cursor.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
    if cursor.fetchone()[0]:
        cursor.execute(_MAKE)
    marks = _marks()
    if marks is None:
        return [UNWATCHED]
    changed = _changed(marks)
    for mark in marks.items():
        cursor.execute(_NOTE, mark)
    return [
        f"{role} has another password than at the last time: from here on it is the right one."
        " Look for whoever changed it if it was none of you."
        for role in changed
    ]


def watch() -> None:
    """Raise an alarm for each role whose password is not the one that was written down."""
    marks = _marks()
    if marks is None:
        _say_that_nobody_watches()
    for role in _changed(marks or {}):
        raise_alarm(
            "role_password",
            role,
            f"The database role {role} has another password than it was given. If none of you gave"
            " it a new one, somebody else did: run deploy/roles.sh with new passwords and then"
            " grant_roles, and find out who had the old one.",
        )


def _say_that_nobody_watches() -> None:
    with connection.cursor() as cursor:
        cursor.execute(_LESSER_ROLES)
        if cursor.fetchone() is not None:
            log.error("%s", UNWATCHED)


def _changed(marks: dict[str, str]) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(_NOTED)
        noted = dict(cursor.fetchall())
    return [role for role, mark in marks.items() if noted.get(role, mark) != mark]


def _marks() -> dict[str, str] | None:
    """By role; None where the administrator's function is not there for this role."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_MARKS)
            return dict(cursor.fetchall())
    except DatabaseError:
        return None
