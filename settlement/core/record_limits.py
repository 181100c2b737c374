"""How much of each kind a claim may have. The database counts; here is what to do then."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from settlement.core.errors import Enough
from settlement.core.words.translation import Labels

# By kind of action, or by table.
MOST = {
    "dispute": 25,
    "hold_claim": 25,
    "settlement_note": 500,
    "settlement_footage": 100,
    "settlement_attachment": 40,
    "settlement_identification": 200,
}
_WORDS = Labels(
    {
        "dispute": gettext_noop(
            "A claim has at most %(most)s disputes: write what is new as a note. A regulator's hold"
            " stops the claim as well."
        ),
        "hold_claim": gettext_noop(
            "A claim has at most %(most)s holds: ask a game supervisor to note a dispute. It stops"
            " the claim as well."
        ),
        "settlement_note": gettext_noop(
            "A claim has at most %(most)s notes: put what is new into a PDF, and attach that."
        ),
        "settlement_footage": gettext_noop(
            "A claim has at most %(most)s reviews of footage: put what is new into a PDF, and"
            " attach that."
        ),
        "settlement_attachment": gettext_noop(
            "A claim has at most %(most)s files: put several into one PDF."
        ),
        "settlement_identification": gettext_noop(
            "A claim has at most %(most)s identifications: ask technical support why there are so"
            " many."
        ),
    }
)


def enough(refusal: str) -> Enough | None:
    """What a person reads, if that is why the database refused."""
    for what, most in MOST.items():
        if refusal.startswith("enough: ") and refusal.split("\n")[0].endswith(f" of {what}"):
            return Enough(_WORDS[what] % {"most": most})
    return None
