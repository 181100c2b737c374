"""A receipt speaks of nothing that the standby does not have."""

import threading
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.db import connection
from pytest_django import DjangoDbBlocker

from demo.servers.postgres import PrivatePostgres
from tables.intake.loop import Intake
from tables.intake.own_connection import OwnConnection
from tables.process.prepared_statements import prepared_cursor
from tables.protocol import topics
from tests.support.servers.services import Broker
from tests.support.suite.databases import FreshDatabase, server_used_by_django
from tests.support.suite.waiting import wait_until
from tests.support.units.running_intake import drive, listener, new_instance, publish
from tests.support.units.table_units import event, make_table

WAITING = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'"


@pytest.fixture
def without_standby(
    tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> Iterator[psycopg.Connection]:
    """A server that waits for a standby that is not there; its owner's connection does not."""
    with (
        PrivatePostgres(tmp_path) as server,
        psycopg.connect(server.url, autocommit=True) as owner,
        server_used_by_django(server.url, django_db_blocker),
    ):
        owner.execute("SET synchronous_commit = local")
        owner.execute("CREATE TABLE tables_stream AS SELECT 1::bigint AS id")
        owner.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
        owner.execute("SELECT pg_reload_conf()")
        yield owner


def test_a_new_connection_waits_for_the_standby(without_standby: psycopg.Connection) -> None:
    times: list[int] = []

    def ensure() -> None:
        own_connection = OwnConnection()
        for number in range(2):
            own_connection.ensure()
            times.append(number)
        connection.close()

    thread = threading.Thread(target=ensure, daemon=True)
    thread.start()
    wait_until(lambda: without_standby.execute(WAITING).fetchone(), what="a commit that waits")
    assert not times
    without_standby.execute("ALTER SYSTEM RESET synchronous_standby_names")
    without_standby.execute("SELECT pg_reload_conf()")
    thread.join(30)
    assert times == [0, 1]


def test_plans_are_kept_from_then_on(fresh_database: FreshDatabase) -> None:
    """Planned anew for each batch, its statements took the database half as long again."""
    OwnConnection().ensure()
    plans = "SELECT name, generic_plans, custom_plans FROM pg_prepared_statements"
    with prepared_cursor() as cursor:
        for _ in range(8):
            cursor.execute("SELECT id FROM tables_stream WHERE table_id = ANY(%s)", [[1]])
        cursor.execute(plans + " WHERE statement LIKE '%tables_stream WHERE table_id = ANY%'")
        ((_, generic, custom),) = cursor.fetchall()
    assert generic
    assert not custom


def test_an_intake_says_nothing_before(
    fresh_database: FreshDatabase, broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the outbox nor a receipt goes out on a connection that was not asked."""
    table_ref = make_table()
    lines: list[object] = []
    monkeypatch.setattr(
        "tables.intake.own_connection.OwnConnection.ensure",
        lambda _: lines.append(connection.connection),
    )
    intake = Intake(new_instance())
    intake.start()
    try:
        assert intake.link.wait_connected(60)
        with listener(topics.display(table_ref.system)) as screen:
            drive(intake, lambda: len(lines) > 1)
            before = len(lines)
            connection.close()
            publish(screen, table_ref, event(table_ref, 1))
            drive(intake, lambda: len(lines) > before)
    finally:
        intake.stop()
