"""Wherever a batch fails, what came before the culprit is written and the culprit is named."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from jackpot.models import Entry
from jackpot.writer import batches, numbering
from tests.support.play.books import royal_terms
from tests.support.play.halted_system import house_goes_on, skip_halted
from tests.support.play.house import House

_REFUSED_AT_COMMIT = """
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'no' USING ERRCODE = 'integrity_constraint_violation'; END $$;
    CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON jackpot_roundstate
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.round = 5) EXECUTE FUNCTION refuse();
"""


def floor() -> House:
    """Nine rounds wait; the fifth has seq 6."""
    house = House(royal_terms())
    house.open("t3")
    for _ in range(9):
        house.press("t3")
    return house


def assert_named(house: House) -> None:
    assert house.head.halted_on == "round_started (t3, boot 1, seq 6)"
    assert house.head.halted_event is not None
    assert Entry.objects.filter(type="round_started").count() == 4


@pytest.mark.usefixtures("fresh_database")
def test_what_is_refused_at_the_commit_is_named_and_can_be_set_aside() -> None:
    house = floor()
    with connection.cursor() as cursor:
        cursor.execute(_REFUSED_AT_COMMIT)
    house.post()
    assert_named(house)
    skip_halted(house)
    house.post()
    assert house.head.halted_at is None
    assert Entry.objects.filter(type="round_started").count() == 9


@pytest.mark.django_db
def test_what_cannot_be_loaded_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    house = floor()
    honest = batches.fetch

    def faulty(system_id: int, loaded: Any, plan: Any) -> None:
        if any(number == 5 for _, number in plan.rounds):
            raise ZeroDivisionError("a bug")
        honest(system_id, loaded, plan)

    with monkeypatch.context() as broken:
        broken.setattr(batches, "fetch", faulty)
        house.post()
    assert_named(house)
    house_goes_on(house)


@pytest.mark.django_db
def test_what_cannot_be_measured_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    house = floor()
    house.call("t3")
    with monkeypatch.context() as broken:
        broken.setattr(numbering, "clock_errors", lambda *_: 1 / 0)
        house.post()
    assert house.head.halted_on == "hand_called (t3, boot 1, seq 11)"
    assert house.head.halted_event is not None
    assert Entry.objects.filter(type="round_started").count() == 9


@pytest.mark.django_db
def test_what_cannot_be_numbered_loses_nothing_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    house = floor()
    honest: Callable[..., Any] = numbering._row

    def faulty(seq: int, now: Any, source: Any, tables: Any) -> Any:
        assert source.seq != 6
        return honest(seq, now, source, tables)

    with monkeypatch.context() as broken:
        broken.setattr(numbering, "_row", faulty)
        house.post()
    assert house.head.halted_on == "an entry that could not be read"
    assert Entry.objects.filter(type="round_started").count() == 4
    house_goes_on(house)
