"""Whether a poster can do its work: what came gets its place before it grows old."""

from tables.process.database_probe import DatabaseProbe, database_check
from tables.telemetry.health import Check

OLD_S = 30  # what could be taken, and was not for so long
# The oldest of what nothing stands before: the next event of a stream that is held without a gap,
# and the next command. A system that halted waits for people.
_OLDEST = """
    SELECT s.code, extract(epoch FROM clock_timestamp() - min(oldest.at))::integer FROM (
        SELECT stream.system_id, e.received_at AS at
        FROM tables_stream stream
        CROSS JOIN LATERAL (
            SELECT coalesce(max(c.through), 0) AS through FROM jackpot_cursor c
            WHERE (c.system_id, c.table_id, c.boot)
                = (stream.system_id, stream.table_id, stream.boot)
        ) c
        JOIN tables_tableevent e ON (e.system_id, e.table_id, e.boot, e.seq)
            = (stream.system_id, stream.table_id, stream.boot, c.through + 1)
        WHERE NOT stream.settled AND stream.committed_seq > c.through
        UNION ALL
        SELECT q.system_id, c.issued_at FROM jackpot_commandqueue q
        JOIN jackpot_command c ON (c.system_id, c.number) = (q.system_id, q.taken + 1)
        WHERE q.last_number > q.taken
    ) oldest
    JOIN jackpot_head head ON head.system_id = oldest.system_id AND head.halted_at IS NULL
    JOIN tables_jackpotsystem s ON s.id = oldest.system_id
    GROUP BY s.code ORDER BY 2 DESC LIMIT 1
"""


def poster_checks() -> list[tuple[str, Check]]:
    """The checks of a poster. It needs no broker: hints may be lost."""
    return [("database", database_check(DatabaseProbe(), _waiting))]


def _waiting(probe: DatabaseProbe) -> str | None:
    for system, age_s in probe.rows(_OLDEST):
        if age_s > OLD_S:
            return f"The oldest input of {system} has waited for its place for {age_s} s."
    return None
