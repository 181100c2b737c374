"""What a role does not allow: the answer, which goes into the access notes as well."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views import defaults

from settlement.people.security_log import note_refusal


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """In place of Django's page for what a role does not allow."""
    note_refusal(request, str(exception))
    return defaults.permission_denied(request, exception)
