"""Odd units from the button (Robert's ties 4, 5(a)) and share plans (19.13)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.best import best_hand
from rules.division import (
    BASIS_POINTS,
    PlannedShare,
    deciding_cards,
    divide_by_plan,
    divide_from_button,
)
from rules.games import GAMES
from rules.phrases import PhrasedError
from tests.support.play.rules.rules_floor import cards


@pytest.mark.parametrize(
    ("button", "shares"),
    [
        (1, (34, 33, 33)),
        (2, (33, 34, 33)),  # the button itself is last
        (4, (33, 34, 33)),
        (5, (33, 33, 34)),
        (10, (34, 33, 33)),
    ],
)
def test_roberts_ties_5_a_the_first_hand_clockwise_from_the_button_gets_the_odd_unit(
    button, shares
):
    assert divide_from_button(100, [2, 5, 9], 1, button) == shares


def test_roberts_ties_4_nobody_gets_more_than_one_odd_unit():
    assert divide_from_button(101, [2, 5, 9], 1, button=5) == (34, 33, 34)
    assert divide_from_button(300, [2, 5, 9], 50, button=5) == (100, 100, 100)
    assert divide_from_button(350, [2, 5, 9], 50, button=5) == (100, 100, 150)


def test_19_13_a_share_plan_pays_loser_winner_and_table():
    plan = [PlannedShare(5000, (3,)), PlannedShare(2500, (7,)), PlannedShare(2500, (1, 2, 4))]
    paid = divide_by_plan(10_000_00, plan, unit=1_00, button=3)
    assert paid == {3: 5_000_00, 7: 2_500_00, 4: 834_00, 1: 833_00, 2: 833_00}


def test_19_13_a_table_share_without_a_table_goes_to_the_group_named_first():
    plan = [PlannedShare(5000, (3,)), PlannedShare(2500, (7,)), PlannedShare(2500, ())]
    assert divide_by_plan(1000, plan, 1, button=1) == {3: 750, 7: 250}


@pytest.mark.parametrize(
    ("game", "hole", "board", "deciding"),
    [
        ("two_card_manila", "As 2d", "Kh Kd 9c 8s 7h", "As 2d"),
        ("three_card_manila", "As Kd 9h", "Kh Kc 8d 7s 2c", "As Kd"),
        ("draw", "As Kd 9h 8d 7s", "", "As Kd 9h 8d 7s"),
        ("seven_card_stud", "As Kd 9h 8d 7s 3c 2c", "", "As Kd 9h 8d 7s"),
        ("seven_card_stud", "Kd 9h 8d 7s 3c 2c", "As", "Kd 9h 8d 7s"),
    ],
)
def test_11_4_d_to_17_5_e_the_cards_that_decide_on_the_remainder(game, hole, board, deciding):
    best = best_hand(GAMES[game], cards(hole), cards(board))
    assert deciding_cards(GAMES[game], cards(hole), best) == cards(deciding)


@pytest.mark.parametrize(
    ("call", "advice"),
    [
        (lambda: divide_from_button(5, [1, 11], 1, 1), "numbered from 1 to 10"),
        (lambda: divide_from_button(5, [1, 2], 1, 0), "numbered from 1 to 10"),
        (lambda: divide_from_button(5, [], 1, 1), "at least one claimant"),
        (lambda: divide_from_button(5, [1, 1], 1, 1), "named twice"),
        (lambda: divide_from_button(5, [1, 2], 2, 1), "payable units"),
        (lambda: divide_by_plan(5, [PlannedShare(9999, (1,))], 1, 1), "come to 100%"),
        (
            lambda: divide_by_plan(5, [PlannedShare(0, ()), PlannedShare(10_000, (1,))], 1, 1),
            "The first group",
        ),
        (
            lambda: divide_by_plan(
                5, [PlannedShare(11_000, (1,)), PlannedShare(-1000, (2,))], 1, 1
            ),
            "below zero",
        ),
    ],
)
def test_what_cannot_be_divided_is_an_error(call, advice):
    with pytest.raises(ValueError, match=advice):
        call()


seats = st.lists(st.integers(1, 10), min_size=1, max_size=10, unique=True)


@given(st.integers(0, 10**9), st.integers(1, 10**6), seats, st.integers(1, 10))
def test_shares_add_up_and_none_is_below_the_equal_share(units, unit, dealt, button):
    shares = divide_from_button(units * unit, dealt, unit, button)
    equal = units // len(dealt) * unit
    assert sum(shares) == units * unit
    assert set(shares) <= {equal, equal + unit}
    assert sum(shares) - equal * len(dealt) < unit * len(dealt)


@given(st.integers(0, 10**9), st.integers(1, 10**4), seats, st.data())
def test_a_plan_adds_up_in_payable_units_and_no_group_gets_less_than_its_part(
    units, unit, dealt, data
):
    groups = min(3, len(dealt))
    points = st.lists(st.integers(0, 10_000), min_size=groups - 1, max_size=groups - 1)
    cuts = sorted(data.draw(points))
    parts = [b - a for a, b in zip([0, *cuts], [*cuts, BASIS_POINTS], strict=True)]
    plan = [PlannedShare(part, tuple(dealt[place::groups])) for place, part in enumerate(parts)]
    paid = divide_by_plan(units * unit, plan, unit, button=dealt[0])
    assert sum(paid.values()) == units * unit
    assert all(amount % unit == 0 for amount in paid.values())
    for share in plan:
        group_sum = sum(paid[seat] for seat in share.seats)
        assert group_sum >= units * unit * share.basis_points // BASIS_POINTS // unit * unit


def test_19_13_equal_winners_divide_their_part_by_the_highest_card_and_one_alone_has_it():
    winners = PlannedShare(7500, (3, 5), (tuple(cards("Kd Qd")), tuple(cards("Ks 2c"))))
    plan = [winners, PlannedShare(2500, (7,))]
    assert divide_by_plan(1002, plan, unit=1, button=None) == {3: 376, 5: 376, 7: 250}
    assert divide_by_plan(1003, plan, unit=1, button=None) == {3: 376, 5: 377, 7: 250}


def test_19_13_odd_units_of_several_without_cards_want_the_button():
    plan = [PlannedShare(5000, (3,)), PlannedShare(5000, (1, 2))]
    why = "Name the seat of the button: odd units go clockwise from it."
    with pytest.raises(PhrasedError) as refused:
        divide_by_plan(1002, plan, unit=1, button=None)
    assert str(refused.value) == why
    assert divide_by_plan(1002, plan, unit=1, button=1) == {3: 501, 2: 251, 1: 250}
    assert divide_by_plan(1002, plan, unit=1, button=2) == {3: 501, 1: 251, 2: 250}
