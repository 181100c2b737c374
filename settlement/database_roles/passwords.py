"""Whether a role has another password or other settings than it was given: each may set its own.

PostgreSQL knows no way to refuse that, so it is noticed. A function of the server's administrator
gives a SHA-256 of each password as the server keeps it, which has a new salt each time; of the
settings we take what differs from the role's limits. `grant_roles` writes down what is new to it,
and it and the worker raise an alarm where something else is found.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.db import DatabaseError, connection, transaction

from settlement.core.words.house_alarms import HouseAlarm
from settlement.database_roles.limits import LIMITS
from tables.alarms import raise_alarm

log = logging.getLogger(__name__)

_MARKS = "SELECT role, mark FROM jackpot_admin.password_marks() ORDER BY role"
_MAKE = (Path(__file__).parent / "password_marks.sql").read_text()  # as deploy/roles.sh does
# Everybody may read these.
_SETTINGS = """
    SELECT r.rolname, s.setdatabase, s.setting FROM pg_roles r LEFT JOIN (
        SELECT setrole, setdatabase, unnest(setconfig) AS setting FROM pg_db_role_setting
        WHERE setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
    ) s ON s.setrole = r.oid
    WHERE r.rolname = ANY(%s)
"""
_OF_SETTINGS = " settings"  # what the mark of a role's settings is called, behind its name
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


def note(cursor: Any, new_roles: Collection[str] = (), *, ours: bool = False) -> list[str]:
    """Write down the roles as they are, where nothing stands yet; what somebody must look at.

    `new_roles`: those that were made just now. `ours`: whatever was changed, we changed it.
    """
    cursor.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
    if cursor.fetchone()[0]:
        cursor.execute(_MAKE)
    passwords = _passwords()
    marks = (passwords or {}) | _settings()
    changed = [] if ours else [name for name in _changed(marks) if _role(name) not in new_roles]
    for name, mark in marks.items():
        if name not in changed:
            cursor.execute(_NOTE, [name, mark])
    return ([UNWATCHED] if passwords is None else []) + _raise(changed)


def watch() -> None:
    """Raise an alarm for each role that is not as it was written down."""
    passwords = _passwords()
    if passwords is None:
        _say_that_nobody_watches()
    _raise(_changed((passwords or {}) | _settings()))


def changes() -> tuple[bool, list[str]]:
    """Whether passwords are watched at all; roles that are not as they were written down."""
    passwords = _passwords()
    changed = _changed((passwords or {}) | _settings())
    return passwords is not None, sorted({_role(name) for name in changed})


def _raise(changed: Iterable[str]) -> list[str]:
    """An alarm for each role, and what it says."""
    changes: dict[str, HouseAlarm] = {}
    for name in sorted(changed):
        role = _role(name)
        what = (
            HouseAlarm.OTHER_SETTINGS if name.endswith(_OF_SETTINGS) else HouseAlarm.OTHER_PASSWORD
        )
        changes[role] = HouseAlarm.OTHER_BOTH if role in changes else what
    messages = {
        role: HouseAlarm.ROLE_PASSWORD % {"role": role, "change": change}
        for role, change in changes.items()
    }
    for role, message in messages.items():
        raise_alarm("role_password", role, message)
    return list(messages.values())


def _role(name: str) -> str:
    return name.removesuffix(_OF_SETTINGS)


def _say_that_nobody_watches() -> None:
    with connection.cursor() as cursor:
        cursor.execute(_LESSER_ROLES)
        if cursor.fetchone() is not None:
            log.error("%s", UNWATCHED)


def _changed(marks: dict[str, str]) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(_NOTED)
        noted = dict(cursor.fetchall())
    return [name for name, mark in marks.items() if noted.get(name, mark) != mark]


def _passwords() -> dict[str, str] | None:
    """By role; None where the administrator's function is not there for this role."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_MARKS)
            return dict(cursor.fetchall())
    except DatabaseError:
        return None


def _settings() -> dict[str, str]:
    """By role: of what is set besides its limits, and of limits that are not."""
    differ = {
        f"jackpot_{role}": {f"{name}={value}" for name, value in limits.settings.items()}
        for role, limits in LIMITS.items()
    } | {"jackpot_owner": set()}
    with connection.cursor() as cursor:
        cursor.execute(_SETTINGS, [list(differ)])
        rows = cursor.fetchall()
    for role, database, setting in rows:
        if setting is not None:
            differ[role] ^= {f"in this database: {setting}" if database else setting}
    return {
        role + _OF_SETTINGS: sha256("\n".join(sorted(differ[role])).encode()).hexdigest()
        for role in {role for role, _, _ in rows}
    }
