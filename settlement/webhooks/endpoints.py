"""Endpoints as an administrator makes them, ends them, and has them sent things again."""

from __future__ import annotations

import datetime as dt
import json
import uuid
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import IntegrityError
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from settlement.core.errors import USED, BadSetUp, KeyUsed, WrongState
from settlement.core.input import clean_text
from settlement.events.kinds import KINDS
from settlement.models import WebhookDelivery, WebhookEndpoint
from settlement.people.rights.permissions import require
from settlement.people.shared.database_calls import ask
from settlement.people.shared.sealing import WEBHOOK, seal
from settlement.webhooks import signing
from tables.models import Casino, JackpotSystem

MAY, REPLAYS = "set_up_casino", "replay_webhooks"
LONGEST_OVERLAP = dt.timedelta(days=7)
LONGEST_NAME, LONGEST_URL = 60, 500
MOST_OPEN = 20  # of a casino


@dataclass(frozen=True, slots=True)
class NewEndpoint:
    """A new endpoint; `systems` None: all of the casino, those made later too."""

    name: str
    url: str
    events: tuple[str, ...]
    systems: tuple[JackpotSystem, ...] | None = None


def endpoints() -> QuerySet[WebhookEndpoint]:
    """Those of the casinos that are seen, the newest first, with `waiting` and `dead`."""
    counted = {state: _count_of(state) for state in ("waiting", "dead")}
    rows = WebhookEndpoint.objects.select_related("casino", "person", "ended_by")
    return rows.defer("secret", "old_secret").annotate(**counted).order_by("-id")


def _count_of(state: str) -> Coalesce:
    """Of one endpoint, by an index of the few rows in that state."""
    rows = WebhookDelivery.objects.filter(endpoint=OuterRef("pk"), state=state).order_by()
    count = rows.values("endpoint").annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(count), 0)


def deliveries(endpoint: WebhookEndpoint) -> QuerySet[WebhookDelivery]:
    """What was sent or waits, the newest first."""
    rows = WebhookDelivery.objects.filter(endpoint=endpoint)
    return rows.select_related("event__system").order_by("-number")


def make(
    by: Any, casino: Casino, values: NewEndpoint, key: uuid.UUID | None = None
) -> tuple[WebhookEndpoint, str]:
    """A new endpoint and its secret, which is shown here and never again.

    The same `key` again is the same endpoint, without the secret. BadSetUp: what does not fit.
    """
    require(by, MAY)
    key = key or uuid.uuid4()
    row = _row(values)
    if (earlier := _of_key(by, casino, row, key)) is not None:
        return earlier, ""
    if endpoints().filter(casino=casino, ended_at=None).count() >= MOST_OPEN:
        raise WrongState(_("A casino has %(most)s webhooks at most.") % {"most": MOST_OPEN})
    secret = signing.new_secret()
    sealed = seal(secret.encode(), WEBHOOK)
    try:
        document = json.dumps({**row, "key": str(key)})
        number = ask("set_up_webhook", by.pk, casino.pk, document, sealed)
    except IntegrityError as error:  # in the same moment, or of a casino that is not seen
        if (earlier := _of_key(by, casino, row, key)) is not None:
            return earlier, ""
        raise KeyUsed(USED) from error
    return WebhookEndpoint.objects.defer("secret", "old_secret").get(pk=number), secret


def _of_key(by: Any, casino: Casino, row: dict[str, Any], key: uuid.UUID) -> WebhookEndpoint | None:
    """What the key made; KeyUsed where that is something else."""
    endpoint = WebhookEndpoint.objects.defer("secret", "old_secret").filter(key=key).first()
    if endpoint is None:
        return None
    facts = (endpoint.name, endpoint.url, endpoint.events, endpoint.systems)
    same = tuple(row[each] for each in ("name", "url", "events", "systems"))
    if (endpoint.person_id, endpoint.casino_id, facts) != (by.pk, casino.pk, same):
        raise KeyUsed(USED)
    return endpoint


def end(by: Any, endpoint: WebhookEndpoint) -> None:
    """Nothing is sent there any more; WrongState where it has ended already."""
    if not ask("end_webhook", by.pk, endpoint.pk):
        raise WrongState(_("This webhook has ended already."))


def rotate(by: Any, endpoint: WebhookEndpoint, overlap: dt.timedelta | None) -> str:
    """Another secret, which is shown here and never again; for the overlap (None: not at all) each
    delivery bears the signatures of both. WrongState where the endpoint has ended, or two sign
    already and the older one is not to end at once."""
    if overlap is not None and not dt.timedelta() < overlap <= LONGEST_OVERLAP:
        raise BadSetUp(_("Old and new hold side by side for at most seven days."))
    secret = signing.new_secret()
    sealed = seal(secret.encode(), WEBHOOK)
    if not ask("rotate_webhook", by.pk, endpoint.pk, sealed, overlap):
        raise WrongState(_("This webhook has ended already."))
    return secret


def test(by: Any, endpoint: WebhookEndpoint, key: uuid.UUID | None) -> int:
    """The number under which a test event is sent; the same `key` again is the same event.

    WrongState where the endpoint has ended.
    """
    number: int | None = ask("test_webhook", by.pk, endpoint.pk, key or uuid.uuid4())
    if number is None:
        raise WrongState(_("This webhook has ended already."))
    return number


def replay(by: Any, endpoint: WebhookEndpoint, first: int, last: int | None = None) -> int:
    """Send again whatever has these numbers, in their order; how many there are.

    `last` None: all from `first` on. A receiver knows each by its `webhook-id`.
    """
    count: int = ask("replay_webhook", by.pk, endpoint.pk, first, last)
    if not count:
        raise WrongState(_("There is no delivery of that number, or the webhook has ended."))
    return count


def _row(values: NewEndpoint) -> dict[str, Any]:
    name = clean_text(values.name)
    if not name or len(name) > LONGEST_NAME:
        raise BadSetUp(_("Enter a name of at most %(most)s characters.") % {"most": LONGEST_NAME})
    if not values.events or not set(values.events) <= set(KINDS):
        raise BadSetUp(_("Choose the events that are sent."))
    systems = sorted(each.pk for each in values.systems) if values.systems is not None else None
    return {
        "name": name,
        "url": _good_url(values.url),
        "events": sorted(values.events),
        "systems": systems,
    }


def _good_url(url: str) -> str:
    """An address without a name and password in it; HTTPS, or HTTP into WEBHOOK_NETWORKS."""
    schemes = ("https", "http") if settings.WEBHOOK_NETWORKS else ("https",)
    try:
        parts = urlsplit(url)
        is_good = (
            parts.scheme in schemes
            and bool(parts.hostname)
            and parts.port != 0
            and "@" not in parts.netloc
            and url.isascii()
            and url.isprintable()
            and " " not in url
            and len(url) <= LONGEST_URL
        )
    except ValueError:
        is_good = False
    if not is_good:
        raise BadSetUp(_("Enter an address that begins with https://, without name and password."))
    return url
