"""What `manage.py check` says of people and log-ins."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import Error, Tags, Warning, register  # noqa: A004 - what Django calls it

from settlement.people.provider import house
from settlement.people.provider.faults import ProviderFault


@register(Tags.security)
def factors_are_demanded(**_options: Any) -> list[Warning]:
    """A casino in which a password alone is enough."""
    if settings.SECOND_FACTOR_DEMANDED or settings.DEMO:
        return []
    hint = "Leave SECOND_FACTOR_DEMANDED out, or set it to 1."
    words = "No role needs a second factor here: a name and a password are enough to pay."
    return [Warning(words, hint=hint, id="settlement.W001")]


@register(Tags.security)
def somebody_can_log_in(**_options: Any) -> list[Error]:
    """A log-in provider that is set by half, or none where passwords log nobody in."""
    faults = []
    if settings.OIDC_ISSUER and not house.is_offered():
        words = "OIDC_ISSUER is set, and OIDC_CLIENT_ID or CONSOLE_ORIGIN is not."
        faults.append(Error(words, hint="Set both.", id="settlement.E001"))
    if not settings.PASSWORD_LOG_IN and not house.is_offered():
        words = "Passwords log nobody in (PASSWORD_LOG_IN), and there is no log-in provider."
        faults.append(Error(words, hint="Set OIDC_ISSUER.", id="settlement.E002"))
    try:
        if settings.OIDC_ISSUER:
            house.require_good()
            house.mapped()
    except ProviderFault as fault:
        faults.append(Error(f"{fault.detail}.", id="settlement.E003"))
    return faults
