"""What a hit takes: rounding in its order, the display, and where a reset comes from."""

from typing import Any

import pytest

from jackpot.domain.state.hits import (
    ContributionTotals,
    Correction,
    PlacedHit,
    Start,
    TierBalances,
    correct,
    hold,
    replay_tier,
)

UNIT = 1_000_000


def placed_hit(**changes: int) -> PlacedHit:
    usual: dict[str, Any] = {"reset": 0, "unit": UNIT, "share": 10_000, "shown": 0}
    return PlacedHit(1, 1, ContributionTotals(), **{**usual, **changes})


@pytest.mark.parametrize(
    ("pool", "held"),
    [(UNIT, UNIT), (UNIT + 1, 2 * UNIT), (2 * UNIT - 1, 2 * UNIT), (0, 0)],
)
def test_19_14_a_the_value_is_rounded_up_to_the_payable_unit(pool: int, held: int) -> None:
    holding = hold(TierBalances(pool, 0, 0), placed_hit())
    assert (holding.held, holding.from_pool, holding.from_operator) == (held, pool, held - pool)


def test_19_14_a_the_value_is_rounded_then_the_share_then_up_again() -> None:
    holding = hold(TierBalances(100 * UNIT + 1, 0, 0), placed_hit(share=5_000))
    assert holding.held == 51 * UNIT  # 101, half of it 50.5, up
    assert holding.from_pool == 50 * UNIT  # half of what is there, the rest stays unrounded
    assert holding.after.pool == 50 * UNIT + 1


@pytest.mark.parametrize(("on_display", "held"), [(9 * UNIT, 10), (10 * UNIT, 10), (11 * UNIT, 11)])
def test_19_14_a_a_display_that_showed_more_is_paid_by_the_operator(
    on_display: int, held: int
) -> None:
    holding = hold(TierBalances(10 * UNIT, 0, 0), placed_hit(shown=on_display))
    assert holding.held == held * UNIT
    assert holding.from_operator == (held - 10) * UNIT


@pytest.mark.parametrize(
    ("pool", "from_pool", "added", "topped"),
    [(60, 50, 0, 0), (50, 50, 0, 9), (20, 20, 30, 9), (0, 0, 50, 9)],
)
def test_a_fixed_prize_comes_from_its_pool_first_the_rest_from_the_operator(
    pool: int, from_pool: int, added: int, topped: int
) -> None:
    holding = hold(TierBalances(pool * UNIT, 0, 0), placed_hit(prize=50 * UNIT, reset=9 * UNIT))
    assert (holding.held, holding.from_operator) == (50 * UNIT, 0)
    assert (holding.from_pool, holding.added) == (from_pool * UNIT, added * UNIT)
    assert holding.top_up_operator == topped * UNIT
    assert holding.after.pool == max(pool - 50, 9) * UNIT


def test_a_display_that_showed_more_than_a_fixed_prize_is_paid_by_the_operator() -> None:
    holding = hold(TierBalances(70 * UNIT, 0, 0), placed_hit(prize=50 * UNIT, shown=60 * UNIT + 1))
    assert (holding.held, holding.from_pool, holding.added) == (61 * UNIT, 50 * UNIT, 0)
    assert holding.from_operator == 11 * UNIT


def test_a_fixed_prize_is_the_same_for_the_first_and_the_second() -> None:
    first, second = (
        placed_hit(prize=50 * UNIT),
        PlacedHit(2, 2, ContributionTotals(), 0, UNIT, 10_000, prize=50 * UNIT),
    )
    after = replay_tier(Start(TierBalances(70 * UNIT)), [first, second])
    assert (after.balances.pool, after.operator, after.rounding) == (0, 0, 0)
    assert after.prizes == 30 * UNIT  # the operator's part, separate from what resets take


def test_a_reset_comes_from_overflow_then_reserve_then_operator() -> None:
    holding = hold(TierBalances(10 * UNIT, 3 * UNIT, 2 * UNIT), placed_hit(reset=9 * UNIT))
    topped = (holding.top_up_overflow, holding.top_up_reserve, holding.top_up_operator)
    assert topped == (2 * UNIT, 3 * UNIT, 4 * UNIT)
    assert holding.after == TierBalances(9 * UNIT, 0, 0)


def test_a_pool_above_its_reset_after_the_share_is_not_topped_up() -> None:
    holding = hold(TierBalances(10 * UNIT, 5 * UNIT, 0), placed_hit(share=1_000, reset=9 * UNIT))
    assert holding.after == TierBalances(9 * UNIT, 5 * UNIT, 0)


def test_what_is_taken_back_comes_from_the_pool_then_the_reserve_then_the_operator() -> None:
    balances = TierBalances(5 * UNIT, 3 * UNIT, 7 * UNIT)
    assert correct(balances, Correction(1, ContributionTotals(), pool=-4 * UNIT)) == (
        TierBalances(UNIT, 3 * UNIT, 7 * UNIT),
        0,
    )
    assert correct(balances, Correction(1, ContributionTotals(), pool=-9 * UNIT)) == (
        TierBalances(0, 0, 7 * UNIT),
        UNIT,
    )
    assert correct(balances, Correction(1, ContributionTotals(), reserve=-4 * UNIT)) == (
        TierBalances(4 * UNIT, 0, 7 * UNIT),
        0,
    )


def test_a_limit_stops_contributions_and_never_cuts_a_pool() -> None:
    assert TierBalances(8, 0, 0).fed(
        ContributionTotals(), ContributionTotals(pool=5), limit=10
    ) == TierBalances(10, 0, 3)
    assert TierBalances(12, 0, 0).fed(
        ContributionTotals(), ContributionTotals(pool=5), limit=10
    ) == TierBalances(12, 0, 5)
    assert TierBalances(8, 0, 0).fed(
        ContributionTotals(), ContributionTotals(pool=5), limit=None
    ) == TierBalances(13, 0, 0)


def test_a_hit_may_leave_more_to_the_next_one_than_none_would() -> None:
    """A void took the pool below its reset: a hit would have it topped up, no hit leaves it."""
    first = PlacedHit(
        1, 1, ContributionTotals(50 * UNIT), 40 * UNIT, UNIT, 1_000
    )  # a tenth; reset 40
    void = Correction(2, ContributionTotals(50 * UNIT), pool=-30 * UNIT)
    last = PlacedHit(2, 3, ContributionTotals(50 * UNIT), 0, UNIT, 10_000)
    stands = replay_tier(Start(), [first, void, last]).holdings[-1].held
    falls = replay_tier(Start(), [void, last]).holdings[-1].held
    assert (stands, falls) == (15 * UNIT, 20 * UNIT)
