"""Spans of time in words."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400


def duration(seconds: int | None) -> str:
    """In the coarsest unit that still matters: `45 s`, `12 min`, `3 h 05 min`; a dash for none."""
    if seconds is None:
        return "–"
    seconds = max(0, seconds)
    if seconds < _MINUTE:
        return f"{seconds} s"
    if seconds < _HOUR:
        return _("%(minutes)s min") % {"minutes": seconds // _MINUTE}
    if seconds < _DAY:
        minutes = f"{seconds % _HOUR // _MINUTE:02d}"
        return _("%(hours)s h %(minutes)s min") % {"hours": seconds // _HOUR, "minutes": minutes}
    days = seconds // _DAY
    return ngettext("%(days)s day", "%(days)s days", days) % {"days": days}
