"""Statements of every batch, prepared once by the server: most of their cost is parsing.

Django binds parameters on the client and prepares nothing. This is for the few statements that
run thousands of times a minute, in Django's own connection and transaction.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import psycopg
from django.db import connection

_KEPT_PLANS = """
    SELECT set_config('plan_cache_mode', 'force_generic_plan', false),
           set_config('enable_seqscan', 'off', false)
"""


@contextmanager
def prepared_cursor(*, is_watched: bool = True) -> Iterator[psycopg.Cursor[tuple[Any, ...]]]:
    """A cursor on Django's connection whose statements the server prepares when they come again.

    What goes wrong is raised as Django's errors, by which an outage differs from bad input. Who
    wraps what Django executes (`connection.execute_wrappers`) wraps these statements too, unless
    they carry what nobody may see in passing.
    """
    connection.ensure_connection()
    line = connection.connection
    line.prepare_threshold = 1
    kind = _Wrapped if is_watched and connection.execute_wrappers else psycopg.Cursor
    with connection.wrap_database_errors, kind(line) as cursor:
        yield cursor


@contextmanager
def pipeline() -> Iterator[None]:
    """Statements in it leave without waiting for the answers to those before.

    Waits where something is read, and at its end: there a fault is raised, if not before. Takes no
    COPY.
    """
    connection.ensure_connection()
    with connection.wrap_database_errors, connection.connection.pipeline():
        yield


def is_in_pipeline() -> bool:
    """Whether statements of Django's connection are in one now."""
    line = connection.connection
    return line is not None and line.info.pipeline_status != psycopg.pq.PipelineStatus.OFF


def keep_plans() -> None:
    """For the statements of this connection the server makes one plan each, by keys and indexes.

    For those that look rows up one by one: to plan them again for what they ask, as the server
    does (the poster's look forty times a second), costs as much as to run them; and a plan that
    reads a whole table, made while it held a few rows, would be kept while it grows.
    """
    with connection.cursor() as cursor:
        cursor.execute(_KEPT_PLANS)


class _Wrapped(psycopg.Cursor[tuple[Any, ...]]):
    """One whose statements pass through the wrappers, as those of Django's own cursors do."""

    def execute(self, query: Any, params: Any = None, **how: Any) -> Any:
        return self._pass(partial(super().execute, **how), query, params)

    def executemany(self, query: Any, params_seq: Any, **how: Any) -> None:
        self._pass(partial(super().executemany, **how), query, params_seq, many=True)

    def copy(self, statement: Any, params: Any = None, **how: Any) -> Any:
        return self._pass(partial(super().copy, **how), statement, params)

    def _pass(
        self, execute: Callable[..., Any], sql: str, params: Any, *, many: bool = False
    ) -> Any:
        def executor(sql: str, params: Any, _many: bool, _context: Any) -> Any:
            return execute(sql, params)

        for wrapper in reversed(connection.execute_wrappers):
            executor = partial(wrapper, executor)
        return executor(sql, params, many, {"connection": connection, "cursor": self})
