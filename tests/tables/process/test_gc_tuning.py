"""A process that learns is not searched for what it has learnt."""

import gc
from collections.abc import Iterator

import pytest

from tables.process.gc_tuning import LEARNT_IN, keep_what_is_learnt


class Link:
    """Something that can hold itself."""

    itself: object


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    before = list(gc.callbacks)
    yield
    gc.callbacks[:] = before


def test_what_the_first_whole_searches_leave_is_looked_at_no_more() -> None:
    keep_what_is_learnt()
    for search in range(LEARNT_IN):
        learnt = Link()
        gc.collect()
        assert not any(each is learnt for each in gc.get_objects()), search


def test_later_ones_find_the_garbage_of_what_was_made_since() -> None:
    callbacks = len(gc.callbacks)
    keep_what_is_learnt()
    for _ in range(LEARNT_IN):
        gc.collect()
    assert len(gc.callbacks) == callbacks
    link = Link()
    gc.collect()
    assert any(each is link for each in gc.get_objects())


def test_a_search_among_the_young_sets_nothing_aside() -> None:
    keep_what_is_learnt()
    young = Link()
    gc.collect(1)
    assert any(each is young for each in gc.get_objects())
