"""Until when a form is filed, by its rule. Working days are Monday to Friday: the console knows no
holidays, so what it says is never too late."""

from __future__ import annotations

import datetime as dt

from settlement.core.gaming_day import DAY
from settlement.jurisdiction.forms_due import FormDue
from settlement.jurisdiction.words import unconfirmed_in_words

_SATURDAY = 5


def deadline_of(due: FormDue) -> dt.date | None:
    """The last day on which the form is in time; None where its rule says none."""
    rule = due.rule
    if rule.due_days:
        return due.day + rule.due_days * DAY
    if rule.due_working_days:
        return _working_days_after(due.day, rule.due_working_days)
    if rule.due_date:
        return dt.date.fromisoformat(f"{(due.year or due.day.year) + 1}-{rule.due_date}")
    return None


def source_of(due: FormDue) -> str:
    """Where the deadline stands, and whether somebody compared it with the text; or empty."""
    rule = due.rule
    if not rule.due_source or rule.due_checked:
        return rule.due_source
    return unconfirmed_in_words(rule.due_source)


def _working_days_after(day: dt.date, count: int) -> dt.date:
    """
    >>> _working_days_after(dt.date(2026, 11, 27), 10)  # a Friday
    datetime.date(2026, 12, 11)
    """
    while count:
        day += DAY
        count -= day.weekday() < _SATURDAY
    return day
