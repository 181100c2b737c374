"""What an intake leaves of itself in the database, for whoever looks after devices: when its own
word last came back from the broker, its release, and with what it logs in there.

One row an intake, written again every ten seconds at most, whatever the tables say.
"""

from urllib.parse import unquote

from django.conf import settings
from django.db import connection

from tables.intake.heartbeat import STAND_IN

EVERY_S = 10.0
_LONGEST = 80
# Should a crash undo it, the next one is ten seconds away: nothing to wait for the disk for.
_LEAVE = """
    INSERT INTO tables_intakepulse (name, heard_at, release, username)
    SELECT %s, clock_timestamp(), %s, %s
    FROM set_config('synchronous_commit', 'off', true)
    ON CONFLICT (name) DO UPDATE SET heard_at = excluded.heard_at, release = excluded.release,
        username = excluded.username
"""


class Pulse:
    """The row of one intake."""

    def __init__(self, name: str) -> None:
        self._name = _cut(name)
        self._is_heard = False
        self._left_at = float("-inf")

    def hear(self) -> None:
        """Its own word came back from the broker."""
        self._is_heard = True

    def tend(self, now: float) -> None:
        """Leave it, where it was heard since and it is time. `now` by the monotonic clock."""
        if not self._is_heard or now - self._left_at < EVERY_S:
            return
        self._is_heard, self._left_at = False, now
        username = unquote(settings.MQTT_URL.username or "")[:_LONGEST]
        with connection.cursor() as cursor:
            cursor.execute(_LEAVE, [self._name, settings.CONSOLE_VERSION[:32], username])


def _cut(name: str) -> str:
    """A long name, with room for the end that tells a stand-in's row from that of its intake."""
    own = name.removesuffix(STAND_IN)
    return own[: _LONGEST - len(STAND_IN)] + name[len(own) :]
