"""Hands with every number of cards of every suit, in every game with every deck (4.1, 9)."""

import random
from collections.abc import Iterator
from itertools import product

import pytest

from rules.best import best_hand
from rules.cards import SUITS, parse_cards
from rules.decks import DECKS
from rules.games import GAMES
from tests.rules import oracle
from tests.support.play.rules.rules_floor import cards

SEED = 190_716


def shared_out(number: int) -> Iterator[tuple[int, ...]]:
    """Every way in which so many cards can be of the four suits."""
    for first in product(range(number + 1), repeat=3):
        if sum(first) <= number:
            yield (*first, number - sum(first))


def deals(game: str, deck: int) -> Iterator[tuple[list[str], list[str]]]:
    """Hole and community cards in every such way, with ranks thrown with dice."""
    rng = random.Random(SEED)
    ranks = DECKS[deck].ranks
    for held, shared in sorted(GAMES[game].shapes):
        for hole_suits, board_suits in product(shared_out(held), shared_out(shared)):
            hole, board = [], []
            for suit, own, common in zip(SUITS, hole_suits, board_suits, strict=True):
                if own + common > len(ranks):
                    break
                dealt = rng.sample(ranks, own + common)
                hole += [rank + suit for rank in dealt[:own]]
                board += [rank + suit for rank in dealt[own:]]
            else:
                yield hole, board


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("game", GAMES)
def test_every_number_of_cards_of_every_suit_is_ranked(game: str, deck: int) -> None:
    for hole, board in deals(game, deck):
        best = best_hand(GAMES[game], parse_cards(hole), parse_cards(board), DECKS[deck])
        hand_value = best.value.category.label, list(best.value.ranks)
        assert hand_value == oracle.worth(game, deck, hole, board), (hole, board)
        value = oracle.worth("draw", deck, list(map(str, best.cards)), [])
        if "manila" not in game:
            assert value == hand_value, (hole, board)


def test_eight_and_nine_clubs_in_omaha_with_forty_cards() -> None:
    """Eight of nine are clubs: their number must not be taken for a two, which the deck has not."""
    best = best_hand(GAMES["omaha"], cards("Kc Qc 8c 7c"), cards("Ac Jc Tc 6c 5d"), DECKS[40])
    assert best.value.category.label == "royal flush"
    nine = best_hand(GAMES["omaha"], cards("Kc Qc 8c 7c"), cards("Ac Jc Tc 6c 5c"), DECKS[40])
    assert nine.value.category.label == "royal flush"
