"""A bad beat with its board, the terms that pay it, and the shares of its prize."""

from typing import Any

from tests.support.play.books import ROYAL, royal_terms

BOARD = "Ah Kh Ks 7d 7c"


ACES_FULL, KINGS = "As Ad", "Kd Kc"  # aces full of kings, beaten by four kings


FULL = {"category": "full_house", "ranks": ["A"]}


BEAT = {
    "kind": "bad_beat",
    "losing": FULL,
    "beaten_by": {"category": "four_of_a_kind"},
    "games": ["holdem"],
}


PLAN = {"loser": 5_000, "winner": 2_500, "table": 2_500}


def bad_beat(**changes: Any) -> dict[str, Any]:
    """A bad beat below a royal flush: 1,000.00 and 0.50 a round."""
    (royal,) = royal_terms()["tiers"]
    beat = {**royal, "code": "beat", "name": "Bad Beat", "rank": 2, "qualifying": BEAT}
    royal |= {"qualifying": {**ROYAL, "games": ["holdem"]}}
    return {**royal_terms(), "tiers": [royal, {**beat, "plan": PLAN, **changes}]}
