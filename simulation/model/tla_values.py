"""Values as TLC prints them, read into Python.

Sequences and tuples become tuples, sets frozensets, records and functions dicts; a model value
and a string become str. As members of a set, dicts become sorted tuples of their pairs.
"""

from __future__ import annotations

import re
from typing import Any

_TOKEN = re.compile(r'"[^"]*"|<<|>>|\|->|:>|@@|[\[\]{}(),]|-?\d+|\w+')


def read(text: str) -> Any:
    """The value; ValueError where TLC printed something else."""
    tokens = _TOKEN.findall(text)
    value, rest = _value(tokens, 0)
    if rest != len(tokens):
        raise ValueError(f"unread behind a value: {tokens[rest:]}")
    return value


def _value(tokens: list[str], at: int) -> tuple[Any, int]:
    part = tokens[at]
    if part == "<<":
        items, at = _items(tokens, at + 1, ">>")
        return tuple(items), at
    if part == "{":
        items, at = _items(tokens, at + 1, "}")
        return frozenset(map(_frozen, items)), at
    if part == "[":
        return _pairs(tokens, at + 1, "|->", "]")
    if part == "(":
        return _pairs(tokens, at + 1, ":>", ")")
    if part in ("TRUE", "FALSE"):
        return part == "TRUE", at + 1
    if re.fullmatch(r"-?\d+", part):
        return int(part), at + 1
    if not re.fullmatch(r'"[^"]*"|\w+', part):
        raise ValueError(f"no value begins with {part}")
    return part.strip('"'), at + 1


def _items(tokens: list[str], at: int, end: str) -> tuple[list[Any], int]:
    items = []
    while tokens[at] != end:
        item, at = _value(tokens, at)
        items.append(item)
        at += tokens[at] == ","
    return items, at + 1


def _pairs(tokens: list[str], at: int, arrow: str, end: str) -> tuple[dict[Any, Any], int]:
    pairs = {}
    while tokens[at] != end:
        name, at = _value(tokens, at)
        if tokens[at] != arrow:
            raise ValueError(f"{tokens[at]} where {arrow} should be")
        pairs[name], at = _value(tokens, at + 1)
        at += tokens[at] in (",", "@@")
    return pairs, at + 1


def _frozen(value: Any) -> Any:
    """As a member of a set."""
    if isinstance(value, dict):
        return tuple(sorted((name, _frozen(part)) for name, part in value.items()))
    return tuple(map(_frozen, value)) if isinstance(value, tuple) else value
