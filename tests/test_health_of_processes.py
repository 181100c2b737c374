"""Every process says how it is: real ones, whose broker, database or loop is taken away."""

import json
import re
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from demo.servers.broker import PrivateBroker
from demo.servers.child import Child
from jackpot.models import Head
from jackpot.writer import commands, readiness
from tables.process.database_probe import DatabaseProbe
from tests.support.play.books import royal_terms
from tests.support.play.house import House
from tests.support.servers.health_answers import HealthAddress
from tests.support.servers.serving import served
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.waiting import wait_until
from tests.support.units.running_intake import new_instance

PROJECT = Path(__file__).resolve().parent.parent

pytestmark = pytest.mark.slow
# The poster's command, whose third look waits for a lock that nobody releases.
HANGING_POSTER = """
import os, threading
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
import django
django.setup()
from django.core.management import call_command
from jackpot.writer.poster import Poster

def hang(*_):
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()

Poster.step = hang
call_command("run_poster")
"""


@pytest.fixture
def own_broker() -> Iterator[PrivateBroker]:
    with tempfile.TemporaryDirectory(prefix="jackpot-tests-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o711)
        with PrivateBroker(Path(name) / "broker") as broker:
            yield broker


def manage(
    database: FreshDatabase, log: Path, where: HealthAddress, *command: str, **more: str
) -> Child:
    """A process of the console on that database."""
    environment = {**database.environment(), **where.environment, **more}
    return Child([sys.executable, *command], log, env=environment, cwd=PROJECT)


def forget_migration() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM django_migrations WHERE id = (SELECT max(id) FROM django_migrations)"
        )


def test_an_intake_says_what_it_lacks(
    fresh_database: FreshDatabase, own_broker: PrivateBroker, tmp_path: Path
) -> None:
    house = House(royal_terms())
    where = HealthAddress()
    environment = {"MQTT_URL": own_broker.url, "INTAKE_INSTANCE": new_instance()}
    intake = manage(
        fresh_database, tmp_path / "log", where, "manage.py", "run_intake", **environment
    )
    try:
        where.wait_ready()
        fresh_database.go_away()
        where.wait_failing("database")
        assert where.ask("live").status == 200
        fresh_database.come_back()
        connection.close()
        where.wait_ready()
        own_broker.stop()
        where.wait_failing("broker")
        assert where.ask("live").status == 200
        assert 'jackpot_check_failed{check="broker"} 1.0' in where.text("/metrics")[1]
        assert "jackpot_process_live 1.0" in where.text("/metrics")[1]
        with connection.cursor() as cursor:  # what does not leave any more
            cursor.execute(
                "INSERT INTO tables_outboxmessage (system_id, topic, payload, retain, created)"
                " VALUES (%s, 'x', '', false, now() - interval '1 hour')",
                [house.system.pk],
            )
        where.wait_failing("broker", "queues")
        forget_migration()
        where.wait_failing("broker", "schema")
    finally:
        intake.kill()


def test_a_poster_is_ready_while_its_database_is(
    fresh_database: FreshDatabase, tmp_path: Path
) -> None:
    where = HealthAddress()
    poster = manage(fresh_database, tmp_path / "log", where, "manage.py", "run_poster")
    try:
        where.wait_ready()
        fresh_database.go_away()
        where.wait_failing("database")
        assert where.ask("live").status == 200
        fresh_database.come_back()
        connection.close()
        where.wait_ready()
        forget_migration()
        where.wait_failing("schema")
    finally:
        poster.kill()


def test_a_poster_whose_loop_hangs_is_not_live(
    fresh_database: FreshDatabase, tmp_path: Path
) -> None:
    where = HealthAddress()
    poster = manage(fresh_database, tmp_path / "log", where, "-c", HANGING_POSTER, WATCHDOG_S="4")
    try:
        wait_until(lambda: where.ask("live").status == 503, what="it to be found hanging")
        assert where.ask("ready").failed == {"loop"}
    finally:
        poster.kill()


def test_what_waits_too_long_for_its_place_is_named(
    fresh_database: FreshDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An event or a command, and nothing on a system that halted."""
    monkeypatch.setattr(readiness, "OLD_S", -1)
    house, probe = House(royal_terms()), DatabaseProbe()
    house.open("t3")
    house.post()
    assert readiness._waiting(probe) is None
    house.press("t3")
    assert "The oldest input of main has waited" in (readiness._waiting(probe) or "")
    house.post()
    assert readiness._waiting(probe) is None
    terms = {"terms": royal_terms()}
    commands.queue(house.system, "put_terms", terms, first="mere", second="david")
    assert readiness._waiting(probe)
    Head.objects.update(halted_at=timezone.now())
    assert readiness._waiting(probe) is None


@pytest.mark.parametrize("kind", ["worker", "beat"])
def test_worker_and_beat_say_that_they_are_ready(
    fresh_database: FreshDatabase, tmp_path: Path, kind: str
) -> None:
    where = HealthAddress()
    more = ["--concurrency", "1"] if kind == "worker" else ["--pidfile", ""]
    process = manage(
        fresh_database,
        tmp_path / "log",
        where,
        *("-m", "celery", "-A", "config", kind, *more),
        CELERY_QUEUE_DIR=str(tmp_path / "celery"),
        BEAT_ALIVE_FILE=str(tmp_path / "alive"),
        LOG_FORMAT="json",
        PROMETHEUS_MULTIPROC_DIR=str(tmp_path / "metrics"),
    )
    try:
        where.wait_ready()
        assert where.ask("live").status == 200
        _, metrics = where.text("/metrics")
        assert ("jackpot_gauges_unread 0.0" in metrics) == (kind == "worker"), metrics
        assert "jackpot_process_live 1.0" in metrics
        # Of what its processes observe: they share a folder.
        assert "jackpot_sequenced_displayed_seconds_count" in metrics
        lines = [each for each in (tmp_path / "log").read_text().splitlines() if each[:1] == "{"]
        assert {json.loads(each)["process"] for each in lines} == {kind}
        forget_migration()
        where.wait_failing("schema")
    finally:
        process.kill()


def test_answers_say_the_id_under_which_the_log_has_them(
    fresh_database: FreshDatabase, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    environment = {**fresh_database.environment(), "LOG_FORMAT": "json"}

    def id_of(url: str, own: str) -> str:
        request = urllib.request.Request(url, headers={"X-Request-Id": own})  # noqa: S310 - our own
        with pytest.raises(urllib.error.HTTPError) as refusal:
            urllib.request.urlopen(request)  # noqa: S310
        return str(refusal.value.headers["X-Request-Id"])

    with served(environment, log) as url:
        assert id_of(f"{url}/health/nothing", "proxy-4711.a_b") == "proxy-4711.a_b"
        assert re.fullmatch(r"[0-9a-f]{32}", id_of(f"{url}/health/nothing", "a b\t{}"))
        assert id_of(f"{url}/nowhere/", "0123456789") == "0123456789"
        wait_until(lambda: "0123456789" in log.read_text())
    (line,) = [json.loads(each) for each in log.read_text().splitlines() if "0123456789" in each]
    assert (line["logger"], line["request_id"]) == ("django.request", "0123456789")
    assert line["message"] == "Not Found: /nowhere/"


def test_the_web_process_counts_requests(fresh_database: FreshDatabase, tmp_path: Path) -> None:
    where = HealthAddress()
    with served({**fresh_database.environment(), **where.environment}, tmp_path / "log") as url:
        urllib.request.urlopen(f"{url}/health/ready").close()  # noqa: S310 - our own
        _, metrics = where.text("/metrics")
    assert 'jackpot_web_requests_total{status="2xx"} 1.0' in metrics
    assert 'jackpot_web_request_seconds_bucket{le="10.0"} 1.0' in metrics
