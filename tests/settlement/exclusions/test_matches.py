"""Who is the same person: by the number of a document, or by name and date of birth."""

import datetime as dt
from dataclasses import replace

import pytest
from django.db import connection
from hypothesis import given, settings
from hypothesis import strategies as st

from settlement.exclusions import entries
from settlement.exclusions.entries import ExclusionList
from settlement.models import Claim, ExclusionMatch
from tables.models import Casino
from tests.support.cases.confirmed_house import person
from tests.support.cases.exclusions import REGISTER, WIREMU, excluded, identified
from tests.support.people.cast import ClaimHouse
from tests.support.people.identification import PLAYER
from tests.support.suite.kept_house import kept_house
from verifier.people.exclusions import same_name

pytestmark = pytest.mark.django_db
SAME = [
    ("Wiremu Patterson-Quill", "WIREMU PATTERSON QUILL"),
    ("Patterson-Quill, Wiremu", "Wiremu Patterson-Quill"),
    ("José Núñez", "Jose Nunez"),
    ("Jürgen Müller", "MUELLER JUERGEN"),
    ("Søren Kierkegård", "Soeren Kierkegaard"),
    ("Łukasz Wiśniewski", "Lukasz Wisniewski"),
    ("Straße, Anna", "Anna Strasse"),
    ("O'Brien, Liam", "Liam O Brien"),
    ("Liam O’Brien", "Liam O'Brien"),
    ("John Michael Smith", "Smith John"),
    ("John Smith", "John Michael Smith"),
    ("Мария Иванова", "ИВАНОВА МАРИЯ"),
    ("Ελένη Παπαδοπούλου", "ΕΛΕΝΗ ΠΑΠΑΔΟΠΟΥΛΟΥ"),
    ("Nguyễn Văn Đức", "Nguyen Van Duc"),
    ("İbrahim Işık", "Ibrahim Isik"),
    ("Suharto", "SUHARTO"),
    ("Zoe\u0308 Li", "Zoë Li"),
]
OTHER = [
    ("John Smith", "John Smythe"),
    ("John Smith", "Smith"),  # one word is too little
    ("Anna Maria Li", "Anna Maria Lo"),
    ("Мария Иванова", "Мария Петрова"),
]


def same(one: str, other: str) -> bool:
    """By the database, and by the verifier, which was written apart."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT same_name(%s, %s), same_name(%s, %s)", [one, other, other, one])
        forth, back = cursor.fetchone()
    assert forth == back == same_name(one, other) == same_name(other, one)
    return bool(forth)


@pytest.mark.parametrize(("one", "other"), SAME)
def test_names_of_one_person(one: str, other: str) -> None:
    assert same(one, other)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_names_of_two(one: str, other: str) -> None:
    assert not same(one, other)


def test_letters_do_not_depend_on_a_locale() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT plain_letters('ÀÎÉÕÜ ÇÑŠŽ ÆŒØÅ Þẞ ĐŁ ΑΣς ЖЙЁ')")
        assert cursor.fetchone() == ("aieou cnsz aooa thss dl ασσ жие",)


def build_claim() -> Claim:
    house = ClaimHouse()
    house.hit_royal()
    return Claim.objects.select_related("system__casino").get()


claim = kept_house(build_claim)


@pytest.mark.parametrize(
    ("document", "number", "rule"),
    [
        ("passport", "lk 418-805", "document"),
        ("", "LK418805", "document"),
        ("driver_licence", "LK418805", None),  # the same number on another kind of document
        ("passport", "LK418806", None),
        ("", "", None),
    ],
)
def test_by_the_number_of_a_document(
    claim: Claim, document: str, number: str, rule: str | None
) -> None:
    somebody = replace(
        WIREMU, name="Another Name", born=dt.date(1970, 1, 1), document=document,
        document_number=number,
    )  # fmt: skip
    excluded(claim, somebody)
    identified(claim)
    assert [match.rule for match in ExclusionMatch.objects.all()] == ([rule] if rule else [])


@pytest.mark.parametrize(
    ("name", "born", "is_match"),
    [
        ("QUILL PATTERSON, wiremu", PLAYER["born"], True),
        ("Wiremu Patterson-Quill", dt.date(1980, 2, 28), False),
        ("Wiremu Quilt", PLAYER["born"], False),
    ],
)
@pytest.mark.parametrize("list_first", [True, False])
def test_by_name_and_date_of_birth(
    claim: Claim, name: str, born: dt.date, is_match: bool, list_first: bool
) -> None:
    somebody = replace(WIREMU, name=name, born=born, document="", document_number="")
    if list_first:
        excluded(claim, somebody)
    identified(claim)
    if not list_first:
        excluded(claim, somebody)
    assert [match.rule for match in ExclusionMatch.objects.all()] == ["name"] * is_match


def test_of_both_rules_the_document_is_named(claim: Claim) -> None:
    excluded(claim)
    identified(claim)
    assert ExclusionMatch.objects.get().rule == "document"


def test_a_list_of_another_casino_stops_nothing(claim: Claim) -> None:
    other = Casino.objects.get()
    other.pk, other.code = None, "other"
    other.save()
    identified(claim)
    entries.take_in(other, person("ines"), ExclusionList(REGISTER, [WIREMU]))
    identified(claim, "anahera")
    assert not ExclusionMatch.objects.exists()
    excluded(claim)
    assert ExclusionMatch.objects.count() == 2


WORDS = st.text("aAeEoOuUéÉüÜßÆøŁđÞ'’- .,ıİяЯΣς\u0308\u00a0", max_size=12)


@given(st.lists(st.tuples(WORDS, WORDS), min_size=40, max_size=60))
@settings(max_examples=5)
def test_database_and_verifier_agree_on_any_letters(pairs: list[tuple[str, str]]) -> None:
    for one, other in pairs:
        same(one, other)
