"""The JSON Schemas of docs/protocol, and as much of JSON Schema as they use.

A keyword that is not known here is an error: nothing is passed over in silence.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "protocol"
_SILENT = {"$schema", "$id", "$defs", "title", "description", "default", "format"}
_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "boolean": bool,
    "null": type(None),
}


class Fault(NamedTuple):
    """Where a message breaks its schema, the keyword that it breaks, and how."""

    where: str
    keyword: str
    text: str


@cache
def schema(name: str) -> dict[str, Any]:
    """The schema of a message: event, presence, reading, receipt, display or console."""
    document: dict[str, Any] = json.loads((FOLDER / f"{name}.schema.json").read_text())
    return document


def faults(name: str, message: Any) -> list[Fault]:
    """What the schema of this message does not allow."""
    root = schema(name)
    node = root
    if name == "event":
        definitions: dict[str, Any] = root["$defs"]
        kind = message.get("type") if isinstance(message, dict) else None
        options = [
            node
            for node in definitions.values()
            if kind in node["properties"].get("type", {}).get("enum", ())
        ]
        if not options:
            return [Fault("type", "enum", f"no event is called {kind!r}")]
        (node,) = options
    return list(_faults(node, message, "", root))


def _faults(node: dict[str, Any], value: Any, where: str, root: dict[str, Any]) -> Iterator[Fault]:
    for keyword, rule in node.items():
        if keyword == "$ref":
            yield from _faults(_definition(rule, root), value, where, root)
        elif keyword == "anyOf":
            options = [list(_faults(option, value, where, root)) for option in rule]
            if all(options):
                yield max(options, key=lambda each: each[0].keyword != "type")[0]
        elif keyword == "properties":
            for name, part in rule.items():
                if isinstance(value, dict) and name in value:
                    yield from _faults(part, value[name], f"{where}.{name}".lstrip("."), root)
        elif keyword == "items":
            for place, part in enumerate(value if isinstance(value, list) else ()):
                yield from _faults(rule, part, f"{where}[{place}]", root)
        elif keyword not in _SILENT and (text := _fault(keyword, rule, value, node)):
            yield Fault(where, keyword, text)


def _definition(reference: str, root: dict[str, Any]) -> dict[str, Any]:
    definition: dict[str, Any] = root["$defs"][reference.removeprefix("#/$defs/")]
    return definition


def _fault(keyword: str, rule: Any, value: Any, node: dict[str, Any]) -> str | None:
    match keyword:
        case "type":
            fits = isinstance(value, _TYPES[rule])
            if rule == "integer":  # JSON Schema takes 5.0 for one
                fits = fits and not isinstance(value, bool)
                fits = fits or (isinstance(value, float) and value.is_integer())
            return None if fits else f"{value!r} is no {rule}"
        case "enum":
            fits = any(value == each and type(value) is type(each) for each in rule)
            return None if fits else f"{value!r} is none of {rule}"
        case "required":
            missing = [name for name in rule if isinstance(value, dict) and name not in value]
            return f"missing: {', '.join(missing)}" if missing else None
        case "additionalProperties" if rule is False:
            properties = node.get("properties", {})
            unknown = [name for name in value if name not in properties] if _is(value, dict) else []
            return f"unknown: {', '.join(unknown)}" if unknown else None
        case "pattern":
            fits = not isinstance(value, str) or re.search(rule, value) is not None
            return None if fits else f"{value[:40]!r} has not the form of such a text"
        case "minimum" | "maximum":
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            beyond = is_number and (value < rule if keyword == "minimum" else value > rule)
            return f"{value} is beyond the {keyword} {rule}" if beyond else None
        case "minItems" | "maxItems" | "maxLength":
            return _size_fault(keyword, rule, value)
    raise NotImplementedError(f"The kit does not know the keyword {keyword} of JSON Schema.")


def _size_fault(keyword: str, rule: int, value: Any) -> str | None:
    if not isinstance(value, str if keyword == "maxLength" else list):
        return None
    size = len(value)
    beyond = size < rule if keyword == "minItems" else size > rule
    return f"{size} long; {keyword} is {rule}" if beyond else None


def _is(value: Any, kind: type) -> bool:
    return isinstance(value, kind)
