"""How likely a tier is to be won, from the terms that the engine executes: where it was counted."""

from __future__ import annotations

from fractions import Fraction

from jackpot.terms.document import TierTerms
from rules.decks import DECKS
from rules.games import GAMES
from rules.known_odds import ODDS
from rules.odds_lookup import key_of
from rules.phrases import Figure, Phrase
from rules.terms import Qualifying


def chances(tier: TierTerms) -> list[Phrase]:
    """The chance of a player who stays to the last card, game by game and deck by deck.

    What nobody counted before is left out: it would take a while. Bad beats, and the Pineapples,
    in which it depends on what is discarded, have none.
    """
    qualifying = tier.qualifies()
    if not isinstance(qualifying, Qualifying):
        return []
    return [
        Phrase("%(game)s: 1 in %(number)s", game=_played(game, size), number=_one_in(chance))
        for game in qualifying.games
        for size in qualifying.decks
        if (key := key_of(qualifying, GAMES[game], DECKS[size])) and (chance := ODDS.get(key))
    ]


def _played(game: str, size: int) -> Phrase:
    label = GAMES[game].label
    return label if size == 52 else Phrase.joined([label, DECKS[size].name], ", ")


def _one_in(chance: tuple[int, int]) -> Figure:
    number = 1 / Fraction(*chance)
    return Figure(f"{round(number):,}" if number >= 100 else f"{float(number):.1f}")
