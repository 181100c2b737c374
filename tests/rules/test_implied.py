"""Which criteria follow from others (19.5): never more is said than is so of every hand."""

import random
from itertools import product
from typing import Any

import pytest

from rules.bad_beat import BadBeat
from rules.decks import DECKS, FULL_DECK
from rules.hands import Category
from rules.high_hand import HighHand
from rules.implied import cards_imply, minimums_imply, never_both
from rules.requirements import Requirement
from rules.terms import Qualifying, Weakest
from rules.tiers import TierTerms
from rules.verdict import judge
from tests.rules.reported import random_report

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


def test_what_a_report_wins_by_one_it_wins_by_what_follows():
    """Thousands of reports as dealers make them; both answers happen for most pairs."""
    rng, met = random.Random(22), set()
    for _ in range(6000):
        report = random_report(rng)
        verdict = judge(report, TERMS)
        won = {code for code in TERMS if verdict.qualifying(code)}
        met |= {(one, other) for one in won for other in won}
        for one, other in product(won, TERMS):
            if other in won:
                assert not never_both(TERMS[one], TERMS[other])
            elif report.deck in TERMS[other].decks:
                assert not cards_imply(TERMS[one], TERMS[other], DECKS[report.deck])
    assert len(met) > 100


@pytest.mark.parametrize(
    ("met", "follows"),
    [
        ("royal", {"fours", "aces", "flush"}),
        ("both", {"royal", "steel", "fours", "aces", "house", "flush", "trips"}),
        ("aces", {"flush"}),
        ("shown", {"seen"}),
        ("seen", {"flush"}),
        ("paired", {"trips", "high"}),
        ("trips", {"high"}),
        ("sore", {"beat", "trips", "high"}),
    ],
)
def test_what_follows_with_the_full_deck(met, follows):
    found = {code for code in TERMS if cards_imply(TERMS[met], TERMS[code], FULL_DECK)}
    assert {met, *follows} <= found


def test_the_order_of_the_deck_decides():
    """With a short deck a flush beats a full house (9.3)."""
    flush, house = Qualifying(FLUSH), Qualifying(HOUSE)
    found = [cards_imply(house, flush, DECKS[size]) for size in (52, 36)]
    assert found == [True, False]
    found = [cards_imply(flush, house, DECKS[size]) for size in (52, 36)]
    assert found == [False, True]


def test_minimums_and_suits():
    low, high = Qualifying(ROYAL, pot_min_minor=500), Qualifying(ROYAL, pot_min_minor=900)
    counted = Qualifying(ROYAL, pot_min_minor=500, players_dealt_min=4)
    assert minimums_imply(high, low) == (True, True)
    assert minimums_imply(low, high) == (True, False)
    assert minimums_imply(low, counted) == (False, True)
    assert never_both(TERMS["spades"], TERMS["hearts"])
    assert not never_both(TERMS["spades"], TERMS["royal"])
