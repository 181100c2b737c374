"""Hands that were entered on the console, and what their units sent of them: the world knows which
hand is which, and holds the order against it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import psycopg


@dataclass(frozen=True, slots=True)
class Entered:
    """A hand as it was: table, round, the event that its unit journalled; whether a supervisor
    entered it with its round and its seat."""

    table: str
    round: int
    boot: int
    seq: int
    is_right: bool


_HANDS = """
    SELECT c.body ->> 'note', n.system_id, n.seq, (n.outcome ->> 'hit')::bigint
    FROM jackpot_entry n
    JOIN jackpot_command c ON (c.system_id, c.number) = (n.system_id, n.command)
    WHERE n.type = 'enter_hand' AND NOT n.outcome ? 'refused' ORDER BY n.system_id, n.seq
"""
_EVENT = """
    SELECT n.seq, (n.outcome ->> 'hit')::bigint, coalesce(n.outcome -> 'flags', '[]') ? 'paired'
    FROM jackpot_entry n JOIN tables_gamingtable t ON t.id = n.table_id
    WHERE n.system_id = %(system)s AND t.code = %(table)s
      AND (n.boot, n.event_seq) = (%(boot)s, %(seq)s)
"""
# Whether somebody said which hand it is, or another hand came under its round, in between.
_DOUBTED = """
    SELECT count(*) FROM jackpot_entry n
    LEFT JOIN jackpot_command c ON (c.system_id, c.number) = (n.system_id, n.command)
    LEFT JOIN tables_gamingtable t ON t.id = n.table_id
    WHERE n.system_id = %(system)s AND n.seq > %(from)s AND n.seq < %(to)s AND (
        (n.type IN ('name_round', 'unpair_hand') AND NOT n.outcome ? 'refused'
         AND (c.body ->> 'hit')::bigint = %(hit)s)
        OR (n.type IN ('hand_called', 'hand_reported') AND t.code = %(table)s
            AND n.round = %(round)s))
"""
_TWICE = """
    SELECT s.code, t.code, h.round FROM jackpot_hit h
    JOIN tables_jackpotsystem s ON s.id = h.system_id JOIN tables_gamingtable t ON t.id = h.table_id
    GROUP BY 1, 2, 3 HAVING count(DISTINCT h.place) > 1
"""
_MOVED = """
    SELECT DISTINCT s.code, n.seq FROM jackpot_entry n
    JOIN tables_jackpotsystem s ON s.id = n.system_id
    JOIN jackpot_transfer m ON m.system_id = n.system_id AND m.entry_seq = n.seq
    WHERE n.kind = 'event' AND n.outcome -> 'flags' ? 'paired'
"""


def findings(entered: Mapping[str, Entered], era: int, connection: psycopg.Connection) -> list[str]:
    """Hands that have two places, or money that moved because a hand was sent twice.

    `entered`: the hands by the note that came with them.
    """
    faults = [f"round {n} of {s}/{t} has two hands" for s, t, n in connection.execute(_TWICE)]
    faults += [
        f"entry {seq} of {system} is paired with an entered hand, and moves money"
        for system, seq in connection.execute(_MOVED)
    ]
    if era > 1:
        return faults  # units may have been given a boot twice: an event is not known by its number
    for note, system, place, hit in connection.execute(_HANDS).fetchall():
        hand = entered.get(note)
        if hand is not None and hand.is_right:
            faults += _redelivery_faults(connection, hand, system, place, hit)
    return faults


def _redelivery_faults(
    connection: psycopg.Connection, hand: Entered, system: int, place: int, hit: int
) -> list[str]:
    names: dict[str, Any] = {"system": system, "table": hand.table.partition("/")[2], "hit": hit}
    names |= {"boot": hand.boot, "seq": hand.seq, "round": hand.round, "from": place}
    row = connection.execute(_EVENT, names).fetchone()
    if row is None:
        return []  # the unit lost it
    seq, opened, is_paired = row
    if seq < place:
        return [f"the hand of entry {seq} at {hand.table} was entered once more at {place}"]
    doubted = connection.execute(_DOUBTED, names | {"to": seq}).fetchone()
    if (doubted and doubted[0]) or (is_paired and opened == hit):
        return []
    return [f"entry {seq} at {hand.table} is the hand of claim {hit}, and is not paired with it"]
