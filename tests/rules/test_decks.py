"""Decks (4.1)."""

from rules.cards import SUITS, Card
from rules.decks import DECKS, FULL_DECK, Deck
from rules.phrases import Phrase


def test_4_1_a_the_full_deck_has_thirteen_ranks_in_four_suits():
    assert FULL_DECK.size == len(set(FULL_DECK.cards)) == 52
    for suit in SUITS:
        ranks = "".join(card.rank for card in FULL_DECK.cards if card.suit == suit)
        assert ranks == "AKQJT98765432"


def test_decks_are_found_by_their_size():
    assert {size: deck.size for size, deck in DECKS.items()} == {52: 52, 40: 40, 36: 36, 32: 32}


def test_a_card_of_a_rank_that_is_left_out_is_not_in_the_deck():
    without_low_cards = Deck(Phrase("deck without low cards"), "AKQJT98765")
    assert Card("5", "c") in without_low_cards
    assert Card("4", "c") not in without_low_cards
    assert "5c" not in without_low_cards
