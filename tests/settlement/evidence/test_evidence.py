"""Footage, notes and files of a claim: kept as they are, with who and when."""

import datetime as dt
import hashlib
import uuid
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.utils import DatabaseError, IntegrityError

from settlement.claims import workbench
from settlement.core.errors import BadEvidence, NotPermitted
from settlement.evidence import attachments
from settlement.evidence.filetypes import type_of
from settlement.models import Attachment, Claim, Footage, Note
from tests.support.cases.claims.evidence import JPEG, PDF, PNG, REVIEW, SINCE, jpeg, png
from tests.support.cases.confirmed_house import person
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as, owner_without_guards
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db


def build_claim() -> Claim:
    house = ClaimHouse()
    house.hit_royal()
    return Claim.objects.get()


claim = kept_house(build_claim)


# --- footage and notes -----------------------------------------------------------------------


def test_a_review_of_footage_is_kept_once_for_each_form(claim: Claim) -> None:
    key = uuid.uuid4()
    for _ in range(2):
        workbench.add_footage(claim, person("tane"), **REVIEW, key=key)
    row = Footage.objects.get()
    assert (row.reviewer, row.reference, row.camera) == ("Tane Rua", "DVR-4411", "12")
    assert (row.since, row.person.username) == (SINCE, "tane")


@pytest.mark.parametrize(
    ("field", "text", "words"),
    [
        ("reference", "  ", "The reference is missing"),
        ("finding", "x" * 1001, "at most 1000"),
        ("until", SINCE - dt.timedelta(seconds=1), "ends before it begins"),
    ],
)
def test_a_review_that_says_nothing_is_refused(
    claim: Claim, field: str, text: Any, words: str
) -> None:
    with pytest.raises(BadEvidence, match=words):
        workbench.add_footage(claim, person("tane"), **{**REVIEW, field: text})


def test_a_note_is_kept_with_who(claim: Claim) -> None:
    workbench.add_note(claim, person("mere"), " Player waits in the lounge ")
    note = Note.objects.get()
    assert (note.text, note.person.username) == ("Player waits in the lounge", "mere")
    with pytest.raises(BadEvidence, match="The note is missing"):
        workbench.add_note(claim, person("mere"), "\n")


def test_who_adds_what(claim: Claim) -> None:
    with pytest.raises(NotPermitted):
        workbench.add_footage(claim, person("aroha"), **REVIEW)
    with pytest.raises(NotPermitted):
        workbench.add_note(claim, person("ines"), "Compliance only reads")
    with pytest.raises(NotPermitted):
        attachments.attach(claim, person("ines"), "Layout", JPEG)


# --- files -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("content", "code"), [(JPEG, "jpeg"), (PNG, "png"), (PDF, "pdf")])
def test_a_type_is_read_from_the_content(content: bytes, code: str) -> None:
    kind = type_of(content)
    assert kind is not None
    assert kind.code == code


@pytest.mark.parametrize(
    "content",
    [b"<html><script>", b"GIF89a" + bytes(32), b"MZ" + bytes(64), JPEG[:-2], PNG[:-8], PDF[:-6]],
    ids=["html", "gif", "program", "jpeg cut off", "png cut off", "pdf cut off"],
)
def test_anything_else_is_refused_whatever_its_name(claim: Claim, content: bytes) -> None:
    assert type_of(content) is None
    with pytest.raises(BadEvidence, match="This file is neither"):
        attachments.attach(claim, person("sione"), "layout.jpg", content)
    assert not Attachment.objects.exists()


def test_a_file_is_given_back_as_it_was_attached(claim: Claim) -> None:
    with acting_as("web"):
        attachments.attach(claim, person("sione"), "Layout", PNG)
    row = Attachment.objects.get()
    assert (row.caption, row.kind, row.size, row.person.username) == (
        "Layout",
        "png",
        len(PNG),
        "sione",
    )
    assert bytes(row.sha256) == hashlib.sha256(PNG).digest()
    type_, content = attachments.content_of(row)
    assert (type_.media, content) == ("image/png", PNG)


# A small picture inside a segment is no frame of this one, and two frames count as the larger.
THUMBNAIL = b"\xff\xe1\x00\x0d" + b"\xff\xc0\x00\x0b\x08\xff\xff\xff\xff\x01\x01"
SECOND = b"\xff\xc0\x00\x0b\x08\xff\xff\xff\xff\x01\x01\x11\x00"


@pytest.mark.parametrize(
    ("content", "is_taken"),
    [
        (png(8_000, 8_000), True),
        (png(8_001, 8_000), False),
        (png(20_000, 3_000), True),
        (png(20_001, 1), False),
        (png(1, 2**32 - 1), False),
        (png(0, 5), False),
        (jpeg(8_192, 6_144), True),  # what telephones take
        (jpeg(65_535, 65_535), False),
        (jpeg(0, 480), False),
        (jpeg(640, 480, THUMBNAIL), True),
        (jpeg(640, 480, b"\xff\xff\xe1\x00\x04ab"), True),
        (jpeg(640, 480, SECOND), False),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF" + bytes(64) + b"\xff\xd9", False),
        (b"\xff\xd8\xff\xc0\x00\x0b\xff\xd9", False),
        (b"\xff\xd8\xff\xe0\x00\x00" + b"\xff\xd9", False),
    ],
)
def test_a_picture_is_measured_by_its_header_and_never_decoded(
    claim: Claim, content: bytes, is_taken: bool
) -> None:
    if is_taken:
        attachments.attach(claim, person("sione"), "Layout", content)
    else:
        with pytest.raises(BadEvidence, match="at most 64 million pixels and 20,000 along a side"):
            attachments.attach(claim, person("sione"), "Layout", content)
    assert Attachment.objects.exists() == is_taken


def test_a_form_that_was_sent_twice_is_one_file(claim: Claim) -> None:
    key = uuid.uuid4()
    for _ in range(2):
        attachments.attach(claim, person("sione"), "Layout", PNG, key=key)
    assert Attachment.objects.count() == 1


def test_a_file_has_a_size(claim: Claim) -> None:
    large = JPEG[:-2] + bytes(attachments.MOST_BYTES) + JPEG[-2:]
    with pytest.raises(BadEvidence, match="at most 10 MB"):
        attachments.attach(claim, person("sione"), "Layout", large)
    with pytest.raises(BadEvidence, match="at most 10 MB"):
        attachments.attach(claim, person("sione"), "Layout", b"")
    with pytest.raises(BadEvidence, match="what the file shows"):
        attachments.attach(claim, person("sione"), " ", JPEG)


def test_a_changed_file_is_found(claim: Claim) -> None:
    attachments.attach(claim, person("sione"), "Layout", JPEG)
    forged = JPEG.replace(b"JFIF", b"FORG")
    with (
        pytest.raises(IntegrityError, match="attachment_is_its_hash"),
        transaction.atomic(),
        owner_without_guards("settlement_attachment"),
    ):
        Attachment.objects.update(content=forged)
    # An owner who takes the constraint off as well.
    with owner_without_guards("settlement_attachment"), connection.cursor() as cursor:
        cursor.execute("ALTER TABLE settlement_attachment DROP CONSTRAINT attachment_is_its_hash")
        Attachment.objects.update(content=forged)
    with pytest.raises(attachments.AttachmentChanged):
        attachments.content_of(Attachment.objects.get())


def test_the_database_takes_no_file_whose_hash_is_another(claim: Claim) -> None:
    with (
        acting_as("web"),
        pytest.raises(DatabaseError, match="attachment_is_its_hash"),
        transaction.atomic(),
    ):
        Attachment.objects.bulk_create(
            [
                Attachment(
                    claim=claim,
                    caption="x",
                    kind="png",
                    size=len(PNG),
                    sha256=hashlib.sha256(JPEG).digest(),
                    content=PNG,
                    person=person("sione"),
                    key=uuid.uuid4(),
                )
            ]
        )


@pytest.mark.parametrize("role", ["worker", "reporting"])
def test_who_has_no_need_reads_no_content(claim: Claim, role: str) -> None:
    with (
        acting_as(role),
        pytest.raises(DatabaseError, match="permission denied"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("SELECT content FROM settlement_attachment")
