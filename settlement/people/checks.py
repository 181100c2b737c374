"""What `manage.py check` says of people and log-ins."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import Tags, Warning, register  # noqa: A004 - what Django calls it


@register(Tags.security)
def factors_are_demanded(**_options: Any) -> list[Warning]:
    """A casino in which a password alone is enough."""
    if settings.SECOND_FACTOR_DEMANDED or settings.DEMO:
        return []
    hint = "Leave SECOND_FACTOR_DEMANDED out, or set it to 1."
    words = "No role needs a second factor here: a name and a password are enough to pay."
    return [Warning(words, hint=hint, id="settlement.W001")]
