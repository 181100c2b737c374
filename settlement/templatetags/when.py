"""Times in the casino's own zone. A page never shows UTC or the browser's zone."""

import datetime as dt
from typing import Protocol
from zoneinfo import ZoneInfo

from django import template
from django.utils import dateformat, timezone
from django.utils.dates import WEEKDAYS_ABBR
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, pgettext

from settlement.core.gaming_day import Month
from settlement.core.words.durations import duration

register = template.Library()


class Period(Protocol):
    """What the filter asks of a gaming day or a month."""

    @property
    def is_month(self) -> bool: ...

    last: dt.date


class Place(Protocol):
    """What the filters ask of a casino."""

    timezone: str
    dates: str
    clock: str


def _local(instant: dt.datetime, place: Place | None) -> dt.datetime:
    """Before there is any casino: UTC."""
    return instant.astimezone(ZoneInfo(place.timezone if place else "UTC"))


def day_of(local: dt.date, place: Place | None) -> str:
    """`21 Nov 2026`, or as the casino writes dates."""
    # Letters of Django's date format: day, month in short, year, in the order of the language.
    layouts = {"year_first": "Y-m-d", "month_first": "M j, Y"}
    return dateformat.format(
        local, layouts.get(_order(place)) or pgettext("format of a date", "j M Y")
    )


def _order(place: Place | None) -> str:
    """Of day and month, where the casino chose one that the language takes; else empty."""
    dates = place.dates if place else ""
    is_english = (get_language() or "en").startswith("en")
    return "" if dates == "month_first" and not is_english else dates


@register.filter
def short_day(local: dt.date, place: Place | None) -> str:
    """`21 Nov`, in the same order, where the year is plain from the page."""
    layouts = {"year_first": "m-d", "month_first": "M j"}
    return dateformat.format(
        local, layouts.get(_order(place)) or pgettext("format of a day", "j M")
    )


def time_of(
    local: dt.datetime | dt.time, place: Place | None, *, to_the_minute: bool = False
) -> str:
    """`21:05:14`; `9:05:14 PM` where casino and language have a clock of twelve hours."""
    layout = "H:i:s"
    if place and place.clock == "twelve":
        # Letters of Django's time format, 9:05:14 PM; H:i:s where nobody writes so.
        layout = pgettext("format of a time by a clock of 12 hours", "g:i:s A")
    if to_the_minute:
        layout = layout.replace(":s", "")
    return dateformat.time_format(local, layout)


@register.filter
def clock(local: dt.time | None, place: Place | None) -> str:
    """`06:00`, of a time of the day; nothing where there is none."""
    return "" if local is None else time_of(local, place, to_the_minute=True)


@register.filter
def local_time(instant: dt.datetime | None, place: Place | None) -> str:
    """`21 Nov 2026, 03:14:05`; a dash where there is no time."""
    if instant is None:
        return "–"
    local = _local(instant, place)
    return f"{day_of(local, place)}, {time_of(local, place)}"


@register.filter
def local_clock(instant: dt.datetime | None, place: Place) -> str:
    """`03:14:05`, where the day is plain from the page."""
    return "–" if instant is None else time_of(_local(instant, place), place)


@register.filter
def local_day(day: dt.date | dt.datetime | None, place: Place) -> str:
    """`21 Nov 2026`; a date, such as a gaming day, is shown as it is."""
    if day is None:
        return "–"
    local = _local(day, place) if isinstance(day, dt.datetime) else day
    return day_of(local, place)


@register.filter
def local_period(period: Period, place: Place) -> str:
    """`21 Nov 2026` of a gaming day, `November 2026` of a month."""
    return Month.of(period.last).name if period.is_month else day_of(period.last, place)


@register.filter
def moment(instant: dt.datetime | None, place: Place | None) -> SafeString | str:
    """The local time as a `<time>` element: machines read the instant, people the clock."""
    if instant is None:
        return "–"
    return format_html(
        '<time class="nowrap" datetime="{}">{}</time>',
        instant.isoformat(),
        local_time(instant, place),
    )


@register.filter
def waiting(since: dt.datetime | None) -> str:
    """How long ago, as `duration` says it."""
    return duration(None if since is None else int((timezone.now() - since).total_seconds()))


register.filter("duration", duration)


@register.filter
def weekdays(days: list[int]) -> str:
    """`Mon, Tue` of 1 and 2, in the reader's language."""
    return ", ".join(str(WEEKDAYS_ABBR[day - 1]) for day in days)
