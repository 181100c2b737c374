"""Terms under which one hand wins several prizes, and where each hit stands."""

from typing import Any

import pytest

from jackpot.terms.money import MICROS
from tests.support.play.books import Floor, royal_terms

BOARD = "Qs Js Ts 2d 3c"


ROYAL, QUEEN_HIGH, NOTHING = "As Ks", "9s 8s", "2h 4h"


def money(amount: float) -> int:
    return round(amount * 100) * MICROS // 100


def each_terms(**changes: Any) -> dict[str, Any]:
    """Royal: reset 1,000.00, 0.50 a round; straight flush: reset 200.00, 5.00 a round."""
    terms = royal_terms()
    second = {
        **terms["tiers"][0],
        "code": "steel",
        "name": "Straight Flush",
        "rank": 2,
        "reset": money(200),
        "increments": [{"source": "per_round", "amount": money(5)}],
        "qualifying": {"weakest": {"category": "straight_flush"}, "games": ["holdem"]},
    }
    return {**terms, "tiers": [*terms["tiers"], second], "hand_wins": "each", **changes}


def stands(floor: Floor) -> dict[int, tuple[str | None, str, int]]:
    return {n: (hit.tier, hit.state, hit.held) for n, hit in floor.books.hits.items()}


@pytest.fixture
def floor() -> Floor:
    """Table 3 called a royal flush, then table 7 a straight flush."""
    floor = Floor(each_terms())
    floor.open("t3")
    floor.open("t7")
    floor.press("t3")
    floor.call("t3", "royal")
    for _ in range(3):
        floor.press("t7")
    floor.call("t7", "steel")
    return floor
