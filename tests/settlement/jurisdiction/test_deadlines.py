"""Until when a form is filed, by its rule; with where that stands."""

import datetime as dt
from typing import Any

import pytest

from settlement.jurisdiction.deadlines import deadline_of, source_of
from settlement.jurisdiction.forms_due import FormDue
from settlement.jurisdiction.pack import Rule
from settlement.jurisdiction.recipients import PaidOut

FRIDAY = dt.date(2026, 11, 27)
PAID = (PaidOut(1, 1, 1, 0, "", 1),)


def form(year: int = 0, **due: Any) -> FormDue:
    rule = Rule(rule="cash_report", since=FRIDAY, source="A law", form="A", **due)
    return FormDue(FRIDAY, 1, rule, PAID, year=year)


@pytest.mark.parametrize(
    ("due", "last"),
    [
        ({"due_days": 15}, dt.date(2026, 12, 12)),
        ({"due_working_days": 1}, dt.date(2026, 11, 30)),
        ({"due_working_days": 10}, dt.date(2026, 12, 11)),
        ({"due_date": "03-15"}, dt.date(2027, 3, 15)),
        ({}, None),
    ],
)
def test_the_last_day_follows_from_the_rule(due: dict[str, Any], last: dt.date | None) -> None:
    assert deadline_of(form(**due)) == last


def test_a_yearly_day_is_that_after_the_calendar_year_of_the_payment() -> None:
    """A prize that is paid after midnight on 1 January is of the new year, whatever its day is."""
    assert deadline_of(form(2027, due_date="03-15")) == dt.date(2028, 3, 15)


def test_the_source_says_whether_somebody_compared_it() -> None:
    due: dict[str, Any] = {"due_days": 15, "due_source": "A regulation"}
    assert source_of(form(**due)) == "A regulation (source not confirmed)"
    assert source_of(form(**due, due_checked=FRIDAY)) == "A regulation"
    assert source_of(form()) == ""
