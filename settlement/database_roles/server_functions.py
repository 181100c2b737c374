"""Functions that PostgreSQL gives to everybody, and no role of the console needs: taken away.

Large objects belong to whoever makes them and no guard sees them; whoever may end a session ends
those of all processes with the same role; whoever takes the lock of the outbox holds up all
displays; whoever sees what others ask sees proofs of passwords. They are the administrator's, in
each database: `deploy/roles.sh` does the same where the owner may not, and a test compares the two.
"""

from __future__ import annotations

from typing import Any

from django.db import DatabaseError, transaction

RESTRICTED = (
    "^(lo_.*|loread|lowrite|pg_terminate_backend|pg_cancel_backend|pg_logical_emit_message"
    "|pg_(try_)?advisory_.*|pg_stat_get_activity|pg_stat_get_backend_activity)$"
)
# What a process does with one of them.
CALLERS: dict[str, tuple[str, ...]] = {
    # takes over from a poster that stands still: only the poster's own sessions
    "pg_terminate_backend(integer, bigint)": ("poster",),
    "pg_stat_get_activity(integer)": ("poster",),
    # one intake sends
    "pg_try_advisory_lock(bigint)": ("intake",),
    "pg_advisory_unlock(bigint)": ("intake",),
    # guards take turns; the outbox has keys of another kind
    "pg_advisory_xact_lock(integer, integer)": ("web", "worker"),
}

_FREE = """
    SELECT p.oid::regprocedure::text FROM pg_proc p, aclexplode(
        coalesce(p.proacl, acldefault('f', p.proowner))) AS given
    WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.proname ~ %s
      AND given.grantee = 0 AND given.privilege_type = 'EXECUTE'
    ORDER BY 1
"""
_MAY_EXECUTE = "SELECT has_function_privilege(%s, %s, 'EXECUTE')"


def free(cursor: Any) -> list[str]:
    """Those that everybody still may call in this database."""
    cursor.execute(_FREE, [RESTRICTED])
    return [name for (name,) in cursor.fetchall()]


def enforce(cursor: Any, prefix: str) -> str | None:
    """Take them away; what is wrong where this owner may not."""
    try:
        with transaction.atomic():
            for name in free(cursor):
                cursor.execute(f"REVOKE EXECUTE ON FUNCTION {name} FROM PUBLIC")
            for name, roles in CALLERS.items():
                for role in roles:
                    cursor.execute(_MAY_EXECUTE, [prefix + role, name])
                    if not cursor.fetchone()[0]:
                        cursor.execute(f"GRANT EXECUTE ON FUNCTION {name} TO {prefix}{role}")
            if not free(cursor):  # who may not is only warned
                return None
    except DatabaseError:
        pass
    return (
        "Large objects, ends of sessions and locks are free to every role: let the database's"
        " administrator run deploy/roles.sh again."
    )
