"""The server-sent events of displays, each written once for all who read the same words."""

import datetime as dt
import json
from collections.abc import Callable, Hashable
from typing import Any

from django.conf import settings
from django.utils import timezone

from jackpot.display.live import Message


def display_event(
    message: Message, words: Hashable, say: Callable[[Message], dict[str, Any]]
) -> bytes:
    """The message and its age in seconds, to a tenth. `words`: which ones `say` gives it, so that
    hundreds of displays of a floor are handed the same bytes."""
    key = words, round(age_s(message), 1)
    if key not in message.events:
        message.events[key] = event("display", {**say(message), "age_s": key[1]})
    return message.events[key]


def release_event() -> bytes:
    """Which release answers: a display that was opened before an update loads itself again."""
    return event("release", {"release": settings.CONSOLE_VERSION})


def event(name: str, data: dict[str, Any]) -> bytes:
    """One server-sent event."""
    return f"event: {name}\ndata: {json.dumps(data, separators=(',', ':'))}\n\n".encode()


def age_s(message: dict[str, Any]) -> float:
    """How many seconds ago the console last vouched for the message."""
    said_at = dt.datetime.fromisoformat(message["at"])
    return max(0.0, (timezone.now() - said_at).total_seconds())
