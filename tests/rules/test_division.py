"""Division of a prize (16.5(e), 17.5(e))."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.best import best_hand
from rules.decks import FULL_DECK
from rules.division import Claimant, deciding_cards, divide_equally
from rules.games import GAMES
from tests.support.play.rules.rules_floor import cards


def claimants(*hands):
    """Claimants in seats 1, 2, 3 with these hole cards."""
    return [Claimant(seat, cards(hand)) for seat, hand in enumerate(hands, start=1)]


def test_16_5_e_an_amount_that_divides_evenly_leaves_nothing_over():
    assert divide_equally(900, claimants("2c 3c", "As Ks", "4d 5d"), 100) == (300, 300, 300)


def test_16_5_e_the_whole_remainder_goes_to_the_highest_hole_card():
    assert divide_equally(1100, claimants("2c 3c", "Kd Qd", "4d 5d"), 100) == (300, 500, 300)


def test_16_5_e_a_higher_rank_goes_before_a_higher_suit():
    assert divide_equally(101, claimants("Ks Qs", "Ac 2c"), 1) == (50, 51)


@pytest.mark.parametrize(("higher", "lower"), ["sh", "sd", "sc", "hd", "hc", "dc"])
def test_16_5_e_equal_ranks_are_decided_by_spades_hearts_diamonds_clubs(higher, lower):
    assert divide_equally(101, claimants(f"A{lower} Qs", f"A{higher} 2c"), 1) == (50, 51)
    assert divide_equally(101, claimants(f"A{higher} 2c", f"A{lower} Qs"), 1) == (51, 50)


def test_16_5_e_shares_stop_at_the_smallest_payable_unit():
    assert divide_equally(1050, claimants("2c 3c", "As Ks"), 50) == (500, 550)
    assert divide_equally(1000, claimants("2c 3c", "As Ks"), 500) == (500, 500)


def test_16_5_e_less_than_a_unit_each_goes_to_the_highest_card_alone():
    assert divide_equally(100, claimants("2c 3c", "As Ks", "4d 5d"), 50) == (0, 100, 0)


def test_one_claimant_takes_all_and_needs_no_cards():
    assert divide_equally(1234, [Claimant(7, ())], 1) == (1234,)
    assert divide_equally(0, claimants("As Ks", "Ah Kh"), 1) == (0, 0)


def test_cards_are_not_needed_where_nothing_is_left_over():
    assert divide_equally(10, [Claimant(1, ()), Claimant(2, ())], 5) == (5, 5)


def test_16_5_e_in_hold_em_all_hole_cards_decide():
    hole, board = cards("As 2d"), cards("Kh Kd Kc Ks Ah")
    game = GAMES["holdem"]
    assert deciding_cards(game, hole, best_hand(game, hole, board)) == hole


def test_17_5_e_in_omaha_the_hole_cards_used_decide():
    hole, board = cards("As 2d 9h 9c"), cards("9d 9s Kc Qd 3h")
    game = GAMES["omaha"]
    assert deciding_cards(game, hole, best_hand(game, hole, board)) == cards("9h 9c")


@pytest.mark.parametrize(
    ("amount", "claiming", "unit", "advice"),
    [
        (101, claimants("As Ks", "Ah Kh"), 50, "not a whole number of payable units"),
        (-50, claimants("As Ks", "Ah Kh"), 50, "not a whole number of payable units"),
        (100, claimants("As Ks", "Ah Kh"), 0, "more than zero"),
        (100, claimants("As Ks", "Ah Kh"), -50, "more than zero"),
        (100, [], 50, "at least one claimant"),
        (100, claimants("As Ks")[:1] * 2, 50, "named twice"),
        (101, [Claimant(1, cards("As Ks")), Claimant(2, ())], 1, "cards of every claimant"),
        (101, claimants("As Ks", "As Kh"), 1, "card is named twice"),
    ],
)
def test_what_cannot_be_divided_is_an_error(amount, claiming, unit, advice):
    with pytest.raises(ValueError, match=advice):
        divide_equally(amount, claiming, unit)


@given(
    units=st.integers(0, 10**9),
    unit=st.integers(1, 10**8),
    number=st.integers(1, 10),
    dealt=st.permutations(FULL_DECK.cards),
)
def test_parts_add_up_and_differ_for_one_claimant_only(units, unit, number, dealt):
    claiming = [Claimant(seat, tuple(dealt[2 * seat : 2 * seat + 2])) for seat in range(number)]
    parts = divide_equally(units * unit, claiming, unit)
    assert sum(parts) == units * unit
    assert all(part % unit == 0 for part in parts)
    equal = units // number * unit
    assert [part for part in parts if part != equal] in ([], [equal + units % number * unit])
    if units % number:
        highest = max(claiming, key=lambda claimant: max(claimant.cards))
        assert parts[claiming.index(highest)] > equal
