"""Rows on which decisions rest, held against what was recorded of them.

The database records each such row as it is written (`settlement/sql/is_recorded.sql`); the next
command of the system takes all that wait into its basis, and the order carries that. Where no
command comes, the console queues one that says nothing else (`seal`). Reconciliation looks here
whether a row was changed since.
"""

from __future__ import annotations

from django.db import connection
from psycopg import sql

from jackpot.writer import commands
from settlement.models import Record
from tables.models import JackpotSystem

MOST_DIFFERENCES = (
    10  # differences of a table; a person needs no more to see that something is wrong
)
CONSOLE = "console"  # in the place of a person's name

# Of columns that are there still, and that its role may read, none says anything else.
_CHANGED = """
    SELECT r.row, t.id IS NULL FROM settlement_record r
    LEFT JOIN (SELECT {columns} FROM {table}) AS t ON t.id = r.row
    WHERE r.system_id = {system} AND r.source = {name} AND (t.id IS NULL OR EXISTS (
        SELECT FROM jsonb_each(r.said::jsonb) AS was
        JOIN jsonb_each(to_jsonb(t)) AS now ON now.key = was.key
        WHERE was.value <> now.value))
    ORDER BY r.id LIMIT {limit}
"""
_COLUMNS = """
    SELECT r.source, a.attname FROM (
        SELECT DISTINCT source FROM settlement_record WHERE system_id = %s) AS r
    JOIN pg_attribute a ON a.attrelid = r.source::regclass AND a.attnum > 0 AND NOT a.attisdropped
    WHERE has_column_privilege(r.source::regclass, a.attnum, 'SELECT')
      AND (r.source, a.attname::text) NOT IN (SELECT 'settlement_attachment', 'content')
    ORDER BY r.source, a.attnum
"""
_PLAYERS = """
    SELECT r.row FROM settlement_record r JOIN settlement_identification i ON i.id = r.row
    JOIN LATERAL seals_of_identifications(i.claim_id) AS s ON s.id = i.id
    WHERE r.system_id = %s AND r.source = 'settlement_identification'
      AND r.said::jsonb ->> 'seal' <> encode(s.seal, 'hex') ORDER BY r.id LIMIT %s
"""
_EXCLUDED = """
    SELECT r.row FROM tables_jackpotsystem y CROSS JOIN seals_of_exclusions(y.casino_id) AS s
    JOIN settlement_record r ON (r.source, r.row, r.system_id)
        = ('settlement_exclusion', s.id, y.id)
    WHERE y.id = %s AND r.said::jsonb ->> 'seal' <> s.seal ORDER BY r.id LIMIT %s
"""
_SEALED = {"settlement_identification": _PLAYERS, "settlement_exclusion": _EXCLUDED}
_BASES = """
    SELECT c.number FROM jackpot_command c LEFT JOIN (
        SELECT r.command, string_agg(
            encode(sha256(convert_to(r.source || ' ' || r.said, 'UTF8')), 'hex'), E'\\n'
            ORDER BY r.id) AS digests
        FROM settlement_record r WHERE r.system_id = %(system)s GROUP BY r.command
    ) AS taken ON taken.command = c.number
    WHERE c.system_id = %(system)s AND c.basis <> sha256(convert_to(concat_ws(E'\\n',
        to_char(c.issued_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        digests), 'UTF8'))
    ORDER BY c.number LIMIT %(limit)s
"""


def seal(system: JackpotSystem) -> int | None:
    """Queue a command that takes in what waits; its number, None where nothing does."""
    if not Record.objects.filter(system=system, command=None).exists():
        return None
    return commands.queue(system, "seal_records", {}, first=CONSOLE)


def changed_records(system: int) -> list[str]:
    """Rows that are not what was recorded of them, and commands whose basis they do not make."""
    findings = []
    with connection.cursor() as cursor:
        cursor.execute(_COLUMNS, [system])
        columns: dict[str, list[sql.Identifier]] = {}
        for source, column in cursor.fetchall():
            columns.setdefault(source, []).append(sql.Identifier(column))
        for source, names in columns.items():
            query = sql.SQL(_CHANGED).format(
                columns=sql.SQL(", ").join(names),
                table=sql.Identifier(source),
                system=system,
                name=source,
                limit=MOST_DIFFERENCES,
            )
            cursor.execute(query)
            for row, is_gone in cursor.fetchall():
                what = "is gone" if is_gone else "is not what was recorded"
                findings.append(f"{source} {row} {what}")
        for source, sealed in _SEALED.items():
            cursor.execute(sealed, [system, MOST_DIFFERENCES])
            rows = [row for (row,) in cursor.fetchall()]
            findings += [f"{source} {row} is not what was recorded" for row in rows]
        cursor.execute(_BASES, {"system": system, "limit": MOST_DIFFERENCES})
        findings += [
            f"command {number}: what people recorded does not make its basis"
            for (number,) in cursor.fetchall()
        ]
    return findings
