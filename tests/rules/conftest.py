"""Whatever the rules say in a test is in the catalogues: a text that was changed in one place alone
would be English to everybody."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po

from rules.phrases import Phrase

_CATALOGUE = Path(__file__).parents[2] / "locale" / "de" / "LC_MESSAGES" / "django.po"
INVENTED = {"deck without low cards", "deck of high cards"}  # decks of tests


@cache
def texts() -> frozenset[str]:
    """All that translators were given."""
    with _CATALOGUE.open("rb") as file:
        messages = [message.id for message in read_po(file)]
    return frozenset(each for ids in messages for each in ([ids] if isinstance(ids, str) else ids))


@pytest.fixture(autouse=True)
def _texts_are_known(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    patterns: set[str] = set()
    create = Phrase._of

    def noting(
        pattern: str, values: Any, counted: tuple[str, int] | None = None, **flags: bool
    ) -> Phrase:
        if flags.get("is_pattern", True):
            patterns.update([pattern, counted[0]] if counted else [pattern])
        return create(pattern, values, counted, **flags)

    monkeypatch.setattr(Phrase, "_of", staticmethod(noting))
    yield
    assert patterns - INVENTED <= texts(), "make messages; a name or code is no phrase"
