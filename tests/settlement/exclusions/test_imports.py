"""Lists from CSV files: every bad line says why, nothing is stored until the file is confirmed."""

import base64
import hashlib
import logging
import uuid
from dataclasses import replace
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection

from settlement.core.errors import BadFile, BadReason, KeyUsed, NotPermitted, WrongState
from settlement.exclusions import entries, imports
from settlement.exclusions.entries import ExclusionList
from settlement.models import Exclusion, ExclusionEnd, ExclusionImport, ExclusionLook
from tables.models import Casino, JackpotSystem
from tests.support.cases.confirmed_house import person
from tests.support.cases.exclusions import REGISTER, WIREMU
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.cast import ClaimHouse
from tests.support.people.identification import NAME
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house
from verifier.check import look

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
GOOD = """name,born,kind,from,until,reference,document,number
Zoë Müller,1980-02-29,self,2025-01-01,,SE-1,passport,LK 41 88
"Li, Ana",1975-06-01,regulator,2024-01-01,2099-12-31,R-2,,
""".encode()
BAD = """\ufeffname;born;kind;from;until;reference;document;number
Zoë Müller;1980-02-29;self;2025-01-01;;SE-1;;
;1980-02-29;self;2025-01-01;;SE-2;;
Ana Li;29.2.1980;self;2025-01-01;;SE-3;;
Ana Li;1780-02-28;self;2025-01-01;;SE-4;;
Ana Li;1980-02-28;friend;2025-01-01;;SE-5;;
Ana Li;1980-02-28;self;soon;;SE-6;;
Ana Li;1980-02-28;self;2025-01-01;later;SE-7;;
Ana Li;1980-02-28;self;2025-01-01;2024-12-31;SE-8;;
Ana Li;1980-02-28;self;2025-01-01;;;;
Ana Li;1980-02-28;self;2025-01-01;;SE-9;library card;7
Ana Li;1980-02-28;self;2025-01-01;;SE-10;passport;
Ana Li;1980-02-28;self;2025-01-01;;SE-11;passport;4-1
Zoë Müller;1980-02-29;SELF;2025-01-01;;SE-1;;
""".encode()
ADDRESS = "/exclusions/harbour/import/"


def build_casino() -> Casino:
    ClaimHouse()
    return Casino.objects.get()


casino = kept_house(build_casino)


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def confirmed(
    casino: Casino, content: bytes, key: uuid.UUID | None = None, **changed: Any
) -> ExclusionImport:
    choice = imports.Choice(REGISTER, content, sha256(content), is_whole=False)
    with acting_as("web"):
        return imports.confirm(casino, person("ines"), replace(choice, **changed), key)


def test_every_bad_line_says_what_is_wrong(casino: Casino) -> None:
    with acting_as("web"):
        file = imports.preview(casino, person("ines"), REGISTER, BAD)
    assert {line.number: line.problem for line in file.problems} == {
        3: "A name has at least two letters.",
        4: "The date of birth (born) is written like 1980-02-29.",
        5: "This date of birth is not possible.",
        6: "The kind is self, operator or regulator.",
        7: "The first day (from) is written like 2026-11-21.",
        8: "The last day (until) is written like 2026-11-21, or left empty.",
        9: "It ends before it begins.",
        10: "A reference is needed: the order number or the form number.",
        11: "The document is passport, identity_card, driver_licence or other.",
        12: "A document needs its number.",
        13: "The number of a document has at least 3 letters or digits.",
        14: "Line 2 has this already.",
    }
    assert (file.comparison, len(file.lines)) == (None, 13)
    with pytest.raises(BadFile, match="Some lines have problems"):
        confirmed(casino, BAD)
    assert not Exclusion.objects.exists()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "first line names the columns: name,born,kind,from,reference"),
        (b"name,born\nA B,1980-01-01\n", "first line names the columns"),
        (b"name,born,kind,from,reference\n", "1 to 5000 lines"),
        (b"name,born,kind,from,reference\nA B,1980-01-01\n", "Line 2 has 2 cells"),
        (b"name,born,kind,from,reference\nA\x00B,1980-01-01,self,2025-01-01,1\n", "Line 2 cannot"),
        (b"name,born,kind,from,reference\n\xff,1980-01-01,self,2025-01-01,1\n", "not text in UTF"),
        (b"x" * (512 * 1024 + 1), "at most 512 KB"),
    ],
)
def test_what_is_no_such_file_is_refused(casino: Casino, content: bytes, why: str) -> None:
    with pytest.raises(BadFile, match=why):
        imports.preview(casino, person("ines"), REGISTER, content)


def test_a_confirmed_file_is_stored_once_under_its_hash(casino: Casino) -> None:
    with pytest.raises(BadFile, match="not the file that was shown"):
        confirmed(casino, GOOD, sha256="0" * 64)
    key = uuid.uuid4()
    row = confirmed(casino, GOOD, key)
    assert confirmed(casino, GOOD, key) == row
    assert (row.name, row.file, row.person.username) == (REGISTER, sha256(GOOD), "ines")
    assert (row.added, row.known, row.ended, row.replaces) == (2, 0, 0, False)
    assert [each.name for each in Exclusion.objects.all()] == ["Zoë Müller", "Li, Ana"]
    with pytest.raises(KeyUsed):
        confirmed(casino, GOOD, key, is_whole=True)
    with acting_as("web"):  # without a file, as programs do
        exclusions, other = ExclusionList("Letters", [WIREMU]), replace(WIREMU, reference="SE-119")
        key = uuid.uuid4()
        row = entries.take_in(casino, person("ines"), exclusions, key=key)
        assert entries.take_in(casino, person("ines"), exclusions, key=key) == row
        for persons in ([other], [WIREMU, other]):
            with pytest.raises(KeyUsed):
                entries.take_in(casino, person("ines"), ExclusionList("Letters", persons), key=key)
        with pytest.raises(KeyUsed):
            entries.take_in(casino, person("ines"), ExclusionList("Letters", []), key=key)
    assert look(connection.connection, settled=False).findings == []


def test_a_file_adds_what_does_not_stand_yet(casino: Casino) -> None:
    confirmed(casino, GOOD)
    more = GOOD + b"Tom Ho,1990-01-01,operator,2025-01-01,,O-3,,\n"
    with acting_as("web"):
        file = imports.preview(casino, person("ines"), REGISTER, more)
    assert file.comparison == entries.Comparison(added=1, known=2, missing=0)
    row = confirmed(casino, more)
    assert (row.added, row.known, row.ended) == (1, 2, 0)
    assert Exclusion.objects.count() == 3


def test_a_whole_list_ends_what_it_lacks(casino: Casino) -> None:
    confirmed(casino, GOOD)
    other = ExclusionList("House list", [WIREMU])
    with acting_as("web"):
        entries.take_in(casino, person("ines"), other)
    shorter = b"\n".join(GOOD.splitlines()[:2])
    with acting_as("web"):
        file = imports.preview(casino, person("ines"), REGISTER, shorter)
    assert file.comparison == entries.Comparison(added=0, known=1, missing=1)
    row = confirmed(casino, shorter, is_whole=True)
    assert (row.added, row.known, row.ended) == (0, 1, 1)
    end = ExclusionEnd.objects.get()
    assert (end.exclusion.reference, end.origin, end.person) == ("R-2", row, person("ines"))
    again = confirmed(casino, GOOD, is_whole=True)  # the same person comes back: a new entry
    assert (again.added, again.known, again.ended) == (1, 1, 0)
    assert entries.in_force(casino) == [
        {"list": "House list", "persons": 1, "code": "self", "kind": "Self-exclusion"},
        {
            "list": REGISTER,
            "persons": 1,
            "code": "regulator",
            "kind": "Excluded by the regulator",
        },
        {"list": REGISTER, "persons": 1, "code": "self", "kind": "Self-exclusion"},
    ]


def test_who_may_not(casino: Casino) -> None:
    for name in ("mere", "sione", "aroha", "nobody"):
        who = person(name)
        with acting_as("web"), pytest.raises(NotPermitted):
            imports.preview(casino, who, REGISTER, GOOD)
        with acting_as("web"), pytest.raises(NotPermitted):
            entries.look(casino, who, "")
    with pytest.raises(BadReason, match="name of the list"):
        imports.preview(casino, person("ines"), "  ", GOOD)
    assert not ExclusionLook.objects.exists()


def test_a_look_is_recorded_and_finds_by_what_is_known(casino: Casino) -> None:
    confirmed(casino, GOOD)
    with acting_as("web"):
        for sought in ("muller zo", "Zoe", "lk4188", "1980-02-29", "se-1"):
            rows, has_more = entries.look(casino, person("ines"), sought)
            assert [each.name for each in rows] == ["Zoë Müller"], sought
            assert not has_more
        assert [each.name for each in entries.look(casino, person("ines"), "")[0]] == [
            "Li, Ana",
            "Zoë Müller",
        ]
        assert entries.look(casino, person("ines"), "nobody like that") == ([], False)
        for sought in ("uller", "1980-02-30", "1980-02-29 x", r"z\ ' :* & | !", "zoe b", "x" * 120):
            assert entries.look(casino, person("ines"), sought) == ([], False), sought
    assert ExclusionLook.objects.count() == 13
    assert [name for name, _ in entries.last_looks(casino)][:7] == ["ines"] * 7


def test_more_than_one_page_says_that_there_are_more(casino: Casino) -> None:
    many = [replace(WIREMU, reference=f"SE-{number}") for number in range(51)]
    with acting_as("web"):
        entries.take_in(casino, person("ines"), ExclusionList(REGISTER, many))
        rows, has_more = entries.look(casino, person("ines"), "wiremu")
    assert (len(rows), has_more) == (50, True)


def test_an_entry_ends_once_with_a_reason(casino: Casino) -> None:
    confirmed(casino, GOOD)
    entry = Exclusion.objects.earliest("id")
    with acting_as("web"):
        with pytest.raises(BadReason):
            entries.end(entry, person("ines"), " ")
        with pytest.raises(NotPermitted):
            entries.end(entry, person("mere"), "Lifted")
        entries.end(entry, person("ines"), "Lifted by letter")
        with pytest.raises(WrongState):
            entries.end(entry, person("ines"), "Once more")


def test_it_prints_nothing_of_who_somebody_is(
    casino: Casino, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    def wrapper(execute: Any, statement: str, values: Any, many: bool, context: Any) -> Any:
        assert NAME not in f"{statement} {values}"
        return execute(statement, values, many, context)

    with connection.execute_wrapper(wrapper):
        entries.take_in(casino, person("ines"), ExclusionList(REGISTER, [WIREMU]))
        ((row,), _) = entries.look(casino, person("ines"), NAME)
    assert NAME not in caplog.text
    assert NAME not in f"{row!r} {WIREMU!r} {Exclusion.objects.get()!r}"


def test_a_new_system_of_the_casino_has_the_lists_in_its_records(casino: Casino) -> None:
    confirmed(casino, GOOD)
    JackpotSystem.objects.create(casino=casino, code="second", name="Second")
    assert look(connection.connection, settled=False).findings == []


# --- pages ------------------------------------------------------------------------------------


def test_the_page_shows_the_lines_before_anything_is_stored(casino: Casino) -> None:
    ines = logged_in("ines")
    assert "Choose a file" in words(ines.get(ADDRESS))
    bad = ines.post(ADDRESS, {"list": REGISTER, "file": SimpleUploadedFile("list.csv", BAD)})
    assert bad.status_code == 422
    assert "12 lines have problems" in words(bad)
    assert "Import all lines" not in words(bad)
    assert ines.post(ADDRESS, {"list": REGISTER}).status_code == 422
    preview = ines.post(ADDRESS, {"list": REGISTER, "file": SimpleUploadedFile("list.csv", GOOD)})
    assert "2 lines, of which 2 are new and 0 are already listed" in words(preview)
    assert not Exclusion.objects.exists()
    form = {
        "key": str(uuid.uuid4()),
        "list": REGISTER,
        "whole": "yes",
        "content": base64.b64encode(GOOD).decode(),
        "sha256": sha256(GOOD),
    }
    assert ines.post(ADDRESS, {**form, "sha256": "0" * 64}).status_code == 422
    for _ in range(2):
        assert ines.post(ADDRESS, form)["Location"] == "/exclusions/?casino=harbour"
    assert ExclusionImport.objects.get().replaces
    page = words(ines.get("/exclusions/"))
    assert "National register" in page
    assert "Zoë Müller" not in page


def test_the_page_writes_large_counts_in_groups(casino: Casino) -> None:
    rows = [f"Ana Li,1980-02-28,self,2025-01-01,SE-{number}" for number in range(1200)]
    content = "\n".join(("name,born,kind,from,reference", *rows)).encode()
    ines, file = logged_in("ines"), SimpleUploadedFile("list.csv", content)
    preview = words(ines.post(ADDRESS, {"list": REGISTER, "file": file}))
    assert "1,200 lines, of which 1,200 are new" in preview
    assert "And 1,100 more lines without a problem." in preview
    form = {"list": REGISTER, "whole": "", "sha256": sha256(content)}
    form |= {"key": str(uuid.uuid4()), "content": base64.b64encode(content).decode()}
    assert "Imported: 1,200 new" in words(ines.post(ADDRESS, form, follow=True))


def test_the_page_finds_adds_and_ends(casino: Casino) -> None:
    ines = logged_in("ines")
    assert "Nobody is on a list" in words(ines.get("/exclusions/"))
    form = {
        "do": "add",
        "key": str(uuid.uuid4()),
        "list": "House list",
        "name": "Zoë Müller",
        "born": "1980-02-29",
        "kind": "self",
        "since": "2025-01-01",
        "reference": "SE-1",
    }
    wrong = ines.post("/exclusions/", {**form, "document": "passport"})
    assert (wrong.status_code, "A document needs its number." in words(wrong)) == (422, True)
    assert ines.post("/exclusions/", form).status_code == 302
    seek = {"do": "seek", "sought": "mueller"}
    assert "Zoë Müller born 29 Feb 1980" in words(ines.post("/exclusions/", seek))
    assert "No entry matches" in words(ines.post("/exclusions/", {"do": "seek", "sought": "xyz"}))
    end = f"/exclusions/{Exclusion.objects.get().pk}/end/"
    assert "Enter why it ends" in words(ines.post(end, {"note": ""}, follow=True))
    assert "SE-1 ends today" in words(ines.post(end, {"note": "Lifted"}, follow=True))
    assert "ended" in words(ines.post("/exclusions/", seek))
    assert ines.post("/exclusions/", {"do": "guess"}).status_code == 400
    assert ines.post("/exclusions/99999/end/", {"note": "x"}).status_code == 404
    assert ExclusionLook.objects.count() == 3


def test_pages_are_for_compliance(casino: Casino) -> None:
    for name in ("mere", "sione", "aroha", "tane"):
        client = logged_in(name)
        assert client.get("/exclusions/").status_code == 403
        assert client.get(ADDRESS).status_code == 403
        assert b"Excluded persons" not in client.get("/").content
    assert b"Excluded persons" in logged_in("ines").get("/").content
