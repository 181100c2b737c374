"""How likely a tier is to be won, from the terms that the engine executes: where it was counted."""

from __future__ import annotations

from fractions import Fraction

from jackpot.terms.document import TierTerms
from rules.decks import DECKS
from rules.games import GAMES
from rules.known_odds import KNOWN
from rules.odds_lookup import key_of
from rules.terms import Qualifying


def chances(tier: TierTerms) -> list[str]:
    """The chance of a player who stays to the last card, game by game and deck by deck.

    What nobody counted before is left out: it would take a while. Bad beats, and the Pineapples,
    in which it depends on what is discarded, have none.
    """
    qualifying = tier.qualifies()
    if not isinstance(qualifying, Qualifying):
        return []
    return [
        f"{GAMES[game].label}{'' if size == 52 else f', {DECKS[size].name}'}: {_one_in(known)}"
        for game in qualifying.games
        for size in qualifying.decks
        if (key := key_of(qualifying, GAMES[game], DECKS[size])) and (known := KNOWN.get(key))
    ]


def _one_in(known: tuple[int, int]) -> str:
    number = 1 / Fraction(*known)
    return f"1 in {round(number):,}" if number >= 100 else f"1 in {float(number):.1f}"
