"""An update with another fold: posters of both versions write until an entry hands over."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from django.core.management import CommandError, call_command

from jackpot.domain import fold, versions
from jackpot.domain.state.books import Books
from jackpot.domain.state.entries import AnyEntry, Outcome
from jackpot.models import Block, Entry, Head, Writer
from jackpot.writer.poster import Poster
from tests.support.play.books import royal_terms
from tests.support.play.house import House
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db

BEFORE = versions.PRESENT
LATER = BEFORE[0] + 1, BEFORE[1]

Later = Callable[[], AbstractContextManager[None]]


def noting(books: Books, entry: AnyEntry) -> Outcome:
    """The fold of the later version: every entry says that it was noted."""
    return {**fold.apply(books, entry), "noted": True}


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Later:
    """What runs within is the later version of the console."""

    @contextmanager
    def is_later() -> Iterator[None]:
        with monkeypatch.context() as update:
            update.setitem(versions.FOLDS, LATER, noting)
            update.setattr(versions, "PRESENT", LATER)
            yield

    return is_later


def build_house() -> House:
    house = House(royal_terms())
    house.open("t3")
    house.press("t3")
    house.post()
    return house


house = kept_house(build_house)


def posts(poster: Poster) -> int:
    """What it posts of what waits; it looks at its leases first."""
    poster._renew_at = None
    return poster.step()


def folded_by() -> list[tuple[int, int]]:
    return list(Block.objects.order_by("number").values_list("fold_version", "rules_version"))


def take_from(poster: Poster) -> None:
    """It is still there, and another one may take its system."""
    Head.objects.filter(writer=poster.name).update(lease_until=None)


def test_posters_of_both_versions_write_by_the_older_one(house: House, later: Later) -> None:
    take_from(house.poster)
    new = Poster("new")
    house.press("t3")
    with later():
        assert posts(new)
    take_from(new)
    house.press("t3")
    assert posts(house.poster)
    assert set(folded_by()) == {BEFORE}
    assert len(set(Head.objects.values_list("epoch"))) == 1


def test_the_first_entry_after_the_last_older_poster_hands_over(house: House, later: Later) -> None:
    new = Poster("new")
    before = house.head.seq
    with later():
        house.poster.give_up()
        house.press("t3")
        assert posts(new)
    assert folded_by() == sorted(folded_by())
    assert folded_by()[-1] == LATER
    noted = Entry.objects.filter(outcome__noted=True).order_by("seq")
    assert noted.first().seq == before + 1  # type: ignore[union-attr]


def test_one_that_was_killed_is_waited_for_as_long_as_its_lease(house: House, later: Later) -> None:
    new = Poster("new")
    take_from(house.poster)
    with later():
        house.press("t3")
        posts(new)
        assert folded_by()[-1] == BEFORE
        Writer.objects.filter(name=house.poster.name).update(until="2026-01-01T00:00:00Z")
        house.press("t3")
        posts(new)
        assert folded_by()[-1] == LATER


def test_an_older_poster_is_not_started_after(house: House, later: Later) -> None:
    new = Poster("new")
    with later():
        house.poster.give_up()
        house.press("t3")
        posts(new)
    for older in (house.poster, Poster("older")):
        house.press("t3")
        with pytest.raises(versions.TooOldError, match="Start the one that wrote it"):
            posts(older)
    assert list(Writer.objects.values_list("name", flat=True)) == [new.name]
    assert not house.head.halted_at
    with later():
        assert posts(new) == 2
    assert folded_by()[-1] == LATER


def test_an_older_one_in_the_middle_of_its_lease_writes_no_more(house: House, later: Later) -> None:
    """The order was handed over since it last looked at its leases."""
    new = Poster("new")
    with later():
        Writer.objects.all().delete()
        take_from(house.poster)
        house.press("t3")
        posts(new)
    epoch = house.head.epoch + 1
    Head.objects.update(writer=house.poster.name, epoch=epoch)
    house.poster.epochs[house.system.pk] = epoch
    house.press("t3")
    with pytest.raises(versions.TooOldError):
        house.poster.step()
    assert not house.head.halted_at


def test_the_process_says_what_to_start(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_old(*_arguments: object) -> None:
        versions.next_version(LATER, BEFORE)

    monkeypatch.setattr(Poster, "run", too_old)
    with pytest.raises(CommandError, match=f"folded by version {LATER[0]} under rules"):
        call_command("run_poster")
