"""Who is let in at an address of the API: people who are logged in and whose role allows it."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.permissions import SAFE_METHODS, IsAuthenticated
from rest_framework.request import Request

from settlement.approvals.capacities import DELEGABLE, TAKES
from settlement.core.errors import NotPermitted
from settlement.models import AccessToken
from settlement.people.rights.permissions import require
from settlement.people.rights.scopes import PERSON

READING = "view_claim"  # of every role but the Administrator


class RoleAllows(IsAuthenticated):
    """Default of every view: what changes something takes its `post_permission`, all else reading.

    Services ask again for what is done; this keeps a body from being read before.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        """False for nobody; NotPermitted where the role does not allow it."""
        if not super().has_permission(request, view):
            return False
        acting = request.method not in SAFE_METHODS
        if isinstance(request.auth, AccessToken):
            _require_scope(request.auth, view, request.method or "")
        if not _is_of_the_house(view):
            return True
        permission = getattr(view, "post_permission" if acting else "get_permission", READING)
        if permission in DELEGABLE and request.user.has_perm(f"settlement.{TAKES}"):
            return True  # the service knows whether this claim's was delegated
        require(request.user, permission)
        return True


def _is_of_the_house(view: Any) -> bool:
    """Schema and docs are no `JsonView`: they say nothing of the house, and are read only."""
    return getattr(view, "is_of_the_house", False)


def _require_scope(token: AccessToken, view: Any, method: str) -> None:
    """Schema and docs take none, nor does what is not there."""
    if not _is_of_the_house(view) or not hasattr(view, method.lower()):
        return
    scope = getattr(view, "get_scope" if method in SAFE_METHODS else "post_scope", PERSON)
    if scope == PERSON:
        raise NotPermitted(
            _("No access token does this: a person does, on the console or with the password.")
        )
    if scope not in token.scopes:
        raise NotPermitted(_("This access token lacks the scope %(scope)s.") % {"scope": scope})
