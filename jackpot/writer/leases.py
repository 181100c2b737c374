"""Which systems a writer may write: a fair part of them, among the writers that are there.

A writer that comes is counted, the others give up what they have above their part, and it takes
that. One that is gone is counted no more when its leases end, and the others take its systems at
their next look: within a lease and a third. The lease is a courtesy; the epoch is the guard.

A writer that stands still within its batch keeps the head locked, and the database waits for what
it was about to send: between two statements the session's own time limits end that, in the middle
of one (a COPY) nothing does. So the others end the session of a lock whose lease has run out.
"""

from __future__ import annotations

import logging
from typing import NamedTuple

from django.db import connection

from jackpot.domain import versions

log = logging.getLogger(__name__)

_MAKE_HEADS = """
    INSERT INTO jackpot_head (system_id, seq, transfer_number, hit_number, terms_number,
                              block_number, block_hash, epoch, writer, halted_on)
    SELECT id, 0, 0, 0, 0, 0, decode(repeat('00', 32), 'hex'), 0, '', ''
    FROM tables_jackpotsystem s
    WHERE NOT EXISTS (SELECT FROM jackpot_head h WHERE h.system_id = s.id)
    ON CONFLICT DO NOTHING
"""
# A time that lies further ahead than any can was written before the clock was set back.
_RUNS = """
    BETWEEN clock_timestamp() AND clock_timestamp() + 2 * %(lease)s * interval '1 second'
"""
_HERE = """
    INSERT INTO jackpot_writer (name, until, fold_version, rules_version)
    VALUES (%(writer)s, clock_timestamp() + %(lease)s * interval '1 second', %(fold)s, %(rules)s)
    ON CONFLICT (name) DO UPDATE SET until = excluded.until,
        fold_version = excluded.fold_version, rules_version = excluded.rules_version
"""
# Orders whose last block another version wrote than this program has.
_TOO_NEW = """
    SELECT b.fold_version, b.rules_version
    FROM jackpot_head h
    JOIN jackpot_block b ON (b.system_id, b.number) = (h.system_id, h.block_number)
    WHERE (b.fold_version, b.rules_version) NOT IN (
        SELECT * FROM unnest(%(folds)s::int[], %(of_rules)s::int[]))
    LIMIT 1
"""
# The latest that all writers know; one that does not say comes first.
_KNOWN_TO_ALL = f"""
    SELECT fold_version, rules_version FROM jackpot_writer WHERE until {_RUNS}
    ORDER BY fold_version NULLS FIRST, rules_version NULLS FIRST LIMIT 1
"""  # noqa: S608 - of a constant
_DELETE_EXPIRED = f"""
    DELETE FROM jackpot_writer WHERE name IN (
        SELECT name FROM jackpot_writer WHERE until NOT {_RUNS} FOR UPDATE SKIP LOCKED)
"""  # noqa: S608 - of a constant
# The session whose transaction has the row: only of this role, only while it waits for its client,
# and only after a lease's time, which a batch that is still being sent does not take.
_END_STOPPED = f"""
    SELECT pg_terminate_backend(a.pid), h.writer
    FROM jackpot_head h JOIN pg_stat_activity a ON a.backend_xid = h.xmax
    WHERE h.lease_until NOT {_RUNS} AND a.usename = current_user AND a.wait_event_type = 'Client'
      AND a.xact_start < statement_timestamp() - %(lease)s * interval '1 second'
"""  # noqa: S608 - of a constant
# The list is made once: made again for each head, it would pass over those just given away.
_LEASE = f"""
    WITH part AS MATERIALIZED (
        SELECT system_id FROM jackpot_head
        WHERE writer = %(writer)s OR lease_until IS NULL OR lease_until NOT {_RUNS}
        ORDER BY (writer = %(writer)s AND lease_until IS NOT NULL) DESC, system_id
        LIMIT (SELECT ceil(count(*)::numeric / greatest(1, (
                          SELECT count(*) FROM jackpot_writer WHERE until {_RUNS})))
               FROM jackpot_head)
        FOR UPDATE SKIP LOCKED)
    UPDATE jackpot_head head
    SET lease_until = clock_timestamp() + %(lease)s * interval '1 second',
        epoch = CASE WHEN writer = %(writer)s THEN epoch ELSE epoch + 1 END,
        writer = %(writer)s
    FROM part WHERE head.system_id = part.system_id
    RETURNING head.system_id, epoch
"""  # noqa: S608 - of a constant
_GIVE_UP = """
    UPDATE jackpot_head SET lease_until = NULL
    WHERE writer = %(writer)s AND lease_until IS NOT NULL AND system_id <> ALL(%(keeps)s)
"""


class Leases(NamedTuple):
    """What a writer has: the epoch of each system of its part, and the latest version of fold and
    rules that all writers know, None where one of them does not say.
    """

    epochs: dict[int, int]
    known_to_all: versions.Version | None


def lease(writer: str, lease_s: float) -> Leases:
    """Take or keep this writer's part for `lease_s` seconds.

    TooOldError, with everything given up, where an order is beyond what this program can fold.
    """
    fold, rules = versions.PRESENT
    folds, of_rules = zip(*versions.FOLDS, strict=True)
    names: dict[str, str | float]
    names = {"writer": writer, "lease": lease_s, "fold": fold, "rules": rules}
    with connection.cursor() as cursor:
        cursor.execute(_TOO_NEW, {"folds": list(folds), "of_rules": list(of_rules)})
        if beyond := cursor.fetchone():
            give_up(writer)
            versions.next_version(beyond, None)
        cursor.execute(_MAKE_HEADS)
        cursor.execute(_HERE, names)  # before the leases: it is gone before they end
        cursor.execute(_DELETE_EXPIRED, names)
        cursor.execute(_END_STOPPED, names)
        for _, stopped in cursor.fetchall():
            log.warning("ended the session of %s: it holds a head and stands still", stopped)
        cursor.execute(_LEASE, names)
        epochs = dict(cursor.fetchall())
        cursor.execute(_GIVE_UP, {"writer": writer, "keeps": list(epochs)})
        cursor.execute(_KNOWN_TO_ALL, names)
        row = cursor.fetchone()
    return Leases(epochs, None if row is None or None in row else row)


def give_up(writer: str) -> None:
    """Let others take all of its systems at once."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM jackpot_writer WHERE name = %s", [writer])
        cursor.execute(_GIVE_UP, {"writer": writer, "keeps": []})
