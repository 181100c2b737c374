"""The settings of a table unit."""

from dataclasses import fields
from typing import Any

from tables.unit.unit import UnitSettings


def unit_settings(options: dict[str, Any], **otherwise: Any) -> UnitSettings:
    """The settings among `options`, taken out of them; `otherwise` where they do not say."""
    names = [field.name for field in fields(UnitSettings) if field.name in options]
    return UnitSettings(**(otherwise | {name: options.pop(name) for name in names}))
