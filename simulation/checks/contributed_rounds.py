"""What rounds added, read off the order: to tiers that they can win, and every chip of a drop.

Every prize here is won with the full deck, and only one jackpot takes a drop.
"""

from __future__ import annotations

import psycopg

_ADDED = """
    SELECT m.system_id, m.entry_seq, sum(m.amount) FILTER (WHERE d.code = 'drop') AS chips,
           bool_or(strpos(c.code, ':') > 0) AS fed, bool_or(c.code = 'to_return') AS kept
    FROM jackpot_transfer m JOIN jackpot_account d ON d.id = m.debit_id
    JOIN jackpot_account c ON c.id = m.credit_id
    WHERE m.reason = 'contribution' GROUP BY 1, 2
"""
_OTHERS = f"""
    SELECT s.code, n.seq FROM jackpot_entry n JOIN ({_ADDED}) a
      ON (a.system_id, a.entry_seq) = (n.system_id, n.seq)
    JOIN tables_jackpotsystem s ON s.id = n.system_id
    JOIN jackpot_roundstate r
      ON (r.system_id, r.table_id, r.round) = (n.system_id, n.table_id, n.round)
    WHERE r.deck <> 52 AND a.fed
"""  # noqa: S608 - of constants
# A void round gave all of it back; what was credited before or waits is no drop of this entry.
_CHIPS = f"""
    SELECT s.code, n.seq FROM jackpot_entry n
    JOIN tables_tableevent e ON e.id = n.event_id
    JOIN tables_jackpotsystem s ON s.id = n.system_id
    LEFT JOIN ({_ADDED}) a ON (a.system_id, a.entry_seq) = (n.system_id, n.seq)
    WHERE n.type = 'round_completed' AND NOT coalesce(
        n.outcome -> 'flags' ?| '{{repeat,void,test,adjusted_before,over_pace,moved,set_aside}}',
        false)
      AND coalesce(a.chips, 0) / 10000 <> coalesce(
        (convert_from(e.body, 'UTF8')::jsonb ->> 'jackpot_drop')::bigint, 0)
"""  # noqa: S608 - of constants
_FLAGGED = f"""
    SELECT s.code, n.seq FROM jackpot_entry n JOIN tables_jackpotsystem s ON s.id = n.system_id
    LEFT JOIN ({_ADDED}) a ON (a.system_id, a.entry_seq) = (n.system_id, n.seq)
    WHERE n.type = 'round_completed'
      AND NOT coalesce(n.outcome -> 'flags' ? 'adjusted_before', false)
      AND coalesce(n.outcome -> 'flags' ? 'to_return', false) <> coalesce(a.kept, false)
"""  # noqa: S608 - of constants
_SILENT = """
    SELECT s.code, t.code FROM jackpot_entry n JOIN tables_jackpotsystem s ON s.id = n.system_id
    JOIN tables_gamingtable t ON t.id = n.table_id
    WHERE n.outcome -> 'flags' ? 'to_return' GROUP BY 1, 2 HAVING NOT EXISTS (
        SELECT FROM tables_alarm a
        WHERE a.kind = 'to_return' AND a.subject = s.code || '/' || t.code)
"""


def findings(looking: psycopg.Connection) -> list[str]:
    """Pools that were fed by rounds which cannot win them, chips that are nowhere, no alarm."""
    faults = [f"entry {n} of {s} feeds a pool it cannot win" for s, n in looking.execute(_OTHERS)]
    faults += [f"chips of entry {n} of {s} are nowhere" for s, n in looking.execute(_CHIPS)]
    faults += [f"entry {n} of {s}: flag and money differ" for s, n in looking.execute(_FLAGGED)]
    return faults + [f"no alarm of what {s}/{t} took" for s, t in looking.execute(_SILENT)]
