"""The reports, each in a file of its own: a new one is a new file with a REPORT in it."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from settlement.reports.definitions.definition import Definition


@cache
def reports() -> dict[str, Definition]:
    """Every report by its code, in the order of their numbers."""
    definitions = [
        import_module(f"{__name__}.{module.name}").REPORT
        for module in pkgutil.iter_modules(__path__)
    ]
    return {each.code: each for each in sorted(definitions, key=lambda each: each.number)}
