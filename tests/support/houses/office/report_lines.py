"""Rows of a report as texts, beside a table that is typed by hand."""

from collections.abc import Mapping
from typing import Any

from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Filters


def lines(code: str, filters: Filters, *names: str) -> list[tuple[str, ...]]:
    """The rows of a report as texts: amounts as decimals, nothing as a dash."""
    definition = reports()[code]
    shapes = {each.source: each.shape for each in definition.columns}
    return [
        tuple(_text(row.get(name), shapes.get(name, "text")) for name in names)
        for row in definition.report(filters).rows(1000)
    ]


def _text(value: Any, shape: str) -> str:
    if value in (None, ""):
        return "-"
    if shape == "money":
        return f"{value / 1_000_000:.2f}"
    if shape == "local":
        return f"{value:%d %H:%M}"
    return str(value).replace("_", " ")


def typed(text: str) -> list[tuple[str, ...]]:
    """The rows of a table as it is typed here; words of one cell are joined by underlines."""
    rows = [line.split() for line in text.strip().splitlines()]
    return [tuple(cell.replace("_", " ") for cell in row) for row in rows]


def totals(code: str, filters: Filters) -> Mapping[str, int]:
    definition = reports()[code]
    return definition.totals(definition.report(filters))
