"""Links whose secret two processes draw: one that is mailed proves who reads the mailbox.

The web process draws half of the secret; the worker draws the other half and mails both. The
database takes what the link is for against both alone, so neither process does it by itself.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from settlement.people.shared import sealing

MINUTES = 30  # that a link opens; the guards of the tables have it too
_HALF_BYTES, _HALF = 24, 32  # random bytes, and the characters that they make
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Half:
    """What is kept of the half that the web process draws."""

    digest: str
    sealed: str


def draw(purpose: str) -> Half:
    """The web process's half. WrongState where nothing can be sealed."""
    half = secrets.token_urlsafe(_HALF_BYTES)
    return Half(digest_of(half), sealing.seal(half.encode(), purpose).decode())


def digest_of(half: str) -> str:
    return hashlib.sha256(half.encode()).hexdigest()


def open_link(links: QuerySet[Any], secret: str) -> Any | None:
    """The row that a secret is of, while its link opens and its person may log in."""
    return (
        links.filter(
            digest=digest_of(secret[:_HALF]),
            mailed_digest=digest_of(secret[_HALF:]),
            used_at=None,
            expires_at__gt=timezone.now(),
            person__is_active=True,
        )
        .select_related("person")
        .first()
    )


def mail_waiting(links: QuerySet[Any], purpose: str, send: Callable[[Any, str], Any]) -> None:
    """Mail each link that was asked for, with `send(row, secret)`; the worker does.

    One that does not go out is void: whoever wants it asks again.
    """
    unsent = links.filter(mailed_digest="", used_at=None)
    for link in unsent.select_related("person").defer("person__password").order_by("id"):
        half = sealing.unseal(link.sealed.encode(), purpose)
        own = secrets.token_urlsafe(_HALF_BYTES)
        is_old = link.made_at < timezone.now() - dt.timedelta(minutes=MINUTES)
        is_ours = unsent.filter(pk=link.pk).update(mailed_digest=digest_of(own))
        if not is_ours or half is None or is_old:
            continue  # somebody was quicker, the key changed, or no worker ran
        try:
            send(link, half.decode() + own)
        except Exception as fault:  # noqa: BLE001 - it holds none of the others back
            log.warning("a mail with a link did not go out: %s", type(fault))
