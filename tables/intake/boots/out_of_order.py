"""Events that came behind later ones of their boot: notes from intake to whoever gives places.

The order may have gone past such an event, or may yet: how far it went is known further up, where
nobody here may look. So intake leaves a note, and the floor above takes it away when the event has
its place. What has no note came in its boot's own order, and cannot be passed over; so nobody has
to look through all that is missing for what came after all.
"""

from collections.abc import Sequence

from django.db import connection

_NOTE = """
    INSERT INTO tables_straggler (event_id, system_id, table_id, boot, seq)
    SELECT * FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[])
"""


def note(late: Sequence[tuple[int, int, int, int, int]]) -> None:
    """Leave a note for each: id of the event and of its system, table, boot, seq."""
    if late:
        with connection.cursor() as cursor:
            cursor.execute(_NOTE, [list(column) for column in zip(*late, strict=True)])
