"""The checklist as a form that several people may fill in at once, part by part.

Each row carries which answer the person saw. Only what the person changed is kept, so a page
that was open for long does not undo what a colleague answered meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from settlement import checklist, claims
from settlement.models import CheckAnswer, Claim
from settlement.people import name_of

NOTE_NEEDED = "A “no” needs a note that says why."


class ChecklistForm:
    """What somebody typed. `errors`: what is wrong, by the item's code."""

    def __init__(self, data: Mapping[str, str]) -> None:
        self.typed = {
            item.code: (
                answer if (answer := data.get(item.code, "")) in checklist.ANSWERS else "",
                data.get(f"{item.code}-note", "").strip()[: checklist.NOTE_LENGTH],
            )
            for item in checklist.ITEMS
        }
        self.seen = {item.code: data.get(f"{item.code}-seen", "") for item in checklist.ITEMS}
        self.errors = {
            code: NOTE_NEEDED
            for code, (answer, note) in self.typed.items()
            if answer == "no" and not note
        }

    def save(self, claim: Claim, user: Any) -> int:
        """Keep what is new and complete; how many answers that were."""
        rows = {str(row.pk): row for row in claim.answers.all()}
        fresh = {
            code: (answer, note)
            for code, (answer, note) in self.typed.items()
            if answer
            and code not in self.errors
            and _differs(rows.get(self.seen[code]), answer, note)
        }
        claims.answer_checklist(
            claim,
            user,
            {code: answer for code, (answer, _) in fresh.items()},
            {code: note for code, (_, note) in fresh.items()},
        )
        return len(fresh)


def checklist_rows(claim: Claim, form: ChecklistForm | None = None) -> list[dict[str, Any]]:
    """Rows for `partials/checklist_row.html`: what is kept, or what was typed and refused."""
    known = checklist.answers_of(claim)
    rows = []
    for item in checklist.ITEMS:
        kept = known.get(item.code)
        row: dict[str, Any] = {
            "code": item.code,
            "text": item.text,
            "rule": item.rule,
            "answer": kept.answer if kept else "",
            "note": kept.note if kept else "",
            "by": name_of(kept.person) if kept else "",
            "at": kept.at if kept else None,
            "seen": kept.pk if kept else "",
        }
        if form is not None and item.code in form.errors:
            row["answer"], row["note"] = form.typed[item.code]
            row["error"] = form.errors[item.code]
        rows.append(row)
    return rows


def _differs(seen: CheckAnswer | None, answer: str, note: str) -> bool:
    return seen is None or (seen.answer, seen.note) != (answer, note)
