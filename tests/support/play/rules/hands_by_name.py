"""Qualifying hands by name, to ask whether one implies another."""

from typing import Any

from rules.bad_beat import BadBeat
from rules.hands import Category
from rules.high_hand import HighHand
from rules.requirements import Requirement
from rules.terms import Qualifying, Weakest
from rules.tiers import TierTerms

ROYAL, STEEL = Weakest(Category.ROYAL_FLUSH), Weakest(Category.STRAIGHT_FLUSH)


FOURS, HOUSE = Weakest(Category.FOUR_OF_A_KIND), Weakest(Category.FULL_HOUSE)


FLUSH, TRIPS = Weakest(Category.FLUSH), Weakest(Category.THREE_OF_A_KIND)


ACES_FULL = Weakest(Category.FULL_HOUSE, ("A",))


GAMES = ("holdem", "pineapple", "crazy_pineapple", "omaha")


EVERYWHERE: dict[str, Any] = {"games": GAMES, "decks": (52, 40, 32)}


TERMS: dict[str, TierTerms] = {
    "royal": Qualifying(ROYAL, **EVERYWHERE),
    "both": Qualifying(ROYAL, hole_cards_playing=2, **EVERYWHERE),
    "spades": Qualifying(STEEL, suit="s", **EVERYWHERE),
    "hearts": Qualifying(FLUSH, suit="h", **EVERYWHERE),
    "steel": Qualifying(STEEL, hole_cards_playing=1, **EVERYWHERE),
    "fours": Qualifying(FOURS, **EVERYWHERE),
    "shown": Qualifying(HOUSE, showdown_needed=True, **EVERYWHERE),
    "seen": Qualifying(HOUSE, flop_seen=True, **EVERYWHERE),
    "aces": Qualifying(ACES_FULL, **EVERYWHERE),
    "house": Qualifying(HOUSE, hole_cards_playing=1, **EVERYWHERE),
    "flush": Qualifying(FLUSH, **EVERYWHERE),
    "paired": Qualifying(TRIPS, pair_in_hole=True, **EVERYWHERE),
    "trips": Qualifying(TRIPS, hole_cards_playing=1, **EVERYWHERE),
    "named": Qualifying(
        TRIPS,
        by_category=(
            (Category.THREE_OF_A_KIND, Requirement(2, kicker_counts=False)),
            (Category.FLUSH, Requirement(1)),
        ),
        **EVERYWHERE,
    ),
    "high": HighHand(TRIPS, 60, hole_cards_playing=1, games=GAMES),
    "beat": BadBeat(TRIPS, HOUSE, hole_cards_playing=1, **EVERYWHERE),
    "sore": BadBeat(FLUSH, FOURS, hole_cards_playing=2, **EVERYWHERE),
}
