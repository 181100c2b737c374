"""A CSV file that people import: its lines by number, each with its cells by column."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection
from dataclasses import dataclass

from django.utils.translation import gettext as _

from settlement.core.errors import BadFile

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
    """The lines of a file. Columns are parted by commas or semicolons.

    BadFile where it is none of the form; what stands in a cell nobody has judged.
    """
    if len(content) > form.most_bytes:
        raise BadFile(
            _("A file has at most %(most)s KB: import it in parts.")
            % {"most": form.most_bytes // 1024}
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadFile(_("The file is not text in UTF-8: save it as CSV (UTF-8).")) from error
    rows = _cells(text)
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


def _cells(text: str) -> list[tuple[int, list[str]]]:
    """Every line that has something, as cells without blanks around them."""
    first = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text), delimiter=";" if ";" in first else ",", strict=True)
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
