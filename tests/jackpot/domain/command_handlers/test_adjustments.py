"""An adjustment moves exactly what two people agreed to, or is refused at its place."""

from typing import Any

import pytest

from jackpot.terms.money import MICROS
from tests.support.play.books import Floor, royal_terms

RESET = 1000 * MICROS
MOST = 10**9 * MICROS  # a tenth of what protocol and displays can say with two decimals


def adjust(floor: Floor, amount: int, **fields: Any) -> dict[str, Any]:
    """`amount` in units of the currency."""
    body = {
        "tier": "royal",
        "source": "operator",
        "reason": "A05",
        "evidence": "notice 3",
        **fields,
    }
    return floor.decide("adjust_pool", amount=amount * MICROS, **body)


def books(floor: Floor) -> dict[str, int]:
    return dict(floor.books.balances)


@pytest.fixture
def floor() -> Floor:
    """A pool of 25,000.00 and a reserve of 40.00."""
    floor = Floor(royal_terms())
    floor.open("t3")
    assert adjust(floor, 24_000)["after"] == [25_000 * MICROS, 0]
    assert adjust(floor, 40, into="reserve")["after"] == [25_000 * MICROS, 40 * MICROS]
    return floor


def test_more_than_the_pool_holds_is_refused(floor: Floor) -> None:
    """Down by 1,024,988.00 on 25,000.00 moved 25,000.00 and said that it was posted."""
    before = books(floor)
    refused = adjust(floor, -1_024_988, below_reset="it was 12 that was meant")["refused"]
    assert "The pool holds 25,000.00" in refused
    assert "1,024,988.00 cannot be taken back" in refused
    assert books(floor) == before


@pytest.mark.parametrize(("into", "amount"), [("pool", -25_001), ("reserve", -41)])
def test_only_the_account_that_was_named_gives(floor: Floor, into: str, amount: int) -> None:
    """Not the reserve for the pool, nor the pool for the reserve, nor the operator for both."""
    before = books(floor)
    assert "cannot be taken back" in adjust(floor, amount, into=into, below_reset="x")["refused"]
    assert books(floor) == before


def test_exactly_that_moves(floor: Floor) -> None:
    before = books(floor)
    assert adjust(floor, -24_000, source="drop") == {
        "tier": "royal",
        "adjusted": -24_000 * MICROS,
        "before": [25_000 * MICROS, 40 * MICROS],
        "after": [RESET, 40 * MICROS],
    }
    assert adjust(floor, -40, into="reserve")["after"] == [RESET, 0]
    moved = {name: amount - before[name] for name, amount in books(floor).items()}
    assert {name: amount for name, amount in moved.items() if amount} == {
        "royal:pool": -24_000 * MICROS,
        "royal:reserve": -40 * MICROS,
        "drop": 24_000 * MICROS,
        "operator": 40 * MICROS,
    }


@pytest.mark.parametrize("amount", [-24_001, -25_000])
def test_below_the_reset_amount_takes_a_reason_of_its_own(floor: Floor, amount: int) -> None:
    refused = adjust(floor, amount)["refused"]
    assert "below its reset amount of 1,000.00: say why" in refused
    assert floor.pool() == 25_000 * MICROS
    assert adjust(floor, amount, below_reset="the jackpot ends tonight")["adjusted"] < 0
    assert floor.pool() == (25_000 + amount) * MICROS


def test_to_zero_takes_a_reason_where_nothing_is_reset() -> None:
    floor = Floor(royal_terms(reset=0))
    adjust(floor, 7)
    assert "leaves the pool empty: say why" in adjust(floor, -7)["refused"]
    assert adjust(floor, -6)["after"] == [MICROS, 0]
    assert adjust(floor, -1, below_reset="moved to another casino")["after"] == [0, 0]


def test_up_from_below_the_reset_amount_takes_none(floor: Floor) -> None:
    adjust(floor, -24_500, below_reset="paid by hand in 2025")
    assert adjust(floor, 1)["after"] == [501 * MICROS, 40 * MICROS]


@pytest.mark.parametrize("into", ["pool", "reserve"])
def test_a_pool_stays_within_what_displays_can_say(floor: Floor, into: str) -> None:
    """Twice ten thousand million was agreed to, and displays left their own schema."""
    before = books(floor)
    account = before[f"royal:{into}"] // MICROS
    assert "can say" in adjust(floor, 10**9 - account + 1, into=into)["refused"]
    assert books(floor) == before
    adjust(floor, 10**9 - account, into=into)
    assert books(floor)[f"royal:{into}"] == MOST


@pytest.mark.parametrize(
    "changes",
    [
        {"reset": MOST + MICROS},
        {"prize": MOST + MICROS},
        {"limit": MOST + MICROS},
        {"increments": [{"source": "per_round", "amount": 10**7 * MICROS + 1}]},
    ],
)
def test_the_figures_of_terms_stay_within_it_too(changes: dict[str, Any]) -> None:
    floor = Floor()
    refused = floor.decide("put_terms", terms=royal_terms(**changes))["refused"]
    assert "Royal Flush" in refused
    assert "can say" in refused or "no round" in refused
    largest: dict[str, Any] = {
        name: amount - MICROS if isinstance(amount, int) else [] for name, amount in changes.items()
    }
    assert "refused" not in floor.decide("put_terms", terms=royal_terms(**largest))


def test_a_currency_without_decimals_says_more() -> None:
    floor = Floor()
    floor.books.digits = 0
    assert "refused" not in floor.decide("put_terms", terms=royal_terms(reset=10**16))


def test_nothing_is_adjusted_by_more_than_a_hall_holds(floor: Floor) -> None:
    for amount in (10**10 + 1, -(10**10) - 1, 10**11):
        assert "cannot be read" in adjust(floor, amount, below_reset="x")["refused"]
