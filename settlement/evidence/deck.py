"""The rest of the deck, counted card by card: what must remain, and who found which card.

Burns, muck and stub are gathered and sorted by suit (19.10, previous rules). What must remain are
the cards of the game's deck that do not lie face up by the report.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from rules.cards import SUITS, Card
from settlement.core.errors import BadCount, ChecklistIncomplete
from settlement.core.words.rule_words import SUITS as SUIT_NAMES
from settlement.core.words.translation import in_english
from settlement.evidence import checklist
from settlement.models import Claim, DeckTick

POINT = "deck_counted"  # of the checklist


@dataclass(frozen=True, slots=True)
class Count:
    """How far the count is. `stray`: found in the deck, though the report has them face up."""

    remaining: tuple[str, ...]
    ticks: Mapping[str, DeckTick]
    stray: tuple[str, ...]

    @property
    def missing(self) -> tuple[str, ...]:
        """Cards that must remain and that nobody has found."""
        return tuple(card for card in self.remaining if card not in self.ticks)

    @property
    def ticked(self) -> int:
        """How many of the cards that must remain were found."""
        return len(self.remaining) - len(self.missing)

    @property
    def is_begun(self) -> bool:
        return bool(self.ticks)

    @property
    def is_whole(self) -> bool:
        return bool(self.remaining) and not self.missing and not self.stray


def count_of(claim: Claim | None, remaining: Mapping[str, tuple[Card, ...]]) -> Count:
    """The count of a claim, given the cards that must remain by suit; None: none has begun."""
    newest: dict[str, DeckTick] = {}
    for tick in claim.ticks.select_related("person") if claim is not None else ():
        newest[tick.card] = tick
    ticks = {card: tick for card, tick in newest.items() if tick.found}
    cards = tuple(str(card) for suit in SUITS for card in remaining.get(suit, ()))
    stray = tuple(card for card in sorted(ticks) if card not in cards)
    return Count(cards, ticks, stray)


def tick(claim: Claim, user: Any, before: Count, cards: set[str], taken_back: set[str]) -> int:
    """Keep what is new of the ticks; how many that were. BadCount for a card that lies face up.

    What completes the count answers its point of the checklist, and so does what opens it again.
    """
    wrong = sorted(cards - set(before.remaining))
    if wrong:
        raise BadCount(
            _(
                "%(wrong)s: by the report this is not a card of the rest of the deck. Look"
                " at the layout, and amend the report if it was typed wrong."
            )
            % {"wrong": ", ".join(wrong)}
        )
    fresh = {card: True for card in cards if card not in before.ticks}
    fresh |= {card: False for card in taken_back if card in before.ticks}
    DeckTick.objects.bulk_create(
        [DeckTick(claim=claim, card=card, found=fresh[card], person=user) for card in sorted(fresh)]
    )
    after = Count(
        before.remaining,
        {card: row for card, row in before.ticks.items() if fresh.get(card, True)}
        | {card: DeckTick(card=card) for card in cards},
        tuple(card for card in before.stray if fresh.get(card, True)),
    )
    if after.is_whole and not before.is_whole:
        counted = {suit: sum(card[-1] == suit for card in after.remaining) for suit in SUITS}
        newest = claim.ticks.order_by("pk").values_list("pk", flat=True).last()
        shows = {POINT: {"suits": counted, "tick": newest}}
        with in_english():
            note = in_words(after)
        checklist.record(claim, user, {POINT: "yes"}, {POINT: note}, shows)
    elif before.is_whole and not after.is_whole:
        note = f"The count is open again: {', '.join(after.missing)} not found"
        checklist.record(claim, user, {POINT: "no"}, {POINT: note})
    return len(fresh)


def in_words(count: Count) -> str:
    """`All 45 cards ticked off: 12 spades, 11 hearts, 11 diamonds, 11 clubs`."""
    counted = {suit: sum(card[-1] == suit for card in count.remaining) for suit in SUITS}
    return _("All %(count)s cards ticked off: %(suits)s") % {
        "count": len(count.remaining),
        "suits": suits_in_words(counted),
    }


def suits_in_words(counted: Mapping[str, Any]) -> str:
    """How many of each suit: `12 spades, 11 hearts, 11 diamonds, 11 clubs`."""
    return ", ".join(f"{counted[suit]} {SUIT_NAMES[suit]}" for suit in SUITS)


def require_whole(claim: Claim, remaining: Mapping[str, tuple[Card, ...]]) -> None:
    """A count that somebody began is whole before the deck is said to be right."""
    count = count_of(claim, remaining)
    answer = checklist.answers_of(claim).get(POINT)
    if answer is not None and answer.answer == "yes":
        require_not_halfway(count)


def require_not_halfway(count: Count) -> None:
    """A count that was begun in ticks is ticked to its end, or the answer is no "yes"."""
    if not count.is_begun or count.is_whole:
        return
    faults = (
        [_("not found: %(missing)s") % {"missing": ", ".join(count.missing)}]
        if count.missing
        else []
    )
    if count.stray:
        faults.append(
            _("found, though it lies face up: %(stray)s") % {"stray": ", ".join(count.stray)}
        )
    raise ChecklistIncomplete(
        _(
            "The deck is not counted to its end (%(faults)s). Tick the cards off,"
            " or answer “no” on the checklist with a note."
        )
        % {"faults": "; ".join(faults)}
    )
