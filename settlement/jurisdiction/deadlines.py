"""Until when a form is filed, by its rule. Working days are Monday to Friday but for the holidays
that the pack names: where it names none, what is said here is early rather than late."""

from __future__ import annotations

import datetime as dt

from django.utils.translation import gettext as _

from settlement.core.gaming_day import DAY
from settlement.jurisdiction.forms_due import FormDue
from settlement.jurisdiction.holidays import Holidays, is_working
from settlement.jurisdiction.words import unconfirmed_in_words


def deadline_of(due: FormDue) -> dt.date | None:
    """The last day on which the form is in time; None where its rule says none."""
    rule = due.rule
    if rule.due_working_days:
        return _working_days_after(due.day, rule.due_working_days, due.holidays)
    if rule.due_days:
        last = due.day + rule.due_days * DAY
    elif rule.due_date:
        last = dt.date.fromisoformat(f"{(due.year or due.day.year) + 1}-{rule.due_date}")
    else:
        return None
    # Only a pack that names holidays knows which day is the next one.
    if not rule.due_moves or due.holidays is None or is_working(last, due.holidays):
        return last
    return _working_days_after(last, 1, due.holidays)


def source_of(due: FormDue) -> str:
    """Where the deadline stands, and the holidays that it counts; and whether somebody compared
    each with the text. Or empty."""
    rule = due.rule
    if not rule.due_source:
        return ""
    source = _standing(rule.due_source, rule.due_checked)
    if due.holidays is None or not (rule.due_working_days or rule.due_moves):
        return source
    holidays = _standing(due.holidays.source, due.holidays.checked)
    return _("%(source)s; holidays: %(holidays)s") % {"source": source, "holidays": holidays}


def _standing(source: str, checked: dt.date | None) -> str:
    return source if checked else unconfirmed_in_words(source)


def _working_days_after(day: dt.date, count: int, holidays: Holidays | None) -> dt.date:
    """
    >>> _working_days_after(dt.date(2026, 11, 27), 10, None)  # a Friday
    datetime.date(2026, 12, 11)
    """
    while count:
        day += DAY
        count -= is_working(day, holidays)
    return day
