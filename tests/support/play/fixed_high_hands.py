"""Terms of high hands with a fixed prize, and two hands that are equal."""

from typing import Any

from jackpot.terms.money import MICROS
from tests.support.play.high_hands import high_terms

SAME_NINES = ("9h 9d", "9s 9c Kd 7c 2c")


ADDED = {"unclaimed": "added"}


def fixed_terms(**changes: Any) -> dict[str, Any]:
    return high_terms(
        **{
            "prize": 500 * MICROS,
            "reset": 600 * MICROS,
            "increments": [{"source": "per_round", "amount": 10 * MICROS}],
            **changes,
        }
    )
