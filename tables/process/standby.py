"""Whether commits are on a second disk before they are answered, where the house has a standby.

Patroni empties `synchronous_standby_names` when the standby is gone: commits go on with one disk.
Where nobody does that, they wait. Who receives the log, roles of the console may count and not see.
"""

from django.conf import settings
from django.db import connection

# 1: a standby is expected, and there is none.
MISSING = """
    SELECT (%(DATABASE_STANDBY)s AND (
        current_setting('synchronous_standby_names') = ''
        OR NOT EXISTS (SELECT FROM pg_stat_get_wal_senders())))::integer
"""


def is_missing() -> bool:
    """Whether the house has a standby (DATABASE_STANDBY), and no commit is on its disk."""
    with connection.cursor() as cursor:
        cursor.execute(MISSING, {"DATABASE_STANDBY": settings.DATABASE_STANDBY})
        return bool(cursor.fetchone()[0])
