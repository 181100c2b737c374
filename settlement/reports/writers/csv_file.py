"""CSV by COPY, straight from the database: what the report is above the rows, totals below.

The lines above and below begin with a number sign; a text that a spreadsheet would take for a
formula begins with an apostrophe.
"""

from __future__ import annotations

import codecs
import csv
import io
from pathlib import Path

from settlement.core.report_query import plain_text
from settlement.core.words.translation import in_english
from settlement.reports.writers.sheet import Sheet, Tick, text_of


def write(sheet: Sheet, path: Path, tick: Tick) -> dict[str, int]:
    """Returns how many lines stand above the headings and below the rows."""
    with path.open("wb") as file:
        file.write(codecs.BOM_UTF8)
        for term, words in sheet.head:
            file.write(_line([f"# {term}", words]))
        for chunk in sheet.report.csv():
            file.write(chunk)
            tick(chunk.count(b"\n"))
        totals = [f"# rows: {sheet.totals['rows']}"]
        digits = sheet.filters.casino.minor_digits
        for field in sheet.columns:
            total = sheet.total_of(field)
            if total is not None:
                with in_english():
                    totals.append(f"{field.source}: {text_of(total, digits).replace(',', '')}")
        file.write(_line(totals))
    return {"head_lines": len(sheet.head), "foot_lines": 1}


def _line(cells: list[str]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(
        plain_text(" ".join(each.split())) for each in cells
    )
    return out.getvalue().encode()
