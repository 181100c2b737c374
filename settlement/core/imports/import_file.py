"""A CSV or Excel file that people import: its lines by number, each with its cells by column.

Spreadsheets part columns by commas, in German, French and Spanish by semicolons, and by tabs in
what they call text.
"""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Collection
from dataclasses import dataclass

from django.utils.translation import gettext as _

from settlement.core.errors import BadFile
from settlement.core.imports import workbook

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)  # what Excel calls Unicode text
Rows = list[tuple[int, dict[str, str]]]  # lines as an editor counts them


@dataclass(frozen=True, slots=True)
class Form:
    """What such a file may be. `columns`: each set of names that its first line may have;
    `heading`: them in words."""

    columns: Collection[frozenset[str]]
    heading: str
    most_bytes: int
    most_lines: int


def read(content: bytes, form: Form) -> Rows:
    """The lines of a file. BadFile where it is none of the form; what stands in a cell nobody has
    judged.
    """
    if len(content) > form.most_bytes:
        raise BadFile(
            _("A file has at most %(most)s KB: import it in parts.")
            % {"most": form.most_bytes // 1024}
        )
    rows = lines_of(content, form.most_lines + 2)
    names = tuple(name.lower() for name in rows[0][1]) if rows else ()
    if frozenset(names) not in form.columns or len(set(names)) != len(names):
        raise BadFile(
            _("The first line names the columns: %(heading)s.") % {"heading": form.heading}
        )
    if not 1 < len(rows) <= form.most_lines + 1:
        raise BadFile(
            _("A file has 1 to %(most)s lines below the first.") % {"most": form.most_lines}
        )
    for number, row in rows:
        if len(row) != len(names):
            raise BadFile(
                _("Line %(number)s has %(cells)s cells, the first line %(names)s.")
                % {"number": number, "cells": len(row), "names": len(names)}
            )
    return [(number, dict(zip(names, row, strict=True))) for number, row in rows[1:]]


def lines_of(content: bytes, most_rows: int) -> list[tuple[int, list[str]]]:
    """Every line that has something, as cells without blanks around them; the heading, too.

    Of a workbook with more than `most_rows` the first ones. BadFile where it cannot be read.
    """
    if content.startswith(workbook.SIGNATURE):
        return workbook.rows_of(content, most_rows)
    encoding = "utf-16" if content.startswith(_UTF_16) else "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        raise BadFile(
            _("The file is not text in UTF-8: save it as CSV (UTF-8) or as .xlsx.")
        ) from error
    return _cells(text)


def _cells(text: str) -> list[tuple[int, list[str]]]:
    first = text.partition("\n")[0]  # names of columns have no such sign
    delimiter = next((each for each in ";\t" if each in first), ",")
    reader = csv.reader(io.StringIO(text), delimiter=delimiter, strict=True)
    try:
        rows = [(reader.line_num, [cell.strip() for cell in row]) for row in reader]
    except csv.Error as error:
        raise BadFile(
            _("Line %(number)s cannot be read as CSV.") % {"number": reader.line_num}
        ) from error
    for number, row in rows:
        if any("\x00" in cell for cell in row):
            raise BadFile(_("Line %(number)s cannot be read as CSV.") % {"number": number})
    return [(number, row) for number, row in rows if any(row)]
