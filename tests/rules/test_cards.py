"""Cards (9.1) and their order by suit (16.5(e))."""

import pytest

from rules.cards import RANKS, SUITS, Card, CardError, parse_card, parse_cards
from rules.decks import FULL_DECK


def test_every_card_of_the_deck_reads_back_as_it_is_written():
    assert [parse_card(str(card)) for card in FULL_DECK.cards] == list(FULL_DECK.cards)


def test_9_1_ranks_ascend_from_two_to_ace():
    assert [Card(rank, "c").rank_value for rank in RANKS] == list(range(2, 15))


def test_16_5_e_rank_goes_before_suit_and_suits_descend_from_spades_to_clubs():
    by_hand = parse_cards("As Ah Ad Ac Ks Kh Kd Kc Qs")
    assert sorted(by_hand, reverse=True) == list(by_hand)
    assert SUITS == "shdc"


def test_cards_are_equal_by_rank_and_suit_and_can_be_put_into_sets():
    assert {parse_card("As"), Card("A", "s"), Card("A", "h")} == set(parse_cards("As Ah"))


def test_several_cards_are_read_from_one_text_or_from_a_list():
    assert parse_cards("As Td") == parse_cards(["As", "Td"]) == (Card("A", "s"), Card("T", "d"))
    assert parse_cards("") == ()


@pytest.mark.parametrize(
    ("typed", "spelling"),
    [("10h", "Th"), ("AS", "As"), ("as", "As"), (" As", "As"), ("td", "Td"), ("10H", "Th")],
)
def test_a_card_written_otherwise_is_refused_with_the_right_way_to_write_it(typed, spelling):
    with pytest.raises(CardError, match=f"Write {spelling} for the {parse_card(spelling).name}"):
        parse_card(typed)


@pytest.mark.parametrize("typed", ["", " ", "1s", "Ax", "A", "sA", "Joker", "As Td", "Ass"])
def test_what_is_no_card_is_refused_with_the_way_to_write_one(typed):
    with pytest.raises(CardError, match=r"is not a card. Write the rank .* as in Td\."):
        parse_card(typed)


@pytest.mark.parametrize(("rank", "suit"), [("1", "s"), ("A", "x"), ("10", "h"), ("", "")])
def test_no_card_is_made_of_an_unknown_rank_or_suit(rank, suit):
    with pytest.raises(CardError):
        Card(rank, suit)
