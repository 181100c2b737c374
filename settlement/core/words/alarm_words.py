"""What an alarm says, in the language of who reads it; the row keeps it in English (decision 151).

Rows name no values: they are read out of the English by the patterns that alarms are made of.
"""

from __future__ import annotations

import re
from functools import cache

from django.utils.translation import gettext

from jackpot.labels.order_alarms import OrderAlarm
from settlement.core.words.house_alarms import HouseAlarm
from tables.alarms import FloorAlarm

ALARM_TEXTS: tuple[str, ...] = (*FloorAlarm, *OrderAlarm, *HouseAlarm)
_VALUE = re.compile(r"%\((\w+)\)s")
# What holds whole sentences, and may hold a colon with a space behind it; a name has none.
SENTENCES = {
    *("difference", "explanation", "fault", "last", "match", "more", "reason", "roles", "rule"),
    "why",
}
NUMBERS = {"count", "entry", "hit", "known_seat", "seat"}
_EMPTY = {"more"}  # a further sentence, or nothing


def alarm_in_words(english: str) -> str:
    """The same in the language of now; the English where no pattern says it, or where it is not
    certain which words are which value.

    >>> alarm_in_words("Something that no alarm says.")
    'Something that no alarm says.'
    """
    for pattern, shortest, longest in _readers():
        match = shortest.fullmatch(english)
        if match is None:
            continue
        other = longest.fullmatch(english) or match
        foreign = _sentence(pattern, match)
        return foreign if foreign == _sentence(pattern, other) else english
    return english


def _sentence(pattern: str, match: re.Match[str]) -> str:
    values = {name: _value(words) for name, words in match.groupdict().items()}
    return gettext(pattern) % values


def _value(words: str) -> str:
    """A value may be a sentence of its own, behind a space."""
    inner = words.strip()
    return words.replace(inner, alarm_in_words(inner)) if inner else words


@cache
def _readers() -> list[tuple[str, re.Pattern[str], re.Pattern[str]]]:
    """Each pattern with its readers, which take the first values as short or as long as they can.

    What has the most words of its own comes first: a pattern that is nearly all value reads last.
    """
    ordered = sorted(ALARM_TEXTS, key=lambda text: len(_VALUE.sub("", text)), reverse=True)
    return [(str(text), _reader(text, "?"), _reader(text, "")) for text in ordered]


def _reader(pattern: str, reluctant: str) -> re.Pattern[str]:
    parts, before = [], set[str]()
    end = 0
    for value in _VALUE.finditer(pattern):
        parts.append(re.escape(pattern[end : value.start()]))
        name, end = value[1], value.end()
        shape = f"(?P<{name}>{_sign(name)}{'*' if name in _EMPTY else '+'}{reluctant})"
        parts.append(f"(?P={name})" if name in before else shape)
        before.add(name)
    return re.compile("".join((*parts, re.escape(pattern[end:]))), re.DOTALL)


def _sign(name: str) -> str:
    if name in NUMBERS:
        return r"\d"
    return "." if name in SENTENCES else "(?:(?!: ).)"
