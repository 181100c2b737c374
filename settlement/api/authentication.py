"""Programs log in with name and password; wrong ones count for the same lock as on the pages."""

from __future__ import annotations

from typing import Any

from drf_spectacular.authentication import BasicScheme
from rest_framework.authentication import BasicAuthentication
from rest_framework.exceptions import AuthenticationFailed


class Basic(BasicAuthentication):
    """HTTP Basic log-in: 401 to a wrong password, 429 while the name is locked."""

    def authenticate_credentials(self, userid: str, password: str, request: Any = None) -> Any:
        if "\x00" in userid:  # nobody's, and no attempt can be written down with it
            raise AuthenticationFailed
        # The lock's middleware looks at Django's own request, and not at the one around it.
        return super().authenticate_credentials(
            userid, password, getattr(request, "_request", None)
        )

    def authenticate_header(self, request: Any) -> str | None:
        """What every 401 names, whichever way of logging in was tried."""
        # Only who came with a password is asked for one: a browser would ask its person, and send
        # it along from then on with every request, past the guard against forged forms.
        asked = "HTTP_AUTHORIZATION" in request.META
        return super().authenticate_header(request) if asked else 'Session realm="api"'


class Scheme(BasicScheme):
    """The same in the API's schema."""

    target_class = "settlement.api.authentication.Basic"
