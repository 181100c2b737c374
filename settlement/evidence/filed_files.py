"""The files of forms that were filed, as they were sent: kept beside the filing with their SHA-256.

A filed form says who the player is. So nobody reads a file from the table: the database gives it to
whoever may see that, and writes the look down.
"""

from __future__ import annotations

import hashlib
import uuid
from typing import Any
from xml.parsers import expat

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables

from settlement.core import guards
from settlement.core.errors import USED, BadEvidence, KeyUsed, NotPermitted, WrongState
from settlement.evidence.attachments import MOST_BYTES
from settlement.evidence.filetypes import type_of
from settlement.models import FilingFile, FormFiling
from settlement.people.rights.permissions import may, require
from tables.models import JackpotSystem
from tables.process.prepared_statements import prepared_cursor

MOST = 5  # of a filing
MEDIA = {FilingFile.Kind.PDF: "application/pdf", FilingFile.Kind.XML: "application/xml"}
# Bound by the server: no log has it.
_INSERT = """
    INSERT INTO settlement_filingfile
        (filing_id, number, kind, size, sha256, content, person_id, at, key)
    VALUES (%s, %s, %s, %s, %s, %s, %s, now(), %s) RETURNING id
"""


class _NoDocumentType(Exception):
    """An XML file has a document type, which may name other files or grow without end."""


def kind_of(content: bytes) -> str:
    """PDF or XML, by the content. BadEvidence for anything else, for nothing, and for too much."""
    if not 0 < len(content) <= MOST_BYTES:
        raise BadEvidence(
            _("A file has at most %(most)s MB, and is not empty.")
            % {"most": MOST_BYTES // 1024 // 1024}
        )
    file_type = type_of(content)
    if file_type is not None and file_type.code == "pdf":
        return FilingFile.Kind.PDF
    if _is_xml(content):
        return FilingFile.Kind.XML
    raise BadEvidence(
        _(
            "Only PDF and XML files are accepted, XML without a document type. This file is"
            " neither, or is incomplete: choose the file that was sent, or print it to PDF."
        )
    )


@sensitive_variables()
def attach(
    filing: FormFiling, user: Any, content: bytes, *, key: uuid.UUID | None = None
) -> FilingFile:
    """Keep a file that was sent with this filing; the same `key` again is the same file.

    BadEvidence where it is none that is kept, WrongState where the filing is reversed or has
    enough of them.
    """
    require(user, "file_form", filing.payout.claim.system)
    kind, digest = kind_of(content), hashlib.sha256(content).digest()
    if earlier := FilingFile.objects.filter(key=key).first() if key else None:
        if (earlier.filing_id, earlier.person_id, bytes(earlier.sha256)) != (
            *(filing.pk, user.pk, digest),
        ):
            raise KeyUsed(USED)
        return earlier
    if filing.kind != FormFiling.Kind.FILED or hasattr(filing, "reversed_by"):
        raise WrongState(_("This filing is reversed: attach the file to the one that stands."))
    number = filing.files.count() + 1
    if number > MOST:
        raise WrongState(
            _("A filing has at most %(most)s files: put several into one PDF.") % {"most": MOST}
        )
    values = (filing.pk, number, kind, len(content), digest, content, user.pk, key or uuid.uuid4())
    try:
        with transaction.atomic(), guards.in_words(), prepared_cursor(is_watched=False) as cursor:
            cursor.execute(_INSERT, values)
            ((pk,),) = cursor.fetchall()
    except IntegrityError as race:
        raise WrongState(_("A colleague was quicker: look at the list again.")) from race
    return FilingFile.objects.select_related("person").get(pk=pk)


def may_open(user: Any, system: JackpotSystem) -> bool:
    """Who files forms, and sees who players are."""
    return all(may(user, each, system) for each in ("file_form", "view_identification"))


@sensitive_variables()
def content_of(file: FilingFile, user: Any) -> bytes:
    """The file as it was sent, for who may see who the player is; the look is recorded."""
    if not may_open(user, file.filing.payout.claim.system):
        raise NotPermitted(_("Your role does not allow this. Ask a colleague whose role does."))
    with guards.in_words(), prepared_cursor(is_watched=False) as cursor:
        cursor.execute("SELECT give_filing_file(%s, %s)", [file.pk, user.pk])
        ((content,),) = cursor.fetchall()
    if hashlib.sha256(content).digest() != bytes(file.sha256):
        raise WrongState(
            _(
                "This file is not what was attached: it was changed in the database. Call technical"
                " support."
            )
        )
    return bytes(content)


def name_of(file: FilingFile) -> str:
    """Under which it is given away."""
    claim = file.filing.payout.claim
    return f"{claim.system.code}-{claim.number}-filed-{file.filing_id}-{file.number}.{file.kind}"


def _is_xml(content: bytes) -> bool:
    """Whether it is well-formed and has no document type; what it says nobody asks."""

    def refuse(*_declaration: object) -> None:
        raise _NoDocumentType

    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, _NoDocumentType, LookupError, ValueError):
        return False
    return True
