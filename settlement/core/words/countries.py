"""Countries by the codes of ISO 3166-1, with their names in the language of now.

Codes and names are those of CLDR as Babel has them: of all codes the standard assigns those where
somebody lives, which CLDR tells by their time zones (so without Bouvet and the Heard Islands).
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from babel import Locale, UnknownLocaleError
from babel.core import get_global
from django.utils.translation import get_language, to_locale

_UNKNOWN = "ZZ"


@lru_cache(maxsize=1)
def codes() -> frozenset[str]:
    """Two capital letters each."""
    zones = get_global("territory_zones")
    return frozenset(code for code in zones if len(code) == 2 and code.isalpha()) - {_UNKNOWN}


def country_name(code: str) -> str:
    """In the language of now; empty for no code, the code for one that is none."""
    return _names(get_language() or "en").get(code, code)


def country_choices() -> list[tuple[str, str]]:
    """Codes with names, as the language sorts them by the letters of their names."""
    return list(_choices(get_language() or "en"))


def country_options() -> list[tuple[str, str]]:
    """Those of a field that may stay empty."""
    return [("", "---"), *country_choices()]


@lru_cache(maxsize=16)
def _names(language: str) -> dict[str, str]:
    try:
        territories = Locale.parse(to_locale(language)).territories
    except UnknownLocaleError:  # as a catalogue of the house's own may have
        territories = Locale("en").territories
    return {code: territories[code] for code in codes()}


@lru_cache(maxsize=16)
def _choices(language: str) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(_names(language).items(), key=lambda each: _plain(each[1])))


def _plain(name: str) -> str:
    """Letters without their marks, in small: Österreich stands with O."""
    return "".join(c for c in unicodedata.normalize("NFKD", name) if c.isalpha()).casefold()
