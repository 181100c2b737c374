"""Terms with a second, larger prize, to suspend or close one of the two."""

from typing import Any

from jackpot.terms.money import MICROS
from tests.support.play.books import ROYAL, royal_terms

GRAND = {
    "code": "grand",
    "name": "Grand",
    "rank": 2,
    "reset": 50 * MICROS,
    "payable_unit": MICROS,
    "increments": [{"source": "pot", "basis_points": 100}],
    "qualifying": {"weakest": {"category": "four_of_a_kind"}, "games": ["holdem"]},
}


def two_tiers(*, drop: bool = False) -> dict[str, Any]:
    """The royal flush by 0.50 a round and 1% of the pot, four of a kind by 1% of the pot."""
    more: list[dict[str, Any]] = [{"source": "pot", "basis_points": 100}]
    if drop:
        more.append({"source": "drop", "basis_points": 4000, "into": "reserve"})
    royal = royal_terms(
        increments=[{"source": "per_round", "amount": MICROS // 2}, *more],
        qualifying={**ROYAL, "games": ["holdem"]},
    )
    grand = dict(GRAND)
    if drop:
        share = {"source": "drop", "basis_points": 6000}
        grand = GRAND | {"increments": [*GRAND["increments"], share]}  # type: ignore[misc]
        royal["drop_steps"] = [{"pot_from": 0, "take": 2 * MICROS}]
    return royal | {"funding": "players", "tiers": [*royal["tiers"], grand]}
