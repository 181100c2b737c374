"""How a pool grew: its value over hours, days or years, with its hits and adjustments."""

from __future__ import annotations

import datetime as dt

from django.utils import timezone
from django.utils.translation import gettext_noop as _

from jackpot.models import Hit
from settlement.core.gaming_day import DAY, Days, today
from settlement.core.sequence_at import first_transfers
from settlement.core.words.translation import Labels
from settlement.pages.shared.charts.axes import Chart
from settlement.pages.shared.charts.line import Point, draw
from settlement.pools.history import PoolHistory, values_before
from settlement.pools.roll_forward import first_day

POINTS = 160
MOST = 60  # hits, and adjustments: the newest
ALL = "all"
SPANS = Labels(
    {
        "6h": _("6 hours"),
        "24h": _("24 hours"),
        "7d": _("7 days"),
        "30d": _("30 days"),
        "1y": _("1 year"),
        ALL: _("All"),
    }
)
_LENGTHS = {
    "6h": dt.timedelta(hours=6),
    "24h": dt.timedelta(hours=24),
    "7d": dt.timedelta(days=7),
    "30d": dt.timedelta(days=30),
    "1y": dt.timedelta(days=365),
}


def growth(history: PoolHistory, days: Days, span: str) -> Chart | None:
    """The pool's value over the span, else the chosen days, else a week of gaming days.

    Read by halving (`settlement.core.sequence_at`): it costs the same for an hour and for years.
    """
    casino = history.casino
    begin, end = _ends(history, days, span)
    if begin >= end:
        return None
    step = (end - begin) / (POINTS - 1)
    instants = [begin + step * number for number in range(POINTS)]
    hits = Hit.objects.filter(
        tier=history.tier, at__gte=begin, at__lt=end, before_pool__isnull=False
    ).order_by("-at")[:MOST]
    peaks: list[Point] = [(hit.at, hit.before_pool or 0) for hit in hits]
    beside = [at + dt.timedelta(microseconds=1) for at, _ in peaks]
    numbers = first_transfers(history.tier.system_id, [*instants, *beside])
    values = values_before(history.pool, numbers)
    changes = history.changes(numbers[0], numbers[POINTS - 1], MOST)
    points = [
        (at, value)
        for at, value in zip([*instants, *beside], values, strict=True)
        if value is not None
    ]
    points += [(at, value) for at, value, _change in changes]
    return draw(sorted([*points, *peaks]), peaks, casino, changes)


def _ends(history: PoolHistory, days: Days, span: str) -> tuple[dt.datetime, dt.datetime]:
    """From when until when: never from before the pool's system began."""
    casino, now = history.casino, timezone.now()
    earliest = Days(first_day(history.tier)).start(casino) or now
    if span == ALL:
        return earliest, now
    if span:
        return max(now - _LENGTHS[span], earliest), now
    week = Days(today(casino) - 6 * DAY).start(casino)
    begin = days.start(casino) or (earliest if days.last else week) or earliest
    return max(begin, earliest), min(days.end(casino) or now, now)
