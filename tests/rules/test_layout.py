"""Reading the cards of a report (3.3(a), 4.1, 9.1) and what must remain of the deck (old 19.10)."""

from hypothesis import given
from hypothesis import strategies as st

from rules.cards import SUITS
from rules.decks import FULL_DECK, Deck
from rules.layout import read_layout, remaining_by_suit
from rules.phrases import Phrase
from tests.support.play.rules.rules_floor import cards, report, seat


def test_cards_are_read_board_by_board_and_seat_by_seat():
    boards = ("As Ks Qs 2d 2c", "As Ks Qs 3d 3c")
    layout = read_layout(report(seat(3, "Js Ts"), seat(5, "Ah Ad"), boards=boards), FULL_DECK)
    assert layout.boards == (cards(boards[0]), cards(boards[1]))
    assert layout.holes == (cards("Js Ts"), cards("Ah Ad"))
    assert layout.faults == ()


def test_4_1_a_card_that_the_deck_has_not_is_a_fault_on_any_board_and_in_any_hand():
    high_cards = Deck(Phrase("deck of high cards"), "AKQJT98765")
    boards = ("As Ks Qs 2d Tc", "As Ks Qs 9d 3c")
    layout = read_layout(report(seat(3, "Js 5s"), seat(5, "Ah 4d"), boards=boards), high_cards)
    assert [(fault.code, fault.rule, fault.seat, fault.text) for fault in layout.faults] == [
        (
            "not_in_deck",
            "4.1",
            number,
            f"{where}: the {name} is not in the deck of high cards. "
            "Look at the layout and amend the report, the card or the deck.",
        )
        for number, where, name in [
            (None, "The board", "two of diamonds"),
            (None, "Board 2", "three of clubs"),
            (5, "Seat 5", "four of diamonds"),
        ]
    ]


def test_without_a_deck_cards_are_read_all_the_same():
    layout = read_layout(report(seat(3, "Js 2s")), None)
    assert layout.holes == (cards("Js 2s"),)
    assert layout.faults == ()


def test_old_19_10_the_cards_that_nobody_reported_remain_by_suit():
    hand = report(
        seat(3, "Js Ts"),
        seat(5, "7h 7d", folded=True),
        boards=("As Ks Qs 2d 2c", "As Ks Qs 3d 3c"),
    )
    remaining = remaining_by_suit(hand)
    assert remaining == {
        "s": cards("9s 8s 7s 6s 5s 4s 3s 2s"),
        "h": cards("Ah Kh Qh Jh Th 9h 8h 6h 5h 4h 3h 2h"),
        "d": cards("Ad Kd Qd Jd Td 9d 8d 6d 5d 4d"),
        "c": cards("Ac Kc Qc Jc Tc 9c 8c 7c 6c 5c 4c"),
    }


def test_old_19_10_thirteen_of_each_suit_remain_when_nothing_can_be_read():
    remaining = remaining_by_suit(report(seat(3, "?? 10s"), board=""))
    assert {suit: len(left) for suit, left in remaining.items()} == dict.fromkeys(SUITS, 13)


def test_old_19_10_nothing_is_said_of_a_deck_that_is_not_played_with():
    assert remaining_by_suit(report(seat(3, "Js Ts"), deck=48)) == {}


@given(st.lists(st.sampled_from(FULL_DECK.cards), min_size=9, max_size=9, unique=True))
def test_reported_and_remaining_cards_are_the_whole_deck(dealt):
    text = [str(card) for card in dealt]
    hand = report(
        seat(1, " ".join(text[:2])), seat(2, " ".join(text[2:4])), board=" ".join(text[4:])
    )
    remaining = [card for left in remaining_by_suit(hand).values() for card in left]
    assert sorted([*remaining, *dealt]) == sorted(FULL_DECK.cards)
