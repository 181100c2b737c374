"""What `manage.py check --deploy` says of the keys of units, where web process or owner runs it."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import Error, Tags, register

from tables import keys
from tables.process.sealing_keys import SealingKeyFault, sealing_keys


@register(Tags.security, deploy=True)
def unit_keys_are_sealed(**_options: Any) -> list[Error]:
    """A casino in which no key of a unit can be issued or checked."""
    hint = "Set UNIT_KEYS_KEY, or UNIT_KEYS_KEY_FILE: openssl rand -hex 32."
    try:
        if sealing_keys(keys.SETTING) or settings.DEMO:
            return []
    except SealingKeyFault as fault:
        return [Error(str(fault), hint=hint, id="settlement.E004")]
    return [Error(keys.NO_KEY, hint=hint, id="settlement.E004")]
