"""A server that became a standby: nobody takes it for the database. One that lost its own."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.db import connection
from django.db.utils import InternalError
from django.test import RequestFactory
from pytest_django import DjangoDbBlocker, Settings

from demo.servers import postgres_binaries
from demo.servers.postgres import PrivatePostgres
from jackpot.web.unavailable import server_error
from tables.process.database_probe import DatabaseProbe, database_check
from tables.process.pg_listener import PgListener
from tables.process.standby import is_missing
from tables.process.transient_errors import is_outage
from tests.support.suite.databases import server_used_by_django
from tests.support.suite.waiting import wait_until

pytestmark = pytest.mark.postgres
_SENDS = {"wal_level": "replica", "max_wal_senders": "4"}


@pytest.fixture
def standby(tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Django's connection leads to a server that takes no writes."""
    server = PrivatePostgres(tmp_path, durable=False)
    with server:
        pass  # the database is made
    (server.home / "data" / "standby.signal").touch()
    with server, server_used_by_django(server.url, django_db_blocker):
        yield


@pytest.mark.usefixtures("standby")
def test_who_listens_there_tries_again() -> None:
    listener = PgListener("anything")
    assert listener.fileno() is None
    listener.wait(0.0)
    listener.close()


@pytest.mark.usefixtures("standby")
def test_nobody_is_ready_with_it() -> None:
    probe = DatabaseProbe()
    assert database_check(probe)() == {"database": "The database does not answer."}
    with pytest.raises(psycopg.OperationalError, match="standby"):
        probe.ask()


@pytest.mark.usefixtures("standby")
def test_its_refusal_of_a_write_passes(rf: RequestFactory) -> None:
    with pytest.raises(InternalError) as refused, connection.cursor() as cursor:
        cursor.execute("CREATE TABLE written ()")
    assert is_outage(refused.value)
    try:
        raise refused.value
    except InternalError:
        assert server_error(rf.get("/", headers={"accept": "application/json"})).status_code == 503


def test_a_standby_is_missed_until_it_receives(
    tmp_path: Path, django_db_blocker: DjangoDbBlocker, settings: Settings
) -> None:
    settings.DATABASE_STANDBY = True
    log = tmp_path / "log"
    log.mkdir()
    # The server's own: that of another major version is refused.
    receive = postgres_binaries.find(None).bin / "pg_receivewal"
    with (
        PrivatePostgres(tmp_path / "server", durable=False, settings=_SENDS) as server,
        server_used_by_django(server.url, django_db_blocker),
        psycopg.connect(server.url, autocommit=True) as owner,
    ):
        assert is_missing(), "nobody waits for one"
        owner.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
        owner.execute("SELECT pg_reload_conf()")
        owner.execute("SET synchronous_commit = local")
        assert is_missing(), "nobody receives"
        receiver = subprocess.Popen(
            [receive, "--dbname", server.url, "--directory", log, "--synchronous"]
        )
        try:
            wait_until(lambda: not is_missing(), 30, "the receiver")
        finally:
            receiver.terminate()
            receiver.wait(30)
        wait_until(is_missing, 30, "the end of the receiver")
        settings.DATABASE_STANDBY = False
        assert not is_missing()
