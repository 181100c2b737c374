"""The checklist as a form that several people may fill in at once, part by part.

Each row carries which answer the person saw. Only what the person changed is kept, so a page
that was open for long does not undo what a colleague answered meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from rules.cards import SUITS
from settlement.claims import services as claims
from settlement.core.input import clean_text, stripped_text
from settlement.core.words.translation import Labels
from settlement.evidence import checklist
from settlement.evidence import records as evidence
from settlement.models import CheckAnswer, Claim
from settlement.people.rights.permissions import name_of

# Where a record is added that answers a point; the point's own fields answer the others.
_WHERE = Labels(
    {
        "surveillance": gettext_noop("Add the review of the footage"),
        "photographed": gettext_noop("Attach the photograph"),
        "identity": gettext_noop("Identify the player"),
    }
)
# The form on the claim's page that adds it.
_FORMS = {"surveillance": "add-footage", "photographed": "add-file"}


class ChecklistForm:
    """What somebody typed. `errors`: what is wrong, by the item's code."""

    def __init__(self, data: Mapping[str, str]) -> None:
        self.typed = {
            item.code: (
                answer if (answer := data.get(item.code, "")) in checklist.ANSWERS else "",
                clean_text(data.get(f"{item.code}-note", "")),
            )
            for item in checklist.ITEMS
        }
        self.things = {
            code: {name: stripped_text(data.get(f"{code}-{name}", "")) for name in fields}
            for code, fields in evidence.FIELDS.items()
        }
        self.stored_ids = {item.code: data.get(f"{item.code}-seen", "") for item in checklist.ITEMS}
        self.errors = {
            code: checklist.NOTE_NEEDED[answer]
            for code, (answer, note) in self.typed.items()
            if answer in checklist.NOTE_NEEDED and not note
        }

    def save(self, claim: Claim, user: Any) -> int:
        """Keep what is new and complete; how many answers that were."""
        rows = {str(row.pk): row for row in claim.answers.all()}
        fresh = {
            code: (answer, note)
            for code, (answer, note) in self.typed.items()
            if answer
            and code not in self.errors
            and self._differs(code, rows.get(self.stored_ids[code]), answer, note)
        }
        answers = {code: answer for code, (answer, _) in fresh.items()}
        things = {code: typed for code, typed in self.things.items() if any(typed.values())}
        _, faults = evidence.read_answers(claim, claims.hit_of(claim), answers, things)
        self.errors |= faults
        answers = {code: answer for code, answer in answers.items() if code not in faults}
        notes = {code: note for code, (_, note) in fresh.items()}
        claims.answer_checklist(claim, user, answers, notes, things)
        return len(answers)

    def _differs(self, code: str, stored: CheckAnswer | None, answer: str, note: str) -> bool:
        if stored is None or (stored.answer, stored.note) != (answer, note):
            return True
        return answer == "yes" and self.things.get(code, {}) != _typed(stored)


def checklist_rows(
    claim: Claim,
    terms: evidence.Posted,
    behind: Mapping[str, str],
    form: ChecklistForm | None = None,
) -> list[dict[str, Any]]:
    """Rows for `partials/checklist_row.html`: what is kept, or what was typed and refused.

    `behind`: what the workbench has for a point, by its code.
    """
    stored, requirements = checklist.answers_of(claim), terms.requirements()
    rows = []
    for item in checklist.ITEMS:
        answer = stored.get(item.code)
        row: dict[str, Any] = {
            "code": item.code,
            "text": item.text,
            "rule": _(item.rule),
            "answer": answer.answer if answer else "",
            "note": answer.note if answer else "",
            "by": name_of(answer.person) if answer else "",
            "at": answer.at if answer else None,
            "seen": answer.pk if answer else "",
            "shows": evidence.in_words(answer) if answer else "",
            "behind": behind.get(item.code, ""),
            "is_thing": item.is_thing,
            "is_asked": not item.is_thing or item.code in requirements,
            "above": terms.above(item.code),
            "is_open": checklist.is_open(item, answer, requirements),
        }
        typed = _typed(answer)
        if form is not None and item.code in form.errors:
            row["answer"], row["note"] = form.typed[item.code]
            row["error"] = form.errors[item.code]
            typed = form.things.get(item.code, typed)
        row["fields"] = [
            {"name": name, "label": label, "value": typed.get(name, ""), "is_short": name in SUITS}
            for name, label in evidence.FIELDS.get(item.code, {}).items()
        ]
        if item.code == "deck_counted" and row["behind"]:
            row["fields"] = []  # it is ticked off card by card
        row["where"] = "" if row["behind"] else _WHERE.get(item.code, "")
        row["form"] = _FORMS.get(item.code, "")
        rows.append(row)
    return rows


def _typed(answer: CheckAnswer | None) -> dict[str, str]:
    """What was typed with an answer, as its fields have it."""
    if answer is None:
        return {}
    shows = answer.evidence.get("suits", answer.evidence)
    return {name: str(shows.get(name, "")) for name in evidence.FIELDS.get(answer.item, ())}
