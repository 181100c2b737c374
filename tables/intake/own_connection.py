"""What the intake does first on each new connection to the database: it waits for the standby, and
has the server keep plans.

Where commits wait for a standby, a server that crashed and came back shows transactions that it
never answered; the standby may not have them yet. What the intake says of such rows, a receipt or
a message of the outbox, must not be more than the standby holds: so each new connection begins
with a commit of its own, which waits for all that was written before it.
"""

from django.db import connection, transaction

from tables.process.prepared_statements import keep_plans

# A row lock is written down, and changes nothing. Where there is no stream, there is no receipt.
_WRITE = "SELECT id FROM tables_stream LIMIT 1 FOR NO KEY UPDATE"


class OwnConnection:
    """The present connection, and whether it was made ready."""

    def __init__(self) -> None:
        self._line: object = None

    def ensure(self) -> None:
        """Make it ready, once for each connection to the database. django.db.Error in an outage."""
        if self._line is not None and self._line is connection.connection:
            return
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_WRITE)
        keep_plans()
        self._line = connection.connection
