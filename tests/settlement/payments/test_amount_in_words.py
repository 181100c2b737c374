"""Amounts in words."""

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from settlement.payments import amount_in_words as words
from settlement.payments.amount_in_words import amount_in_words, number_in_words


def test_examples() -> None:
    assert doctest.testmod(words).failed == 0


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
