"""`manage.py migrate`, as Django has it, but nobody waits long behind it.

A migration that waits for a table holds up everybody who comes after it. So it gives up soon, its
transaction is taken back, and it is tried again by whoever runs it.
"""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import OperationalError, connections
from psycopg.errors import DeadlockDetected, LockNotAvailable


class Command(migrate.Command):
    """Django's own, with a limit on waiting for locks."""

    def handle(self, *args: Any, **options: Any) -> None:
        connection = connections[options["database"]]
        limit = f"{round(settings.MIGRATE_LOCK_S * 1000)}ms"
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, false)", [limit])
        try:
            super().handle(*args, **options)
        except OperationalError as error:
            if not isinstance(error.__cause__, LockNotAvailable | DeadlockDetected):
                raise
            raise CommandError(
                f"A table was held for longer than {settings.MIGRATE_LOCK_S:g} s, and others would"
                " have waited behind this migration; or whoever holds it waited for what this"
                " migration holds. It was taken back; those before it stand. Run migrate again; if"
                " it does not get through, look in pg_stat_activity for who holds the table."
            ) from error
        finally:
            if connection.connection is not None and not connection.needs_rollback:
                with connection.cursor() as cursor:
                    cursor.execute("RESET lock_timeout")
