"""A CSV or Excel file that people import: its lines by number, each with its cells by column.

Spreadsheets part columns by commas, in German, French and Spanish by semicolons, and by tabs in
what they call text.
"""

from __future__ import annotations

import codecs
import csv
import io
import itertools
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

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
    names = _names_of(rows[0][1] if rows else [], form)
    if not 1 < len(rows) <= form.most_lines + 1:
        raise BadFile(
            _("A file has 1 to %(most)s lines below the first.") % {"most": form.most_lines}
        )
    return [(number, _by_name(names, number, row)) for number, row in rows[1:]]


def stream(file: BinaryIO, form: Form) -> Iterator[tuple[int, dict[str, str]]]:
    """The same lines of a CSV file of any length, one after the other as they are read. BadFile as
    soon as something is wrong: what came before it is not to be kept."""
    start = file.read(len(_UTF_16[0]))
    file.seek(0)
    text = io.TextIOWrapper(file, "utf-16" if start in _UTF_16 else "utf-8-sig", newline="")
    names: tuple[str, ...] = ()
    count = 0
    try:
        first = text.readline()
        for number, row in _rows(itertools.chain([first], text), first):
            if not names:
                names = _names_of(row, form)
                continue
            count += 1
            if count > form.most_lines:
                break
            yield number, _by_name(names, number, row)
    except UnicodeDecodeError as error:
        raise BadFile(_no_text()) from error
    finally:
        text.detach()  # whose file it is closes it
    if not names:
        names = _names_of([], form)
    if not 0 < count <= form.most_lines:
        raise BadFile(
            _("A file has 1 to %(most)s lines below the first.") % {"most": form.most_lines}
        )


def _no_text() -> str:
    return _("The file is not text in UTF-8: save it as CSV (UTF-8) or as .xlsx.")


def _names_of(heading: list[str], form: Form) -> tuple[str, ...]:
    names = tuple(name.lower() for name in heading)
    if frozenset(names) not in form.columns or len(set(names)) != len(names):
        raise BadFile(
            _("The first line names the columns: %(heading)s.") % {"heading": form.heading}
        )
    return names


def _by_name(names: tuple[str, ...], number: int, row: list[str]) -> dict[str, str]:
    if len(row) != len(names):
        raise BadFile(
            _("Line %(number)s has %(cells)s cells, the first line %(names)s.")
            % {"number": number, "cells": len(row), "names": len(names)}
        )
    return dict(zip(names, row, strict=True))


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
        raise BadFile(_no_text()) from error
    return list(_rows(io.StringIO(text), text.partition("\n")[0]))


def _rows(lines: Iterable[str], first: str) -> Iterator[tuple[int, list[str]]]:
    """Of these lines those that have something. `first`: names of columns have no such sign."""
    delimiter = next((each for each in ";\t" if each in first), ",")
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    try:
        for cells in reader:
            row, number = [cell.strip() for cell in cells], reader.line_num
            if any("\x00" in cell for cell in row):
                raise BadFile(_("Line %(number)s cannot be read as CSV.") % {"number": number})
            if any(row):
                yield number, row
    except csv.Error as error:
        raise BadFile(
            _("Line %(number)s cannot be read as CSV.") % {"number": reader.line_num}
        ) from error
