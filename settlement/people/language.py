"""Pages speak the language that a person chose, or that of the browser (decision 122)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.cache import patch_vary_headers

from jackpot.web.problems import is_for_program
from settlement.core.translation import in_english
from settlement.models import Preference

# Described for programs, and read by people.
_PAGES_OF_THE_API = ("/api/docs/", "/api/problems/")
LANGUAGE = "language"  # in a session: the code that its person chose; none, as the browser says


def in_language_of(person: int) -> translation.override:
    """For a mail to the person of this key; English, where none was chosen."""
    chosen = Preference.objects.filter(person_id=person).values_list("language", flat=True).first()
    return translation.override(chosen or settings.LANGUAGE_CODE)


def _speaks_english(request: HttpRequest) -> bool:
    return is_for_program(request) and not request.path_info.startswith(_PAGES_OF_THE_API)


class SpeakLanguage:
    """Middleware: one language for all that comes of a request, mails and messages included.

    Programs read English. Of a public page no session is looked at, as anywhere else.
    """

    async_capable = False
    sync_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if _speaks_english(request):
            with in_english():
                return self._get_response(request)
        with translation.override(translation.get_language_from_request(request)):
            response = self._get_response(request)
            response.headers.setdefault("Content-Language", translation.get_language())
            patch_vary_headers(response, ["Accept-Language"])
            return response

    def process_view(self, request: HttpRequest, view: Any, *_parts: Any) -> None:
        """Ends with the request, as `__call__` does."""
        if _speaks_english(request) or getattr(view, "is_public", False):
            return
        if chosen := request.session.get(LANGUAGE):
            translation.activate(chosen)
