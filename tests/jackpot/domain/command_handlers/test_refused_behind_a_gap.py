"""A halt names what people can skip."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import IntegrityError
from django.test import override_settings

from jackpot.models import Entry, Gap
from jackpot.storage import writing
from jackpot.writer import commands
from tables.models import Alarm
from tests.support.play.books import royal_terms
from tests.support.play.halted_system import house_goes_on, skip_halted
from tests.support.play.house import House

pytestmark = pytest.mark.django_db

Refusing = Callable[..., Any]


@pytest.fixture
def refusing(monkeypatch: pytest.MonkeyPatch) -> Refusing:
    """While this lasts, the database refuses the entries of these seqs of a unit."""

    @contextmanager
    def refuse(*seqs: int) -> Iterator[None]:
        honest = writing._entries

        def refused(batches: Any) -> None:
            if any(row.event_seq in seqs for batch in batches for row in batch.rows):
                raise IntegrityError("no")
            honest(batches)

        with monkeypatch.context() as broken:
            broken.setattr(writing, "_entries", refused)
            yield

    return refuse


def house_with_a_gap(rounds: int) -> House:
    """Seq 2 of t3 is missing; `rounds` come behind it."""
    house = House(royal_terms())
    house.open("t3")
    house.post()
    house.seqs["t3"] += 1
    for _ in range(rounds):
        house.press("t3")
    return house


@override_settings(GAP_WAIT_S=0.0)
def test_what_the_database_refuses_behind_a_gap_can_be_set_aside(refusing: Refusing) -> None:
    """The event is named, not the release of the gap before it, which nobody can skip."""
    house = house_with_a_gap(1)
    with refusing(3):
        house.post()
    assert house.head.halted_on == "round_started (t3, boot 1, seq 3)"
    assert house.head.halted_event is not None


@override_settings(GAP_WAIT_S=0.0)
@pytest.mark.parametrize(("rounds", "refused"), [(2, 4), (3, 3), (3, 4), (5, 6), (5, 7)])
def test_the_one_that_is_refused_is_named_not_one_before_it(
    refusing: Refusing, rounds: int, refused: int
) -> None:
    house = house_with_a_gap(rounds)
    before = house.head.seq
    with refusing(refused):
        house.post()
    assert house.head.halted_on == f"round_started (t3, boot 1, seq {refused})"
    posted = Entry.objects.filter(seq__gt=before, kind="event").order_by("seq")
    assert list(posted.values_list("event_seq", flat=True)) == list(range(3, refused))
    house_goes_on(house)
    assert Gap.objects.count() == 1


@override_settings(GAP_WAIT_S=0.0)
def test_what_was_set_aside_frees_the_system(refusing: Refusing) -> None:
    house = house_with_a_gap(2)
    with refusing(4):
        house.post()
    skip_halted(house)
    house.post()
    assert house.head.halted_at is None
    flagged = Entry.objects.get(event_seq=4, type="round_started")
    assert flagged.outcome["flags"] == ["set_aside"]


@override_settings(GAP_WAIT_S=0.0)
def test_a_system_that_halts_again_on_what_was_set_aside_rests(refusing: Refusing) -> None:
    """The database refuses its entry all the same: a person must look, and no batch is tried."""
    house = house_with_a_gap(2)
    with refusing(4):
        house.post()
        skip_halted(house)
        for _ in range(3):
            house.poster._looked_at = 0.0
            house.post()
    assert house.head.halted_on == "round_started (t3, boot 1, seq 4), set aside already"
    assert (house.head.halted_event, house.head.halted_command) == (None, None)
    assert Alarm.objects.get(kind="system_halt", message__contains="set aside already").count == 1
    house_goes_on(house)


@override_settings(GAP_WAIT_S=0.0)
def test_a_decision_does_not_come_between_a_gap_and_what_it_held_back(
    refusing: Refusing,
) -> None:
    """Else the batch could end there, and the gap would be released once more."""
    house = House(royal_terms())
    house.open("t3")
    house.post()
    commands.queue(house.system, "put_terms", {"terms": royal_terms()}, first="mere", second="d")
    house.seqs["t3"] += 1
    house.press("t3")
    with refusing(3):
        house.post()
    assert house.head.halted_on == "round_started (t3, boot 1, seq 3)"
    assert not Gap.objects.exists()
    house_goes_on(house)
    assert Gap.objects.count() == 1
    types = Entry.objects.order_by("-seq").values_list("type", flat=True)[:3]
    assert list(types) == ["round_started", "gap_released", "put_terms"]
