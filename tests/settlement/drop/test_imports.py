"""CSV files of counts: every bad line says why, nothing is stored until the file is confirmed."""

import base64
import hashlib
import uuid

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from jackpot.models import Command
from settlement.core.errors import BadFile
from settlement.drop import counts, imports
from settlement.drop.counts import Figure
from settlement.models import MoneyCount
from tests.support.cases.confirmed_house import person
from tests.support.houses.drop import FRIDAY, UNIT, DropHouse
from tests.support.pages.page_staff import logged_in, words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
GOOD = b"table,day,amount\nt3,2026-10-30,3.00\nt7,2026-10-30,1\n"
BAD = """\ufefftable;day;amount;note
t3;2026-10-30;3.00;
t9;2026-10-30;1.00;

t7;30.10.2026;1.00;
t7;2026-10-30;a lot;
t7;2026-10-31;1.00;
t7;2026-10-30;-1.00;
t3;2026-10-30;4.00;
""".encode()


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> DropHouse:
    return DropHouse(monkeypatch)


def test_every_bad_line_says_what_is_wrong(house: DropHouse) -> None:
    file = imports.preview(house.system, BAD)
    problems = {line.number: line.problem for line in file.lines if line.problem}
    assert problems == {
        3: "No table of this system has this code.",
        5: "The day is written like 2026-11-21.",
        6: "This is not an amount: write it like 1,234.50.",
        7: "The gaming day 2026-10-31 is not over: enter it when it is.",
        8: "This is not an amount: write it like 1,234.50.",
        9: "Line 2 has this already.",
    }
    assert (file.problems, len(file.lines), file.total) == (6, 7, 3 * UNIT)
    with pytest.raises(BadFile, match="Some lines have problems"):
        imports.confirm(house.system, person("aroha"), BAD, file.sha256)
    assert not MoneyCount.objects.exists()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "first line names the columns"),
        (b"t3,2026-10-30,3.00\n", "first line names the columns"),
        (b"table,day,amount,amount\n", "first line names the columns"),
        (b"table,day,amount\n", "1 to 500 lines"),
        (b"table,day,amount\n" + b"t3,2026-10-30,1\n" * 501, "1 to 500 lines"),
        (b"table,day,amount\nt3,2026-10-30\n", "Line 2 has 2 cells, the first line 3"),
        (b'table,day,amount\nt3,"2026\n', "cannot be read as CSV"),
        (b"table,day,amount\nt3,\xff,1\n", "not text in UTF-8"),
        (b"x" * (48 * 1024 + 1), "at most 48 KB"),
    ],
)
def test_what_is_no_such_file_is_refused(house: DropHouse, content: bytes, why: str) -> None:
    with pytest.raises(BadFile, match=why):
        imports.preview(house.system, content)


def test_a_confirmed_file_is_stored_once_under_its_hash(house: DropHouse) -> None:
    aroha, digest = person("aroha"), hashlib.sha256(GOOD).hexdigest()
    with pytest.raises(BadFile, match="not the file that was shown"):
        imports.confirm(house.system, aroha, GOOD + b"\n", digest)
    key = uuid.uuid4()
    rows = imports.confirm(house.system, aroha, GOOD, digest, key)
    assert imports.confirm(house.system, aroha, GOOD, digest, key) == rows
    assert MoneyCount.objects.count() == 2
    files = [row.body["file"] for row in Command.objects.filter(kind="count_drop")]
    assert files == [digest, digest]
    file = imports.preview(house.system, GOOD)
    assert all("there is nothing to correct" in line.problem for line in file.lines)
    correction = b"table,day,amount,note\nt3,2026-10-30,2.00,a chip fell down\n"
    imports.confirm(house.system, aroha, correction, hashlib.sha256(correction).hexdigest())
    assert MoneyCount.objects.get(corrects=rows[0]).amount == 2 * UNIT


def test_an_overdrawn_account_is_imported(house: DropHouse) -> None:
    file = imports.preview(house.system, b"day,amount\n2026-10-30,-5.00\n")
    assert (file.is_drop, file.lines[0].figure) == (False, Figure(FRIDAY, -5 * UNIT))


def test_the_page_shows_the_lines_before_anything_is_stored(house: DropHouse) -> None:
    aroha, address = logged_in("aroha"), "/drop/main/import/"
    assert "Choose a file" in words(aroha.get(address))
    bad = aroha.post(address, {"file": SimpleUploadedFile("drop.csv", BAD)})
    assert bad.status_code == 422
    assert "6 lines have problems" in words(bad)
    assert "Import all lines" not in words(bad)
    page = aroha.post(address, {"file": SimpleUploadedFile("drop.csv", GOOD)})
    assert "2 lines, 4.00 together" in words(page).replace("$", "")
    assert not MoneyCount.objects.exists()
    form = {
        "key": str(uuid.uuid4()),
        "content": base64.b64encode(GOOD).decode(),
        "sha256": hashlib.sha256(GOOD).hexdigest(),
    }
    assert aroha.post(address, {**form, "content": "?"}).status_code == 422
    assert aroha.post(address, {**form, "sha256": "0" * 64}).status_code == 422
    for _ in range(2):
        answer = aroha.post(address, form)
        assert answer["Location"] == "/drop/?system=main&day=2026-10-30"
    assert MoneyCount.objects.count() == 2
    assert counts.newest(house.system, [Figure(FRIDAY, 0, house.table("t3"))])
    bank = b"day,amount\n2026-10-30,1004.00\n"
    form = {"content": base64.b64encode(bank).decode(), "sha256": hashlib.sha256(bank).hexdigest()}
    assert "role does not allow" in words(aroha.post(address, form))
