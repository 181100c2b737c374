"""Parquet for analysts, where pyarrow is installed: amounts as decimals, days and times as such."""

from __future__ import annotations

import importlib.util
from itertools import islice
from pathlib import Path
from typing import Any

from settlement.reports.writers.sheet import Sheet, Tick

ROWS = 50_000  # of a group


def is_installed() -> bool:
    return importlib.util.find_spec("pyarrow") is not None


def _totals(sheet: Sheet) -> dict[str, str]:
    """As they stand below the rows of the other files."""
    sums = {each.source: sheet.total_of(each) for each in sheet.columns}
    rows = {"total rows": f"{sheet.totals['rows']}"}
    return rows | {f"total {name}": f"{total}" for name, total in sums.items() if total is not None}


def write(sheet: Sheet, path: Path, tick: Tick) -> dict[str, int]:
    """What the report is stands in the file's own metadata."""
    import pyarrow as pa
    from pyarrow import parquet

    types: dict[str, Any] = {
        "text": pa.string(),
        "code": pa.string(),
        "number": pa.int64(),
        "money": pa.decimal128(38, 6),
        "day": pa.date32(),
        "local": pa.timestamp("us"),
        "instant": pa.timestamp("us"),
    }
    schema = pa.schema(
        [(field.source, types[field.shape]) for field in sheet.columns],
        metadata=dict(sheet.head) | _totals(sheet),
    )
    with parquet.ParquetWriter(path, schema) as writer:
        every = sheet.rows(tick, codes=True)
        while rows := list(islice(every, ROWS)):
            columns = [
                pa.array(values, type=field.type)
                for values, field in zip(zip(*rows, strict=True), schema, strict=True)
            ]
            writer.write_table(pa.Table.from_arrays(columns, schema=schema))
    return {}
