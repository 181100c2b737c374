"""The boot counter of a table, set right by two people.

A unit raises its boot by one with every start of its counter, and one without memory takes the one
behind the newest. A boot that cannot be the unit's would be the newest for ever: intake refuses it
(`tables.intake.boots.watermark`), and where one got in all the same it is discarded here. Nothing
that was recorded goes away; the boot only counts no more where the newest is asked for, and nothing
new is taken of it.
"""

from __future__ import annotations

from django.db import connection

from tables.intake.boots.watermark import BOOTS_AHEAD

_DISCARD = """
    UPDATE tables_stream SET discarded = true, settled = false
    WHERE system_id = %s AND table_id = %s AND boot > %s AND NOT discarded
"""
# Nothing need be heard of it: a unit that is new to this console may have had many boots.
_COUNT_FROM = """
    INSERT INTO tables_stream (system_id, table_id, boot, committed_seq, last_seq)
    VALUES (%s, %s, %s, 0, 0)
    ON CONFLICT (system_id, table_id, boot) DO UPDATE SET discarded = false
"""


def reset(system_id: int, table_id: int, boot: int) -> None:
    """Let the counter go on behind `boot`; what is out of its reach above it is discarded.

    0: none of the table's boots is its unit's own.
    """
    with connection.cursor() as cursor:
        cursor.execute(_DISCARD, [system_id, table_id, boot + BOOTS_AHEAD])
        if boot:
            cursor.execute(_COUNT_FROM, [system_id, table_id, boot])
