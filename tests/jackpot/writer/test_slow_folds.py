"""A batch takes no longer than its writer may keep the head: the server would end its session."""

import threading
import time
from typing import Any

import pytest
from django.db import connection
from pytest_django import Settings

from jackpot.models import Block, Entry, Head, Writer
from jackpot.storage.writing import FencedOff
from jackpot.writer import batches, poster
from jackpot.writer.poster import Poster
from settlement.audit.reconciliation import reconcile
from tables.models import Alarm
from tests.support.play.books import royal_terms
from tests.support.play.house import House
from tests.support.play.kept_books import open_other_floor, press_other
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.waiting import wait_until

LEASE_S = 0.6


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """How long the fold works on each event, by its table and seq (`t3 2`) or table."""
    busy: dict[str, float] = {}
    honest = batches.apply

    def apply(books: Any, entry: Any, version: Any) -> Any:
        table, seq = getattr(entry, "table", None), getattr(getattr(entry, "event", None), "seq", 0)
        seconds = busy.get(f"{table} {seq}", busy.get(str(table), 0.0))
        start_s = time.thread_time()
        while time.thread_time() - start_s < seconds:
            pass
        return honest(books, entry, version)

    monkeypatch.setattr(batches, "apply", apply)
    return busy


def own_line(house: House) -> None:
    """The writer's connection has the time limit of its sessions."""
    house.poster._owns_line = True
    house.poster._renew_at = None


def rounds(system: Any) -> int:
    return Entry.objects.filter(system=system, type="round_started").count()


@pytest.mark.usefixtures("fresh_database")
def test_a_long_batch_is_written_in_parts(slow: dict[str, float], settings: Settings) -> None:
    settings.POSTER_LEASE_S = 1.0
    house = House(royal_terms())
    house.open("t3")
    for _ in range(40):
        house.press("t3")
    own_line(house)
    slow["t3"] = 0.04  # together more than a lease and a half
    house.post()
    assert rounds(house.system) == 40
    assert house.head.halted_at is None
    assert Block.objects.filter(system=house.system).count() > 2
    assert reconcile(house.system).differences == []


@pytest.mark.usefixtures("fresh_database")
def test_what_is_too_slow_by_itself_is_named(slow: dict[str, float], settings: Settings) -> None:
    settings.POSTER_LEASE_S = LEASE_S
    house = House(royal_terms())
    house.open("t3")
    for _ in range(4):
        house.press("t3")
    own_line(house)
    slow["t3 4"] = LEASE_S * 1.5
    house.post()
    assert house.head.halted_on == "round_started (t3, boot 1, seq 4)"
    assert house.head.halted_event is not None
    assert rounds(house.system) == 2
    assert "longer than POSTER_LEASE_S" in Alarm.objects.get(kind="system_halt").message


def test_it_is_named_where_another_writer_has_the_lease_by_then(
    slow: dict[str, float], settings: Settings, fresh_database: FreshDatabase
) -> None:
    settings.POSTER_LEASE_S = LEASE_S
    house = House(royal_terms())
    house.open("t3")
    house.post()
    house.press("t3")
    own_line(house)
    slow["t3 2"] = LEASE_S * 4
    takeover = threading.Event()

    def stand_by() -> None:
        standby = Poster("standby")
        standby._owns_line = True
        try:
            wait_until(lambda: house.system.pk in _leased(standby))
            takeover.set()
        finally:
            connection.close()

    other = threading.Thread(target=stand_by)
    other.start()
    assert house.poster.step() == 0
    other.join()
    assert takeover.is_set()
    assert house.head.writer != house.poster.name
    assert house.head.halted_on == "round_started (t3, boot 1, seq 2)"


def _leased(standby: Poster) -> dict[int, int]:
    standby._renew_at = None
    standby._lease()
    return standby.epochs


def test_what_stands_before_it_is_written_where_writers_take_turns(
    slow: dict[str, float], settings: Settings, fresh_database: FreshDatabase
) -> None:
    """A writer that was relieved remembers how far it came, and is heard of again."""
    settings.POSTER_LEASE_S = LEASE_S
    house = House(royal_terms())
    house.open("t3")
    house.post()
    house.press("t3")
    house.press("t3")
    slow["t3 3"] = LEASE_S * 1.5
    honest = house.poster._commit
    relieved: list[int] = []

    def relieve_once(turns: Any, limit: int) -> Any:
        if len(relieved) == 1:  # behind the first try
            relieved.append(limit)
            raise FencedOff("another")
        relieved.append(limit)
        return honest(turns, limit)

    house.poster._commit = relieve_once  # type: ignore[method-assign]
    assert house.poster.step() == 0
    house.poster._renew_at = None
    assert house.poster.step() == 1
    assert relieved == [poster.BATCH, 1, 1]
    house.poster.step()
    assert house.head.halted_on == "round_started (t3, boot 1, seq 3)"


@pytest.mark.django_db
def test_a_fault_met_by_a_writer_that_was_relieved_halts_nothing_written_since(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = House(royal_terms())
    house.open("t3")
    honest, relieved = batches.apply, house.poster._halt

    def late(system_id: int, poison: Any) -> None:
        monkeypatch.setattr(batches, "apply", honest)
        Writer.objects.all().delete()
        Head.objects.update(lease_until=None)
        newer = Poster("newer")
        while newer.step():
            pass
        relieved(system_id, poison)

    monkeypatch.setattr(batches, "apply", lambda *_: 1 / 0)
    house.poster._halt = late  # type: ignore[method-assign]
    assert house.poster.step() == 0
    assert house.head.halted_at is None
    assert house.head.seq == 2


@pytest.mark.django_db
def test_systems_share_the_time_and_each_has_its_turn(
    slow: dict[str, float], settings: Settings
) -> None:
    """The other would be passed over at every look: the first of a turn takes all the time."""
    settings.POSTER_LEASE_S = LEASE_S
    house = House(royal_terms())
    other = open_other_floor(house)
    house.open("t3")
    house.post()
    slow["t3"] = LEASE_S / 2
    for seq in range(1, 4):
        house.press("t3")
        house.press("t3")
        press_other(seq)
        assert house.poster.step() >= 1
        house.press("t3")
        assert house.poster.step() >= 1
        assert rounds(other) == seq
        assert house.poster._in_vain == {}
    slow.clear()
    house.post()
    assert rounds(house.system) == 9
    for system in (house.system, other):
        assert reconcile(system).differences == []
