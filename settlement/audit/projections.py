"""What the writer goes on from besides balances, compared with the order.

Of the rounds those that the fold still remembers: the newest of each table, and those of hits.
"""

from __future__ import annotations

import msgspec
from django.db import connection

from jackpot.domain.state.books import Books, Round
from jackpot.domain.state.hits import ContributionTotals
from jackpot.models import TableState, Tier

AT_ONCE = 10_000  # rounds that are read together
MOST_DIFFERENCES = (
    10  # differences of a kind; a person needs no more to see that something is wrong
)

_ROUNDS = """
    SELECT wanted.code, wanted.round, r.terms, r.game, r.deck, r.dealt, r.started, r.completed,
           r.void, r.pot, r.hit, r.cancelled, r.priced, r.uncalled, r.commission, r.taken,
           r.awaits, r.differs, r.pace, r.accepted, r.stakes, r.flop,
           r.counted
    FROM unnest(%s::text[], %s::bigint[]) AS wanted (code, round)
    JOIN tables_gamingtable g ON (g.system_id, g.code) = (%s, wanted.code)
    JOIN jackpot_roundstate r
      ON (r.system_id, r.table_id, r.round) = (g.system_id, g.id, wanted.round)
"""
# A hand may stand in the order before the cursor reaches it.
_CURSORS = """
    SELECT g.code, n.boot, max(n.event_seq), coalesce(max(c.through), 0)
    FROM jackpot_entry n JOIN tables_gamingtable g ON g.id = n.table_id
    LEFT JOIN jackpot_cursor c
      ON (c.system_id, c.table_id, c.boot) = (n.system_id, n.table_id, n.boot)
    WHERE n.system_id = %s AND n.seq > %s AND n.event_seq IS NOT NULL
      AND NOT coalesce(n.outcome -> 'flags' @> '["ahead_of_gap"]', false)
    GROUP BY g.code, n.boot HAVING max(n.event_seq) > coalesce(max(c.through), 0)
    ORDER BY g.code, n.boot
"""


def differing_state(system_id: int, books: Books) -> list[str]:
    """Counters of tiers, sessions and rounds that are not what the order says."""
    tiers = Tier.objects.filter(system=system_id)
    fed = {
        t.code: (ContributionTotals(t.fed_pool, t.fed_reserve, t.fed_overflow), t.rolled)
        for t in tiers
    }
    due = {code: (counters, books.rolled.get(code, 0)) for code, counters in books.fed.items()}
    differences = [
        f"the counters of {code} are not what the order says"
        for code in sorted(fed.keys() | due.keys())
        if fed.get(code) != due.get(code)
    ]
    states = TableState.objects.filter(table__system=system_id).select_related("table")
    sessions = {s.table.code: (s.session, s.boot, s.seq, s.presses) for s in states}
    presses = msgspec.to_builtins(books.presses)
    book_sessions = {
        code: (session, *books.session_at.get(code, (None, None)), presses.get(code))
        for code, session in books.sessions.items()
    }
    differences += [
        f"the session of {code} is not what the order says"
        for code in sorted(sessions.keys() | book_sessions.keys())
        if sessions.get(code) != book_sessions.get(code)
    ]
    return differences + _differing_rounds(system_id, books)


def _differing_rounds(system_id: int, books: Books) -> list[str]:
    keys, differences = sorted(books.rounds), list[str]()
    for start in range(0, len(keys), AT_ONCE):
        some = keys[start : start + AT_ONCE]
        with connection.cursor() as cursor:
            cursor.execute(_ROUNDS, [[code for code, _ in some], [n for _, n in some], system_id])
            rows = {(code, n): Round(*rest) for code, n, *rest in cursor.fetchall()}
        differences += [
            f"round {key[1]} of {key[0]} "
            + ("is not what the order says" if key in rows else "is missing")
            for key in some
            if rows.get(key) != books.rounds[key]
        ]
        if len(differences) >= MOST_DIFFERENCES:
            break
    return differences[:MOST_DIFFERENCES]


def differing_cursors(system_id: int, after: int) -> list[str]:
    """Streams whose cursor stands before an event that has its place behind the entry `after`."""
    with connection.cursor() as cursor:
        cursor.execute(_CURSORS, [system_id, after])
        return [
            f"the cursor of {code}, boot {boot}, stands at {through}, event {seq} has its place"
            for code, boot, seq, through in cursor.fetchall()
        ]
