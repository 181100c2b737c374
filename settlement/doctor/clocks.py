"""Clocks: this machine's beside the database's, and those of the units that were heard."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db import connection
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from jackpot.labels.figures import write_decimals
from settlement.core.words.labels import clock_words
from settlement.doctor.examination import Point, Subject, attention, good, series, wrong
from tables.floor.unit_clocks import wrong_clocks

NOTICED, TOO_FAR = dt.timedelta(seconds=1), dt.timedelta(seconds=10)


@dataclass(frozen=True)
class Apart:
    """By how much the database's clock is ahead of this machine's, and how sure that is."""

    ahead: dt.timedelta
    spread: dt.timedelta


def look() -> Apart:
    with connection.cursor() as cursor:
        before = timezone.now()
        cursor.execute("SELECT clock_timestamp()")
        (theirs,) = cursor.fetchone()
        after = timezone.now()
    spread = (after - before) / 2
    return Apart(theirs - (before + spread), spread)


CLOCKS = Subject("clocks", gettext_noop("Clocks"), look)


@CLOCKS.check(gettext_noop("This machine and the database"))
def machine(offset: Apart) -> Point:
    apart = max(abs(offset.ahead) - offset.spread, dt.timedelta())
    text = _("%(seconds)s s apart.") % {"seconds": write_decimals(apart.total_seconds(), 2)}
    advice = _("Let both machines keep time by NTP (chrony or systemd-timesyncd).")
    if apart > TOO_FAR:
        return wrong(text, advice)
    return attention(text, advice) if apart > NOTICED else good(text)


@CLOCKS.check(gettext_noop("Table units"))
def units(_offset: Apart) -> Point:
    off = [
        f"{table.system.code}/{table.code} ({clock_words(ahead)})"
        for table, ahead in wrong_clocks(timezone.now())
    ]
    if off:
        return attention(
            _("Wrong at: %(tables)s.") % {"tables": series(off)},
            _("Set these units' clocks: times of hands and disputes of order rest on them."),
        )
    return good(_("No connected unit has a wrong clock."))
