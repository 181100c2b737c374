"""The checklist of a verification: what is checked on the floor before a jackpot is confirmed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from settlement.errors import USED, ChecklistIncomplete, KeyUsed
from settlement.models import CheckAnswer, Claim


@dataclass(frozen=True, slots=True)
class Item:
    """A point of the checklist with the rule it serves."""

    code: str
    text: str
    rule: str


_DECK = "19.10, older edition"

ITEMS = (
    Item("frozen", "Pot not pushed, table frozen", "19.8(b)"),
    Item(
        "face_up",
        "Hands and first board face up on the layout, photographed",
        _DECK,
    ),
    Item("exposed", "Hole cards exposed when the dealer asked", "19.17"),
    Item("not_folded", "The hand was not folded", "19.17"),
    Item("dealt_seats", "Dealt seats named before anyone left", "19.5"),
    Item("posted", "Option displayed and posted minimums met", "19.5, 19.7"),
    Item("deck_counted", "Burns, muck and stub gathered, suits counted", _DECK),
    Item("irregularities", "Irregularities of the round looked into", "20.1"),
    Item("surveillance", "Surveillance reviewed the round, reference noted", "19.12"),
    Item("display", "Display reading noted, equipment working", "19.8, 19.14(a)"),
    Item("identity", "Identity, age, exclusion, not an employee", "19.12"),
    Item("nearby", "Nearby hits on other tables looked at", "19.14(b)"),
    Item("sealed", "Deck sealed, bag number noted", _DECK),
    Item("told", "Player told the amount and where the claim stands", "19.12"),
)
NOTE_LENGTH = 500
ANSWERS = ("yes", "no", "na")


def answers_of(claim: Claim) -> dict[str, CheckAnswer]:
    """The newest answer to each item."""
    return {a.item: a for a in claim.answers.select_related("person").order_by("id")}


def record(claim: Claim, person: Any, given: Mapping[str, str], notes: Mapping[str, str]) -> None:
    """Keep the answers that are new or changed, with who and when.

    A "no" needs a note: somebody will ask why.
    """
    known = answers_of(claim)
    fresh = []
    for item in ITEMS:
        answer, note = given.get(item.code), (notes.get(item.code) or "").strip()
        if answer is None:
            continue
        if answer not in ANSWERS:
            raise ChecklistIncomplete(f"{item.text}: answer yes, no or not applicable.")
        if answer == "no" and not note:
            raise ChecklistIncomplete(f"{item.text}: a “no” needs a note that says why.")
        if len(note) > NOTE_LENGTH:
            raise ChecklistIncomplete(f"{item.text}: a note has at most {NOTE_LENGTH} characters.")
        before = known.get(item.code)
        if before is None or (before.answer, before.note) != (answer, note):
            fresh.append(
                CheckAnswer(claim=claim, item=item.code, answer=answer, note=note, person=person)
            )
    CheckAnswer.objects.bulk_create(fresh)


def require_same(claim: Claim, given: Mapping[str, str], notes: Mapping[str, str]) -> None:
    """KeyUsed where a form that comes again has other answers than those that are kept."""
    known = answers_of(claim)
    said = {item: (answer, (notes.get(item) or "").strip()) for item, answer in given.items()}
    if said != {item: (known[item].answer, known[item].note) for item in given if item in known}:
        raise KeyUsed(USED)


def missing(claim: Claim) -> list[Item]:
    """The items that nobody has answered."""
    known = answers_of(claim)
    return [item for item in ITEMS if item.code not in known]
