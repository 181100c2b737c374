"""Tables that went to another system, read off both orders.

Two people moved it, it was closed, and no claim of it stood open. The other order says so once, in
the names of the same two. Of what is played under the address that it left nothing feeds a prize:
chips are kept for the players. What is played where it came is that system's, as `round_money`
reads it.
"""

from __future__ import annotations

import psycopg

_LEFT = """
    WITH left_ AS (
        SELECT n.system_id, s.code AS system, n.seq, n.outcome ->> 'moved' AS there,
               c.first, c.second,
               c.body ->> 'table' AS code, t.id AS table_id
        FROM jackpot_entry n JOIN tables_jackpotsystem s ON s.id = n.system_id
        JOIN jackpot_command c ON (c.system_id, c.number) = (n.system_id, n.command)
        JOIN tables_gamingtable t ON (t.system_id, t.code) = (n.system_id, c.body ->> 'table')
        WHERE n.type = 'move_table' AND NOT n.outcome ? 'refused')
"""
_PEOPLE = f"""{_LEFT}
    SELECT system, seq, code, first, second FROM left_
    WHERE second IS NULL OR first = second OR second NOT IN ('david', 'anna')
"""  # noqa: S608 - of constants
# The last word of its session before it left: by its unit's numbers, not by when it came.
_OPEN = f"""{_LEFT}
    SELECT system, seq, code FROM left_ WHERE (
        SELECT n.type FROM jackpot_entry n
        WHERE n.system_id = left_.system_id AND n.table_id = left_.table_id AND n.seq < left_.seq
          AND n.type IN ('session_opened', 'session_changed', 'session_closed')
        ORDER BY n.boot DESC, n.event_seq DESC LIMIT 1) <> 'session_closed'
"""  # noqa: S608 - of constants
# A claim that somebody decided for the first time only after its table was gone.
_CLAIMS = f"""{_LEFT}
    SELECT system, left_.seq, code, h.number FROM left_
    JOIN jackpot_hit h ON h.system_id = left_.system_id AND h.table_id = left_.table_id
      AND h.place < left_.seq
    JOIN jackpot_entry n ON n.system_id = h.system_id AND n.hit = h.number AND n.seq > left_.seq
      AND n.type IN ('confirm_claim', 'reject_claim') AND NOT n.outcome ? 'refused'
    WHERE NOT EXISTS (
        SELECT FROM jackpot_entry e WHERE e.system_id = h.system_id AND e.hit = h.number
          AND e.seq < left_.seq AND e.type IN ('confirm_claim', 'reject_claim')
          AND NOT e.outcome ? 'refused')
      AND NOT EXISTS (
        SELECT FROM jackpot_entry e WHERE e.system_id = h.system_id AND e.hit = h.number
          AND e.seq > left_.seq AND e.seq < n.seq AND e.type LIKE 'hand%%')
"""  # noqa: S608 - of constants
_ARRIVAL_OF_EACH = f"""{_LEFT}
    SELECT system, seq, code, there, (
        SELECT count(*) FROM jackpot_entry n
        JOIN tables_jackpotsystem s ON s.id = n.system_id
        JOIN jackpot_command c ON (c.system_id, c.number) = (n.system_id, n.command)
        WHERE n.type = 'receive_table' AND NOT n.outcome ? 'refused'
          AND s.code || '/' || (c.body ->> 'table') = left_.there
          AND c.body ->> 'from_system' = left_.system AND c.body ->> 'from_table' = left_.code
          AND (c.body ->> 'entry')::bigint = left_.seq
          AND (c.first, c.second) = (left_.first, left_.second))
    FROM left_
"""  # noqa: S608 - of constants
_ARRIVALS = """
    SELECT (SELECT count(*) FROM jackpot_entry
            WHERE type = 'receive_table' AND NOT outcome ? 'refused'),
           (SELECT count(*) FROM jackpot_entry
            WHERE type = 'move_table' AND NOT outcome ? 'refused')
"""
_FED = f"""{_LEFT}
    SELECT DISTINCT system, n.seq, left_.code, a.code FROM left_
    JOIN jackpot_entry n ON n.system_id = left_.system_id AND n.table_id = left_.table_id
      AND n.seq > left_.seq AND n.kind = 'event'
    JOIN jackpot_transfer m ON m.system_id = n.system_id AND m.entry_seq = n.seq
      AND m.reason = 'contribution'
    JOIN jackpot_account a ON a.id = m.credit_id AND a.code <> 'to_return'
    WHERE n.round IS NOT NULL AND NOT EXISTS (
        SELECT FROM jackpot_entry e
        LEFT JOIN jackpot_command c ON (c.system_id, c.number) = (e.system_id, e.command)
        WHERE e.system_id = left_.system_id AND e.seq < left_.seq
          AND (e.table_id = left_.table_id AND e.round = n.round
               OR c.body ->> 'table' = left_.code AND (
                 c.body -> 'round' = to_jsonb(n.round) OR c.body -> 'rounds' @> to_jsonb(n.round))))
"""  # noqa: S608 - of constants


def findings(looking: psycopg.Connection) -> list[str]:
    """Moves that are not as they are posted, and money that went where the table is not."""
    faults = [
        f"entry {n} of {s}: {t} was moved by {first}, {second}"
        for s, n, t, first, second in looking.execute(_PEOPLE)
    ]
    faults += [f"entry {n} of {s}: {t} left, and was open" for s, n, t in looking.execute(_OPEN)]
    faults += [
        f"entry {n} of {s}: {t} left, and its claim {hit} was open"
        for s, n, t, hit in looking.execute(_CLAIMS)
    ]
    faults += [
        f"entry {n} of {s}: {t} left for {there}, whose order says so {times} times"
        for s, n, t, there, times in looking.execute(_ARRIVAL_OF_EACH)
        if times != 1
    ]
    for arrived, left in looking.execute(_ARRIVALS):
        if arrived != left:
            faults.append(f"{left} tables left a system, and {arrived} came to one")
    return faults + [
        f"entry {n} of {s} adds to {account}, and {t} had left"
        for s, n, t, account in looking.execute(_FED)
    ]
