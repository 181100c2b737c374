"""Files of forms that were filed, as they were sent: kept, given to few, and looks recorded."""

import base64
import hashlib
import uuid
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from jackpot.web.body_limits import large_body_of
from settlement.audit.attachments import changed_files
from settlement.core.errors import BadEvidence, KeyUsed, NotPermitted, WrongState
from settlement.core.gaming_day import DAY, today
from settlement.evidence import filed_files
from settlement.models import FilingFile, FormFiling, IdentificationLook, Record
from settlement.payments import form_filings
from settlement.payments.form_filings import forms_between
from tests.support.cases.confirmed_house import person
from tests.support.houses.jurisdiction_house import LawfulHouse
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.cast import as_
from tests.support.people.roles import acting_as, owner_without_guards
from verifier.check import look

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
CTR = "FinCEN Form 112"
PDF = b"%PDF-1.7\nthe form as it was sent\n%%EOF\n"
XML = b'<?xml version="1.0" encoding="UTF-8"?>\n<EFilingBatchXML><Activity/></EFilingBatchXML>\n'


@pytest.fixture
def house(tmp_path: Path, settings: Settings) -> LawfulHouse:
    return LawfulHouse(tmp_path, settings, "nevada", "USD")


def first_payout(house: LawfulHouse) -> int:
    day = today(house.casino)
    forms = {each.due.rule.form: each for each in forms_between(house.casino, day - DAY, day)}
    return forms[CTR].first_payout


def filed(house: LawfulHouse) -> FormFiling:
    payout = form_filings.Payout.objects.get(pk=first_payout(house))
    form = form_filings.FormOf(payout, CTR)
    with acting_as("web"):
        return form_filings.file(
            form, person("ines"), filed_on=today(house.casino), reference="BSA 31000"
        )


def attach(
    row: FormFiling, content: bytes = PDF, by: str = "ines", **more: uuid.UUID
) -> FilingFile:
    with acting_as("web"):
        return filed_files.attach(row, person(by), content, **more)


def test_a_file_is_kept_with_its_hash_and_recorded(house: LawfulHouse) -> None:
    row, key = filed(house), uuid.uuid4()
    file = attach(row, key=key)
    assert attach(row, key=key).pk == file.pk
    with pytest.raises(KeyUsed):
        attach(row, XML, key=key)
    assert (file.kind, file.number, file.size) == ("pdf", 1, len(PDF))
    assert file.digest == hashlib.sha256(PDF).hexdigest()
    assert attach(row, XML).number == 2
    record = Record.objects.get(source="settlement_filingfile", row=file.pk, by="ines").said
    assert file.digest in record
    assert "content" not in record
    house.post()
    assert look(connection.connection, settled=False, with_actions=False).findings == []


def test_whoever_may_see_the_player_opens_it_and_the_look_is_recorded(house: LawfulHouse) -> None:
    file = attach(filed(house))
    with acting_as("web"):
        assert filed_files.content_of(file, person("ines")) == PDF
    look_row = IdentificationLook.objects.get(purpose="filed")
    assert (look_row.person, look_row.claim) == (person("ines"), file.filing.payout.claim)
    for name in ("sione", "tane", "hana", "aroha"):
        with acting_as("web"), pytest.raises(NotPermitted):
            filed_files.content_of(file, person(name))
    with (  # who sees the players files no form, in the database as well
        acting_as("web"),
        pytest.raises(DatabaseError, match="may not look"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("SELECT give_filing_file(%s, %s)", [file.pk, person("sione").pk])
    for role in ("web", "worker", "reporting"):  # nobody reads it from the table
        with (
            acting_as(role),
            pytest.raises(DatabaseError, match="permission denied"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute("SELECT content FROM settlement_filingfile")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"%PDF-1.7 half",
        b"\xff\xd8\xff a photograph \xff\xd9",
        b"<open>",
        b"plain text",
        b'<!DOCTYPE a [<!ENTITY b "b">]><a>&b;</a>',
        b"%PDF-1.7" + b"x" * filed_files.MOST_BYTES + b"%%EOF",
    ],
    ids=["nothing", "half", "photograph", "open", "text", "entities", "long"],
)
def test_what_is_no_such_file_is_refused(house: LawfulHouse, content: bytes) -> None:
    row = filed(house)
    with pytest.raises(BadEvidence):
        attach(row, content)
    assert not FilingFile.objects.exists()


def test_a_filing_has_few_files_and_a_reversed_one_gets_none(house: LawfulHouse) -> None:
    row = filed(house)
    with pytest.raises(NotPermitted):
        attach(row, by="sione")
    for _ in range(filed_files.MOST):
        attach(row)
    with pytest.raises(WrongState, match="at most 5 files"):
        attach(row)
    with acting_as("web"):
        undone = form_filings.reverse(row, person("ines"), "Wrong day")
    for each in (FormFiling.objects.get(pk=row.pk), undone):
        with pytest.raises(WrongState, match="is reversed"):
            attach(each)
    assert row.files.count() == filed_files.MOST  # they stay


def test_the_database_takes_no_file_that_is_not_its_hash_and_changes_none(
    house: LawfulHouse,
) -> None:
    file = attach(filed(house))
    for statement, refusal in (
        ("UPDATE settlement_filingfile SET size = 1", "append-only"),
        ("DELETE FROM settlement_filingfile", "append-only"),
        (
            "INSERT INTO settlement_filingfile (filing_id, number, kind, size, sha256, content,"
            " person_id, at, key) SELECT filing_id, 2, kind, size, sha256, 'x', person_id, at,"
            " gen_random_uuid() FROM settlement_filingfile",
            "filing_file_is_its_hash",
        ),
    ):
        with (
            pytest.raises(DatabaseError, match=refusal),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement)
    assert changed_files(house.system.pk) == []
    with owner_without_guards("settlement_filingfile"), connection.cursor() as cursor:
        cursor.execute("ALTER TABLE settlement_filingfile DROP CONSTRAINT filing_file_is_its_hash")
        cursor.execute("UPDATE settlement_filingfile SET content = 'another'")
    place = f"claim {file.filing.payout.claim.number}"
    assert changed_files(house.system.pk) == [
        f"{place}: file {file.pk} of a form is not what was sent"
    ]
    findings = look(connection.connection, settled=False, with_actions=False).findings
    assert ("files", f"file {file.pk} of a form is not what was sent") in [
        (kind, sentence.rpartition(": ")[2]) for kind, sentence in findings
    ]
    with acting_as("web"), pytest.raises(WrongState, match="changed in the database"):
        filed_files.content_of(file, person("ines"))


def statements_of_list(house: LawfulHouse) -> int:
    client = as_("ines")
    with CaptureQueriesContext(connection) as queries:
        assert client.get(f"/api/forms/{house.casino.code}/").status_code == 200
    return len(queries)


# --- pages and API ----------------------------------------------------------------------------


def test_the_page_takes_the_file_with_the_filing_and_gives_it_back(house: LawfulHouse) -> None:
    ines, day = logged_in("ines"), today(house.casino)
    address = f"/forms/{first_payout(house)}/file/"
    form = {"key": str(uuid.uuid4()), "form": CTR, "filed_on": str(day), "reference": "BSA 1"}
    wrong = SimpleUploadedFile("form.doc", b"no form")
    assert "Only PDF and XML" in words(ines.post(address, form | {"file": wrong}, follow=True))
    assert not FormFiling.objects.exists()  # both, or neither
    for _ in range(2):
        upload = SimpleUploadedFile("form.xml", XML)
        ines.post(address, form | {"file": upload})
    file = FilingFile.objects.get()
    more = {"key": str(uuid.uuid4()), "file": SimpleUploadedFile("form.pdf", PDF)}
    ines.post(f"/form-filings/{file.filing_id}/attach/", more)
    page = words(ines.get("/forms/"))
    assert "XML as sent, 1" in page
    assert "PDF as sent, 2" in page
    answer = ines.post(f"/filing-files/{file.pk}/")
    assert (answer.content, answer["Content-Type"]) == (XML, "application/xml")
    assert answer["Content-Disposition"].startswith("attachment; filename=")
    assert logged_in("sione").post(f"/filing-files/{file.pk}/").status_code == 403
    assert ines.post("/filing-files/999/").status_code == 404
    assert "is not empty" in words(
        ines.post(f"/form-filings/{file.filing_id}/attach/", {}, follow=True)
    )


def test_the_api_attaches_and_opens(house: LawfulHouse) -> None:
    row = filed(house)
    ines, address = as_("ines"), f"/api/form-filings/{row.pk}/attach/"
    body = {"content_base64": base64.b64encode(PDF).decode()}
    headers = {"Idempotency-Key": str(uuid.uuid4())}
    answers = [ines.post(address, body, format="json", headers=headers) for _ in range(2)]
    assert [each.status_code for each in answers] == [201, 201]
    file = FilingFile.objects.get()
    assert answers[1].json()["file"] == file.pk
    assert ines.post(address, {"content_base64": "?"}, format="json").status_code == 422
    assert as_("sione").post(address, body, format="json").status_code == 403
    answer = ines.post(f"/api/filing-files/{file.pk}/open/")
    assert base64.b64decode(answer.json()["content_base64"]) == PDF
    (form,) = [
        each for each in ines.get(f"/api/forms/{house.casino.code}/").json()["results"]
        if each["form"] == CTR
    ]  # fmt: skip
    assert [each["sha256"] for each in form["files"]] == [file.digest]
    few = statements_of_list(house)
    for _ in range(3):
        attach(row)
    assert statements_of_list(house) == few
    assert ines.post("/api/filing-files/999/open/").status_code == 404
    large = large_body_of(address)
    assert large is not None
    assert large.most_bytes > 4 * filed_files.MOST_BYTES // 3
