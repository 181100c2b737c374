"""Files that people import: as spreadsheets save them in several languages, and broken ones."""

import datetime as dt
import io
import zipfile
from typing import Any

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from settlement.core.errors import BadFile
from settlement.core.imports import import_file, workbook
from settlement.core.imports.import_file import Form

FORM = Form(
    {frozenset({"table", "day", "amount"}), frozenset({"table", "day", "amount", "note"})},
    "table,day,amount",
    64 * 1024,
    5,
)
# A workbook knows no zones.
DAY = dt.datetime.combine(dt.date(2026, 11, 21), dt.time())
MORNING = dt.datetime.combine(DAY, dt.time(6, 30))
LINES = [(2, {"table": "t1", "day": "2026-11-21", "amount": "1250.55"})]


def sheet(*rows: Any) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.worksheets[0].append(row)
    book.create_sheet("Other").append(["not", "read"])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


GOOD = sheet(("table", "day", "amount"), ("t1", dt.date(2026, 11, 21), 1250.55))


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_columns_are_parted_as_spreadsheets_do(mark: str, encoding: str, end: str) -> None:
    text = end.join((mark.join(("Table", "day", "amount")), mark.join(LINES[0][1].values()), ""))
    assert import_file.read(text.encode(encoding), FORM) == LINES


def test_the_first_line_says_which_sign_parts_columns() -> None:
    text = 'table;day;amount;note\nt1;2026-11-21;1;"Röhre, zweite; neu"\n'
    ((_number, cells),) = import_file.read(text.encode(), FORM)
    assert cells["note"] == "Röhre, zweite; neu"


def test_a_workbook_is_read_as_people_would_type_it() -> None:
    assert import_file.read(GOOD, FORM) == LINES
    file = sheet(
        ("table", "day", "amount", "note"),
        ("t1", DAY, 1250, None),
        (),
        (7, "2026-11-22", 0.1 + 0.2, "  Röhre  "),
        ("t1", MORNING, 1e15, 1.0),
    )
    assert [(number, *cells.values()) for number, cells in import_file.read(file, FORM)] == [
        (2, "t1", "2026-11-21", "1250", ""),
        (4, "7", "2026-11-22", "0.3", "Röhre"),
        (5, "t1", "2026-11-21T06:30:00", "1000000000000000", "1"),
    ]
    assert workbook._text(0.1 + 0.2) == "0.3"  # as Excel writes it: 0.30000000000000004


@pytest.mark.parametrize(
    ("file", "words"),
    [
        (b"\xd0\xcf\x11\xe0 a workbook of Excel 97", "save it as CSV"),
        ("table,day,amount\nté,1,2\n".encode("cp1252"), "save it as CSV"),
        (b"PK\x03\x04", "cannot be read"),
        (GOOD[:-40], "cannot be read"),
        (sheet(("table", "amount"), ("t1", 1)), "The first line names the columns"),
        (sheet(("table", "day", "amount")), "1 to 5 lines"),
        (sheet(("table", "day", "amount"), *[("t1", "d", 1)] * 6), "1 to 5 lines"),
        (sheet(("table", "day", "amount"), ("t1", "d", 1, "more")), "Line 2 has 4 cells"),
        (sheet(("table", "day", "amount"), ("t1", "d")), ""),
    ],
)
def test_what_cannot_be_read_says_what_to_do(file: bytes, words: str) -> None:
    if words:
        with pytest.raises(BadFile, match=words):
            import_file.read(file, FORM)
    else:  # an empty cell at the end of a row is one
        assert import_file.read(file, FORM)[0][1]["amount"] == ""


def test_a_small_archive_that_unpacks_to_much_is_not_unpacked() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b"0" * (workbook.MOST_UNPACKED + 1))
    content = file.getvalue()
    assert len(content) < 64 * 1024
    with pytest.raises(BadFile, match="too large"):
        import_file.read(content, FORM)


@given(st.integers(0, len(GOOD) - 1), st.binary(max_size=8))
def test_a_damaged_workbook_is_refused_and_nothing_else(place: int, bytes_there: bytes) -> None:
    """Or read: some bytes say nothing."""
    damaged = GOOD[:place] + bytes_there + GOOD[place + len(bytes_there) :]
    try:
        rows = import_file.lines_of(damaged, 10)
    except BadFile:
        return
    assert all(len(row) <= workbook._MOST_COLUMNS for _number, row in rows)


@given(st.sampled_from(["xl/workbook.xml", "xl/worksheets/sheet1.xml", "xl/styles.xml"]), st.data())
def test_so_is_one_whose_parts_are_damaged(part: str, data: st.DataObject) -> None:
    """With archives as they should be, so that what is in them is read."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(GOOD)) as good, zipfile.ZipFile(file, "w") as archive:
        for name in good.namelist():
            content = good.read(name)
            if name == part:
                place = data.draw(st.integers(0, len(content)))
                content = content[:place] + data.draw(st.binary(max_size=9)) + content[place:]
            archive.writestr(name, content)
    try:
        import_file.lines_of(file.getvalue(), 10)
    except BadFile:
        return
