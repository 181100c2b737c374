"""How much of the server each role may take: connections, and for how long it may hold things up.

Each role has connections of its own and all together have fewer than the server: whoever exhausts
the web's finds the intake's and the poster's untouched. Times are limits of a session that the
server ends by itself. Intake and poster have none: their long work is the work. `deploy/roles.sh`
gives the same to a cluster whose owner may not change roles; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import DatabaseError, transaction
from psycopg import sql

# What a server must give at least, which is PostgreSQL's own default. What the roles cannot take is
# for the owner, who migrates, and three for the server's administrator.
SERVER_CONNECTIONS = 100
LEFT_FOR_OWNERS = 12


@dataclass(frozen=True)
class RoleLimits:
    """Of one role, on the whole server."""

    connections: int
    settings: Mapping[str, str] = field(default_factory=dict)


LIMITS: dict[str, RoleLimits] = {
    # Two of each may run while one takes over from the other; each has up to three connections.
    "intake": RoleLimits(10),
    "poster": RoleLimits(12),
    "worker": RoleLimits(
        16,
        {
            # As long as a task may take (CELERY_TASK_TIME_LIMIT).
            "statement_timeout": "10min",
            "lock_timeout": "30s",
            "idle_in_transaction_session_timeout": "2min",
        },
    ),
    # Two processes with a pool of 14 each, and room for one that is being replaced.
    "web": RoleLimits(
        44,
        {
            "statement_timeout": "1min",
            "lock_timeout": "10s",
            "idle_in_transaction_session_timeout": "1min",
        },
    ),
    "reporting": RoleLimits(
        6,
        {
            "default_transaction_read_only": "on",
            "statement_timeout": "15min",
            "lock_timeout": "30s",
            "idle_in_transaction_session_timeout": "5min",
        },
    ),
}


def enforce(cursor: Any, role: str, name: str) -> str | None:
    """Give the role what LIMITS says; what is wrong where this owner may not."""
    role_limits = LIMITS[role]
    connections, settings = held(cursor, name)
    if connections == role_limits.connections and role_limits.settings.items() <= settings.items():
        return None
    try:
        with transaction.atomic():
            for statement in statements(name, role_limits):
                cursor.execute(statement)
    except DatabaseError:
        return (
            f"{name} has not the limits of settlement/database_roles/limits.py: let the database's"
            " administrator run deploy/roles.sh again."
        )
    return None


def statements(name: str, caps: RoleLimits) -> list[sql.Composed]:
    """These limits; what an administrator set besides stays."""
    role = sql.Identifier(name)
    return [
        sql.SQL("ALTER ROLE {} CONNECTION LIMIT {}").format(role, sql.Literal(caps.connections)),
        *(
            sql.SQL("ALTER ROLE {} SET {} = {}").format(
                role, sql.Identifier(setting), sql.Literal(value)
            )
            for setting, value in caps.settings.items()
        ),
    ]


def held(cursor: Any, name: str) -> tuple[int, dict[str, str]]:
    """The limits that the role has now."""
    cursor.execute(
        "SELECT r.rolconnlimit, coalesce(s.setconfig, '{}') FROM pg_roles r"
        " LEFT JOIN pg_db_role_setting s ON s.setrole = r.oid AND s.setdatabase = 0"
        " WHERE r.rolname = %s",
        [name],
    )
    connections, configured = cursor.fetchone()
    return connections, dict(each.split("=", 1) for each in configured)
