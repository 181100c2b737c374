"""What is no entry's fault halts no system, and a broker that is away holds up no posting."""

import socket
import threading
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from celery import current_app
from django.db import ProgrammingError, connection
from django.db.utils import Error
from django.utils import timezone
from kombu import Connection
from pytest_django import Settings

from jackpot.models import Entry, Head
from jackpot.writer import batches, hints, poster
from jackpot.writer.poster import Poster
from tables.models import Alarm, RepeatedEvent
from tables.process.transient_errors import is_outage
from tables.protocol import messages
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.play.house import House
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.waiting import wait_until


def test_a_writer_that_stood_still_in_a_batch_halts_nothing(
    fresh_database: FreshDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped, swapped out, its machine paused: the database has ended its transaction."""
    house = House(royal_terms())
    house.open("t3")
    honest, left = batches.apply, [True]

    def slow(*arguments):
        if left:
            left.pop()
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_backend_pid()")
                ((pid,),) = cursor.fetchall()
                cursor.execute("SET idle_in_transaction_session_timeout = '20ms'")
            with psycopg.connect(fresh_database.url, autocommit=True) as other:
                query = "SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = %s)"
                wait_until(lambda: other.execute(query, [pid]).fetchone() == (True,))
        return honest(*arguments)

    monkeypatch.setattr(batches, "apply", slow)
    with pytest.raises(Error) as caught:
        house.post()
    assert is_outage(caught.value)
    connection.close()
    assert house.head.halted_at is None
    house.post()
    assert house.head.seq == 2


def test_a_writer_that_stood_still_within_a_copy_is_ended(
    fresh_database: FreshDatabase, settings: Settings
) -> None:
    """The database waits for the rest of its rows, and no time limit of a session ends that."""
    settings.POSTER_LEASE_S = 1.0
    house = House(royal_terms())
    house.open("t3")
    Head.objects.update(writer="stopped", lease_until=timezone.now())
    standby = Poster("standby")
    with (
        psycopg.connect(fresh_database.url) as stopped,
        pytest.raises(psycopg.OperationalError, match="terminating connection"),
    ):
        _copy_halfway(stopped, lambda: wait_until(lambda: _looks(standby)))
    assert standby.step() == 1


def _copy_halfway(writer: psycopg.Connection[Any], meanwhile: Callable[[], object]) -> None:
    """In a transaction that holds the heads, and may be idle for a moment only."""
    writer.execute("SET idle_in_transaction_session_timeout = '500ms'")
    writer.execute("SELECT FROM jackpot_head FOR UPDATE")
    with writer.cursor().copy("COPY jackpot_block FROM STDIN") as copy:
        copy.write("1\t")
        meanwhile()


def _looks(poster: Poster) -> dict[int, int]:
    """The systems that it has after one more look."""
    poster._renew_at = None
    poster._lease()
    return poster.epochs


@pytest.mark.django_db
def test_a_right_that_is_missing_halts_nothing() -> None:
    house = House(royal_terms())
    house.open("t3")
    house.press("t3")
    with connection.cursor() as cursor:
        cursor.execute("REVOKE INSERT ON jackpot_roundstate FROM jackpot_poster")
    with acting_as("poster"), pytest.raises(ProgrammingError, match="permission denied"):
        house.post()
    assert house.head.halted_at is None
    with connection.cursor() as cursor:
        cursor.execute("GRANT INSERT ON jackpot_roundstate TO jackpot_poster")
    with acting_as("poster"):
        house.post()
    assert house.head.seq == 3


@pytest.mark.django_db
def test_numbers_that_cannot_be_told_once_more_hold_up_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = House(royal_terms())
    body = house.event("t3", messages.RoundStarted, round=1)
    house.record("t3", body)
    house.record("t3", body)
    assert RepeatedEvent.objects.exists()
    monkeypatch.setattr(poster, "announce_again", lambda *_: 1 / 0)
    house.post()
    assert house.head.seq == 2
    assert Alarm.objects.get(kind="repeats").count == 1


@pytest.mark.usefixtures("fresh_database")
def test_a_broker_of_celery_that_does_not_answer_holds_up_no_posting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = House(royal_terms())
    house.poster.give_up()
    tried = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as hole:  # connects, and never says a word
        broker = f"amqp://127.0.0.1:{hole.getsockname()[1]}//"

        class Unanswered:
            @staticmethod
            def send_task(name: str, args: tuple[int], **options: Any) -> None:
                tried.set()
                with Connection(broker, connect_timeout=600) as line:
                    current_app.send_task(name, args, connection=line, **options)

        monkeypatch.setattr(hints, "current_app", Unanswered)
        stop = threading.Event()

        def post() -> None:
            try:
                Poster("running").run(stop)
            finally:
                connection.close()

        writer = threading.Thread(target=post)
        writer.start()
        try:
            house.open("t3")
            assert tried.wait(60)
            house.press("t3")
            wait_until(lambda: Entry.objects.filter(type="round_started").exists())
        finally:
            stop.set()
            hole.close()
            writer.join()


@pytest.mark.django_db
def test_the_server_compiles_no_statement() -> None:
    """By its estimates of long tables it would, for longer than the statement takes."""
    with connection.cursor() as cursor:
        cursor.execute("SHOW jit")
        assert cursor.fetchone() == ("off",)
