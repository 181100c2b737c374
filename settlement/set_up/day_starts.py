"""When a gaming day may begin: never at a time that clocks leave out or repeat.

One night a year such a day would begin twice or not at all, and programs do not agree on when.
"""

import datetime as dt
from collections.abc import Iterator
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext as _

from settlement.core.errors import BadSetUp

AHEAD_DAYS = 800  # two changes of clocks each way, as rules of a zone are known today
_DAY = dt.timedelta(days=1)


def require_steady(starts: dt.time, zone: str, now: dt.datetime | None = None) -> None:
    """BadSetUp where clocks of this zone change over a day's start in the next two years."""
    for before, after in _changes(ZoneInfo(zone), (now or timezone.now()).astimezone(dt.UTC)):
        first, last = min(before, after), max(before, after)
        is_repeated = after < before
        for day in {first.date(), last.date()}:
            at = dt.datetime.combine(day, starts)
            if first < at < last or (is_repeated and at == first):
                raise BadSetUp(
                    _(
                        "On %(date)s clocks there go from %(before)s to %(after)s: choose a start"
                        " of the gaming day outside of that time."
                    )
                    % {
                        "date": before.date(),
                        "before": f"{before:%H:%M}",
                        "after": f"{after:%H:%M}",
                    }
                )


def _changes(zone: ZoneInfo, now: dt.datetime) -> Iterator[tuple[dt.datetime, dt.datetime]]:
    """What a clock on the wall says just before and just after each change, without a zone."""
    for number in range(AHEAD_DAYS):
        early, late = now + number * _DAY, now + (number + 1) * _DAY
        before, after = _offset(early, zone), _offset(late, zone)
        if before == after:
            continue
        while late - early > dt.timedelta(seconds=1):
            middle = early + (late - early) / 2
            if _offset(middle, zone) == before:
                early = middle
            else:
                late = middle
        at = late.replace(second=0, microsecond=0, tzinfo=None)
        yield at + before, at + after


def _offset(at: dt.datetime, zone: ZoneInfo) -> dt.timedelta:
    return at.astimezone(zone).utcoffset() or dt.timedelta()
