"""Statements of every batch, prepared once by the server: most of their cost is parsing.

Django binds parameters on the client and prepares nothing. This is for the few statements that
run thousands of times a minute, in Django's own connection and transaction.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import connection


@contextmanager
def prepared_cursor() -> Iterator[psycopg.Cursor[tuple[Any, ...]]]:
    """A cursor on Django's connection whose statements the server prepares when they come again.

    What goes wrong is raised as Django's errors, by which an outage is told from bad input.
    """
    connection.ensure_connection()
    line = connection.connection
    line.prepare_threshold = 1
    with connection.wrap_database_errors, psycopg.Cursor(line) as cursor:
        yield cursor
