"""Whom a claim is told to that nobody confirms or pays, and after how long: the house's policy.

Two people decide it for a casino; before that the setting ESCALATION holds.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from settlement.core.errors import BadSetUp
from settlement.core.words.translation import Labels
from settlement.models import EscalationPolicy
from tables.models import Casino

MOST = 5  # levels of a casino
LONGEST = 24 * 60  # minutes
WHOM = Labels(
    {
        "verify_claim": gettext_noop("anyone who may verify"),
        "confirm_claim": gettext_noop("anyone who may confirm"),
        "pay_claim": gettext_noop("anyone who may pay, of what is confirmed and not paid"),
    }
)
PAYS = "pay_claim"  # its minutes count from the confirmation


@dataclass(frozen=True, order=True, slots=True)
class Level:
    """After so many minutes that nobody confirmed a claim, everybody with the permission.

    Of `PAYS`: that nobody paid a claim that is confirmed.
    """

    minutes: int
    permission: str

    @property
    def wait(self) -> dt.timedelta:
        return dt.timedelta(minutes=self.minutes)


def decided(casino: Casino) -> EscalationPolicy | None:
    """What two people decided last."""
    return EscalationPolicy.objects.filter(casino=casino).order_by("id").last()


def levels_of(casino: Casino) -> list[Level]:
    """What holds in a casino, by time. ImproperlyConfigured where the setting cannot be read."""
    row = decided(casino)
    if row is not None:
        return _read(row.levels.split(",") if row.levels else [])
    try:
        return _read(settings.ESCALATION)
    except ValueError as fault:
        raise ImproperlyConfigured(
            "ESCALATION is minutes and a permission, such as 10:verify_claim,20:confirm_claim"
        ) from fault


def text_of(levels: Sequence[Level]) -> str:
    """As the database keeps them.

    >>> text_of([Level(20, "confirm_claim"), Level(10, "verify_claim")])
    '10:verify_claim,20:confirm_claim'
    """
    return ",".join(f"{each.minutes}:{each.permission}" for each in sorted(levels))


def checked(levels: Sequence[Level]) -> str:
    """The same, of what somebody entered; BadSetUp where it is no policy."""
    if len(levels) > MOST or any(each.permission not in WHOM for each in levels):
        raise BadSetUp(_("Choose who is notified, on at most %(most)s levels.") % {"most": MOST})
    if any(not 1 <= each.minutes <= LONGEST for each in levels):
        raise BadSetUp(
            _("Enter whole minutes from %(least)s to %(most)s.") % {"least": 1, "most": LONGEST}
        )
    if len(set(levels)) < len(levels):
        raise BadSetUp(_("Two levels are the same."))
    return text_of(levels)


def in_words(text: str) -> str:
    """What is kept, as people read it."""
    levels = _read(text.split(",") if text else [])
    if not levels:
        return _("nobody")
    words = _("%(whom)s after %(minutes)s min")
    return ", ".join(
        words % {"whom": WHOM.get(each.permission, each.permission), "minutes": each.minutes}
        for each in levels
    )


def _read(texts: Sequence[str]) -> list[Level]:
    pairs = [each.split(":") for each in texts]
    return sorted(Level(int(minutes), permission) for minutes, permission in pairs)
