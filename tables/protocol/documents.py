"""The documents of wire protocol 1 for table vendors, made from the message types.

`make docs` writes them; a test compares them with what is committed.
"""

from __future__ import annotations

import inspect
import json
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from tables.protocol import topics
from tables.protocol.messages import (
    MAX_BYTES,
    Amount,
    AnyEvent,
    Code,
    Instant,
    Presence,
    Reading,
    Receipt,
)

TableRef = Annotated[int, Meta(ge=0, description="a number in the system's order; 0: none yet")]


class DisplayPeriod(msgspec.Struct, frozen=True, kw_only=True):
    """Of a high hand: when its period ends, the best hand so far in words, and at which tables."""

    ends: Instant
    best: str | None
    tables: list[str]


class DisplayTier(msgspec.Struct, frozen=True, kw_only=True):
    """One tier on a display, its value in minor units."""

    tier: Code
    name: str
    value: Amount
    state: Literal["open", "suspended"]
    period: DisplayPeriod | None = None  # only of a high hand


class DisplayNews(msgspec.Struct, frozen=True, kw_only=True):
    """A line for the players about one hit. `tier` is null while nobody knows the prize."""

    kind: Literal["reported", "win", "not_confirmed"]
    text: str
    tier: Code | None
    table: Code
    hit: Annotated[int, Meta(ge=1)]
    at: Instant


class DisplayMessage(msgspec.Struct, frozen=True, kw_only=True):
    """What every display of a system shows. Retained; repeated while nothing changes."""

    v: Literal[1]
    system_seq: TableRef
    at: Instant
    terms: Annotated[int, Meta(ge=1, description="the number of the posted terms in effect")]
    state: Literal["live", "halted"]
    test: bool
    test_tables: Annotated[
        list[str],
        Meta(description="tables in test mode: their displays say so, nothing there counts"),
    ]
    out_of_play: Annotated[
        list[str],
        Meta(
            description="tables at which a round that begins now can win nothing: their displays"
            " say that the jackpot is not in play"
        ),
    ]
    tiers: list[DisplayTier]
    messages: list[DisplayNews]


class ConsoleHeartbeat(msgspec.Struct, frozen=True, kw_only=True):
    """Whether an intake of the console listens; `offline` is also its last will. Retained."""

    v: Literal[1]
    state: Literal["online", "offline"]
    at: Instant


# What is said: (file and channel, its type, who says it, the address, retained, in short)
_CHANNELS: tuple[tuple[str, Any, str, str, bool, str], ...] = (
    ("event", AnyEvent, "unit", topics.events("{system}", "{table}"), False,
     "All events of a table unit, on this one topic, in order."),
    ("presence", Presence, "unit", topics.presence("{system}", "{table}"), True,
     "On connecting, every 10 s, and as last will."),
    ("reading", Reading, "display", topics.readings("{system}", "{table}"), False,
     "What the display at the table shows, read back."),
    ("receipt", Receipt, "console", topics.receipts("{system}", "{table}"), False,
     "The console's answer, sent after its commit."),
    ("display", DisplayMessage, "console", topics.display("{system}"), True,
     "Values, states and messages for all displays of a system."),
    ("console", ConsoleHeartbeat, "console", topics.console("{system}", "{instance}"), True,
     "Whether this intake listens."),
)  # fmt: skip
_PARAMETERS = {
    "system": "Code of the jackpot system, [a-z0-9-]{1,32}.",
    "table": "Code of the gaming table, [a-z0-9-]{1,32}.",
    "instance": "Name of an intake.",
}
_ABOUT = (
    "What a table unit and the display at its table say and hear. Operations are theirs:"
    " send is what they publish, receive what they subscribe to. Everything is QoS 1, on MQTT"
    " 3.1.1 or 5. docs/protocol.md says how a unit behaves."
)


def documents() -> dict[str, str]:
    """File name -> text of every document, relative to docs/protocol."""
    files = {f"{name}.schema.json": _schema(name, type_) for name, type_, *_ in _CHANNELS}
    return {**files, "asyncapi.yaml": _asyncapi()}


def _schema(name: str, type_: Any) -> str:
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:jackpot:v1:{name}",
        **_tidy(msgspec.json.schema(type_)),
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _asyncapi() -> str:
    import yaml  # a tool of `make docs`; no process of the console needs it

    types = [type_ for _, type_, *_ in _CHANNELS]
    roots, components = msgspec.json.schema_components(
        types, ref_template="#/components/schemas/{name}"
    )
    components = {**_tidy(components), "Event": _tidy(roots[0])}
    messages = {
        name: {
            "title": name.capitalize(),
            "summary": about,
            "contentType": "application/json",
            "payload": {"$ref": f"#/components/schemas/{_title(type_)}"},
        }
        for name, type_, _, _, _, about in _CHANNELS
    }
    document = {
        "asyncapi": "3.0.0",
        "info": {"title": "Jackpot tables to console", "version": "1", "description": _ABOUT},
        "defaultContentType": "application/json",
        "servers": {
            "broker": {
                "host": "broker.example.com:8883",
                "protocol": "secure-mqtt",
                "description": f"An event has at most {MAX_BYTES} bytes, its MAC line not counted.",
            }
        },
        "channels": {name: _channel(name, address) for name, _, _, address, _, _ in _CHANNELS},
        "operations": {
            name: _operation(name, speaker, retained)
            for name, _, speaker, _, retained, _ in _CHANNELS
        },
        "components": {"messages": messages, "schemas": components},
    }
    return yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=100)


def _channel(name: str, address: str) -> dict[str, Any]:
    return {
        "address": address,
        "messages": {name: {"$ref": f"#/components/messages/{name}"}},
        "parameters": {
            parameter: {"description": text}
            for parameter, text in _PARAMETERS.items()
            if f"{{{parameter}}}" in address
        },
    }


def _operation(name: str, speaker: str, retained: bool) -> dict[str, Any]:
    return {
        "action": "receive" if speaker == "console" else "send",
        "summary": f"Said by the {speaker}.",
        "channel": {"$ref": f"#/channels/{name}"},
        "messages": [{"$ref": f"#/channels/{name}/messages/{name}"}],
        "bindings": {"mqtt": {"qos": 1, "retain": retained, "bindingVersion": "0.2.0"}},
    }


def _title(type_: Any) -> str:
    return "Event" if type_ is AnyEvent else str(type_.__name__)


def _tidy(schema: Any) -> Any:
    """Docstrings without their indentation; no `discriminator`, which is OpenAPI's own."""
    if isinstance(schema, dict):
        return {
            key: inspect.cleandoc(value)
            if key == "description" and isinstance(value, str)
            else _tidy(value)
            for key, value in schema.items()
            if key != "discriminator"
        }
    return [_tidy(item) for item in schema] if isinstance(schema, list) else schema
