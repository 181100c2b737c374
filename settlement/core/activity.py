"""Whether anything happened that lists of the console show: asked once a second for all pages.

A hint, like every other: pages that hear of it read again what they show.
"""

from __future__ import annotations

from django.db import connection

# Open claims as they stand, what people did, what was paid, alarms, and systems. All of it is
# found by an index; a table without one is looked at from its end.
_ACTIVITY = """
    SELECT md5(concat_ws('/',
        (SELECT string_agg(concat_ws(' ', system_id, number, tier_id, held, confirmed,
                                     report_entry, stops, pairing, closing, payees), ','
                           ORDER BY system_id, number)
         FROM jackpot_hit WHERE state = 'held'),
        (SELECT max(id) FROM settlement_claim),
        (SELECT max(id) FROM settlement_record),
        (SELECT max(id) FROM settlement_action),
        (SELECT max(id) FROM settlement_proposal),
        (SELECT max(id) FROM settlement_payout),
        (SELECT max(id) FROM settlement_reconciliation),
        (SELECT string_agg(concat_ws(' ', system_id, hit_number, terms_number, halted_at), ','
                           ORDER BY system_id)
         FROM jackpot_head)))
        || '.' || md5(concat_ws('/',
        (SELECT max(id) FROM tables_alarm), (SELECT max(id) FROM tables_alarmclearing)))
        || '.' || (SELECT coalesce(max(id), 0) FROM settlement_notification)
"""


def activity() -> str:
    """A text of three parts, each of which is another one after what it is of: everything else that
    lists show, alarms, and what people are notified of. So a page reads again, and counts again,
    only where it shows that (`live.js`)."""
    with connection.cursor() as cursor:
        cursor.execute(_ACTIVITY)
        fingerprint: str = cursor.fetchone()[0]
    return fingerprint
