"""Hands whose clocks speak against their order: both are stopped, and two people settle each."""

from __future__ import annotations

from typing import Any

import psycopg

_MANAGERS, _COMPLIANCE = {"david", "anna"}, "priya"
_MEASURED = 10  # events: by fewer nobody knows a clock
_STOPS = """
    SELECT h.system_id, h.number, (stop ->> 'entry')::bigint, (stop ->> 'lifted')::bigint,
           stop -> 'with'
    FROM jackpot_hit h, jsonb_array_elements(h.stops) stop WHERE stop ->> 'kind' = 'order'
"""
_ENDED = """
    SELECT c.kind, c.first, c.second FROM jackpot_entry n
    JOIN jackpot_command c ON (c.system_id, c.number) = (n.system_id, n.command)
    WHERE (n.system_id, n.seq) = (%s, %s)
"""
_PAID = """
    SELECT n.seq, n.type FROM jackpot_entry n WHERE n.system_id = %s AND n.hit = %s
      AND n.type IN ('confirm_claim', 'pay') AND NOT n.outcome ? 'refused'
      AND n.seq > %s AND n.seq < coalesce(%s, n.seq + 1)
"""
# Calls of the royal flush of which nothing more was said before the later one of the two.
_CALLS = """
    SELECT a.system_id, (a.outcome ->> 'hit')::bigint, (b.outcome ->> 'hit')::bigint,
           a.body -> 'clock', b.body -> 'clock', b.outcome -> 'in_question'
    FROM jackpot_entry a JOIN jackpot_entry b ON b.system_id = a.system_id AND b.seq > a.seq
    WHERE a.type = 'hand_called' AND b.type = 'hand_called'
      AND a.outcome ? 'shown' AND b.outcome ? 'shown'
      AND a.outcome ->> 'tier' = 'royal' AND b.outcome ->> 'tier' = 'royal'
      AND NOT EXISTS (SELECT FROM jackpot_entry n WHERE n.system_id = a.system_id
                      AND n.hit = (a.outcome ->> 'hit')::bigint
                      AND n.seq > a.seq AND n.seq < b.seq)
"""


def findings(connection: psycopg.Connection) -> list[str]:
    """Stops that are not as they are posted, or that are missing."""
    stops = connection.execute(_STOPS).fetchall()
    faults = [fault for stop in stops for fault in _stop(connection, *stop)]
    couples = {
        (system, number, entry, other) for system, number, entry, _, w in stops for other in w
    }
    faults += [
        f"claim {number} is in question with {other}, which is not with it"
        for system, number, entry, other in sorted(couples)
        if (system, other, entry, number) not in couples
    ]
    for _, first, then, *clocks, pairs in connection.execute(_CALLS):
        if _speak_against_it(*clocks) != ([first, then] in (pairs or [])):
            faults.append(f"claims {first} and {then} are in question or not, by {clocks}")
    return faults


def _stop(
    connection: psycopg.Connection,
    system: int,
    number: int,
    entry: int,
    lifted: int | None,
    others: list[int],
) -> list[str]:
    faults = [
        f"{type_} at entry {seq}, while the order of claim {number} was in question"
        for seq, type_ in connection.execute(_PAID, [system, number, entry, lifted])
    ]
    if lifted is not None:
        kind, first, second = connection.execute(_ENDED, [system, lifted]).fetchone() or ("",) * 3
        if kind != "settle_order" or first not in _MANAGERS or second != _COMPLIANCE:
            faults.append(f"the order of claim {number} was settled by {kind} of {first}, {second}")
    return faults if others else [*faults, f"claim {number} is in question with none"]


def _speak_against_it(first: dict[str, Any] | None, then: dict[str, Any] | None) -> bool:
    """Whether the clocks put the one that was recorded later before the other."""
    if not first or not then or min(first["events"], then["events"]) < _MEASURED:
        return False
    return bool(first["at_us"] - first["margin_us"] > then["at_us"] + then["margin_us"])
