"""What people gathered on a claim, as the API gives it. Selectors only.

Of the players only which seats are identified: who they are stands on a page of its own.
"""

from __future__ import annotations

from typing import Any

from settlement.evidence import deck, identification
from settlement.evidence.assessment import HandAssessment
from settlement.evidence.filetypes import TYPES
from settlement.models import Claim


def gathered(claim: Claim, examination: HandAssessment) -> dict[str, Any]:
    """The count of the deck, footage, notes, files without their content."""
    count = deck.count_of(claim, examination.remaining)
    return {
        "deck_count": {
            "found": sorted(set(count.ticks) & set(count.remaining)),
            "missing": count.missing,
            "stray": count.stray,
            "is_whole": count.is_whole,
        },
        "footage": [
            {
                "reviewer": row.reviewer,
                "reference": row.reference,
                "camera": row.camera,
                "since": row.since,
                "until": row.until,
                "finding": row.finding,
                "person": row.person.get_username(),
                "at": row.at,
            }
            for row in claim.footage.select_related("person")
        ],
        "notes": [
            {"text": row.text, "person": row.person.get_username(), "at": row.at}
            for row in claim.notes.select_related("person")
        ],
        "files": [
            {
                "number": row.pk,
                "caption": row.caption,
                "media": TYPES[row.kind].media,
                "size": row.size,
                "sha256": bytes(row.sha256).hex(),
                "person": row.person.get_username(),
                "at": row.at,
            }
            for row in claim.attachments.defer("content").select_related("person")
        ],
        "identified_seats": [row.seat for row in identification.recorded(claim)],
    }
