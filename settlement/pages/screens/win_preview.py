"""What a win would fill a screen with: a prize, an amount and a hand among the posted terms.

It is drawn on the page of the screen alone, and no screen reads it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from jackpot.display import values as display
from jackpot.display.names import names_of
from jackpot.labels.figures import in_words
from jackpot.models import Head, Screen
from jackpot.screens import content as screen_content
from jackpot.terms.document import TierTerms
from jackpot.terms.money import micros_to_minor
from rules.best import best_hand
from rules.cards import parse_cards
from rules.games import GAMES
from rules.hands import describe
from settlement.rehearsals.practice_unit import hand_that_wins
from tables.models import GamingTable, JackpotSystem

HIT = "preview"  # in the place of a hit's number
NOW, RESET, LIMIT = "now", "reset", "limit"


@dataclass(frozen=True)
class Prize:
    """A prize that the screen shows, its name in the language of now, and what can be won of it, in
    minor units by its choice."""

    system: JackpotSystem
    tier: TierTerms
    name: str
    amounts: Mapping[str, int]

    @property
    def code(self) -> str:
        return f"{self.system.code}/{self.tier.code}"


def prizes_of(screen: Screen) -> list[Prize]:
    """Those of the terms in force, system by system, the highest first."""
    prizes: list[Prize] = []
    names = names_of(screen.casino_id)
    for system in screen_content.systems_of(screen):
        head = Head.objects.filter(system=system).first()
        current = display.current(system.pk) or {"tiers": []}
        now = {each["tier"]: each["value"] for each in current["tiers"]}
        prizes += [
            Prize(
                system,
                tier,
                names.get(f"{system.code}/{tier.code}", tier.name),
                _amounts(system, tier, now.get(tier.code)),
            )
            for tier in (display.tiers_in_effect(system.pk, head.terms_number) if head else ())
        ]
    return prizes


def choices() -> tuple[tuple[str, str], ...]:
    """The amounts in words; a prize has those that its terms know."""
    return (
        (NOW, _("The value of now")),
        (RESET, _("The value after a win (reset)")),
        (LIMIT, _("The highest value (limit)")),
    )


def news_of(
    prizes: Iterable[Prize], code: str, amount: str, *, with_cards: bool
) -> tuple[str, dict[str, Any]] | None:
    """The code of the system, and what a screen reads of such a win; None where there is none."""
    prize = next((each for each in prizes if each.code == code), None)
    if prize is None or not prize.amounts:
        return None
    table = GamingTable.objects.filter(system=prize.system, moved_to=None).order_by("pk").first()
    value = prize.amounts.get(amount, next(iter(prize.amounts.values())))
    cards, hand = _hand(prize.tier) if with_cards else ([], "")
    item = {
        "system": prize.system.code,
        "hit": HIT,
        "tier": prize.tier.code,
        "prize": prize.name,
        "amount": value,
        "table": table.name if table else "",
        "kind": "win",
        "at": display.as_instant(timezone.now()),
        "cards": cards,
        "hand": hand,
    }
    return prize.system.code, item


def _amounts(system: JackpotSystem, tier: TierTerms, now: int | None) -> dict[str, int]:
    digits = system.casino.minor_digits
    fixed = tier.prize
    if fixed is not None:
        return {NOW: micros_to_minor(fixed, digits)}
    amounts = {NOW: now} if now is not None else {}
    amounts[RESET] = micros_to_minor(tier.reset, digits)
    if tier.limit is not None:
        amounts[LIMIT] = micros_to_minor(tier.limit, digits)
    return amounts


def _hand(tier: TierTerms) -> tuple[list[str], str]:
    """The weakest hand that wins it, as it lies on the screen; nothing where none is known."""
    example = hand_that_wins(tier)
    if example is None:
        return [], ""
    game = GAMES[tier.qualifies().games[0]]
    best = best_hand(game, parse_cards(example.hands[0]["hole"]), parse_cards(example.board))
    words = in_words(describe(best.value))
    return [str(card) for card in best.cards], words[:1].upper() + words[1:]
