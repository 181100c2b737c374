"""Days and months are closed in order, with figures of a place before; each refusal says why."""

from typing import Any

import pytest

from tests.support.play.books import Floor, royal_terms


@pytest.fixture
def floor() -> Floor:
    floor = Floor(royal_terms())
    floor.open("t3")
    floor.press("t3")
    return floor


def close(floor: Floor, **fields: Any) -> dict[str, Any]:
    """A day or month with the figures of now, unless `fields` say otherwise."""
    figures = {name: amount for name, amount in floor.books.balances.items() if amount}
    body: dict[str, Any] = {
        "through_seq": floor.books.seq,
        "through_transfer": floor.books.transfer_number,
        "figures": figures,
    }
    kind = "close_day" if "day" in fields else "close_month"
    return floor.decide(kind, **body | fields)


def test_days_follow_each_other(floor: Floor) -> None:
    through = floor.books.seq
    assert close(floor, day="2026-10-30") == {"day": "2026-10-30", "through_seq": through}
    again = "2026-10-30 has been closed already: nothing was changed."
    assert close(floor, day="2026-10-30")["refused"] == again
    assert "2026-10-29 has been closed already" in close(floor, day="2026-10-29")["refused"]
    left_out = close(floor, day="2026-11-01")["refused"]
    assert left_out == "Days are closed in order: close 2026-10-31 first."
    assert floor.books.day_closed == "2026-10-30"
    assert close(floor, day="2026-10-31")["day"] == "2026-10-31"
    assert floor.books.day_closed == "2026-10-31"


def test_a_month_follows_its_last_day_and_the_month_before(floor: Floor) -> None:
    close(floor, day="2026-11-29")
    early = close(floor, month="2026-11")["refused"]
    assert early == "A month is closed after its days: 2026-11-30 is not closed."
    close(floor, day="2026-11-30")
    through = floor.books.seq
    assert close(floor, month="2026-11") == {"month": "2026-11", "through_seq": through}
    again = close(floor, month="2026-11")["refused"]
    assert again == "2026-11 has been closed already: nothing was changed."
    left_out = close(floor, month="2027-01")["refused"]
    assert left_out == "Months are closed in order: close 2026-12 first."
    assert "2026-12-31 is not closed" in close(floor, month="2026-12")["refused"]
    assert floor.books.month_closed == "2026-11"


def test_the_month_after_january_is_february(floor: Floor) -> None:
    close(floor, day="2027-01-31")
    close(floor, month="2027-01")
    assert "close 2027-02 first" in close(floor, month="2027-03")["refused"]
    assert "2027-02-28 is not closed" in close(floor, month="2027-02")["refused"]


@pytest.mark.parametrize("when", [{"day": "2026-02-30"}, {"month": "2026-13"}])
def test_what_the_calendar_does_not_have_is_not_closed(floor: Floor, when: dict[str, str]) -> None:
    day = when.get("day", "2026-13-01")
    assert close(floor, **when)["refused"] == f"There is no day {day}."


def test_a_day_is_written_in_one_way(floor: Floor) -> None:
    for when in ({"day": "20261031"}, {"day": "2026-10-31T"}, {"month": "202610"}):
        assert "cannot be read" in close(floor, **when)["refused"]


@pytest.mark.parametrize("when", [{"day": "2026-10-31"}, {"month": "2026-10"}])
def test_figures_are_of_a_place_before(floor: Floor, when: dict[str, str]) -> None:
    if "month" in when:
        close(floor, day="2026-10-31")
    now, number = floor.books.seq + 1, floor.books.transfer_number
    nowhere = "These figures are of no place before this entry."
    assert close(floor, **when, through_seq=now)["refused"] == nowhere
    assert close(floor, **when, through_transfer=number + 1)["refused"] == nowhere
    unknown = close(floor, **when, figures={"nobody": 0})["refused"]
    assert unknown == "There is no account nobody on this system."
    unbalanced = close(floor, **when, figures={"operator": 7})["refused"]
    assert unbalanced == "All accounts together come to 7 micros, and not to nothing."
    assert "refused" not in close(floor, **when)


@pytest.mark.parametrize("when", [{"day": "2026-10-31"}, {"month": "2026-10"}])
def test_nobody_closes_alone(floor: Floor, when: dict[str, str]) -> None:
    kind = "close_day" if "day" in when else "close_month"
    body: dict[str, Any] = {"through_seq": 1, "through_transfer": 0, "figures": {}, **when}
    assert "refused" in floor.decide(kind, "mere", None, **body)
    assert (floor.books.day_closed, floor.books.month_closed) == ("", "")
