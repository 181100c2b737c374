"""A server that became a standby: nobody takes it for the database, nobody ends for it."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.db import connection, connections
from django.db.utils import InternalError
from django.test import RequestFactory
from pytest_django import DjangoDbBlocker

from demo.postgres import DATABASE, PrivatePostgres
from jackpot.web.unavailable import server_error
from tables.process.database_probe import DatabaseProbe, database_check
from tables.process.pg_listener import PgListener
from tables.process.transient_errors import is_outage

pytestmark = pytest.mark.postgres


@pytest.fixture
def standby(tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Django's connection leads to a server that takes no writes."""
    server = PrivatePostgres(tmp_path, durable=False)
    with server:
        pass  # the database is made
    (server.home / "data" / "standby.signal").touch()
    known = connections.databases["default"]
    with server, django_db_blocker.unblock():
        parts = psycopg.conninfo.conninfo_to_dict(server.url)
        connections.databases["default"] = connection.settings_dict = {
            **known,
            **{name.upper(): parts[name] for name in ("host", "port", "user", "password")},
            "NAME": DATABASE,
        }
        try:
            yield
        finally:
            connection.close()
            connections.databases["default"] = connection.settings_dict = known


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
