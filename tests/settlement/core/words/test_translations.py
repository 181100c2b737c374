"""Each language has every text, with the values and tags of the English, and pages speak it."""

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.utils.translation import to_locale
from pytest_django import Settings

from tests.support.pages.page_staff import logged_in
from tests.support.people.cast import ClaimHouse
from tests.support.suite.catalogues import catalogue
from tests.support.suite.house_style import PROJECT

LOCALES = [to_locale(code) for code, _ in settings.LANGUAGES if code != "en"]
FOLDERS = ("config", "jackpot", "rules", "settlement", "tables", "templates")
# Words of a former dialect, which a reader on the floor stumbles over.
FORMER = re.compile(
    r"\b(anew|whoever|told of|told to|falls away|of the order|what moved it|decides? nothing)\b"
    r"|\b(lately|put right|made so|good for|of before|set aside|never c[ao]me|mend(?:s|ed)?)\b"
    r"|\b(this|it|file|body|addresses) is no [a-z]+|\bload the page again|\blets? (it sign\.|in\b)"
    r"|^(Say|Give|Begin) ",
    re.IGNORECASE,
)
# What a translation holds as often as the English does.
_PARTS = re.compile(r"%\(\w+\)[sd]|%%|%[sd]|\{\w*\}|</?[a-z]\w*[^>]*>")


def texts(locale: str) -> Iterator[Message]:
    path = PROJECT / f"locale/{locale}/LC_MESSAGES/django.po"
    return (each for each in catalogue(path, locale) if each.id)


def pairs(text: Message) -> Iterator[tuple[str, str]]:
    """English and translation; of a plural the last form, as others may write out the number."""
    english, foreign = (
        (each,) if isinstance(each, str) else each for each in (text.id, text.string)
    )
    assert english
    assert foreign
    yield str(english[-1]), str(foreign[-1])


def test_texts_are_in_the_words_of_the_floor() -> None:
    english = {
        words
        for text in texts(LOCALES[0])
        for words in ((text.id,) if isinstance(text.id, str) else text.id)
    }
    assert not {words for words in english if FORMER.search(words)}


@pytest.mark.parametrize("locale", LOCALES)
def test_a_translation_holds_what_the_english_holds(locale: str) -> None:
    for text in texts(locale):
        assert not text.fuzzy, text.id
        for english, foreign in pairs(text):
            assert foreign.strip(), english
            assert Counter(_PARTS.findall(english)) == Counter(_PARTS.findall(foreign)), foreign
            for edge in (slice(0, 1), slice(-1, None)):
                assert (english[edge] in " \n") == (foreign[edge] in " \n"), foreign


@pytest.mark.gettext
def test_every_text_is_in_every_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    if shutil.which("xgettext") is None:
        pytest.skip("no gettext")
    for name in FOLDERS:
        (tmp_path / name).symlink_to(PROJECT / name)
    (tmp_path / "locale").mkdir()
    settings.LOCALE_PATHS = [tmp_path / "locale"]
    monkeypatch.chdir(tmp_path)
    call_command("makemessages", locale=["en"], symlinks=True, verbosity=0)
    there = catalogue(tmp_path / "locale/en/LC_MESSAGES/django.po")
    used_texts = {(each.context, each.id) for each in there if each.id}
    assert len(used_texts) > 4000
    for locale in LOCALES:
        translations = {(each.context, each.id) for each in texts(locale)}
        assert used_texts - translations == set(), f"{locale}: make messages, and translate"


@pytest.mark.gettext
@pytest.mark.parametrize("locale", LOCALES)
def test_a_catalogue_stands_as_make_messages_leaves_it(locale: str, tmp_path: Path) -> None:
    """Sorted, and each text once: so that only new texts differ."""
    if shutil.which("msgcat") is None:
        pytest.skip("no gettext")
    path, as_sorted = PROJECT / f"locale/{locale}/LC_MESSAGES/django.po", tmp_path / "django.po"
    call = ["msgcat", "--sort-output", "--no-wrap", "--output-file", str(as_sorted), str(path)]
    subprocess.run(call, check=True)
    assert as_sorted.read_text() == path.read_text(), "make messages"


def heading(client: Client, **headers: str) -> str:
    page = client.get("/claims/", headers=headers).content.decode()
    match = re.search(r'<html lang="([^"]+)".*?<h1[^>]*>\s*(.*?)\s*</h1>', page, re.DOTALL)
    assert match, page
    return " ".join(match.groups())


@pytest.mark.django_db
@pytest.mark.usefixtures("no_writer", "spoken")
def test_pages_speak_the_language_of_the_person_else_of_the_browser() -> None:
    ClaimHouse().hit_royal("t7")
    client = logged_in("mere")
    assert heading(client) == "en Claims"
    assert heading(client, accept_language="fr-CA, en;q=0.5") == "fr Dossiers"
    assert heading(client, accept_language="mi") == "en Claims"
    look = {"theme": "dark", "text_size": "normal"}
    answer = client.post("/account/preferences/", look | {"language": "zh-hans"}, follow=True)
    assert '<html lang="zh-hans"' in answer.content.decode()
    chinese = heading(client, accept_language="fr")
    assert chinese.startswith("zh-hans ")
    assert "Claims" not in chinese
    assert heading(logged_in("mere")) == "en Claims", "of another device, until the next log-in"
    client.post("/account/preferences/", look | {"language": "xx"})
    assert heading(client) == chinese
    problem = client.get("/api/claims/main-99/", headers={"accept-language": "fr"}).json()
    assert problem["title"] == "Not found"
