"""A report as PDF, read again: each text with its place and type, and the cells of the table."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pypdf import PageObject, PdfReader
from reportlab.lib.units import mm

from settlement.core.printing.pdf_fonts import BOLD, TEXT, register, width_of
from settlement.reports.writers.sheet import Sheet

_NEAR = 0.5  # points: what begins, or ends, so close to one another is one column
_TITLE = 13  # points
_FOOT = 12 * mm  # below it stand the checkpoint and the number of the page


@dataclass(frozen=True)
class Text:
    """What was drawn at once; points from the left and from below."""

    text: str
    left: float
    y: float
    size: float
    is_bold: bool

    @property
    def right(self) -> float:
        return self.left + width_of(self.text, BOLD if self.is_bold else TEXT, self.size)


def texts_on(page: PageObject) -> list[Text]:
    """In the order in which they were drawn."""
    register()
    texts: list[Text] = []

    def visit(text: str, _cm: Any, matrix: Any, font: Any, size: float) -> None:
        if text.strip():
            is_bold = "Bold" in str((font or {}).get("/BaseFont"))
            words = text.strip("\n")
            texts.append(Text(words, float(matrix[4]), float(matrix[5]), float(size), is_bold))

    page.extract_text(visitor_text=visit)
    return texts


def pages_of(path: Path) -> list[list[Text]]:
    return [texts_on(page) for page in PdfReader(path).pages]


Part = dict[int, list[Text]]  # by the place of a column in the report, top down


def table_of(path: Path, sheet: Sheet) -> list[Part]:
    """The texts below each heading, of each part in which columns stand; totals are the last."""
    parts: dict[int, Part] = {}
    for texts in pages_of(path):
        title = next(text.text for text in texts if text.size == _TITLE)
        match = re.search(r"columns (\d+) of", title)
        part = parts.setdefault(int(match[1]) if match else 1, {})
        for place, lines in _columns_of(texts, sheet).items():
            part.setdefault(place, []).extend(lines)
    return [parts[number] for number in sorted(parts)]


def _columns_of(texts: list[Text], sheet: Sheet) -> Part:
    """The lines of the table on a page; none on a page of notes."""
    body = [text for text in texts if text.size < 9 and text.y > _FOOT]
    bold = [text for text in body if text.is_bold]
    if not bold:
        return {}
    heading = _first_row(bold)
    after = [place for place, text in enumerate(body) if text.is_bold and text not in heading]
    end = after[-1] + 1 if after else len(body)  # below the totals stand notes
    rows = body[body.index(heading[-1]) + 1 : end]
    titles = {str(field.title): place for place, field in enumerate(sheet.columns)}
    columns: Part = {}
    while heading:
        lines = [text for text in heading if _is_below(text, heading[0])]
        heading = [text for text in heading if text not in lines]
        place = titles[" ".join(text.text for text in lines)]
        is_right = sheet.columns[place].shape in ("money", "number")
        columns[place] = [
            text
            for text in rows
            if abs(text.right - lines[0].right if is_right else text.left - lines[0].left) < _NEAR
        ]
    return columns


def _first_row(bold: list[Text]) -> list[Text]:
    """The headings: all lines that follow one another without a rule between them."""
    top, step = max(text.y for text in bold), bold[0].size * 1.2
    lowest = top
    while any(abs(lowest - step - text.y) < 0.1 for text in bold):
        lowest -= step
    return [text for text in bold if text.y > lowest - 0.1]


def _is_below(text: Text, first: Text) -> bool:
    return abs(text.left - first.left) < _NEAR or abs(text.right - first.right) < _NEAR


def assert_table(path: Path, sheet: Sheet, rows: list[list[str]]) -> None:
    """Each cell stands in its column, in its row, whole: amounts and times in one line, of texts
    every word. So does what tells rows apart, on each part, at the same height."""
    parts = table_of(path, sheet)
    assert sorted({place for part in parts for place in part}) == [*range(len(sheet.columns))]
    for part in parts:
        for place, lines in part.items():
            field, rest = sheet.columns[place], [text.text for text in lines]
            for number, row in enumerate(rows):
                expected = " ".join(row[place].split())
                read = _first_lines(rest, expected)
                assert read == expected, (field.source, number)
                if field.shape not in ("text", "code"):
                    assert "\n" not in read
    for place in set.intersection(*map(set, parts)):
        first, *others = ([(text.text, text.y) for text in part[place]] for part in parts)
        assert all(each == first for each in others), sheet.columns[place].source


def _first_lines(lines: list[str], expected: str) -> str:
    """The first lines that come to this text, taken away; or those that begin like it."""
    read = ""
    while lines and read != expected and expected.startswith(read):
        line = lines[0].strip()
        joined = f"{read} {line}".strip()
        read = joined if expected.startswith(joined) or not read else read + line
        del lines[0]
    return read
