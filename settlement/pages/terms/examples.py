"""What terms mean, as drawn cards: of each prize the weakest hand that wins, the strongest that
does not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from django.utils.translation import gettext as _

from jackpot.terms.document import JackpotTerms
from rules.bad_beat import BadBeat
from rules.beat_examples import BeatExample, strongest_beat_that_does_not, weakest_beat_that_wins
from rules.cards import Card
from rules.decks import DECKS, FULL_DECK
from rules.examples import Example, strongest_that_does_not, weakest_that_wins
from rules.hands import describe
from rules.high_hand import HighHand
from rules.tiers import TierTerms
from settlement.core.words.rule_words import GAME_NAMES
from settlement.core.words.translation import translated


@dataclass(frozen=True, slots=True)
class Held:
    """One player's cards of an example; `counts`: the five that make his hand."""

    who: str
    hole: tuple[Card, ...]
    hand_name: str
    counts: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class ExampleHand:
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
    hands: list[ExampleHand]


def examples(terms: JackpotTerms) -> list[PrizeExamples]:
    """By prize, the highest first."""
    rows = []
    for tier in sorted(terms.tiers, key=lambda tier: tier.rank):
        tier_terms = tier.qualifies()
        deck = DECKS[tier_terms.decks[0]]
        where = GAME_NAMES[tier_terms.games[0]]
        if deck.size != FULL_DECK.size:
            where = f"{where}, {translated(deck.name)}"
        rows.append(PrizeExamples(tier.name, where, list(_in_words(tier_terms))))
    return rows


def _in_words(tier_terms: TierTerms) -> Iterator[ExampleHand]:
    """Both examples; one that nothing was found for is left out."""
    wins = _("Weakest that can win") if isinstance(tier_terms, HighHand) else _("Weakest that wins")
    for label, example in zip(
        (wins, _("Strongest that does not")), _examples_of(tier_terms), strict=True
    ):
        if example is not None:
            lacking = None if example.shortfall is None else translated(example.shortfall)
            yield ExampleHand(label, _players(example), example.board, lacking)


def _players(example: Example | BeatExample) -> list[Held]:
    if isinstance(example, Example):
        return [Held("", example.hole, translated(example.label), example.hand.cards)]
    pairs = [
        (_("Beaten hand"), example.hole, example.hand),
        (_("Beaten by"), example.beaten_by, example.beater),
    ]
    return [
        Held(who, hole, translated(describe(hand.value)), hand.cards) for who, hole, hand in pairs
    ]


@lru_cache(maxsize=256)
def _examples_of(tier_terms: TierTerms) -> tuple[Example | BeatExample | None, ...]:
    """The weakest that wins and the strongest that does not. Kept: drawing takes a while."""
    deck = DECKS[tier_terms.decks[0]]
    if isinstance(tier_terms, BadBeat):
        return (
            weakest_beat_that_wins(tier_terms, None, deck),
            strongest_beat_that_does_not(tier_terms, None, deck),
        )
    return (
        weakest_that_wins(tier_terms, None, deck),
        strongest_that_does_not(tier_terms, None, deck),
    )
