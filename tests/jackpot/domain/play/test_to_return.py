"""What players put into the drop where nothing is played for it: kept for them, and given back."""

import pytest

from jackpot.terms.money import MICROS
from tests.support.play.books import Floor, royal_terms


@pytest.fixture
def floor() -> Floor:
    """A drop of 2.00, which no prize takes."""
    floor = Floor(royal_terms())
    floor.open("t3")
    floor.press("t3")
    assert "to_return" in floor.complete("t3", pot=5000, jackpot_drop=200)["flags"]
    assert (floor.books.balances["to_return"], floor.books.balances["drop"]) == (
        2 * MICROS,
        -2 * MICROS,
    )
    return floor


def void(floor: Floor) -> None:
    outcome = floor.decide(
        "void_round", second=None, table="t3", round=1, reason="wrong_count", note="seen"
    )
    assert "refused" not in outcome


def gift(floor: Floor, amount: int) -> None:
    """Two people move it into the prize."""
    body = {"tier": "royal", "source": "to_return", "reason": "A05", "evidence": "notice 3"}
    assert floor.decide("adjust_pool", amount=amount, **body)["adjusted"] == amount


def test_a_void_round_gives_it_back(floor: Floor) -> None:
    void(floor)
    assert floor.books.balances["to_return"] == floor.books.balances["drop"] == 0


def test_the_operator_gives_what_is_not_there_any_more(floor: Floor) -> None:
    operator = floor.books.balances["operator"]
    gift(floor, MICROS // 2)
    void(floor)
    assert floor.books.balances["to_return"] == floor.books.balances["drop"] == 0
    assert floor.books.balances["operator"] == operator - MICROS // 2
    assert sum(floor.books.balances.values()) == 0


def test_no_more_is_moved_than_is_there(floor: Floor) -> None:
    body = {"tier": "royal", "source": "to_return", "reason": "A05", "evidence": "notice 3"}
    assert "refused" in floor.decide("adjust_pool", amount=2 * MICROS + 1, **body)
    gift(floor, 2 * MICROS)
    assert floor.books.balances["to_return"] == 0
