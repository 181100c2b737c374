"""Where a role holds and until when, as a body says it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from settlement.core.errors import BadSetUp
from settlement.people.staff.persons import LAST_YEAR, end_of
from tables.models import Casino


def casino_of(body: Mapping[str, Any]) -> Casino | None:
    """None: every casino. BadSetUp where there is none of that code."""
    code = body.get("casino")
    if code is None:
        return None
    casino = Casino.objects.filter(code=code).first()
    if casino is None:
        raise BadSetUp(
            _("There is no casino %(code)s: write its code, or leave it empty for every one.")
            % {"code": code}
        )
    return casino


def until_of(body: Mapping[str, Any], casino: Casino | None) -> dt.datetime | None:
    """The end of the last day, as `persons.end_of`; None: without an end."""
    day: dt.date | None = body.get("last_day")
    if day is None:
        return None
    if day.year > LAST_YEAR:
        raise BadSetUp(_("Enter a day before the year 3000."))
    return end_of(day, casino)
