"""A person's own notifications: the list, what is new, and the browsers that are pushed to."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Count, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from settlement.core.errors import BadSetUp, WrongState
from settlement.models import Notification, PushSubscription
from settlement.notifications import push
from settlement.people.rights.roles import held
from tables.visibility.rehearsals import rehearses
from tables.visibility.scope import Visible

MOST_BROWSERS = 10  # of one person
LONGEST_URL = 500


def own(person: Any, scope: Visible | None) -> QuerySet[Notification]:
    """What this person was notified of in the page and may still see, the newest first.

    `scope`: what the person sees at all (`settlement.approvals.capacities.visible_to`).
    """
    allowed = Q(permission="")
    for casino, permissions in held(person).allowed.items():
        where = Q(permission__in=permissions)
        if casino is not None:
            where &= Q(system__casino=casino) | Q(casino=casino)
        allowed |= where
    rows = Notification.objects.filter(allowed, person_id=person.pk, on_page=True)
    if scope is not None:
        of_none = Q() if rehearses() else Q(system=None)  # what is of no system is no rehearsal's
        rows = rows.filter(of_none | Q(system__in=scope.systems))
        if scope.casinos is not None:
            rows = rows.filter(Q(casino=None) | Q(casino__in=scope.casinos))
    return rows


def unread(person: Any, scope: Visible | None) -> QuerySet[Notification]:
    """Those of them that are new."""
    return own(person, scope).filter(read_at=None)


def count_of_unread(person: Any, scope: Visible | None) -> Coalesce:
    """How many are new, as a column of another query: every page shows it, and asks once."""
    rows = unread(person, scope).order_by().values("person").annotate(count=Count("pk"))
    return Coalesce(Subquery(rows.values("count")), 0)


def is_allowed(person: Any, notification: Notification) -> bool:
    """Whether the person may log in, and still has the role that it takes."""
    permission, system = notification.permission, notification.system
    casino = system.casino_id if system is not None else notification.casino_id
    return person.is_active and (not permission or held(person).may(permission, casino))


def read(person: Any, scope: Visible | None, number: int | None = None) -> int:
    """Mark one as read, or all; how many were new."""
    rows = unread(person, scope)
    if number is not None:
        rows = rows.filter(pk=number)
    return rows.update(read_at=timezone.now())


def browsers(person: Any) -> QuerySet[PushSubscription]:
    """Those that take push messages of this person, the newest first."""
    return PushSubscription.objects.filter(person_id=person.pk, ended_at=None)


def add_browser(person: Any, url: str, public_key: str, secret: str, device: str) -> None:
    """Push to this browser from now on. A browser is of who used it last.

    BadSetUp: what the browser sent is no subscription; WrongState: there are too many.
    """
    if not settings.PUSH_PUBLIC_KEY or not _is_address(url) or not push.is_good(public_key, secret):
        raise BadSetUp(_("This browser does not support push notifications."))
    others = browsers(person).exclude(url=url)
    if others.count() >= MOST_BROWSERS:
        raise WrongState(_("You have %(most)s devices at most.") % {"most": MOST_BROWSERS})
    values = {
        "person_id": person.pk,
        "public_key": public_key,
        "secret": secret,
        "device": device[:60],
        "ended_at": None,
    }
    PushSubscription.objects.update_or_create(url=url, defaults=values)


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        is_plain = parts.scheme == "https" and parts.port in (None, 443) and "@" not in parts.netloc
    except ValueError:  # a port that is none
        return False
    host = f".{parts.hostname}"
    is_known = any(host.endswith(f".{domain}") for domain in settings.PUSH_HOSTS)
    is_written_well = url.isascii() and url.isprintable() and " " not in url
    return is_plain and is_known and is_written_well and len(url) <= LONGEST_URL


def end_browser(person: Any, number: int) -> bool:
    """Whether there was one of that number."""
    return bool(browsers(person).filter(pk=number).update(ended_at=timezone.now()))
