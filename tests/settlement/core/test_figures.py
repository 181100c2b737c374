"""Figures as each language writes them, and read as it writes them."""

import pytest
from django.core.exceptions import ValidationError
from django.utils.translation import override

from jackpot.labels.figures import (
    localized,
    unparted,
    write_amount,
    write_count,
    write_decimals,
    write_exact,
    write_figure,
    write_percent,
)
from jackpot.terms.awards import percent
from jackpot.terms.money import format_exact
from rules.phrases import Figure, Phrase
from settlement.core.input import read_amount
from settlement.pages.terms.fields import PercentField

NARROW = "\u202f"
LANGUAGES = ("en", "de", "es", "fr", "zh-hans")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "25,046.00"),
        ("de", "25.046,00"),
        ("es", "25.046,00"),
        ("fr", f"25{NARROW}046,00"),
        ("zh-hans", "25,046.00"),
    ],
)
def test_an_amount_is_written_as_the_language_writes_it(language: str, text: str) -> None:
    with override(language):
        assert write_amount(25_046_000_000, 2) == text


def test_so_is_every_other_figure() -> None:
    with override("de"):
        assert write_exact(1_234_567, 2) == "1,234567"
        assert write_count(1_234_567) == "1.234.567"
        assert write_decimals(1234.5, 3) == "1.234,500"
        assert write_percent(1250) == "12,5"
        assert localized("-12.5%") == "-12,5\u00a0%"
        assert write_figure(Figure("1,234.50")) == "1.234,50"


def test_a_phrase_keeps_its_figures_apart_from_its_words() -> None:
    phrase = Phrase("at least %(least)s.", least=Figure(format_exact(5_000_000_000, 2), "NZD"))
    assert phrase == "at least NZD 5,000.00."
    spoken = phrase.looked_up(str, lambda one, _many, _number: one, lambda each: f"<{each.plain}>")
    assert spoken == "at least <5,000.00>."


def test_the_code_is_never_parted_from_its_figure() -> None:
    assert unparted("from NZD 5.00 on", "NZD") == "from NZD\u00a05.00 on"
    assert unparted("ab 5,00 NZD an", "NZD") == "ab 5,00\u00a0NZD an"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("micros", "digits"), [(25_046_500_000, 2), (999_990_000, 2), (12, 6)])
def test_what_is_shown_is_read_again(language: str, micros: int, digits: int) -> None:
    with override(language):
        assert read_amount(write_exact(micros, digits), digits) == micros


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("micros", [1_125_000, 999_001_000, 125_000, 1_234_125_000, 1_500_000])
def test_so_is_a_part_of_a_coin(language: str, micros: int) -> None:
    with override(language):
        assert read_amount(write_exact(micros, 2), 6) == micros


@pytest.mark.parametrize(
    ("language", "text", "thousands", "decimals"),
    [
        ("en", "1.500", "1,500", "1.5000"),
        ("zh-hans", "25.000", "25,000", "25.0000"),
        ("de", "1,500", "1.500", "1,5000"),
        ("es", "999,125", "999.125", "999,1250"),
        ("fr", "1,500", f"1{NARROW}500", "1,5000"),
    ],
)
def test_of_a_part_of_a_coin_what_may_be_thousands_is_refused(
    language: str, text: str, thousands: str, decimals: str
) -> None:
    with override(language):
        with pytest.raises(ValueError, match=f"{thousands}.*{decimals}"):
            read_amount(text, 6)
        assert read_amount(thousands, 6) == 1000 * read_amount(decimals, 6)


@pytest.mark.parametrize(
    ("language", "text", "micros"),
    [
        ("de", "1.500", 1_500_000_000),
        ("de", "1500,5", 1_500_500_000),
        ("fr", "1 500,50", 1_500_500_000),
        ("fr", "1\u00a0500,50", 1_500_500_000),
        ("es", "0,5", 500_000),
        ("zh-hans", "1,500.5", 1_500_500_000),
    ],
)
def test_it_is_read_as_people_type_it(language: str, text: str, micros: int) -> None:
    with override(language):
        assert read_amount(text, 2) == micros


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "1,500.50"),
        ("de", "12.50"),
        ("de", "1.5"),
        ("fr", "12.50"),
        ("fr", "1,500"),
        ("es", "1,500.00"),
        ("en", "1.500,50"),
        ("en", "1,5"),
    ],
)
def test_the_marks_of_another_language_are_refused_not_guessed(language: str, text: str) -> None:
    with override(language), pytest.raises(ValueError, match=r"1.234"):
        read_amount(text, 2)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("points", [1250, 5, 10_000, 700])
def test_a_share_is_read_as_it_is_shown(language: str, points: int) -> None:
    field = PercentField()
    with override(language):
        text = localized(percent(points))
        assert field.clean(text) == field.clean(write_percent(points)) == points
        assert field.clean(f"{write_percent(points)} %") == points
        with pytest.raises(ValidationError):
            field.clean(f"{write_percent(points)} %%")
