"""The Idempotency-Key of a request: a UUID of the sender's own."""

from __future__ import annotations

import uuid

from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

Key = uuid.UUID | None


def key_of(request: Request) -> Key:
    """The request's key, if it has one; ValidationError where it is no UUID."""
    text = request.headers.get("Idempotency-Key")
    if text is None:
        return None
    try:
        return uuid.UUID(text)
    except ValueError:
        raise ValidationError({"Idempotency-Key": ["Give a UUID."]}) from None
