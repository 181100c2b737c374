"""The worker's half: asking the provider about whoever came back, and telling the database."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import logging
import secrets
import time
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from settlement.models import ProviderLogIn
from settlement.people.provider import house, id_token
from settlement.people.provider.attempts import ANSWERED_S
from settlement.people.provider.faults import Fault, ProviderFault
from settlement.people.provider.id_token import Identity, LogInStart
from settlement.people.shared import sealing

HALF_BYTES = 32
AT_ONCE = 2  # workers that ask; the others are for the rest of the work
_CLAIM = dt.timedelta(seconds=15)
_OLD = dt.timedelta(seconds=ANSWERED_S)  # then nobody waits for it
_WITHIN_S = 40.0  # the task begins nothing later; it ends within 60
_KEEP = dt.timedelta(days=1)
_ALONE = "SELECT pg_advisory_xact_lock(hashtext('provider log-ins'), 0)"
log = logging.getLogger(__name__)


def answer_all() -> None:
    """Everybody who waits, one after another."""
    until = time.monotonic() + _WITHIN_S
    while time.monotonic() < until and (row := _claimed()) is not None:
        _answer(row)


@transaction.atomic
def _claimed() -> ProviderLogIn | None:
    """One that nobody is at; None where as many workers are at others as may be."""
    with connection.cursor() as cursor:
        cursor.execute(_ALONE)
    now = timezone.now()
    open_ones = ProviderLogIn.objects.filter(answered_at=None, made_at__gt=now - _OLD)
    if open_ones.filter(claimed_at__gt=now - _CLAIM).count() >= AT_ONCE:
        return None
    row = open_ones.filter(claimed_at=None).first()
    if row is not None:
        ProviderLogIn.objects.filter(pk=row.pk).update(claimed_at=now)
    return row


def _answer(row: ProviderLogIn) -> None:
    try:
        report = _report(row)
    except ProviderFault as fault:
        log.warning("A log-in at the provider does not hold: %s, %s", fault.fault, fault.detail)
        report = {"fault": fault.fault}
    except Exception:  # whoever waits reads that it failed, and not that it was late
        log.exception("A log-in at the provider was not looked at")
        report = {"fault": Fault.SETTINGS}
    with connection.cursor() as cursor:
        cursor.execute("SELECT answer_provider_log_in(%s, %s)", [row.pk, json.dumps(report)])


def _report(row: ProviderLogIn) -> dict[str, Any]:
    """What the database takes. ProviderFault."""
    opened = sealing.unseal(row.sealed.encode(), sealing.PROVIDER_CODE)
    if opened is None:
        raise ProviderFault(Fault.KEY, "WEBHOOK_KEY of the web process is another one")
    body = json.loads(opened)
    # Sealed for another row, it was copied here by somebody who has no key.
    if (body["digest"], body["purpose"]) != (row.digest, row.purpose):
        raise ProviderFault(Fault.STATE, "it was sealed for another log-in")
    attempt = LogInStart(body["code"], body["verifier"], body["nonce"], body["fresh_since"])
    identity = id_token.ask(attempt)
    return _report_of(row, identity) | {"is_fresh": attempt.fresh_since is not None}


def _report_of(row: ProviderLogIn, identity: Identity) -> dict[str, Any]:
    half = secrets.token_bytes(HALF_BYTES)
    answer = {
        "digest": row.digest,
        "half": half.hex(),
        "subject": identity.subject,
        "has_factor": identity.has_factor,
    }
    roles = {role for each in house.mapped().values() for role in each}
    return {
        "issuer": settings.OIDC_ISSUER,
        "subject": identity.subject,
        "auth_time": identity.auth_time,
        "answer": sealing.seal(json.dumps(answer).encode(), sealing.PROVIDER_ANSWER).decode(),
        "digest": hashlib.sha256(half).hexdigest(),
        "mapped": [list(role) for role in roles],
        "given": [list(role) for role in house.roles_of(identity.groups or ())],
    }


def prune() -> None:
    """Remove what nobody waits for any more: the security log has it."""
    ProviderLogIn.objects.filter(made_at__lt=timezone.now() - _KEEP).delete()
