"""Of which casino and which days the dashboard is, as the address says it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest

from settlement.core.gaming_day import DAY, Days, today
from settlement.pages.shared.choices import choice_of, days_of
from settlement.people.rights.roles import held
from tables.models import Casino

SEES = "view_dashboard"
LONGEST = 366  # days


def casinos_of(user: Any) -> list[Casino]:
    """Those in which the person's role allows it."""
    return [each for each in Casino.objects.order_by("name") if held(user).may(SEES, each.pk)]


def chosen_casino(request: HttpRequest, casinos: Sequence[Casino]) -> Casino | None:
    """The one that is named, else the first one."""
    code = choice_of(request, "casino", [casino.code for casino in casinos])
    return next((each for each in casinos if each.code == code), next(iter(casinos), None))


def chosen_days(request: HttpRequest, casino: Casino) -> Days:
    """The chosen days, at most a year of them; this month without a choice."""
    chosen, this = days_of(request), today(casino)
    last = min(chosen.last or this, this)
    first = chosen.first or (last.replace(day=1) if chosen.last is None else last - 30 * DAY)
    return Days(max(min(first, last), last - (LONGEST - 1) * DAY), last)
