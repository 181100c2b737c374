"""The verifier's own arithmetic of a pool, against figures done by hand."""

import pytest

from verifier.fold.books.pools import Adjustment, Pool
from verifier.fold.books.state import State
from verifier.fold.books.tier_balance import Contradiction, Hit, TierBalance, take
from verifier.fold.claims.payout_bounds import bounds
from verifier.fold.terms.terms import Terms, Tier


def tier(reset: int = 1000, unit: int = 10, share: int = 7_500) -> Tier:
    return Tier("royal", 1, reset, unit, share, (), {})


def hit(number: int, place: int, **more: int) -> Hit:
    new_hit = Hit(number, place, place, "t3", number, 1, {}, 0, tier="royal")
    for name, value in more.items():
        setattr(new_hit, name, value)
    return new_hit


def test_a_share_is_rounded_up_twice_and_the_pool_starts_again() -> None:
    balance = TierBalance(pool=1234, reserve=100, overflow=50)
    assert take(balance, hit(1, 5), tier()) == 930  # 1,240; three quarters 930
    # 1,234 less 925 leaves 309; 691 are missing: overflow 50, reserve 100, operator 541
    assert balance == TierBalance(1000, 0, 0, 930, 541, 5, 5)


def test_what_displays_showed_counts_unless_it_is_older_than_the_hit_before() -> None:
    values = {"royal": 2000}
    for shown_at, due in ((5, 1500), (4, 930)):
        one = hit(1, 9)
        one.on_display, one.shown_at = values, shown_at
        assert take(TierBalance(pool=1234, last=5), one, tier()) == due


def test_without_a_rejected_hit_the_story_is_another_one() -> None:
    pool, first, second = Pool("royal"), hit(1, 5), hit(2, 9)
    pool.feed("pool", 1005)
    pool.place(first, 5)
    pool.feed("pool", 20)
    pool.place(second, 9)
    pool.play(lambda _code, _number: tier(share=10_000))
    assert (first.held, second.held) == (1010, 1020)
    first.state = "rejected"
    pool.play(lambda _code, _number: tier(share=10_000))
    assert second.held == 1030
    assert pool.now == TierBalance(1000, 0, 0, 1030, 1000, 5, 9)


def test_what_was_confirmed_is_never_lowered() -> None:
    pool, first, second = Pool("royal"), hit(1, 5), hit(2, 9, confirmed=7)
    pool.place(first, 5)
    pool.place(second, 9)
    pool.play(lambda _code, _number: tier(reset=0))
    assert (second.held, pool.now.operator, pool.now.covered) == (7, 7, 7)
    assert pool.now.pool == 0


def test_a_limit_stops_contributions_and_never_cuts_a_pool() -> None:
    for pool, fits in ((8, 2), (12, 0)):
        balance = TierBalance(pool=pool, limit=10)
        assert balance.feed(5, 1) == 5 - fits
        assert (balance.pool, balance.reserve, balance.overflow) == (pool + fits, 1, 5 - fits)


def test_what_is_taken_back_comes_from_one_then_the_other_then_the_operator() -> None:
    for pool, reserve, due in (
        (-4, 0, (1, 3, 0)),
        (-7, 0, (0, 1, 0)),
        (-9, 0, (0, 0, 1)),
        (0, -4, (4, 0, 0)),
        (6, -4, (10, 0, 0)),
    ):
        balance = TierBalance(pool=5, reserve=3, overflow=9)
        balance.correct(pool, reserve)
        assert (balance.pool, balance.reserve, balance.operator) == due
        assert balance.overflow == 9


def test_the_least_is_not_always_that_all_earlier_claims_stand() -> None:
    """A correction took the pool below its reset: a hit has it topped up, no hit leaves it."""
    pool, first, second = Pool("royal"), hit(1, 5), hit(2, 9)
    pool.feed("pool", 1000)
    pool.decide(4, Adjustment(-700))
    pool.place(first, 5)
    pool.place(second, 9)
    posted = tier(reset=900, unit=1, share=1_000)
    state = State(unit=10_000, pools={"royal": pool}, open={1: first, 2: second})
    state._in_effect[first.terms] = [Terms("house", (), None, (), (posted,))]
    assert bounds(state, second) == (30, 90)


def test_a_tier_without_terms_is_a_contradiction() -> None:
    with pytest.raises(Contradiction, match="tier royal has no terms at version 1"):
        State(unit=10_000).tier("royal", 1)
