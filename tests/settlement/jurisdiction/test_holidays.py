"""Holidays of packs in years that are known, and last days of forms that count them."""

import datetime as dt
from typing import Any

import pytest

from settlement.jurisdiction.deadlines import deadline_of, source_of
from settlement.jurisdiction.forms_due import FormDue, PaidOut
from settlement.jurisdiction.holidays import Holiday, Holidays, days_off, easter_sunday, is_working
from settlement.jurisdiction.pack import Rule
from settlement.jurisdiction.rules import load

PAID = (PaidOut(1, 1, 1, 0, "", 1),)


def off(pack: str, year: int) -> set[str]:
    """The Mondays to Fridays of the year that are holidays, as month and day."""
    holidays = load(pack).holidays
    assert holidays is not None
    return {f"{day:%m-%d}" for day in days_off(holidays, year) if day.weekday() < 5}


def form(day: dt.date, holidays: Holidays | None, **due: Any) -> FormDue:
    rule = Rule(rule="cash_report", since=day, source="A law", form="A", due_source="B", **due)
    return FormDue(day, 1, rule, PAID, holidays=holidays)


# As governments published them.
@pytest.mark.parametrize(
    ("pack", "year", "days"),
    [
        (
            "nevada",  # Independence Day is a Saturday
            2026,
            "01-01 01-19 02-16 05-25 06-19 07-03 09-07 10-12 11-11 11-26 12-25",
        ),
        (
            "new_jersey",  # New Year of 2028 is a Saturday: observed on 31 December
            2027,
            "01-01 01-18 02-15 05-31 06-18 07-05 09-06 10-11 11-11 11-25 12-24 12-31",
        ),
        ("nevada", 2020, "01-01 01-20 02-17 05-25 07-03 09-07 10-12 11-11 11-26 12-25"),
        ("france", 2026, "01-01 04-06 05-01 05-08 05-14 05-25 07-14 11-11 12-25"),
        ("france", 2024, "01-01 04-01 05-01 05-08 05-09 05-20 08-15 11-01 11-11 12-25"),
        (
            "new_zealand",  # ANZAC Day is a Saturday; all days to New Year
            2026,
            "01-01 01-02 02-06 04-03 04-06 04-27 06-01 07-10 10-26 12-25 12-28 12-29 12-30 12-31",
        ),
        (
            "new_zealand",  # 1 and 2 January are Saturday and Sunday
            2028,
            "01-03 01-04 02-07 04-14 04-17 04-25 06-05 07-14 10-23 12-25 12-26 12-27 12-28 12-29",
        ),
        (
            "new_zealand",  # 1 January is a Friday, and a Sunday the year after the next
            2021,
            "01-01 01-04 02-08 04-02 04-05 04-26 06-07 10-25 12-27 12-28 12-29 12-30 12-31",
        ),
        (
            "new_zealand",
            2023,
            "01-02 01-03 02-06 04-07 04-10 04-25 06-05 07-14 10-23 12-25 12-26 12-27 12-28 12-29",
        ),
    ],
)
def test_holidays_of_years_that_are_known(pack: str, year: int, days: str) -> None:
    assert off(pack, year) == set(days.split())


def test_easter_of_years_that_are_known() -> None:
    sundays = (
        "2000-04-23 2008-03-23 2011-04-24 2024-03-31 2025-04-20 2026-04-05 2035-03-25 2049-04-18"
    )
    for text in sundays.split():
        day = dt.date.fromisoformat(text)
        assert easter_sunday(day.year) == day


@pytest.mark.parametrize(
    ("day", "last"),
    [
        ("2026-11-27", "2026-12-11"),  # no holiday between
        ("2026-12-18", "2027-01-12"),  # Christmas to New Year, and 2 January on the Monday
        ("2026-07-03", "2026-07-20"),  # Matariki
        ("2026-03-27", "2026-04-14"),  # Easter
    ],
)
def test_ten_working_days_of_new_zealand(day: str, last: str) -> None:
    due = form(dt.date.fromisoformat(day), load("new_zealand").holidays, due_working_days=10)
    assert str(deadline_of(due)) == last


def test_without_holidays_it_is_early_rather_than_late() -> None:
    due = form(dt.date(2026, 12, 18), None, due_working_days=10)
    assert deadline_of(due) == dt.date(2027, 1, 1)
    assert source_of(due) == "B (source not confirmed)"


@pytest.mark.parametrize(
    ("day", "due", "last"),
    [
        ("2026-11-27", {"due_date": "02-28"}, "2027-03-01"),  # a Sunday
        ("2027-11-27", {"due_date": "02-28"}, "2028-02-28"),
        ("2025-11-27", {"due_date": "03-15"}, "2026-03-16"),  # a Sunday
        ("2026-11-10", {"due_days": 16}, "2026-11-27"),  # Thanksgiving
        ("2026-11-10", {"due_days": 15}, "2026-11-25"),
    ],
)
def test_a_last_day_moves_to_the_next_working_day(day: str, due: dict[str, Any], last: str) -> None:
    holidays = load("nevada").holidays
    assert (
        str(deadline_of(form(dt.date.fromisoformat(day), holidays, due_moves=True, **due))) == last
    )
    stays = deadline_of(form(dt.date.fromisoformat(day), holidays, **due))
    assert stays is not None
    assert str(stays) <= last


def test_the_source_names_the_holidays_that_it_counts() -> None:
    day = dt.date(2026, 11, 27)
    holidays = Holidays(source="Another law", days=(Holiday(name="A", date="01-01"),))
    counted = form(day, holidays, due_working_days=3, due_checked=day)
    assert source_of(counted) == "B; holidays: Another law (source not confirmed)"
    assert source_of(form(day, holidays, due_days=3, due_checked=day)) == "B"


def test_a_holiday_holds_in_the_years_that_it_names() -> None:
    holidays = load("nevada").holidays
    assert is_working(dt.date(2020, 6, 19), holidays)
    assert not is_working(dt.date(2026, 6, 19), holidays)
    assert is_working(dt.date(2026, 6, 19), None)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "needs one of"),
        ({"date": "01-01", "easter": 1}, "needs one of"),
        ({"month": 1, "nth": 2}, "together"),
        ({"date": "02-29"}, "no year has"),
        ({"easter": 1, "through": "01-02"}, "no date from which on"),
        ({"easter": 1, "observed": "monday"}, "for a date alone"),
        ({"date": "12-25", "through": "01-02"}, ""),
        ({"month": 5, "weekday": "monday", "nth": -1}, ""),
        ({"dates": (dt.date(2026, 7, 10),)}, ""),
    ],
)
def test_a_wrong_holiday_says_what_is_wrong(fields: dict[str, Any], words: str) -> None:
    holidays = Holidays(source="A law", days=(Holiday(name="Day", **fields),))
    assert words in holidays.fault
    assert bool(words) is bool(holidays.fault)
    assert holidays.fault.startswith("Day: ") is bool(words)


def test_days_over_the_new_year() -> None:
    holiday = Holiday(name="Break", date="12-30", through="01-02")
    holidays = Holidays(source="A law", days=(holiday,))
    assert {str(day) for day in days_off(holidays, 2026)} == {
        *("2026-01-01", "2026-01-02", "2026-12-30", "2026-12-31")
    }
