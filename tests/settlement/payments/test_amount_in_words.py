"""Amounts in words."""

import doctest

import pytest
from django.conf import settings
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from settlement.payments import amount_in_words as words
from settlement.payments import number_words
from settlement.payments.amount_in_words import amount_in_words, number_in_words
from settlement.payments.number_words import IN_WORDS


def test_examples() -> None:
    assert doctest.testmod(words).failed == 0
    assert doctest.testmod(number_words).failed == 0


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (19, "nineteen"),
        (20, "twenty"),
        (99, "ninety-nine"),
        (100, "one hundred"),
        (1000, "one thousand"),
        (1001, "one thousand and one"),
        (1100, "one thousand one hundred"),
        (12_345, "twelve thousand three hundred and forty-five"),
        (100_000, "one hundred thousand"),
        (2_000_000, "two million"),
        (1_000_000_000_000, "one trillion"),
    ],
)
def test_numbers(number: int, text: str) -> None:
    assert number_in_words(number) == text


@given(st.integers(0, 10**15 - 1), st.integers(0, 10**15 - 1))
def test_different_numbers_have_different_words(one: int, other: int) -> None:
    assert (number_in_words(one) == number_in_words(other)) == (one == other)


def test_a_currency_without_decimals() -> None:
    assert amount_in_words(5_000_000, "JPY", 0) == "JPY five"
    assert amount_in_words(5_070_000, "EUR", 2) == "EUR five and 07/100"


FOREIGN = {
    "de": [
        (0, "null"),
        (1, "eins"),
        (21, "einundzwanzig"),
        (71, "einundsiebzig"),
        (101, "einhunderteins"),
        (1100, "eintausendeinhundert"),
        (801_710, "achthunderteintausendsiebenhundertzehn"),
        (1_000_017, "eine Million siebzehn"),
        (101_000_000, "einhunderteine Millionen"),
        (2_001_000_000, "zwei Milliarden eine Million"),
    ],
    "es": [
        (0, "cero"),
        (16, "dieciséis"),
        (22, "veintidós"),
        (100, "cien"),
        (101, "ciento uno"),
        (1000, "mil"),
        (31_001, "treinta y un mil uno"),
        (100_000, "cien mil"),
        (121_000, "ciento veintiún mil"),
        (21_000_021, "veintiún millones veintiuno"),
        (1_001_000_000, "mil un millones"),
        (2_000_000_000_000, "dos billones"),
    ],
    "fr": [
        (0, "zéro"),
        (21, "vingt et un"),
        (71, "soixante et onze"),
        (80, "quatre-vingts"),
        (91, "quatre-vingt-onze"),
        (99, "quatre-vingt-dix-neuf"),
        (200, "deux cents"),
        (201, "deux cent un"),
        (1000, "mille"),
        (200_000, "deux cent mille"),
        (80_000_000, "quatre-vingts millions"),
        (1_000_000_080, "un milliard quatre-vingts"),
    ],
    "zh-hans": [
        (0, "零"),
        (15, "壹拾伍"),
        (110, "壹佰壹拾"),
        (1001, "壹仟零壹"),
        (20_300, "贰万零叁佰"),
        (100_001, "壹拾万零壹"),
        (10_001_000, "壹仟万壹仟"),
        (123_456_789, "壹亿贰仟叁佰肆拾伍万陆仟柒佰捌拾玖"),
        (1_000_100_000, "壹拾亿零壹拾万"),
    ],
}


@pytest.mark.parametrize(
    ("language", "number", "text"),
    [(language, *pair) for language, pairs in FOREIGN.items() for pair in pairs],
)
def test_numbers_of_other_languages(language: str, number: int, text: str) -> None:
    assert IN_WORDS[language][0](number) == text


def test_every_language_of_the_console_has_words() -> None:
    assert {*IN_WORDS, "en"} == {code for code, _ in settings.LANGUAGES}


@pytest.mark.parametrize("language", IN_WORDS)
@given(st.integers(0, 10**15 - 1), st.integers(0, 10**15 - 1))
def test_different_numbers_have_different_words_elsewhere(
    language: str, one: int, other: int
) -> None:
    in_words = IN_WORDS[language][0]
    assert (in_words(one) == in_words(other)) == (one == other)


@pytest.mark.parametrize("language", IN_WORDS)
def test_all_small_numbers_have_their_own_words(language: str) -> None:
    in_words = IN_WORDS[language][0]
    assert len({in_words(number) for number in range(30_000)}) == 30_000


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "NZD four hundred and one and 50/100"),
        ("de", "NZD vierhunderteins und 50/100"),
        ("es", "NZD cuatrocientos uno con 50/100"),
        ("fr", "NZD quatre cent un et 50/100"),
        ("zh-hans", "NZD 肆佰零壹 又 50/100"),
        ("mi", "NZD four hundred and one and 50/100"),
    ],
)
def test_an_amount_in_the_language_of_now(language: str, text: str) -> None:
    with translation.override(language):
        assert amount_in_words(401_500_000, "NZD", 2) == text
