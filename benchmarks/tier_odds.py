"""How long it takes to count the odds of a tier, and what they are.

    python -m benchmarks.tier_odds [--write]

Counts every tier of the list again, without the answers that the package ships; --write puts
them into rules/known_odds.py. Required of one process: a royal flush in Hold-em within 1 s, any
other tier of Hold-em within 30 s.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from rules.decks import DECKS, Deck
from rules.games import GAMES, Game
from rules.hands import Category
from rules.odds import odds_of_player
from rules.odds_lookup import Key, key_of
from rules.terms import Qualifying, Weakest

ROYAL_LIMIT_S = 1.0
LIMIT_S = 30.0
FILE = Path(__file__).parent.parent / "rules" / "known_odds.py"
HEAD = '''"""The odds of customary tiers: `python -m benchmarks.tier_odds --write` counted them.

By what `rules.odds_lookup.key_of` says of a tier: hands that qualify, out of so many.
"""

KNOWN: dict[tuple[str, int, str, str, str, int, bool], tuple[int, int]] = {
'''


def tiers() -> Iterator[Qualifying]:
    """Yield the customary tiers, from the rarest to the commonest."""
    decks = tuple(DECKS)
    for playing in (0, 1, 2):
        yield Qualifying(Weakest(Category.ROYAL_FLUSH), hole_cards_playing=playing, decks=decks)
    for playing in (0, 2):
        royal = Weakest(Category.ROYAL_FLUSH)
        yield Qualifying(royal, suit="s", hole_cards_playing=playing, decks=decks)
        for category in list(Category)[-2:2:-1]:
            yield Qualifying(Weakest(category), hole_cards_playing=playing, decks=decks)
        aces_full = Weakest(Category.FULL_HOUSE, ("A", "T"))
        yield Qualifying(aces_full, hole_cards_playing=playing, decks=decks)
    yield Qualifying(Weakest(Category.FOUR_OF_A_KIND, ("T",)), pair_in_hole=True, decks=decks)
    yield Qualifying(Weakest(Category.FOUR_OF_A_KIND), pair_in_hole=True, decks=decks)


def places() -> Iterator[tuple[Game, Deck]]:
    """Yield the games whose odds can be counted, with every deck."""
    for code in ("holdem", "omaha"):
        for deck in DECKS.values():
            yield GAMES[code], deck


def main() -> None:
    """Count, print, and fail when a requirement is missed."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--write", action="store_true")
    arguments = options.parse_args()
    chances: dict[Key, tuple[int, int]] = {}
    late = []
    for game, deck in places():
        for terms in tiers():
            begin = time.perf_counter()
            chance = odds_of_player(terms, game, deck)
            took_s = time.perf_counter() - begin
            key = key_of(terms, game, deck)
            assert key is not None  # none of these asks something of single kinds of hand
            chances[key] = chance.numerator, chance.denominator
            print(f"{took_s:7.2f} s  1 in {float(1 / chance):14,.1f}  {key}", flush=True)
            is_royal = terms.weakest.category is Category.ROYAL_FLUSH
            if game.code == "holdem" and took_s > (ROYAL_LIMIT_S if is_royal else LIMIT_S):
                late.append(key)
    if arguments.write:
        lines = [f"    {key!r}: {odds!r},\n" for key, odds in chances.items()]
        FILE.write_text(HEAD + "".join(lines).replace("'", '"') + "}\n")
    if late:
        sys.exit(f"Too slow: {late}")


if __name__ == "__main__":
    main()
