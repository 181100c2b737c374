"""What terms mean, as drawn cards: of each prize the weakest hand that wins, the strongest that
does not."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from jackpot.terms.document import JackpotTerms
from rules.bad_beat import BadBeat
from rules.beat_examples import BeatExample, strongest_beat_that_does_not, weakest_beat_that_wins
from rules.cards import Card
from rules.decks import DECKS
from rules.examples import Example, strongest_that_does_not, weakest_that_wins
from rules.games import GAMES
from rules.hands import describe
from rules.high_hand import HighHand
from rules.tiers import TierTerms


@dataclass(frozen=True, slots=True)
class Held:
    """One player's cards of an example; `counts`: the five that make his hand."""

    who: str
    hole: tuple[Card, ...]
    made: str
    counts: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A deal that shows what the terms mean; `shortfall`: what the hand lacks, if it does."""

    label: str
    players: list[Held]
    board: tuple[Card, ...]
    shortfall: str | None


@dataclass(frozen=True, slots=True)
class PrizeExamples:
    """The examples of one prize, in the first game and with the first deck that it names."""

    name: str
    where: str
    drawn: list[Drawn]


def examples(terms: JackpotTerms) -> list[PrizeExamples]:
    """By prize, the highest first."""
    rows = []
    for tier in sorted(terms.tiers, key=lambda tier: tier.rank):
        tier_terms = tier.qualifies()
        deck = DECKS[tier_terms.decks[0]]
        where = GAMES[tier_terms.games[0]].label + ("" if deck.size == 52 else f", {deck.name}")
        rows.append(PrizeExamples(tier.name, where, list(_drawn(tier_terms))))
    return rows


@lru_cache(maxsize=256)
def _drawn(tier_terms: TierTerms) -> tuple[Drawn, ...]:
    """Both examples; one that nothing was found for is left out. Kept: drawing takes a while."""
    deck = DECKS[tier_terms.decks[0]]
    if isinstance(tier_terms, BadBeat):
        beats = [
            ("Weakest that wins", weakest_beat_that_wins(tier_terms, None, deck)),
            ("Strongest that does not", strongest_beat_that_does_not(tier_terms, None, deck)),
        ]
        return tuple(_beat(label, beat) for label, beat in beats if beat is not None)
    wins = "Weakest that can win" if isinstance(tier_terms, HighHand) else "Weakest that wins"
    hands = [
        (wins, weakest_that_wins(tier_terms, None, deck)),
        ("Strongest that does not", strongest_that_does_not(tier_terms, None, deck)),
    ]
    return tuple(_hand(label, hand) for label, hand in hands if hand is not None)


def _hand(label: str, example: Example) -> Drawn:
    held = Held("", example.hole, example.label, example.hand.cards)
    return Drawn(label, [held], example.board, example.shortfall)


def _beat(label: str, example: BeatExample) -> Drawn:
    pairs = [
        ("Beaten hand", example.hole, example.hand),
        ("Beaten by", example.beaten_by, example.beater),
    ]
    held = [Held(who, hole, describe(hand.value), hand.cards) for who, hole, hand in pairs]
    return Drawn(label, held, example.board, example.shortfall)
