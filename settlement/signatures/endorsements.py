"""A key signs once somebody stands in for it with a key of their own."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from settlement.core.errors import NotPermitted
from settlement.models import SigningKey
from settlement.signatures import acts, keys, signing


@transaction.atomic
def endorse(user: Any, key: SigningKey) -> None:
    """Sign that this key is its person's. NotPermitted, SignatureNeeded, BadSignature."""
    if key.pk not in {each.pk for each in keys.to_endorse(user)}:
        raise NotPermitted(
            _("This key does not wait, or you may not endorse it: its person's manager may.")
        )
    pen = signing.take_up(user, acts.on_key(key, user), lambda: True)
    pen.sign(keys.SOURCE, key.pk)
