"""Several posters share the systems evenly; what one leaves, the others take."""

import pytest
from django.db import connection

from jackpot.models import Head, Writer
from jackpot.writer.poster import Poster
from settlement.audit.after_restore import fence_writers
from tables.models import Casino, JackpotSystem
from tests.support.play.books import royal_terms
from tests.support.play.house import House
from tests.support.play.leases import dies

pytestmark = pytest.mark.django_db


def make_systems(count: int) -> None:
    casino = Casino.objects.create(code="harbour", name="Harbour Casino", currency="NZD")
    for number in range(count):
        JackpotSystem.objects.create(casino=casino, code=f"s{number}", name=f"System {number}")


def looks(poster: Poster) -> set[int]:
    """The systems that a poster has after its next look."""
    poster._renew_at = None
    poster._lease()
    return set(poster.epochs)


def test_a_poster_that_comes_gets_its_part() -> None:
    make_systems(3)
    first, second, third = Poster("first"), Poster("second"), Poster("third")
    assert len(looks(first)) == 3
    assert looks(second) == set()
    assert len(looks(first)) == 2
    assert len(looks(second)) == 1
    for each in (third, first, second):
        looks(each)
    parts = [looks(each) for each in (third, first, second)]
    assert [len(part) for part in parts] == [1, 1, 1]
    assert len(set.union(*parts)) == 3
    assert [looks(each) for each in (third, first, second)] == parts  # and so it stays


def test_a_part_is_no_larger_by_another_plan() -> None:
    """A list that the server made again for each head passed over those it had just given away."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE jackpot_head")  # while it is empty
        for way in ("hashjoin", "mergejoin", "material"):
            cursor.execute(f"SET LOCAL enable_{way} = off")
    make_systems(3)
    first, second = Poster("first"), Poster("second")
    for each in (first, second):
        looks(each)
    assert [len(looks(each)) for each in (first, second)] == [2, 1]


def test_of_one_system_the_second_stands_by() -> None:
    make_systems(1)
    first, second = Poster("first"), Poster("second")
    before = looks(first)
    assert looks(second) == set()
    assert looks(first) == before
    assert Head.objects.get().epoch == 1


def test_what_a_dead_poster_had_is_taken_at_the_next_look() -> None:
    make_systems(4)
    first, second = Poster("first"), Poster("second")
    for each in (first, second, first, second):
        looks(each)
    had = dict(first.epochs)
    dies(first)
    assert len(looks(second)) == 4
    assert all(second.epochs[pk] > epoch for pk, epoch in had.items())
    assert Writer.objects.count() == 1


def test_what_a_poster_gives_back_is_taken_at_the_next_look() -> None:
    make_systems(2)
    first, second = Poster("first"), Poster("second")
    for each in (first, second, first, second):
        looks(each)
    first.give_up()
    assert len(looks(second)) == 2


def test_a_writer_of_before_a_restore_commits_nothing() -> None:
    """It took over after the backup: the new era begins with the epoch that it had."""
    house = House(royal_terms())
    writer = Poster("writer")
    writer.epochs = {house.system.pk: house.head.epoch + 1}
    writer._renew_at = float("inf")
    fence_writers([house.system.pk])
    house.open("t3")
    assert writer.epochs == {house.system.pk: house.head.epoch}
    assert writer.step() == 0
    assert not writer.epochs
