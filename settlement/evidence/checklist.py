"""The checklist of a verification: what is checked on the floor before a jackpot is confirmed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from jackpot.hits.states import DECIDED, HitState
from jackpot.models import Hit
from jackpot.terms.required_evidence import WORDS
from settlement.core.errors import USED, ChecklistIncomplete, KeyUsed
from settlement.core.input import LONGEST_TEXT, stripped_text, text_within
from settlement.core.words.translation import Labels
from settlement.models import CheckAnswer, Claim


@dataclass(frozen=True, slots=True)
class Item:
    """A point of the checklist with the rule it serves."""

    code: str
    english: str
    rule: str  # English, perhaps with words

    @property
    def text(self) -> str:
        return _(self.english)

    @property
    def is_thing(self) -> bool:
        """Whether it claims a thing, by which it is answered (`settlement.evidence.records`)."""
        return self.code in WORDS


_DECK = gettext_noop("19.10 (previous rules)")

ITEMS = (
    Item("frozen", gettext_noop("Pot not pushed, table frozen"), "19.8(b)"),
    Item("face_up", gettext_noop("Hands and first board face up on the layout"), _DECK),
    Item("photographed", gettext_noop("Layout photographed"), _DECK),
    Item("exposed", gettext_noop("Hole cards exposed when the dealer asked"), "19.17"),
    Item("not_folded", gettext_noop("The hand was not folded"), "19.17"),
    Item("dealt_seats", gettext_noop("Dealt seats named before anyone left"), "19.5"),
    Item("posted", gettext_noop("Jackpot displayed and minimums met"), "19.5, 19.7"),
    Item("witness", gettext_noop("Witness of the hand named"), "19.12"),
    Item("deck_counted", gettext_noop("Burns, muck and stub gathered, suits counted"), _DECK),
    Item("sealed", gettext_noop("Deck sealed, bag number noted"), _DECK),
    Item("irregularities", gettext_noop("Round checked for irregularities"), "20.1"),
    Item("surveillance", gettext_noop("Surveillance reviewed the round"), "19.12"),
    Item("display", gettext_noop("Display reading noted, equipment working"), "19.8, 19.14(a)"),
    Item("eligible", gettext_noop("Age and exclusion checked, not an employee"), "19.12"),
    Item("identity", gettext_noop("Winners identified by a document"), "19.12"),
    Item("nearby", gettext_noop("Other recent hands checked"), "19.14(b)"),
    Item("told", gettext_noop("Player informed of the amount and the state of the claim"), "19.12"),
)
ANSWERS = ("yes", "no", "na")
NOTE_NEEDED = Labels(
    {
        "no": gettext_noop("A “no” needs a note that says why."),
        "na": gettext_noop("“Not applicable” needs a note that says why."),
    }
)


def answers_of(claim: Claim) -> dict[str, CheckAnswer]:
    """The newest answer to each item."""
    return {a.item: a for a in claim.answers.select_related("person").order_by("id")}


def takes_answers(hit: Hit) -> bool:
    """Whether the claim still does: until it is decided, and again for a supplement."""
    is_supplement = hit.state in DECIDED and hit.held > hit.confirmed
    return hit.state == HitState.HELD or is_supplement


def record(
    claim: Claim,
    person: Any,
    answers: Mapping[str, str],
    notes: Mapping[str, str],
    shows: Mapping[str, dict[str, Any]] | None = None,
) -> None:
    """Keep the answers that are new or changed, with who and when.

    A "no" or "not applicable" needs a note: somebody will ask why. `shows`: what a "yes" to a
    point that claims a thing refers to.
    """
    stored = answers_of(claim)
    fresh = []
    for item in ITEMS:
        answer, note = answers.get(item.code), text_within(notes.get(item.code) or "")
        if answer is None:
            continue
        if answer not in ANSWERS:
            raise ChecklistIncomplete(
                _("%(item_text)s: answer yes, no or not applicable.") % {"item_text": item.text}
            )
        if note is None:
            raise ChecklistIncomplete(
                _("%(item_text)s: a note has at most %(note_length)s characters.")
                % {"item_text": item.text, "note_length": LONGEST_TEXT}
            )
        if answer != "yes" and not note:
            raise ChecklistIncomplete(f"{item.text}: {NOTE_NEEDED[answer]}")
        things = (shows or {}).get(item.code, {}) if answer == "yes" else {}
        before = stored.get(item.code)
        fields = {"answer": answer, "note": note, "evidence": things}
        if before is None or any(getattr(before, name) != value for name, value in fields.items()):
            fresh.append(CheckAnswer(claim=claim, item=item.code, person=person, **fields))
    CheckAnswer.objects.bulk_create(fresh)


def require_same(
    claim: Claim,
    answers: Mapping[str, str],
    notes: Mapping[str, str],
    typed: Mapping[str, Mapping[str, Any]],
) -> None:
    """KeyUsed where a form that comes again has other answers than those that are kept."""
    stored = answers_of(claim)
    typed_answers = {
        item: (answer, stripped_text(notes.get(item) or "")) for item, answer in answers.items()
    }
    if typed_answers != {
        item: (stored[item].answer, stored[item].note) for item in answers if item in stored
    }:
        raise KeyUsed(USED)
    for item, fields in typed.items():
        shows = stored[item].evidence if item in stored else {}
        shows = shows.get("suits", shows)
        if any(str(shows.get(name)) != stripped_text(str(value)) for name, value in fields.items()):
            raise KeyUsed(USED)


def lacking(answers: Mapping[str, CheckAnswer], requirements: Collection[str]) -> list[Item]:
    """The points that nobody has answered, of those that claim a thing only what is asked for."""
    return [item for item in ITEMS if is_open(item, answers.get(item.code), requirements)]


def is_open(item: Item, answer: CheckAnswer | None, requirements: Collection[str]) -> bool:
    """Whether a point waits for an answer: what is asked for is there, or it is said why not."""
    if item.is_thing and item.code not in requirements:
        return False
    return answer is None or (item.is_thing and answer.answer == "na")
