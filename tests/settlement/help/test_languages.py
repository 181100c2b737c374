"""Help in every language: glossary and rules are in the catalogues, and pages show no English."""

import html
import re

import pytest
from babel.messages.catalog import Catalog
from django.test import Client
from django.utils import translation

from settlement.help import glossary
from tests.support.pages.page_staff import logged_in
from tests.support.pages.pseudo_locale import read_lines
from tests.support.people.cast import ClaimHouse
from tests.support.suite.catalogues import LOCALES, catalogue
from tests.support.suite.house_style import PROJECT

TEXTS = [text for texts in glossary.texts().values() for text in texts]
PAGES = ("/help/", "/help/claim/", "/help/rules/19.14/", "/help/rules/19.10/", "/claims/main/1/")
MOST_BYTES = 150_000  # as benchmarks/pages.py
_SENTENCE = re.compile(r"[A-Za-z’'-]+(?:[ ,;:]+[a-z’'-]+){3,}")


def of(locale: str) -> Catalog:
    return catalogue(PROJECT / f"locale/{locale}/LC_MESSAGES/django.po", locale)


def english_of(catalog: Catalog) -> set[str]:
    """Sentences of the console that this language says otherwise."""
    return {
        each.id
        for each in catalog
        if isinstance(each.id, str) and _SENTENCE.match(each.id) and each.id != each.string
    }


def test_texts_are_those_of_every_term_and_every_rule() -> None:
    """Signs, numbers and empty cells are none."""
    assert len(TEXTS) > 500
    assert {each.meaning for each in glossary.terms()} <= set(TEXTS)
    assert {each.console for each in glossary.rules()} <= set(TEXTS)
    assert not {"", "19.7(c)", "1.0", "20.1"} & set(TEXTS)
    assert "19.10 (previous rules)" in TEXTS


@pytest.mark.parametrize("locale", LOCALES)
def test_every_row_of_glossary_and_rules_is_in_every_catalogue(locale: str) -> None:
    catalog = of(locale)
    missing = [text for text in TEXTS if not (text in catalog and catalog[text].string)]
    assert missing == [], "make messages, and translate"


@pytest.mark.django_db
@pytest.mark.usefixtures("no_writer", "spoken")
@pytest.mark.parametrize("locale", LOCALES)
def test_help_and_a_claim_show_no_english_sentence(locale: str) -> None:
    ClaimHouse().hit_royal()
    client: Client = logged_in("mere")
    session = client.session
    session["language"] = translation.to_language(locale)
    session.save()
    catalog = of(locale)
    english = english_of(catalog)
    page_lines = set()
    for address in PAGES:
        answer = client.get(address, headers={"accept-encoding": "gzip"})
        assert answer.status_code == 200, address
        assert len(answer.content) < MOST_BYTES, address
        page = client.get(address).content.decode()
        assert f'<html lang="{translation.to_language(locale)}"' in page
        lines = read_lines(page)
        page_lines |= {html.unescape(line) for line in lines}
        left = [text for text in english for line in lines if text in line]
        assert left == [], address
    meaning = next(each.meaning for each in glossary.terms() if each.name == "boot, seq")
    foreign = str(catalog[meaning].string)
    assert any(foreign[1:] in line for line in page_lines)
