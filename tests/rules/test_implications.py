"""Which criteria follow from others (19.5): never more is said than is so of every hand."""

import random
from itertools import product

import pytest

from rules.bad_beat import BadBeat
from rules.decks import DECKS, FULL_DECK
from rules.hands import Category
from rules.implications import cards_imply, minimums_imply, never_both
from rules.requirements import Requirement
from rules.terms import Qualifying
from rules.verdict import judge
from tests.support.play.rules.hands_by_name import (
    FLUSH,
    FOURS,
    HOUSE,
    ROYAL,
    TERMS,
    TRIPS,
)
from tests.support.play.rules.random_reports import random_report


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
    codes = {code for code in TERMS if cards_imply(TERMS[met], TERMS[code], FULL_DECK)}
    assert {met, *follows} <= codes


def test_the_order_of_the_deck_decides():
    """With a short deck a flush beats a full house (9.3)."""
    flush, house = Qualifying(FLUSH), Qualifying(HOUSE)
    answers = [cards_imply(house, flush, DECKS[size]) for size in (52, 36)]
    assert answers == [True, False]
    answers = [cards_imply(flush, house, DECKS[size]) for size in (52, 36)]
    assert answers == [False, True]


def test_minimums_and_suits():
    low, high = Qualifying(ROYAL, pot_min_minor=500), Qualifying(ROYAL, pot_min_minor=900)
    counted = Qualifying(ROYAL, pot_min_minor=500, players_dealt_min=4)
    assert minimums_imply(high, low) == (True, True)
    assert minimums_imply(low, high) == (True, False)
    assert minimums_imply(low, counted) == (False, True)
    assert never_both(TERMS["spades"], TERMS["hearts"])
    assert not never_both(TERMS["spades"], TERMS["royal"])


@pytest.mark.parametrize(
    ("met", "other", "follows"),
    [
        (BadBeat(FLUSH, HOUSE), BadBeat(FLUSH, HOUSE), True),
        (BadBeat(HOUSE, FOURS), BadBeat(FLUSH, HOUSE), True),
        (BadBeat(TRIPS, FOURS), BadBeat(FLUSH, HOUSE), False),  # the beaten hand may be too low
        (BadBeat(FLUSH, HOUSE), BadBeat(FLUSH, FOURS), False),  # what beats it may be
        (BadBeat(FLUSH, HOUSE, losers_min=2), BadBeat(FLUSH, HOUSE), True),
        (BadBeat(FLUSH, HOUSE), BadBeat(FLUSH, HOUSE, losers_min=2), False),
    ],
)
def test_of_a_bad_beat_both_hands_and_the_number_of_losers_follow(met, other, follows):
    assert cards_imply(met, other, FULL_DECK) is follows


def trips(number, kicker_counts):
    """So many hole cards play in three of a kind; of higher hands nothing is asked."""
    requirements = ((Category.THREE_OF_A_KIND, Requirement(number, kicker_counts=kicker_counts)),)
    return Qualifying(TRIPS, by_category=requirements, games=("holdem",))


def test_with_a_kicker_that_counts_fewer_cards_are_sure_to_play_without_it():
    """(2, True): a kicker may be one of two cards that play, so it does not give (1, False)."""
    kinds = [(1, True), (2, True), (1, False), (2, False)]
    follows = {
        (met, other)
        for met, other in product(kinds, kinds)
        if cards_imply(trips(*met), trips(*other), FULL_DECK)
    }
    assert follows == {
        *((kind, kind) for kind in kinds),
        *(((number, kicker), (1, True)) for number, kicker in kinds),
        ((2, False), (2, True)),
        ((2, False), (1, False)),
    }


def test_what_is_asked_of_a_kind_of_hand_is_not_of_another():
    requirements = ((Category.FLUSH, Requirement(2)),)
    flush = Qualifying(TRIPS, by_category=requirements, games=("holdem",))
    plain = Qualifying(TRIPS, games=("holdem",))
    assert cards_imply(flush, plain, FULL_DECK)
    assert not cards_imply(plain, flush, FULL_DECK)
    assert cards_imply(Qualifying(HOUSE, games=("holdem",)), flush, FULL_DECK)
    assert not cards_imply(Qualifying(FLUSH, games=("holdem",)), flush, FULL_DECK)
