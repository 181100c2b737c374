"""What the provider says of itself (OpenID Connect Discovery): its addresses and its keys.

The worker reads it and keeps it in one row, sealed, so that nobody who writes to the database sends
people elsewhere. The web process asks the provider for nothing.
"""

from __future__ import annotations

import datetime as dt
import json
import logging
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.conf import settings
from django.utils import timezone

from jackpot.transparency import witness_client
from jackpot.transparency.witness_client import Silent
from settlement.core.words.house_alarms import HouseAlarm
from settlement.models import LogInProvider
from settlement.people.provider import house
from settlement.people.provider.faults import Fault, ProviderFault
from settlement.people.shared import sealing
from tables.alarms import raise_alarm

ALARM = "log_in_provider"
WITHIN_S = 4.0  # of one request to the provider
_REST = dt.timedelta(seconds=10)  # after it did not answer
_AGE = dt.timedelta(minutes=10)
_KEYS_AGE = dt.timedelta(seconds=20)  # a key that is not known is looked for no sooner again
_DISCOVERY = "/.well-known/openid-configuration"
_FORM = "application/x-www-form-urlencoded"
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Metadata:
    """Of the provider; `log_out` empty: it has no page for that."""

    authorization: str
    token: str
    log_out: str
    methods: list[str]  # by which the console may show its secret
    keys: list[dict[str, Any]]


def cached() -> Metadata | None:
    """As it was read last; None where nothing was, or another key sealed it."""
    row = LogInProvider.objects.first()
    text = sealing.unseal(row.sealed.encode(), sealing.PROVIDER) if row and row.sealed else None
    if text is None:
        return None
    body = json.loads(text)
    return Metadata(**body["metadata"]) if body["issuer"] == settings.OIDC_ISSUER else None


def read(*, fetch: bool = False) -> Metadata:
    """What is known, fetched where it is old, or with `fetch`. ProviderFault.

    Where the provider does not answer what is old is good still, but not with `fetch`.
    """
    row = LogInProvider.objects.first()
    age = timezone.now() - row.at if row is not None else _AGE
    old = cached()
    if old is not None and (age < _KEYS_AGE or (age < _AGE and not fetch)):
        return old
    try:
        fresh = _read()
    except ProviderFault as fault:
        if old is not None and not fetch and fault.fault == Fault.DOWN:
            return old
        raise
    body = json.dumps({"issuer": settings.OIDC_ISSUER, "metadata": asdict(fresh)})
    sealed = sealing.seal(body.encode(), sealing.PROVIDER).decode()
    values = {"sealed": sealed, "at": timezone.now(), "fault": "", "not_before": None}
    LogInProvider.objects.update_or_create(pk=1, defaults=values)
    return fresh


def watch() -> None:
    """Read it again; an alarm where that does not work: the worker's task."""
    try:
        read(fetch=True)
        house.require_known_casinos()
    except ProviderFault as fault:
        raise_alarm(
            ALARM,
            str(settings.OIDC_NAME),
            HouseAlarm.PROVIDER % {"provider": settings.OIDC_NAME, "fault": fault.detail},
        )


def _read() -> Metadata:
    house.require_good()
    body = ask(str(settings.OIDC_ISSUER).rstrip("/") + _DISCOVERY)
    if body.get("issuer") != settings.OIDC_ISSUER:
        raise ProviderFault(Fault.SETTINGS, "OIDC_ISSUER is not what the provider calls itself")
    addresses = [body.get(each) for each in ("authorization_endpoint", "token_endpoint")]
    if not all(house.is_safe(each) for each in (*addresses, body.get("jwks_uri"))):
        raise ProviderFault(Fault.SETTINGS, "an address of the provider is missing, or no HTTPS")
    keys = ask(str(body["jwks_uri"])).get("keys")
    log_out = body.get("end_session_endpoint")
    methods = body.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
    return Metadata(
        str(addresses[0]),
        str(addresses[1]),
        str(log_out) if house.is_safe(log_out) else "",
        [str(each) for each in methods] if isinstance(methods, list) else [],
        [each for each in keys if isinstance(each, dict)] if isinstance(keys, list) else [],
    )


def ask(
    url: str, form: bytes | None = None, headers: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """The JSON object that the provider answers; of a refusal, too, where it says `error`.

    ProviderFault where that is none, or where it does not answer, or did not a moment ago and is
    left alone.
    """
    row = LogInProvider.objects.first()
    if row is not None and row.not_before is not None and row.not_before > timezone.now():
        raise ProviderFault(Fault.DOWN, row.fault)
    all_headers = {"Accept": "application/json", **({"Content-Type": _FORM} if form else {})}
    try:
        reply = witness_client.ask(url, form, WITHIN_S, headers=all_headers | dict(headers or {}))
    except Silent as silence:
        raise _down(str(silence)) from silence
    try:
        body = json.loads(reply.text)
    except ValueError:
        body = None
    if reply.status >= 500:
        raise _down(f"it answers {reply.status}")
    is_refusal = 400 <= reply.status < 500
    if isinstance(body, dict) and (reply.status == 200 or (is_refusal and "error" in body)):
        return body
    # Whoever comes with a code of their own making gets it refused, and closes nobody's way in.
    fault = Fault.CODE if is_refusal and form else Fault.DOWN
    raise ProviderFault(fault, f"it answers {reply.status}, or no JSON")


def _down(why: str) -> ProviderFault:
    """Others do not wait for it, too, for a moment."""
    now = timezone.now()
    row, _is_new = LogInProvider.objects.get_or_create(pk=1, defaults={"at": now - _AGE})
    LogInProvider.objects.filter(pk=row.pk).update(fault=why[:200], not_before=now + _REST)
    log.warning("The log-in provider does not answer: %s", why)
    return ProviderFault(Fault.DOWN, why)
