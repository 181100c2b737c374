"""Words in the language of who reads them; what is stored is English (decision 94)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, TypeVar

from django.utils.functional import lazy
from django.utils.translation import gettext, override

from jackpot.labels.figures import in_words
from rules.phrases import Phrase

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise as Text
else:
    Text = str  # words, perhaps lazy: labels of forms

K = TypeVar("K")


def in_english() -> override:
    """For what is stored, hashed or sent to programs: it depends on nobody's language."""
    return override("en")


def _fill(english: Text, values: dict[str, object]) -> str:
    return str(english) % values


_fill_later = lazy(_fill, str)


def text_of(english: Text, **values: object) -> Text:
    """A lazy text with values in it: `text_of(gettext_lazy("%(size)s cards"), size=52)`."""
    return _fill_later(english, values)


def translated(phrase: Phrase) -> str:
    """The phrase of a floor below, in the language of now."""
    return in_words(phrase)


def rule_in_words(rule: str) -> str:
    """The number of a rule, with the name of its book in the language of now where it has one."""
    return translated(rule) if isinstance(rule, Phrase) else rule


translated_lazy = lazy(translated, str)


class Labels(Mapping[K, str]):
    """English words by code, marked with `gettext_noop`, or phrases of the floors below; looked up
    in the language of now.

    A plain `str` comes out, so that joining, sorting and JSON need no care.
    """

    def __init__(self, english: Mapping[K, str]) -> None:
        self.english = english

    def __getitem__(self, code: K) -> str:
        english = self.english[code]
        return translated(english) if isinstance(english, Phrase) else gettext(english)

    def __iter__(self) -> Iterator[K]:
        return iter(self.english)

    def __len__(self) -> int:
        return len(self.english)
