"""How much of each kind a claim may have. The database counts; here is what to do then."""

from __future__ import annotations

from settlement.core.errors import Enough

# By kind of act, or by table.
MOST = {
    "dispute": 25,
    "hold_claim": 25,
    "settlement_note": 500,
    "settlement_footage": 100,
    "settlement_attachment": 40,
    "settlement_identification": 200,
}
_WORDS = {
    "dispute": "disputes: write what is new as a note. A regulator's hold stops the claim as well",
    "hold_claim": "holds: tell a game supervisor, who notes a dispute. It stops the claim as well",
    "settlement_note": "notes: put what is new into a PDF, and attach that",
    "settlement_footage": "reviews of footage: put what is new into a PDF, and attach that",
    "settlement_attachment": "files: put several into one PDF",
    "settlement_identification": "identifications: ask technical support why there are so many",
}


def enough(refusal: str) -> Enough | None:
    """What a person reads, if that is why the database refused."""
    for what, most in MOST.items():
        if refusal.startswith("enough: ") and refusal.split("\n")[0].endswith(f" of {what}"):
            return Enough(f"A claim has at most {most} {_WORDS[what]}.")
    return None
