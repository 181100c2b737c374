"""One moment for everything that is read, while the writer goes on."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def snapshot(*, read_only: bool = False) -> Iterator[None]:
    """A transaction in which every read sees the same moment; `read_only`: and nothing is written.

    Inside another transaction (a test's) the reads see what that one sees.
    """
    outermost = not connection.in_atomic_block
    with transaction.atomic():
        if outermost:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                if read_only:
                    cursor.execute("SET TRANSACTION READ ONLY")
        yield
