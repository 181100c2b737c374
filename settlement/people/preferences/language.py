"""Pages speak the language that a person chose, else that of the house, else that of the browser
(decisions 122 and 126)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import connection
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.cache import patch_vary_headers

from jackpot.web.problems import is_for_program
from settlement.core.words.translation import in_english
from settlement.models import Preference

# Described for programs, and read by people.
_PAGES_OF_THE_API = ("/api/docs/", "/api/problems/")
LANGUAGE = "language"  # in a session: the code that its person or house chose; none: the browser


# Of the casinos in which a person holds a role; of those in which none chose, one says nothing.
_OF_HOUSES = """
    SELECT DISTINCT c.language FROM roles_held(%s) h
    JOIN tables_casino c ON h.casino IS NULL OR c.id = h.casino
"""


def in_language_of(person: int) -> translation.override:
    """For a mail to the person of this key: as they or else their house chose, else English."""
    chosen = Preference.objects.filter(person_id=person).values_list("language", flat=True).first()
    return translation.override(chosen or of_house(person) or settings.LANGUAGE_CODE)


def of_house(person: int | None) -> str:
    """The language of the casinos of a person; empty where they say none, or several."""
    with connection.cursor() as cursor:
        cursor.execute(_OF_HOUSES, [person])
        languages = [language for (language,) in cursor.fetchall()]
    return str(languages[0]) if len(languages) == 1 else ""


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
