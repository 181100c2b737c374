"""A display that was dark for the posted time takes its table out of play."""

import datetime as dt

import pytest

from jackpot.domain.state.blocks import instant
from jackpot.domain.state.entries import FactEntry, Outcome
from tests.support.play.books import AT, Floor, fold, royal_terms


@pytest.fixture
def floor() -> Floor:
    floor = Floor(royal_terms() | {"dark_minutes": 5})
    floor.open("t3")
    return floor


def dark(floor: Floor, seconds: float, table: str = "t3") -> Outcome:
    since, until = instant(AT), instant(AT + dt.timedelta(seconds=seconds))
    body = {"table": table, "since": since, "until": until}
    return fold(floor.books, FactEntry(floor.books.seq + 1, AT, "display_dark", body))


def test_after_five_minutes_it_is_out(floor: Floor) -> None:
    assert dark(floor, 299.9)["flags"] == ["moot"]
    assert dark(floor, 300)["jackpots"] == ["house"]
    assert dark(floor, 600)["flags"] == ["moot"]  # it is out already
    before = floor.pool()
    floor.press("t3")
    assert floor.pool() == before


def test_who_is_not_open_is_not_taken_out(floor: Floor) -> None:
    assert dark(floor, 300, "t7")["flags"] == ["moot"]


def test_without_a_posted_time_nobody_is_taken_out() -> None:
    floor = Floor(royal_terms())
    floor.open("t3")
    assert dark(floor, 10**6)["flags"] == ["moot"]
