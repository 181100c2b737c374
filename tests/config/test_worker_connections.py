"""A worker keeps its connection to the database from task to task, and replaces a broken one."""

from types import SimpleNamespace

import psycopg
from celery.fixups.django import DjangoWorkerFixup
from django.db import connection

from config.celery import app, keep_connection
from tests.support.suite.databases import FreshDatabase

TASK = SimpleNamespace(request=SimpleNamespace(is_eager=False))


def backend() -> int:
    """The server's process behind the connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    return int(pid)


def test_tasks_share_a_connection_until_it_breaks(fresh_database: FreshDatabase) -> None:
    worker = DjangoWorkerFixup(app)
    before = backend()
    for _ in range(3):
        keep_connection(TASK)
        worker.on_task_prerun(TASK)
        assert backend() == before
        worker.on_task_postrun(TASK)
    with psycopg.connect(fresh_database.url, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [before])
    keep_connection(TASK)
    worker.on_task_prerun(TASK)
    assert backend() != before
