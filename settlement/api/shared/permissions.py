"""Who is let in at an address of the API: people who are logged in and whose role allows it."""

from __future__ import annotations

from typing import Any

from rest_framework.permissions import SAFE_METHODS, IsAuthenticated
from rest_framework.request import Request

from settlement.approvals.capacities import DELEGABLE, TAKES
from settlement.core.errors import NotPermitted
from settlement.models import AccessToken
from settlement.people.permissions import require

READING = "view_claim"  # every role has it; a log-in without a role has nothing


class RoleAllows(IsAuthenticated):
    """Default of every view: what changes something takes its `post_permission`, all else reading.

    Services ask again for what is done; this keeps a body from being read before.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        """False for nobody; NotPermitted where the role does not allow it."""
        if not super().has_permission(request, view):
            return False
        acting = request.method not in SAFE_METHODS
        if acting and isinstance(request.auth, AccessToken):
            raise NotPermitted(
                "An access token reads only. Log in with name and password to do this."
            )
        # Schema and docs are no `JsonView`: they are read only.
        permission = getattr(view, "post_permission", READING) if acting else READING
        if permission in DELEGABLE and request.user.has_perm(f"settlement.{TAKES}"):
            return True  # the service knows whether this claim's was delegated
        require(request.user, permission)
        return True
