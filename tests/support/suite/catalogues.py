"""The languages of the console as a machine has them that compiled the catalogues."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from django.conf import settings as of_project
from django.utils.translation import to_locale, trans_real
from pytest_django import Settings

from tests.support.suite.house_style import PROJECT

LOCALES = [to_locale(code) for code, _ in of_project.LANGUAGES if code != "en"]


def catalogue(path: Path, locale: str = "en") -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=locale)


@cache
def _compiled() -> Path:
    """Once for each process: the large ones take a second each."""
    folder = Path(mkdtemp())
    for locale in LOCALES:
        path = Path(locale) / "LC_MESSAGES"
        (folder / path).mkdir(parents=True)
        with (folder / path / "django.mo").open("wb") as file:
            write_mo(file, catalogue(PROJECT / "locale" / path / "django.po", locale))
    return folder


@pytest.fixture
def spoken(settings: Settings) -> Iterator[None]:
    """Every language, whether somebody compiled it before or not."""
    settings.LOCALE_PATHS = [_compiled()]
    vars(trans_real)["_translations"].clear()
    yield
    vars(trans_real)["_translations"].clear()
