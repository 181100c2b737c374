"""Events of displays are written once for all who read the same words."""

from typing import Any

from django.utils import timezone

from jackpot.display.events import display_event
from jackpot.display.live import Message


def test_the_same_words_are_written_once(monkeypatch: Any) -> None:
    message = Message({"system": "main", "at": timezone.now().isoformat(), "value": 7})
    languages: list[str] = []

    def in_words(language: str) -> Any:
        def say(values: Message) -> dict[str, Any]:
            languages.append(language)
            return {**values, "language": language}

        return say

    monkeypatch.setattr("jackpot.display.events.age_s", lambda _message: 0.31)
    first = display_event(message, "de", in_words("de"))
    assert display_event(message, "de", in_words("de")) is first
    assert b'"language":"de"' in first
    assert b'"age_s":0.3}' in first
    assert b'"language":"fr"' in display_event(message, "fr", in_words("fr"))
    assert languages == ["de", "fr"]
    monkeypatch.setattr("jackpot.display.events.age_s", lambda _message: 0.36)
    assert b'"age_s":0.4}' in display_event(message, "de", in_words("de"))
