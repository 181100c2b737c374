"""Texts that people type: cleaned, limited, and cards among them."""

import doctest

import pytest

from settlement.core import input as typed_texts
from settlement.core import typed_cards
from settlement.core.errors import BadReason
from settlement.core.input import (
    LONGEST_TEXT,
    clean_text,
    required_text,
    stripped_text,
    text_within,
)
from settlement.models import CheckAnswer

TYPED = " \x00camera 4\n"


def test_what_the_database_cannot_hold_goes_with_the_blanks_around_it() -> None:
    assert stripped_text(TYPED) == clean_text(TYPED) == text_within(TYPED) == "camera 4"
    assert required_text(TYPED, "say why") == "camera 4"


def test_a_text_that_is_too_long_is_cut_or_refused_and_blanks_do_not_count() -> None:
    longest = "x" * LONGEST_TEXT
    assert clean_text(f" {longest} ") == text_within(f" {longest} ") == longest
    assert clean_text(f"{longest}x") == longest
    assert text_within(f"{longest}x") is None


@pytest.mark.parametrize("text", ["", "  ", "\x00", " \x00 "])
def test_nothing_is_no_reason(text: str) -> None:
    assert text_within(text) == ""
    with pytest.raises(BadReason, match="say why"):
        required_text(text, "say why")


@pytest.mark.parametrize("module", [typed_texts, typed_cards])
def test_the_examples_are_right(module: object) -> None:
    result = doctest.testmod(module)  # type: ignore[arg-type]
    assert result.attempted
    assert not result.failed


def test_the_longest_note_is_as_long_as_its_column() -> None:
    """Of the columns that forms and the API fill by this limit."""
    assert CheckAnswer._meta.get_field("note").max_length == LONGEST_TEXT
