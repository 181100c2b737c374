"""Drawn bad beats: what they show is held against the terms and against the cards."""

import pytest

from rules.bad_beat import BadBeat, ShownHand, settle
from rules.beat_examples import BeatExample, strongest_beat_that_does_not, weakest_beat_that_wins
from rules.best import best_hand
from rules.decks import DECKS
from rules.games import GAMES
from rules.hands import Category
from rules.requirements import Requirement
from rules.weakest import Weakest

FULL, QUADS = Category.FULL_HOUSE, Category.FOUR_OF_A_KIND
STRAIGHT_FLUSH = Category.STRAIGHT_FLUSH

TERMS = [
    BadBeat(Weakest(FULL, ("A", "J")), Weakest(QUADS)),
    BadBeat(Weakest(FULL, ("A", "T")), Weakest(FULL), hole_cards_playing=0),
    BadBeat(Weakest(QUADS), Weakest(QUADS)),
    BadBeat(Weakest(QUADS, ("8",)), Weakest(STRAIGHT_FLUSH), every_loser=True),
    BadBeat(Weakest(Category.FLUSH), Weakest(Category.FLUSH)),
]


def settled(terms: BadBeat, example: BeatExample, game: str, deck: int) -> tuple[int, ...]:
    """Judge the cards of an example again, from the cards alone."""
    held = (example.hole, example.beaten_by)
    cards = [*example.hole, *example.beaten_by, *example.board]
    assert len(set(cards)) == len(cards) == 2 * GAMES[game].hole_cards + 5
    assert set(cards) <= set(DECKS[deck].cards)
    hands = [best_hand(GAMES[game], hole, example.board, DECKS[deck]) for hole in held]
    assert (example.hand, example.beater) == tuple(hands)
    return settle(terms, [ShownHand(1, hands[0]), ShownHand(2, hands[1])]).losers


@pytest.mark.parametrize("deck", [52, 32])
@pytest.mark.parametrize("game", ["holdem", "omaha"])
@pytest.mark.parametrize("terms", TERMS)
def test_19_5_the_weakest_beat_wins_and_the_strongest_that_does_not_does_not(
    terms: BadBeat, game: str, deck: int
) -> None:
    wins = weakest_beat_that_wins(terms, GAMES[game], DECKS[deck])
    assert wins is not None
    assert wins.shortfall is None
    assert settled(terms, wins, game, deck) == (1,)
    loses = strongest_beat_that_does_not(terms, GAMES[game], DECKS[deck])
    assert loses is not None
    assert loses.shortfall == f"the lowest losing hand is {terms.losing.label}"
    assert settled(terms, loses, game, deck) == ()
    assert loses.hand.value < wins.hand.value
    assert loses.beater.value > loses.hand.value
    assert terms.beaten_by.reached_by(loses.beater.value)


@pytest.mark.parametrize(
    ("losing", "ranks", "weakest", "strongest"),
    [
        (FULL, ("A", "J"), (FULL, (14, 11)), (FULL, (14, 10))),
        (QUADS, (), (QUADS, (2, 3)), (FULL, (14, 13))),
        (QUADS, ("8",), (QUADS, (8, 4)), (QUADS, (7, 14))),
    ],
)
def test_no_lower_one_and_no_higher_one_is_possible(
    losing: Category,
    ranks: tuple[str, ...],
    weakest: tuple[Category, tuple[int, ...]],
    strongest: tuple[Category, tuple[int, ...]],
) -> None:
    """Worked out by hand. Two eights in the hand and two on the board: eights with a three are
    not to be had, since the hand that beats them must find three of its cards on that board."""
    terms = BadBeat(Weakest(losing, ranks), Weakest(QUADS))
    wins, loses = weakest_beat_that_wins(terms), strongest_beat_that_does_not(terms)
    assert wins is not None
    assert loses is not None
    assert (wins.hand.value.category, wins.hand.value.ranks) == weakest
    assert (loses.hand.value.category, loses.hand.value.ranks) == strongest


def test_none_where_nothing_can_be_drawn() -> None:
    several = BadBeat(Weakest(FULL), Weakest(QUADS), losers_min=2)
    assert weakest_beat_that_wins(several) is None  # two hands and the one that beats them
    anything = BadBeat(Weakest(Category.NO_PAIR), Weakest(QUADS))
    assert strongest_beat_that_does_not(anything) is None  # nothing is too low


def test_19_5_the_drawn_hands_have_what_is_asked_of_their_kind() -> None:
    pairs = tuple((kind, Requirement(pair_in_hole=True)) for kind in (QUADS, FULL))
    beat = weakest_beat_that_wins(BadBeat(Weakest(FULL), Weakest(QUADS), by_category=pairs))
    assert beat is not None
    assert all(len({card.rank for card in cards}) == 1 for cards in (beat.hole, beat.beaten_by))
