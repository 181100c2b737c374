"""What of rights and guards is not as this version says it: looked at, and left as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.db import connection, transaction

from settlement.database_roles import grants
from settlement.database_roles.calls import CALLS
from tables.schema.guards import PROJECT

APPS = ("tables", "jackpot", "settlement")
# Tables and sequences, columns, functions that somebody calls, the schema: who has which right.
_RIGHTS = r"""
    SELECT what, pg_get_userbyid(grantee) AS role, privilege_type FROM (
        SELECT c.relname AS what, a.grantee, a.privilege_type
        FROM pg_class c, aclexplode(c.relacl) a
        WHERE c.relnamespace = 'public'::regnamespace
        UNION ALL
        SELECT c.relname || '.' || t.attname, a.grantee, a.privilege_type
        FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid, aclexplode(t.attacl) a
        WHERE c.relnamespace = 'public'::regnamespace
        UNION ALL
        SELECT p.oid::regprocedure::text, a.grantee, a.privilege_type
        FROM pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
        WHERE p.oid = ANY(SELECT to_regprocedure(named)::oid FROM unnest(%s::text[]) AS named)
        UNION ALL
        SELECT n.nspname, a.grantee, a.privilege_type
        FROM pg_namespace n, aclexplode(n.nspacl) a WHERE n.nspname = 'public'
    ) AS rights
    WHERE pg_get_userbyid(grantee) LIKE 'jackpot\_%%' OR grantee = 0
"""
_OWNED = r"""
    SELECT c.relname FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'S', 'v', 'm')
      AND pg_get_userbyid(c.relowner) = ANY(%s)
    UNION ALL
    SELECT p.proname FROM pg_proc p
    WHERE p.pronamespace = 'public'::regnamespace AND pg_get_userbyid(p.proowner) = ANY(%s)
"""
_ATTRIBUTES = """
    SELECT rolname FROM pg_roles WHERE rolname = ANY(%s)
      AND (rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls)
    UNION
    SELECT pg_get_userbyid(member) FROM pg_auth_members WHERE pg_get_userbyid(member) = ANY(%s)
"""
_TRIGGERS = """
    SELECT tgrelid::regclass::text, tgname, tgenabled FROM pg_trigger WHERE NOT tgisinternal
"""
_FUNCTIONS = """
    SELECT proname, prosrc, coalesce(proconfig @> ARRAY['search_path=public, pg_temp'], false)
    FROM pg_proc WHERE pronamespace = 'public'::regnamespace
"""
_FUNCTION = re.compile(r"^CREATE FUNCTION (\w+)\(.*?AS \$\$(.*?)\$\$", re.MULTILINE | re.DOTALL)
_TRIGGER = re.compile(r"CREATE (?:CONSTRAINT )?TRIGGER (\w+)\s[^;]*?\sON (\w+|%I)")
_OF_LOOP = re.compile(r"""['"]((?:tables|jackpot|settlement|console)_\w+)['"]""")
_COMMENT = re.compile(r"^ *--.*\n", re.MULTILINE)


@dataclass(frozen=True)
class Guards:
    """What the SQL files make: triggers as (table, name), and functions with their text."""

    triggers: frozenset[tuple[str, str]]
    functions: dict[str, str]


def differing_rights() -> list[str]:
    """Rights that a role has too many (`+`) or too few (`-`), by the statements of grants.py.

    For the owner of the tables. The statements are carried out, and taken back.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        before = _rights(cursor)
        columns = grants.columns_of_tables(cursor)
        rights = {table: names for table, names in columns.items() if table in grants.WRITES}
        unknown = [f"? {table}" for table in sorted(columns.keys() - rights.keys())]
        for role in grants.ROLES:
            for statement in grants.statements(role, rights):
                cursor.execute(statement)
        due = _rights(cursor)
        transaction.set_rollback(True)
    more = [f"+ {_right(each)}" for each in sorted(before - due)]
    return unknown + more + [f"- {_right(each)}" for each in sorted(due - before)]


def strong_roles() -> list[str]:
    """Roles of processes that own something here, or may more on the server than log in."""
    roles = [grants.PREFIX + role for role in grants.ROLES]
    with connection.cursor() as cursor:
        cursor.execute(_ATTRIBUTES, [roles, roles])
        strong = {name for (name,) in cursor.fetchall()}
        cursor.execute(_OWNED, [roles, roles])
        owned = {name for (name,) in cursor.fetchall()}
    return sorted(strong | owned)


def differing_guards() -> list[str]:
    """Triggers and functions that are missing, off, not this version's, or nobody's."""
    due = guards()
    with connection.cursor() as cursor:
        cursor.execute(_TRIGGERS)
        triggers = {(table, name): enabled for table, name, enabled in cursor.fetchall()}
        cursor.execute(_FUNCTIONS)
        functions = {name: (text, is_pinned) for name, text, is_pinned in cursor.fetchall()}
    faults = [f"{table}.{name}: missing" for table, name in due.triggers - triggers.keys()]
    faults += [f"{table}.{name}: unknown" for table, name in triggers.keys() - due.triggers]
    faults += [f"{table}.{name}: off" for (table, name), on in triggers.items() if on != "A"]
    for name, text in due.functions.items():
        if name not in functions:
            faults.append(f"{name}(): missing")
        elif functions[name][0] != text:
            faults.append(f"{name}(): other text")
    faults += [f"{name}(): search_path" for name, (_, pinned) in functions.items() if not pinned]
    return sorted(faults)


@cache
def guards() -> Guards:
    """As the SQL files of the apps have them now."""
    triggers: set[tuple[str, str]] = set()
    functions: dict[str, str] = {}
    for path in _files():
        text = path.read_text().partition("\n-- Backwards:\n")[0]
        functions |= dict(_FUNCTION.findall(text))
        text = _COMMENT.sub("", text)
        for name, table in _TRIGGER.findall(text):
            triggers |= {(each, name) for each in (_loop(text) if table == "%I" else [table])}
    return Guards(frozenset(triggers), functions)


def _files() -> Iterator[Path]:
    for app in APPS:
        yield from sorted((PROJECT / app / "sql").glob("*.sql"))


def _loop(text: str) -> list[str]:
    """The tables over which a file makes a trigger."""
    return _OF_LOOP.findall(text[text.index("DO $") :])


def _rights(cursor: Any) -> set[tuple[str, str, str]]:
    cursor.execute(_RIGHTS, [list(CALLS)])
    return set(cursor.fetchall())


def _right(each: tuple[str, str, str]) -> str:
    what, role, privilege = each
    return f"{role}: {privilege} {what}"
