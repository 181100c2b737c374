"""A role that is missing in the server, made with its limits before it has a right."""

from __future__ import annotations

from typing import Any

from psycopg import sql

from settlement.database_roles import limits as role_limits
from settlement.database_roles.limits import RoleLimits


class GrantsError(Exception):
    """The roles cannot be made or a table is unknown; the message says what to do."""


def make(cursor: Any, role: str, limits: RoleLimits, password: str | None) -> bool:
    """Whether it was missing, and is there now. GrantsError where the owner may make none."""
    cursor.execute("SELECT FROM pg_roles WHERE rolname = %s", [role])
    if cursor.fetchone() is not None:
        return False
    cursor.execute("SELECT rolcreaterole OR rolsuper FROM pg_roles WHERE rolname = current_user")
    if not cursor.fetchone()[0]:
        raise GrantsError(
            f"The role {role} is missing and the owner may not make roles: let the"
            " database's administrator run deploy/roles.sh first."
        )
    name = sql.Identifier(role)
    options: list[sql.Composable] = [sql.SQL("LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE")]
    if password:
        options.append(sql.SQL("PASSWORD {}").format(sql.Literal(password)))
    # Roles belong to the whole server: another database's owner may be a moment faster.
    cursor.execute(
        sql.SQL(
            "DO $$ BEGIN CREATE ROLE {} {}; {};"
            " EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$"
        ).format(
            name,
            sql.SQL(" ").join(options),
            sql.SQL("; ").join(role_limits.statements(role, limits)),
        )
    )
    return True
