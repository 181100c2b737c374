"""The database is away or hangs: everybody gets an answer soon; pages come back with it."""

import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from email.message import Message
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.db import connection, transaction
from django.db.utils import OperationalError
from django.test import Client, RequestFactory

from jackpot.web.unavailable import server_error
from tests.support.servers.outside.silent_server import SwallowingLine
from tests.support.servers.serving import served
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.waiting import wait_until

SOON_S = 3.0
# Nobody has logged in: who asks for a page with a cookie is looked up in the database.
COOKIE = {"Cookie": "sessionid=0123456789abcdef0123456789abcdef"}


class Answer(NamedTuple):
    status: int
    headers: Message
    body: str
    seconds: float


def ask(address: str) -> Answer:
    """What an address says; a redirect is followed."""
    began = time.monotonic()
    try:
        request = urllib.request.Request(address, headers=COOKIE)  # noqa: S310 - our own console
        with urllib.request.urlopen(request) as response:  # noqa: S310
            return Answer(
                response.status,
                response.headers,
                response.read().decode(),
                time.monotonic() - began,
            )
    except urllib.error.HTTPError as refusal:
        body = refusal.read().decode()
        return Answer(refusal.code, refusal.headers, body, time.monotonic() - began)


def at_once(address: str, count: int) -> list[Answer]:
    """So many ask at the same time."""
    answers: list[Answer] = []
    threads = [threading.Thread(target=lambda: answers.append(ask(address))) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


class Console(NamedTuple):
    """A console in a process of its own, and the line to its database."""

    url: str
    line: SwallowingLine
    database: FreshDatabase


@pytest.fixture
def console(fresh_database: FreshDatabase, tmp_path: Path) -> Iterator[Console]:
    parts = urlsplit(fresh_database.url)
    assert parts.hostname
    assert parts.port
    with SwallowingLine(parts.hostname, parts.port) as line:
        user, _, _ = parts.netloc.rpartition("@")
        through = urlunsplit(parts._replace(netloc=f"{user}@127.0.0.1:{line.port}"))
        environment = {**fresh_database.environment(), "DATABASE_URL": through}
        with served(environment, tmp_path / "console.log") as url:
            assert ask(f"{url}/").status == 200
            yield Console(url, line, fresh_database)


def assert_page_says_so(answer: Answer) -> None:
    """A page for people, as soon as it was promised."""
    assert answer.status == 503
    assert answer.headers["Retry-After"] == "5"
    assert answer.headers["Cache-Control"] == "no-store"
    assert "The console cannot reach its database" in answer.body
    assert "the table units keep every press and every hand" in answer.body
    assert answer.seconds < SOON_S


def assert_all_say_so(console: Console) -> None:
    for answer in at_once(f"{console.url}/", 30):
        assert_page_says_so(answer)
    assert_page_says_so(ask(f"{console.url}/login/"))
    api = ask(f"{console.url}/api/pools/")
    assert api.status == 503
    assert api.headers["Content-Type"] == "application/problem+json"
    problem = json.loads(api.body)
    assert (problem["status"], problem["code"]) == (503, "database_unavailable")
    assert "The database does not answer" in problem["detail"]
    assert ask(f"{console.url}/health/live").status == 200
    ready = ask(f"{console.url}/health/ready")
    assert ready.status == 503
    assert ready.seconds < SOON_S
    # The page needs its styles.
    assert ask(f"{console.url}/static/jackpot/base.css").status == 200


def everything_is_back(console: Console) -> None:
    wait_until(lambda: ask(f"{console.url}/health/ready").status == 200, what="it to be ready")
    assert {answer.status for answer in at_once(f"{console.url}/", 30)} == {200}


@pytest.mark.slow
def test_a_database_that_hangs_is_told_within_three_seconds(console: Console) -> None:
    console.line.swallow()
    assert_all_say_so(console)
    console.line.go_on()
    everything_is_back(console)


@pytest.mark.slow
def test_a_database_that_is_away_is_told_and_comes_back(console: Console) -> None:
    console.database.go_away()
    assert_all_say_so(console)
    console.database.come_back()
    everything_is_back(console)


def test_ready_is_who_has_all_tables_of_this_version(console: Console) -> None:
    """Newer ones do no harm: an update without a stop begins with them."""
    assert ask(f"{console.url}/health/ready").status == 200
    newest = "DELETE FROM django_migrations WHERE id = (SELECT max(id) FROM django_migrations)"
    with connection.cursor() as cursor:
        cursor.execute(f"{newest} RETURNING app, name")
        row = cursor.fetchone()
        older = ask(f"{console.url}/health/ready")
        cursor.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES (%s, %s, now())", row
        )
        assert ask(f"{console.url}/health/ready").status == 200
        cursor.execute(
            "INSERT INTO django_migrations (app, name, applied)"
            " VALUES ('jackpot', '9999_new', now())"
        )
        assert ask(f"{console.url}/health/ready").status == 200
    assert older.status == 503
    assert json.loads(older.body)["code"] == "schema_differs"
    assert ask(f"{console.url}/health/").status == 404


@pytest.mark.django_db
def test_what_the_database_gave_up_was_not_done() -> None:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL statement_timeout = '10ms'")
            cursor.execute("SELECT pg_sleep(60)")
    except OperationalError:
        answer = server_error(RequestFactory().get("/api/pools/"))
        page = server_error(RequestFactory().post("/pools/")).content.decode()
    assert answer.status_code == 503
    assert json.loads(answer.content)["code"] == "took_too_long"
    assert "This took too long" in page
    assert "check whether it was carried out" in page


@pytest.mark.django_db
def test_a_fault_of_the_console_stays_a_fault(client: Client) -> None:
    try:
        raise ZeroDivisionError
    except ZeroDivisionError:
        assert server_error(RequestFactory().get("/")).status_code == 500
