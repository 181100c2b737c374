"""Commission (8.1 to 8.8) and what a round adds to a jackpot (19.2, 19.3)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.commission import (
    CommissionError,
    DropSteps,
    NoCommission,
    Percentage,
    PerHand,
    PerTime,
    RoundMoney,
    most_taken,
)

money = st.integers(0, 10**9).flatmap(
    lambda pot: st.builds(
        RoundMoney, st.just(pot), st.integers(0, pot), st.booleans(), st.booleans()
    )
)


@pytest.mark.parametrize(("basis_points", "allowed"), [(499, 0), (500, 1), (1000, 1), (1001, 0)])
def test_8_2_a_a_percentage_is_from_five_to_ten_percent(basis_points, allowed):
    if allowed:
        assert Percentage(basis_points).due(RoundMoney(10_000)) == basis_points
        return
    with pytest.raises(CommissionError, match=r"5% to 10% \(8\.2\(a\)\)"):
        Percentage(basis_points)


def test_8_2_b_a_fee_per_hand_is_taken_whatever_was_bet():
    assert PerHand(300).due(RoundMoney(5000, blinds_only=True, tied_alone=True)) == 300
    assert PerHand(300).due(RoundMoney(200)) == 200


def test_8_2_c_a_time_charge_takes_nothing_of_a_round():
    hourly = PerTime(1000)
    assert hourly.due(RoundMoney(5000)) == 0
    assert most_taken(hourly, 5000) == 0


def test_8_4_no_commission_may_be_taken():
    assert NoCommission().due(RoundMoney(10**6)) == 0


@pytest.mark.parametrize(("uncalled", "due"), [(0, 500), (1, 499), (10_000, 0)])
def test_8_5_what_was_not_called_is_not_in_the_pot(uncalled, due):
    assert Percentage(500).due(RoundMoney(10_000, uncalled)) == due
    with pytest.raises(CommissionError, match=r"8\.5"):
        RoundMoney(10_000, 10_001)


@pytest.mark.parametrize(("posted", "due"), [(False, 0), (True, 15)])
def test_8_6_nothing_is_taken_of_blinds_alone_unless_posted(posted, due):
    assert Percentage(500, of_blinds_only=posted).due(RoundMoney(300, blinds_only=True)) == due


@pytest.mark.parametrize(("pot", "due"), [(19_980, 999), (20_000, 1000), (20_020, 1000)])
def test_8_7_nothing_is_taken_above_the_cap(pot, due):
    assert Percentage(500, cap=1000).due(RoundMoney(pot)) == due


@pytest.mark.parametrize(("tied", "due"), [(True, 0), (False, 500)])
def test_8_8_nothing_is_taken_when_equal_hands_contested_alone(tied, due):
    assert Percentage(500).due(RoundMoney(10_000, tied_alone=tied)) == due


@pytest.mark.parametrize(("pot", "take"), [(1999, 0), (2000, 100), (4999, 100), (5000, 200)])
def test_19_2_a_drop_is_taken_by_posted_steps(pot, take):
    assert DropSteps(((2000, 100), (5000, 200))).due(RoundMoney(pot)) == take


@pytest.mark.parametrize(
    ("steps", "pot", "take"),
    [
        (((20, 2), (50, 1)), 49, 2),
        (((20, 2), (50, 1)), 60, 1),  # the highest step that the pot reaches
        (((0, 100),), 50, 50),  # no more than there is
        (((0, 100),), 100, 100),
        (((0, 0), (20, 5)), 19, 0),
    ],
)
def test_19_2_the_highest_step_reached_counts_and_no_pot_gives_more_than_it_holds(steps, pot, take):
    assert DropSteps(steps).due(RoundMoney(pot)) == take


@pytest.mark.parametrize(
    ("posted", "called", "most"),
    [
        (Percentage(1000, cap=1000), 9_990, 999),
        (Percentage(1000, cap=1000), 20_000, 1000),
        (Percentage(1000, cap=1000), None, 1000),
        (Percentage(1000), None, None),
        (PerHand(300), None, 300),
        (PerHand(300), 200, 200),
        (PerTime(900), None, 0),
        (NoCommission(), 10_000, 0),
    ],
)
def test_8_2_8_7_the_most_that_a_round_may_give(posted, called, most):
    assert most_taken(posted, called) == most


@pytest.mark.parametrize(
    ("make", "advice"),
    [
        (lambda: Percentage(500, cap=-1), "cap"),
        (lambda: PerHand(-1), "below zero"),
        (lambda: PerTime(-1), "below zero"),
        (lambda: DropSteps(((5, 1), (5, 2))), "smallest pot up"),
        (lambda: DropSteps(((5, -1),)), "below zero"),
    ],
)
def test_what_the_rules_do_not_allow_is_refused(make, advice):
    with pytest.raises(CommissionError, match=advice):
        make()


@given(money, st.integers(500, 1000), st.none() | st.integers(0, 10**6))
def test_a_commission_is_never_above_cap_or_percentage_and_never_below_zero(figures, points, cap):
    due = Percentage(points, cap).due(figures)
    assert 0 <= due <= figures.called_pot * points // 10_000
    assert cap is None or due <= cap
