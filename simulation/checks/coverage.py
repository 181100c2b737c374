"""What came about in a seed, by its order: a run that never meets a thing says nothing of it."""

from __future__ import annotations

from collections import Counter

import psycopg

_ACCEPTED = "NOT outcome ? 'refused'"
# Each by a condition on an entry.
KINDS = {
    "hands entered": f"type = 'enter_hand' AND {_ACCEPTED}",
    "paired by their round": "kind = 'event' AND outcome -> 'flags' ? 'paired'",
    "paired by a person": "type = 'name_round' AND outcome ? 'paired'",
    "kept apart": f"type = 'separate_hand' AND {_ACCEPTED}",
    "pairs undone": f"type = 'unpair_hand' AND {_ACCEPTED}",
    "orders in question": "outcome ? 'in_question'",
    "settled": f"type = 'settle_order' AND {_ACCEPTED}",
    "completions credited": f"type = 'missed_rounds' AND {_ACCEPTED}",
    "came after all": "type = 'round_completed' AND outcome -> 'flags' ? 'adjusted_before'",
    "figures that differ": "outcome -> 'flags' ? 'figures_differ'",
    "to be returned": "outcome -> 'flags' ? 'to_return'",
    "not in play": "outcome -> 'flags' ? 'not_in_play'",
    "displays dark": "type = 'display_dark' AND NOT outcome ? 'flags'",
    "payments less tax": "type = 'pay' AND EXISTS (SELECT FROM jackpot_transfer t WHERE"
    " (t.system_id, t.entry_seq, t.reason)"
    " = (jackpot_entry.system_id, jackpot_entry.seq, 'withholding'))",
    "rounds void": f"type = 'void_round' AND {_ACCEPTED}",
    "rounds cancelled": f"type = 'cancel_round' AND {_ACCEPTED}",
    "missed rounds": f"type = 'missed_rounds' AND NOT outcome ? 'completion' AND {_ACCEPTED}",
    "held rounds accepted": f"type = 'accept_rounds' AND {_ACCEPTED}",
    "held rounds refused": f"type = 'refuse_rounds' AND {_ACCEPTED}",
    "claims reversed": f"type = 'reverse_claim' AND {_ACCEPTED}",
    "tables moved": f"type = 'move_table' AND {_ACCEPTED}",
    "played where they came": "type = 'round_completed' AND EXISTS ("
    "SELECT FROM tables_gamingtable t WHERE t.moved_to_id = jackpot_entry.table_id)",
    "said after they left": "outcome -> 'flags' ? 'moved'",
    "tables resumed": f"type = 'resume' AND {_ACCEPTED}",
}


def count(connection: psycopg.Connection) -> Counter[str]:
    """How often each kind of thing came about."""
    counts = ", ".join(f"count(*) FILTER (WHERE {condition})" for condition in KINDS.values())
    row = connection.execute(f"SELECT {counts} FROM jackpot_entry").fetchone()  # noqa: S608 - of constants
    return Counter(dict(zip(KINDS, row or (), strict=True)))
