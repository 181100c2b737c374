"""What people gathered on a claim, as a dispute bundle has it. Selectors only.

Files stand in the archive byte for byte. Of a player it has a seal: the SHA-256 of the fields of
the identification, each on a line, behind a random key that stays in the database. It tells
nothing; whoever is shown the identification with its key can compute it again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.db import connection

from jackpot.domain.state.blocks import instant
from jackpot.models import Entry
from settlement.core.errors import WrongState
from settlement.evidence.attachments import AttachmentChanged, content_of
from settlement.models import Attachment, Claim

FOLDER = "attachments/"


def gathered(claim: Claim) -> dict[str, Any]:
    """Deck, footage, notes, files, and that players were identified: `workbench.json`."""
    seals, entries = _seals(claim), _entries(claim)
    players = claim.identifications.select_related("person").only(
        "seat", "shares", "at", "person__username"
    )
    return {
        "deck": [
            {"card": each.card, "found": each.found, **_by(each)} for each in _rows(claim.ticks)
        ],
        "footage": [
            {
                "reviewer": each.reviewer,
                "camera": each.camera,
                "reference": each.reference,
                "since": instant(each.since),
                "until": instant(each.until),
                "finding": each.finding,
                **_by(each),
            }
            for each in _rows(claim.footage)
        ],
        "notes": [{"text": each.text, **_by(each)} for each in _rows(claim.notes)],
        "attachments": [
            {
                "file": path,
                "caption": each.caption,
                "size": each.size,
                "sha256": bytes(each.sha256).hex(),
                "entry": entries.get(each.command),
                **_by(each),
            }
            for path, each in attachments_of(claim).items()
        ],
        "identified": [
            {
                "seat": each.seat,
                **({"shares_seat": each.shares} if each.shares else {}),
                "seal": seals[each.pk].hex(),
                **_by(each),
            }
            for each in players
        ],
        "sharers": _sharers(claim, seals),
        "looks": [{"purpose": each.purpose, **_by(each)} for each in _rows(claim.looks)],
    }


def _sharers(claim: Claim, seals: Mapping[int, bytes]) -> list[dict[str, Any]]:
    """Who sat nowhere and shares what a seat won, with the reversals; by seal, as the players."""
    return [
        {
            "number": each.pk,
            "seat": each.seat,
            "kind": each.kind,
            "amount_micros": each.amount,
            "reverses": each.reverses_id,
            "seal": seals[each.identification_id].hex(),
            "reason": each.reason,
            **_by(each),
        }
        for each in _rows(claim.sharers)
    ]


def attachments_of(claim: Claim) -> dict[str, Attachment]:
    """The files by their path in the archive, without their content."""
    attachments = claim.attachments.defer("content").select_related("person").order_by("id")
    return {f"{FOLDER}{n:02d}.{each.kind}": each for n, each in enumerate(attachments, start=1)}


def content(attachment: Attachment) -> bytes:
    """The bytes of one file, read now. WrongState where they are not those that were attached."""
    try:
        return content_of(Attachment.objects.get(pk=attachment.pk))[1]
    except AttachmentChanged as changed:
        raise WrongState(
            f"A file of this claim was changed in the database ({changed}): call technical"
            " support. No bundle is made of it."
        ) from changed


def _rows(related: Any) -> Iterator[Any]:
    return iter(related.select_related("person").order_by("id"))


def _by(row: Any) -> dict[str, str]:
    return {"person": row.person.get_username(), "at": instant(row.at)}


def _entries(claim: Claim) -> dict[int | None, int]:
    """The entry that took each file's hash into the order, by its command."""
    entries = Entry.objects.filter(system=claim.system_id, hit=claim.number, type="attach_file")
    return dict(entries.values_list("command", "seq"))


def _seals(claim: Claim) -> dict[int, bytes]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT id, seal FROM seals_of_identifications(%s)", [claim.pk])
        return {id_: bytes(seal) for id_, seal in cursor.fetchall()}
