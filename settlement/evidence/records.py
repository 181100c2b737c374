"""What answers the points of the checklist that claim a thing: the thing, not a word (19.12).

Footage, photographs and identified players are records of the workbench, to which the answer
refers; a bag number, a witness, a reading and the suits counted are typed with it. The terms post
what is asked for, above which amount (`jackpot.terms.required_evidence`); the database asks the
same of a verification and of a confirmation (`evidence_lacking`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from jackpot.display.values import in_effect
from jackpot.labels.figures import write_money_exact
from jackpot.models import Hit
from jackpot.terms.document import JackpotTerms
from jackpot.terms.required_evidence import Thing, required_evidence_of
from rules.cards import SUITS
from settlement.core.errors import ChecklistIncomplete, WrongState
from settlement.core.input import stripped_text, text_within
from settlement.core.words.rule_words import SUIT_TITLES
from settlement.core.words.rule_words import SUITS as SUIT_NAMES
from settlement.core.words.translation import Labels
from settlement.evidence import checklist, deck
from settlement.evidence.assessment import HandAssessment, examine
from settlement.evidence.filetypes import TYPES
from settlement.models import CheckAnswer, Claim

LONGEST = 100
Typed = Mapping[str, Mapping[str, Any]]  # by point, then by the name of a field
# What is typed, by point: labels by name.
FIELDS: dict[str, Labels[str]] = {
    "sealed": Labels({"bag": gettext_noop("Bag number")}),
    "display": Labels({"reading": gettext_noop("What the display showed")}),
    "witness": Labels(
        {"name": gettext_noop("Name of the witness"), "capacity": gettext_noop("Capacity")}
    ),
    "deck_counted": SUIT_TITLES,
}
_IMAGES = [code for code, file_type in TYPES.items() if file_type.is_inline]


@dataclass(frozen=True, slots=True)
class Posted:
    """What the terms of the claim's prize ask for, each above an amount in micros."""

    hit: Hit
    evidence: Mapping[Any, int]

    def requirements(self, amount: int | None = None) -> frozenset[Thing]:
        """What is asked of the claim, or of so much of it."""
        return required_evidence_of(self.evidence, comes_to(self.hit) if amount is None else amount)

    def above(self, thing: str) -> str:
        """From where on a thing is asked for, in words; empty where it never is."""
        if thing not in self.evidence:
            return ""
        casino = self.hit.system.casino
        return write_money_exact(self.evidence[thing], casino)


def posted(hit: Hit, terms: Iterable[JackpotTerms] | None = None) -> Posted:
    """What is posted for the claim's prize. `terms`: those of the hand, where they are known."""
    if hit.tier is None:
        return Posted(hit, {})
    for jackpot in in_effect(hit.system_id, hit.terms) if terms is None else terms:
        if any(tier.code == hit.tier.code for tier in jackpot.tiers):
            return Posted(hit, jackpot.evidence)
    return Posted(hit, {})


def comes_to(hit: Hit) -> int:
    """What counts for what is asked: what the claim holds. A candidate for a high hand holds
    nothing before its period ends: there it is the value of the prize when it was recorded."""
    if hit.tier is not None and hit.strength is not None and hit.closing is None:
        return max(hit.held, hit.values.get(hit.tier.code, 0))
    return hit.held


@dataclass
class Bench:
    """What there is for a claim: records of the workbench, and what the rules make of its hand."""

    claim: Claim
    hit: Hit

    @cached_property
    def examination(self) -> HandAssessment:
        return examine(self.hit)

    @cached_property
    def winners(self) -> list[int]:
        """Seats that win by their hands; while only a call is there, those that were called."""
        if self.hit.payees:
            return sorted({p.seat for p in self.hit.payee_lines if p.role != "table"})
        return sorted(self.examination.winners(self.hit)) or sorted(self.hit.called_seats)

    @cached_property
    def count(self) -> deck.Count:
        return deck.count_of(self.claim, self.examination.remaining)

    def record_of(self, item: checklist.Item, typed: Mapping[str, Any]) -> dict[str, Any]:
        """What a "yes" refers to. ChecklistIncomplete says what is missing, and where it goes."""
        record: dict[str, Any] = _READERS[item.code](self, typed)
        return record


def read_answers(
    claim: Claim, hit: Hit, answers: Mapping[str, str], typed: Typed
) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """What the answers refer to, and what is wrong with the others, by point.

    What was typed for a point before stays unless something else is typed.
    """
    bench, terms = Bench(claim, hit), posted(hit)
    requirements, stored = terms.requirements(), checklist.answers_of(claim)
    shows: dict[str, dict[str, Any]] = {}
    faults: dict[str, str] = {}
    for item in checklist.ITEMS:
        answer = answers.get(item.code)
        if not item.is_thing or answer is None:
            continue
        if answer == "na" and item.code in requirements:
            faults[item.code] = _(
                "The terms ask for it above %(amount)s: add it, or answer “no” and enter why "
                "it is not available."
            ) % {"amount": terms.above(item.code)}
        if answer != "yes":
            continue
        before = stored.get(item.code)
        fields = typed.get(item.code) or _typed_before(before)
        try:
            shows[item.code] = bench.record_of(item, fields)
        except ChecklistIncomplete as fault:
            faults[item.code] = str(fault)
    return shows, faults


def require_taken(
    claim: Claim, hit: Hit, answers: Mapping[str, str], typed: Typed
) -> dict[str, dict[str, Any]]:
    """What the answers refer to. ChecklistIncomplete says what is wrong with which of them,
    WrongState that none is taken any more."""
    if not checklist.takes_answers(hit):
        raise WrongState(_("The claim is decided: its checklist is closed."))
    shows, faults = read_answers(claim, hit, answers, typed)
    if faults:
        texts = {item.code: item.text for item in checklist.ITEMS}
        raise ChecklistIncomplete(" ".join(f"{texts[code]}: {why}" for code, why in faults.items()))
    return shows


def require(claim: Claim, hit: Hit, amount: int | None = None) -> None:
    """Refuse while something is missing that is asked for, or is no longer what it was.

    `amount`: of a confirmation; what it comes to with what was confirmed before, in micros.
    """
    terms, stored = posted(hit), checklist.answers_of(claim)
    requirements = terms.requirements(amount)
    lacking = [
        _("%(point)s (asked for above %(amount)s)")
        % {"point": item.text, "amount": terms.above(item.code)}
        for item in checklist.lacking(stored, requirements)
        if item.is_thing
    ]
    if lacking:
        raise ChecklistIncomplete(
            _(
                "Still missing: %(points)s. Add it on the checklist, or answer “no” there and "
                "enter why it is not available."
            )
            % {"points": "; ".join(lacking)}
        )
    stale = [f"{item.text}: {why}" for item, why in no_longer(claim, hit, stored, requirements)]
    if stale:
        raise ChecklistIncomplete(" ".join(stale))


def no_longer(
    claim: Claim, hit: Hit, stored: Mapping[str, CheckAnswer], requirements: Iterable[str]
) -> list[tuple[checklist.Item, str]]:
    """Points answered "yes" with what does not fit the report any more: (point, why)."""
    bench, faults = Bench(claim, hit), []
    for item in checklist.ITEMS:
        answer = stored.get(item.code)
        if item.code not in requirements or answer is None or answer.answer != "yes":
            continue
        try:
            if item.code == "identity":
                seats = {row.pk: row.seat for row in claim.identifications.only("seat")}
                seats_shown = {seats.get(pk) for pk in answer.evidence.get("identifications", ())}
                _require_identified(bench, {seat for seat in seats_shown if seat is not None})
            elif item.code == "deck_counted":
                _counted(bench, _typed_before(answer))
        except ChecklistIncomplete as fault:
            faults.append((item, str(fault)))
    return faults


def in_words(answer: CheckAnswer) -> str:
    """What was typed with an answer; records stand beside their point as they are."""
    shows = answer.evidence
    if "suits" in shows:
        return deck.suits_in_words(shows["suits"])
    return ", ".join(str(shows[name]) for name in FIELDS.get(answer.item, ()) if name in shows)


# --- what each of them is ------------------------------------------------------------------------


def _typed_before(answer: CheckAnswer | None) -> Mapping[str, Any]:
    if answer is None:
        return {}
    fields: Mapping[str, Any] = answer.evidence.get("suits", answer.evidence)
    return fields


def _footage(bench: Bench, _typed: Mapping[str, Any]) -> dict[str, Any]:
    reviews = list(bench.claim.footage.values_list("pk", flat=True))
    if not reviews:
        raise ChecklistIncomplete(_("Add the review of the footage under Evidence first."))
    return {"footage": reviews}


def _photographs(bench: Bench, _typed: Mapping[str, Any]) -> dict[str, Any]:
    photographs = bench.claim.attachments.filter(kind__in=_IMAGES).values_list("pk", flat=True)
    if not photographs:
        raise ChecklistIncomplete(_("Attach the photograph under Evidence first."))
    return {"attachments": list(photographs)}


def _identified(bench: Bench, _typed: Mapping[str, Any]) -> dict[str, Any]:
    identifications = dict(
        bench.claim.identifications.filter(seat__isnull=False)
        .order_by("pk")
        .values_list("seat", "pk")
    )
    _require_identified(bench, {seat for seat in identifications if seat is not None})
    if not identifications:
        raise ChecklistIncomplete(_("Identify the player under Evidence first."))
    return {"identifications": sorted(identifications.values())}


def _require_identified(bench: Bench, seats: Iterable[int]) -> None:
    left = [str(seat) for seat in bench.winners if seat not in {*seats}]
    if left:
        raise ChecklistIncomplete(
            ngettext(
                "Identify the player of seat %(seats)s under Evidence first.",
                "Identify the players of seats %(seats)s under Evidence first.",
                len(left),
            )
            % {"seats": ", ".join(left)}
        )


def _counted(bench: Bench, typed: Mapping[str, Any]) -> dict[str, Any]:
    """The suits as they were typed, or as the ticks say; they are what must remain."""
    due = {suit: len(bench.examination.remaining.get(suit, ())) for suit in SUITS}
    if not any(due.values()):
        raise ChecklistIncomplete(
            _("There is only a call so far: count once the hand is reported.")
        )
    if bench.count.is_whole:
        return {"suits": due, "tick": max(row.pk for row in bench.count.ticks.values())}
    deck.require_not_halfway(bench.count)
    counted = {suit: stripped_text(str(typed.get(suit, ""))) for suit in SUITS}
    if not all(number.isascii() and number.isdigit() for number in counted.values()):
        raise ChecklistIncomplete(_("Tick the cards off, or type how many of each suit remain."))
    wrong = [suit for suit in SUITS if int(counted[suit][:3]) != due[suit]]
    if wrong:
        cards = ", ".join(
            _("%(counted)s %(suit)s where %(due)s must remain")
            % {"counted": counted[suit][:3], "suit": SUIT_NAMES[suit], "due": due[suit]}
            for suit in wrong
        )
        raise ChecklistIncomplete(
            _("This does not match the reported cards: %(named)s. Count again.") % {"named": cards}
        )
    return {"suits": due}


def _typed_in(point: str) -> Any:
    def read_fields(_bench: Bench, typed: Mapping[str, Any]) -> dict[str, Any]:
        texts = {}
        for name, label in FIELDS[point].items():
            text = text_within(str(typed.get(name, "")), LONGEST)
            if text is None:
                raise ChecklistIncomplete(
                    _("%(field)s: at most %(most)s characters.") % {"field": label, "most": LONGEST}
                )
            if not text:
                raise ChecklistIncomplete(
                    _("%(field)s is missing: type it here.") % {"field": label}
                )
            texts[name] = text
        return texts

    return read_fields


_READERS: dict[str, Any] = {
    "surveillance": _footage,
    "photographed": _photographs,
    "identity": _identified,
    "deck_counted": _counted,
    **{point: _typed_in(point) for point in ("sealed", "display", "witness")},
}
