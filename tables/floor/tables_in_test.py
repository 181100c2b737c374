"""Which tables are in test mode: the newest event of their unit was sent in it.

A test event is recorded and sequenced, moves nothing and opens nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from tables.process.prepared_statements import prepared_cursor

_TESTING = """
    SELECT g.system_id, g.code FROM tables_gamingtable g
    CROSS JOIN LATERAL (
        SELECT e.test FROM tables_stream s
        CROSS JOIN LATERAL (
            SELECT e.test FROM tables_tableevent e
            WHERE e.system_id = s.system_id AND e.table_id = s.table_id AND e.boot = s.boot
            ORDER BY e.seq DESC LIMIT 1
        ) e
        WHERE s.system_id = g.system_id AND s.table_id = g.id AND NOT s.discarded
        ORDER BY s.boot DESC LIMIT 1
    ) newest
    WHERE g.system_id = ANY(%s) AND newest.test ORDER BY g.system_id, g.code
"""


def tables_in_test(systems: Collection[int]) -> dict[int, list[str]]:
    """By system, codes of the tables whose unit said last that it is in test mode."""
    codes: dict[int, list[str]] = defaultdict(list)
    with prepared_cursor() as cursor:
        cursor.execute(_TESTING, [list(systems)])
        for system_id, code in cursor.fetchall():
            codes[system_id].append(code)
    return dict(codes)
