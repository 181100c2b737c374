"""YAML files that a house writes: read as typed values, and what is wrong said so that it is found.

"rule 3, since" in place of a path of the library that reads them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

import msgspec
from django.utils.translation import gettext as _

from settlement.core.errors import RuleBroken

Read = TypeVar("Read", bound=msgspec.Struct)
_PATH = re.compile(r" - at `\$\.?([^`]*)`")
_STEP = re.compile(r"(\w+)\[(\d+)\]")
# One of a list, by the list's name.
_ONE_OF = {
    "rules": "rule",
    "sections": "section",
    "boxes": "box",
    "columns": "column",
    "days": "holiday",
}


class FileFault(RuleBroken):
    """A file of the house cannot be used; the message names it, the place and what to correct."""


def read(
    file: Path, kind: type[Read], parts: Mapping[str, type[msgspec.Struct]]
) -> tuple[Read | None, str]:
    """What the file says, or None and what is wrong; `parts`: what is in each of its lists."""
    try:
        return msgspec.yaml.decode(file.read_bytes(), type=kind, strict=False), ""
    except msgspec.ValidationError as fault:
        return None, _in_words(str(fault), kind, parts)
    except msgspec.DecodeError as fault:
        return None, _("it is not YAML: %(fault)s") % {"fault": " ".join(str(fault).split())}


def _in_words(
    fault: str, kind: type[msgspec.Struct], parts: Mapping[str, type[msgspec.Struct]]
) -> str:
    """Where it is, counted from one; for a field that nobody knows, those that are known."""
    path = _PATH.search(fault)
    text = _PATH.sub("", fault).rstrip(".")
    steps = _STEP.findall(path[1]) if path else []
    where = [f"{_ONE_OF.get(name, name)} {int(place) + 1}" for name, place in steps]
    if path and (field := _STEP.sub("", path[1]).strip(".")):
        where.append(field)
    if "unknown field" in fault:
        owner = parts.get(steps[-1][0], kind) if steps else kind
        names = ", ".join(each.name for each in msgspec.structs.fields(owner))
        text = _("%(fault)s; known are %(known)s") % {"fault": text, "known": names}
    return ": ".join([", ".join(where), text]) if where else text
