"""The topics of wire protocol 1."""

import functools
import re
from typing import Literal, NamedTuple

Kind = Literal["events", "presence", "readings"]

PREFIX = "jackpot/v1"
INTAKE_FILTERS = tuple(f"{PREFIX}/+/+/{kind}" for kind in ("events", "presence", "readings"))

_CODE = "[a-z0-9-]{1,32}"
_INBOUND = re.compile(rf"{PREFIX}/({_CODE})/({_CODE})/(events|presence|readings)")


_CONSOLE = re.compile(rf"{PREFIX}/[^/]*/console/.*")


class Address(NamedTuple):
    """Whose topic it is, and what is said there."""

    system: str
    table: str
    kind: Kind


@functools.lru_cache(maxsize=10_000)  # of a casino's topics many times as many
def parse(topic: str) -> Address | None:
    """The address that an intake serves; None for a topic of any other shape."""
    match = _INBOUND.fullmatch(topic)
    return Address(*match.groups()) if match else None  # type: ignore[arg-type]


def events(system: str, table: str) -> str:
    """Where a unit says its events."""
    return f"{PREFIX}/{system}/{table}/events"


def presence(system: str, table: str) -> str:
    """Where a unit says that it is there; its last will."""
    return f"{PREFIX}/{system}/{table}/presence"


def readings(system: str, table: str) -> str:
    """Where a display says what it shows."""
    return f"{PREFIX}/{system}/{table}/readings"


def receipts(system: str, table: str) -> str:
    """Where the console answers a unit."""
    return f"{PREFIX}/{system}/{table}/receipts"


def display(system: str) -> str:
    """Where the console says what the displays show; retained."""
    return f"{PREFIX}/{system}/display"


def is_console(topic: str) -> bool:
    """Whether an intake speaks there, and no device."""
    return _CONSOLE.fullmatch(topic) is not None


def console(system: str, instance: str) -> str:
    """Where an intake says whether it listens; retained."""
    return f"{PREFIX}/{system}/console/{instance}"
