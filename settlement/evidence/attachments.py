"""Photographs, scans and PDFs of a claim, kept in the database with their SHA-256.

The hash is a command as well and so in the order: a file that is changed together with its row is
not the one that an entry names."""

from __future__ import annotations

import hashlib
import uuid
from typing import Any

from django.utils.translation import gettext as _

from jackpot.labels.figures import write_count
from settlement.approvals import action_log
from settlement.core.errors import BadEvidence
from settlement.core.input import text_within
from settlement.evidence.filetypes import (
    MOST_PIXELS,
    MOST_SIDE,
    TYPES,
    FileType,
    is_drawable,
    type_of,
)
from settlement.models import Attachment, Claim
from settlement.models.evidence import CAPTION_LENGTH
from settlement.people.rights import staff_play
from settlement.people.rights.permissions import require
from tables.process.prepared_statements import prepared_cursor

MOST_BYTES = 10 * 1024 * 1024

# Bound by the server: a picture of ten megabytes is not written out as text, and no log has it.
_INSERT = """
    INSERT INTO settlement_attachment
        (claim_id, caption, kind, size, sha256, content, command, person_id, at, key)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, now(), %s)
"""


class AttachmentChanged(Exception):
    """The content is not what was attached: somebody reached the database past its guards."""


def attach(
    claim: Claim, user: Any, caption: str, content: bytes, *, key: uuid.UUID | None = None
) -> None:
    """Keep a file with a line that says what it shows. Its type is read from its content.

    The writer takes its hash into the order; the file is there at once.
    """
    require(user, "add_attachment", claim.system)
    caption_text = text_within(caption, CAPTION_LENGTH)
    if not caption_text:
        raise BadEvidence(
            _("Describe in at most %(caption_length)s characters what the file shows.")
            % {"caption_length": CAPTION_LENGTH}
        )
    if not 0 < len(content) <= MOST_BYTES:
        raise BadEvidence(
            _(
                "A file has at most %(most_bytes)s MB, and is not empty: take the"
                " photograph smaller, or scan in parts."
            )
            % {"most_bytes": MOST_BYTES // 1024 // 1024}
        )
    type_ = type_of(content)
    if type_ is None:
        raise BadEvidence(
            _(
                "Only photographs (JPEG, PNG) and PDF files are accepted. This file is "
                "neither, or is incomplete: send it again, or print it to PDF."
            )
        )
    if type_.is_inline and not is_drawable(type_, content):
        raise BadEvidence(
            _(
                "A picture has at most %(most_pixels)s million pixels and %(most_side)s"
                " along a side, and this one says that it has more, or says no size:"
                " take it smaller, or print it to PDF."
            )
            % {"most_pixels": MOST_PIXELS // 1000000, "most_side": write_count(MOST_SIDE)}
        )
    with action_log.locked(claim):
        if key is not None and Attachment.objects.filter(key=key).exists():
            return  # a form that was sent twice is one file
        staff_play.require_apart(claim, user)
        digest = hashlib.sha256(content).digest()
        body = {"hit": claim.number, "sha256": digest.hex(), "size": len(content)}
        command = action_log.queue(claim, "attach_file", body, user)
        row = (claim.pk, caption_text, type_.code, len(content), digest, content, command, user.pk)
        with prepared_cursor() as cursor:
            cursor.execute(_INSERT, (*row, key or uuid.uuid4()))


def content_of(attachment: Attachment) -> tuple[FileType, bytes]:
    """The file and its type. AttachmentChanged where it is not what was attached."""
    content = bytes(attachment.content)
    if hashlib.sha256(content).digest() != bytes(attachment.sha256):
        raise AttachmentChanged(
            _("attachment %(pk)s is not what its SHA-256 says") % {"pk": attachment.pk}
        )
    return TYPES[attachment.kind], content
