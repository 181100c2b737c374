"""What a person wants: by which ways of what, and when it is to be quiet."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils.translation import gettext as _

from settlement.core.errors import BadSetUp
from settlement.models import NotificationChoice
from settlement.notifications.kinds import KINDS, MAIL, PAGE, PUSH, WAYS, Kind, kinds_for
from settlement.notifications.quiet_hours import end_of_quiet
from settlement.people.staff.invitation_mail import mail_goes_out
from tables.models import Casino


@dataclass(frozen=True, slots=True)
class Quiet:
    """`first`, `last`: None where there are none."""

    first: dt.time | None = None
    last: dt.time | None = None
    urgent_breaks: bool = True


def open_ways(person: Any) -> tuple[str, ...]:
    """By which ways this person can be reached at all."""
    mails = bool(person.email) and mail_goes_out()
    return tuple(
        way
        for way, is_open in ((PAGE, True), (MAIL, mails), (PUSH, bool(settings.PUSH_PUBLIC_KEY)))
        if is_open
    )


def chosen_of(person: Any) -> NotificationChoice:
    """The row of this person, or one that says nothing yet."""
    row = NotificationChoice.objects.filter(person_id=person.pk).first()
    return row or NotificationChoice(person_id=person.pk)


def ways_for(kind: str, choice: NotificationChoice) -> tuple[str, ...]:
    """By which ways the person wants to be notified of a kind."""
    chosen = choice.ways.get(kind)
    if chosen is None:
        return KINDS[kind].ways
    return tuple(way for way in WAYS if way in chosen)


def matrix(person: Any) -> list[tuple[str, Kind, tuple[str, ...]]]:
    """Each kind that the person can be notified of, with the ways that are chosen."""
    choice = chosen_of(person)
    return [(name, kind, ways_for(name, choice)) for name, kind in kinds_for(person).items()]


def choose(person: Any, ways: dict[str, list[str]], quiet: Quiet) -> None:
    """Keep what the person wants; of kinds that are not named nothing changes.

    BadSetUp where quiet hours have one end only, or where begin and end are the same.
    """
    if (quiet.first is None) != (quiet.last is None):
        raise BadSetUp(_("Enter both: when quiet hours begin and when they end."))
    if quiet.first is not None and quiet.first == quiet.last:
        raise BadSetUp(_("Quiet hours must end at another time than they begin."))
    choice = chosen_of(person)
    kinds = kinds_for(person)
    choice.ways = choice.ways | {
        name: [way for way in WAYS if way in chosen]
        for name, chosen in ways.items()
        if name in kinds
    }
    values = {
        "ways": choice.ways,
        "quiet_from": quiet.first,
        "quiet_until": quiet.last,
        "urgent_breaks": quiet.urgent_breaks,
    }
    NotificationChoice.objects.update_or_create(person_id=person.pk, defaults=values)


def quiet_until(
    choice: NotificationChoice, kind: str, casino: Casino | None, now: dt.datetime
) -> dt.datetime | None:
    """Until when nothing of this kind is mailed or pushed; None: it may be, now."""
    if KINDS[kind].is_urgent and choice.urgent_breaks:
        return None
    casino = casino or Casino.objects.order_by("pk").first()
    zone = ZoneInfo(casino.timezone if casino else "UTC")
    return end_of_quiet(now, zone, choice.quiet_from, choice.quiet_until)
