"""The posted terms of the demo casino's jackpots (19.4, 19.5): data, nothing else."""

from typing import Any

from jackpot.terms.money import MICROS

GAMES = ["holdem", "omaha"]
# Chips taken for the jackpot from a called pot: "1 from 20, 2 from 50".
DROP_STEPS = ((20, 1), (50, 2))

_CENT = MICROS // 100


def _tier(code: str, name: str, rank: int, reset: int, weakest: str, *ranks: str) -> dict[str, Any]:
    return {
        "code": code,
        "name": name,
        "rank": rank,
        "reset": reset * MICROS,
        "payable_unit": MICROS,
        "qualifying": {
            "weakest": {"category": weakest, "ranks": list(ranks)},
            "hole_cards_playing": 2,
            "games": GAMES,
            "players_dealt_min": 3,
        },
    }


# Above it two managers confirm: of the prizes that open below only the bad beat is.
SECOND_MANAGER_ABOVE = 40_000 * MICROS

_BAD_BEAT: dict[str, Any] = {
    "code": "bad-beat",
    "name": "Bad Beat",
    "rank": 1,
    "reset": 50_000 * MICROS,
    "payable_unit": MICROS,
    "qualifying": {
        "kind": "bad_beat",
        "losing": {"category": "full_house", "ranks": ["A", "J"]},
        "beaten_by": {"category": "four_of_a_kind"},
        "games": GAMES,
        "players_dealt_min": 3,
    },
    "plan": {"loser": 5_000, "winner": 2_500, "table": 2_500},
    "increments": [{"source": "per_round", "amount": 25 * _CENT, "players_min": 3}],
}

HARBOUR: dict[str, Any] = {
    "code": "harbour",
    "name": "Harbour Poker Jackpot",
    "funding": "players",
    "games": GAMES,
    "commission": {"form": "percentage", "basis_points": 500, "cap": 10 * MICROS},
    "drop_steps": [{"pot_from": pot * MICROS, "take": take * MICROS} for pot, take in DROP_STEPS],
    "tiers": [
        _BAD_BEAT,
        {
            **_tier("royal", "Royal Flush", 2, 25_000, "royal_flush"),
            "increments": [
                {"source": "per_round", "amount": 20 * _CENT, "players_min": 3},
                {"source": "drop", "basis_points": 5_000},
                {"source": "drop", "basis_points": 1_000, "into": "reserve"},
            ],
        },
        {
            **_tier("straight-flush", "Straight Flush", 3, 5_000, "straight_flush"),
            "increments": [
                {"source": "drop", "basis_points": 2_500},
                {"source": "commission", "basis_points": 500, "cap": 25 * _CENT},
            ],
        },
        {
            **_tier("aces-full", "Aces Full of Tens", 4, 1_000, "full_house", "A", "T"),
            "increments": [
                {"source": "drop", "basis_points": 1_500},
                {"source": "pot", "basis_points": 25, "cap": 50 * _CENT},
            ],
        },
    ],
}

SALON: dict[str, Any] = {
    "code": "salon",
    "name": "Salon Royal",
    "funding": "operator",
    "games": GAMES,
    "tiers": [
        {
            **_tier("royal", "Royal Flush", 1, 10_000, "royal_flush"),
            "increments": [{"source": "per_round", "amount": 50 * _CENT}],
        },
        {
            "code": "high-hand",
            "name": "High Hand",
            "rank": 2,
            "reset": 250 * MICROS,
            "payable_unit": MICROS,
            "qualifying": {
                "kind": "high_hand",
                "floor": {"category": "full_house"},
                "period_minutes": 30,
                "ties": "shared",
                "games": GAMES,
            },
            "increments": [{"source": "per_round", "amount": 10 * _CENT}],
        },
    ],
}


# Reno: the royal flush reaches the tax forms of Nevada; small claims ask for no more evidence.
SIERRA: dict[str, Any] = {
    "code": "sierra",
    "name": "Sierra Poker Jackpot",
    "funding": "players",
    "games": GAMES,
    "commission": {"form": "percentage", "basis_points": 500, "cap": 5 * MICROS},
    "drop_steps": [
        {"pot_from": 20 * MICROS, "take": MICROS},
        {"pot_from": 50 * MICROS, "take": 2 * MICROS},
    ],
    "evidence": {},
    "tiers": [
        {
            **_tier("royal", "Royal Flush", 1, 2_500, "royal_flush"),
            "increments": [
                {"source": "drop", "basis_points": 6_000},
                {"source": "drop", "basis_points": 1_000, "into": "reserve"},
            ],
        },
        {
            **_tier("aces-full", "Aces Full", 2, 250, "full_house", "A", "K"),
            "increments": [
                {"source": "drop", "basis_points": 3_000},
                {"source": "per_round", "amount": 10 * _CENT, "players_min": 3},
            ],
        },
    ],
}
