"""The posted terms of the evening that the verifier looks at."""

from typing import Any

from jackpot.terms.money import MICROS
from tests.support.play.books import ROYAL, royal_terms

FULL_HOUSE = {"weakest": {"category": "full_house", "ranks": ["A"]}, "pot_min_minor": 2000}


def terms(reset: int = 1000, limit: int | None = None) -> dict[str, Any]:
    """Two prizes fed by all four sources; the first may have a limit in micros."""
    (royal,) = royal_terms()["tiers"]
    royal |= {
        "reset": reset * MICROS,
        "limit": limit,
        "share": 7_500,
        "increments": [
            {"source": "per_round", "amount": 510_003, "players_min": 3},
            {"source": "pot", "basis_points": 333, "cap": MICROS},
            {"source": "commission", "basis_points": 1000, "into": "reserve"},
            {"source": "drop", "basis_points": 6_000},
        ],
        "qualifying": {**ROYAL, "games": ["holdem"]},
    }
    house = {
        **royal,
        "code": "house",
        "name": "Aces full",
        "rank": 2,
        "limit": None,
        "reset": 50 * MICROS,
        "share": 10_000,
        "increments": [{"source": "drop", "basis_points": 4_000}],
        "qualifying": FULL_HOUSE | {"games": ["holdem"]},
    }
    steps = [
        {"pot_from": 20 * MICROS, "take": MICROS},
        {"pot_from": 50 * MICROS, "take": 2 * MICROS},
    ]
    return {
        **royal_terms(),
        "funding": "players",
        "games": ["holdem", "omaha"],
        "drop_steps": steps,
        "tiers": [royal, house],
    }
