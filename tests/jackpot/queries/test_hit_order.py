"""What two hits of one tier come to in either order (19.14(b))."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from jackpot.domain.state.hits import (
    ContributionTotals,
    Correction,
    Element,
    PlacedHit,
    Start,
    TierBalances,
)
from jackpot.queries.hit_order import Orders, either_order, orders
from jackpot.terms.money import MICROS
from tests.support.play.books import royal_terms
from tests.support.play.house import House
from tests.support.suite.kept_house import kept_house


def money(units: float) -> int:
    return round(units * 100) * MICROS // 100


def placed_hit(hit: int, place: int, fed: float, **more: int) -> PlacedHit:
    terms: dict[str, Any] = {"reset": money(1000), "unit": money(1), "share": 10_000, **more}
    return PlacedHit(hit, place, ContributionTotals(pool=money(fed)), **terms)


START = Start(TierBalances(pool=money(10_000.37)), ContributionTotals(), None, 0)


def test_the_worked_example_in_either_order() -> None:
    timeline = [placed_hit(1, 101, 0), placed_hit(2, 152, 25)]
    both_orders = either_order(START, timeline, 1, 2)
    assert both_orders == Orders(money(10_001), money(1_025), money(1_025), money(10_001))
    turned = either_order(START, timeline, 2, 1)
    assert turned == Orders(money(1_025), money(10_001), money(10_001), money(1_025))


def test_a_hand_between_them_stays_where_it_is() -> None:
    timeline = [placed_hit(1, 101, 0), placed_hit(3, 120, 10), placed_hit(2, 152, 25)]
    both_orders = either_order(START, timeline, 1, 2)
    assert both_orders == Orders(money(10_001), money(1_015), money(1_015), money(10_001))


def test_what_a_display_showed_belongs_to_the_place() -> None:
    timeline = [
        placed_hit(1, 101, 0, shown=money(10_100), shown_at=100),
        placed_hit(2, 152, 25, shown=money(10_100), shown_at=100),  # from before the hit before
    ]
    both_orders = either_order(START, timeline, 1, 2)
    assert both_orders == Orders(money(10_100), money(1_025), money(1_025), money(10_100))


def test_the_posted_terms_belong_to_the_hand() -> None:
    timeline = [placed_hit(1, 101, 0, share=5_000), placed_hit(2, 152, 25)]
    # 1 first: 10,001 x 50% = 5,000.50, up to 5,001; 5,000.185 stay, 25 are added.
    # 2 first: 10,001; then 1,025 x 50% = 512.50, up to 513.
    both_orders = either_order(START, timeline, 1, 2)
    assert both_orders == Orders(money(5_001), money(5_026), money(513), money(10_001))


def test_a_fixed_prize_is_what_it_is_in_either_order() -> None:
    timeline = [placed_hit(1, 101, 0, prize=money(500)), placed_hit(2, 152, 25)]
    # 1 first: 9,500.37 and 25.00 are there for 2; 2 first: 10,000.37, and 500.00 from 1,025.00.
    both_orders = either_order(START, timeline, 1, 2)
    assert both_orders == Orders(money(500), money(9_526), money(500), money(10_001))


@given(
    st.integers(0, 10**9),
    st.lists(st.integers(0, 10**8), min_size=2, max_size=5),
    st.integers(-(10**9), 10**9),
)
def test_hands_of_equal_terms_exchange_their_amounts(
    pool: int, fed: list[int], given_back: int
) -> None:
    timeline: list[Element] = []
    total = 0
    for place, added in enumerate(fed, start=1):
        total += added
        timeline.append(
            PlacedHit(place, place * 10, ContributionTotals(pool=total), money(1), money(1), 10_000)
        )
    timeline.append(Correction(15, ContributionTotals(pool=fed[0]), pool=given_back))
    timeline.sort(key=lambda element: element.place)
    last = len(fed)
    both_orders = either_order(Start(TierBalances(pool=pool)), timeline, 1, last)
    assert (both_orders.one_exchanged, both_orders.other_exchanged) == (
        both_orders.other,
        both_orders.one,
    )


# --- as the database has it --------------------------------------------------------------------


def hit(house: House, table: str, rounds: int) -> None:
    for _ in range(rounds):
        house.press(table)
    house.call(table)
    house.post()


def build_house() -> House:
    """Three hands: 1,001.00 on table 3, 1,002.00 on table 7, 1,001.00 on table 3 again."""
    house = House(royal_terms())
    house.open("t3")
    house.open("t7")
    hit(house, "t3", 1)
    hit(house, "t7", 4)
    hit(house, "t3", 1)
    return house


house = kept_house(build_house)


EITHER = Orders(money(1_001), money(1_002), money(1_002), money(1_001))


def test_both_orders_of_open_claims(house: House) -> None:
    orders_by_claim = orders(house.hit(1), [2, 3])
    assert orders_by_claim == {
        2: EITHER,
        3: Orders(money(1_001), money(1_001), money(1_001), money(1_001)),
    }
    assert [house.hit(number).held for number in (1, 2)] == [EITHER.one, EITHER.other]


def test_the_same_when_they_are_decided(house: House) -> None:
    for number in (1, 2, 3):
        held = house.hit(number).held
        house.decide("confirm_claim", hit=number, amount=held, payees=[{"seat": 3, "amount": held}])
        assert house.hit(number).state == "confirmed"
        assert orders(house.hit(1), [2])[2] == EITHER


def test_a_correction_between_them_counts(house: House) -> None:
    house.decide(
        "adjust_pool",
        tier="royal",
        into="pool",
        amount=money(50),
        source="operator",
        reason="A01",
        evidence="Count sheet 7",
    )
    hit(house, "t7", 1)
    both_orders = orders(house.hit(3), [4])[4]
    assert both_orders == Orders(money(1_001), money(1_051), money(1_051), money(1_001))


def test_what_does_not_stand_hangs_on_nothing(house: House) -> None:
    rejected = house.decide(
        "reject_claim", hit=2, reason="R04", evidence="Camera 12", affected=True
    )
    assert not rejected.refused
    assert orders(house.hit(2), [1]) == {}
    assert set(orders(house.hit(1), [2, 3])) == {3}
    house.press("t7")
    house.call("t7", None)  # for a prize that nobody knows yet
    house.post()
    assert orders(house.hit(4), [1]) == {}
    assert orders(house.hit(1), [4, 1]) == {}


def test_a_fixed_number_of_queries(
    house: House, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    costs = []
    for others in ([2], [2, 3]):
        first = house.hit(1)
        with django_assert_max_num_queries(30) as queries:
            orders(first, others)
        costs.append(len(queries))
    assert costs[0] == costs[1]
