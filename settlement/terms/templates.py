"""Terms to begin from: the usual kinds of jackpots, for a house to fill in and change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_noop as _

from jackpot.terms.money import MICROS
from jackpot.terms.required_evidence import BY_DEFAULT
from settlement.core.words.translation import Labels

_GAMES = ["holdem"]
_DROP_STEPS = [
    {"pot_from": 20 * MICROS, "take": MICROS},
    {"pot_from": 50 * MICROS, "take": 2 * MICROS},
]
_BOTH_PLAY = {"hole_cards_playing": 2, "games": _GAMES, "players_dealt_min": 3}


@dataclass(frozen=True)
class Template:
    """Terms that nobody posted yet: a document of `docs/terms.schema.json`."""

    code: str
    document: dict[str, Any]

    @property
    def label(self) -> str:
        return LABELS[self.code]


LABELS = Labels(
    {
        "royal": _("Royal flush: one pool, paid by the house"),
        "bad-beat": _("Bad beat, mini and mega: a large pool and a small one, fed by the drop"),
        "high-hand": _("High hand: a fixed prize every half hour"),
        "tiered": _("Tiered: royal flush, straight flush, four of a kind, fed by the drop"),
    }
)


def _prize(code: str, name: str, rank: int, reset: int, **more: Any) -> dict[str, Any]:
    return {
        "code": code,
        "name": name,
        "rank": rank,
        "reset": reset * MICROS,
        "payable_unit": MICROS,
        **more,
    }


def _hand(category: str, *ranks: str) -> dict[str, Any]:
    return {"weakest": {"category": category, "ranks": list(ranks)}, **_BOTH_PLAY}


def _from_drop(share: int, reserve: int = 0) -> list[dict[str, Any]]:
    """Parts of the drop in basis points: to the pool, and to the reserve."""
    pool = {"source": "drop", "basis_points": share}
    return [pool, {**pool, "basis_points": reserve, "into": "reserve"}] if reserve else [pool]


def _beat(category: str, *ranks: str) -> dict[str, Any]:
    return {
        "kind": "bad_beat",
        "losing": {"category": category, "ranks": list(ranks)},
        "beaten_by": {"category": "four_of_a_kind"},
        **_BOTH_PLAY,
    }


def _jackpot(code: str, name: str, tiers: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {
        "code": code,
        "name": name,
        "funding": "players",
        "games": _GAMES,
        "evidence": dict(BY_DEFAULT),
        "drop_steps": _DROP_STEPS,
        "tiers": tiers,
        **more,
    }


_SHARES = {"loser": 5_000, "winner": 2_500, "table": 2_500}
_OWN_MONEY: dict[str, Any] = {"funding": "operator", "drop_steps": []}
_A_ROUND = {"source": "per_round", "players_min": 3}
_HALF_HOURS = {
    "kind": "high_hand",
    "floor": {"category": "full_house"},
    "period_minutes": 30,
    "ties": "shared",
    "unclaimed": "added",
    "games": _GAMES,
}
TEMPLATES = tuple(
    Template(code, document)
    for code, document in {
        "royal": _jackpot(
            "royal",
            "Royal Flush Jackpot",
            [
                _prize(
                    "royal",
                    "Royal Flush",
                    1,
                    10_000,
                    qualifying=_hand("royal_flush"),
                    increments=[{**_A_ROUND, "amount": MICROS // 2}],
                )
            ],
            **_OWN_MONEY,
        ),
        "bad-beat": _jackpot(
            "bad-beat",
            "Bad Beat Jackpot",
            [
                _prize(
                    "mega",
                    "Mega Bad Beat",
                    1,
                    50_000,
                    qualifying=_beat("four_of_a_kind"),
                    plan=_SHARES,
                    increments=_from_drop(6_000, 1_000),
                ),
                _prize(
                    "mini",
                    "Mini Bad Beat",
                    2,
                    5_000,
                    qualifying=_beat("full_house", "A", "T"),
                    plan=_SHARES,
                    increments=_from_drop(3_000),
                ),
            ],
        ),
        "high-hand": _jackpot(
            "high-hand",
            "High Hand",
            [
                _prize(
                    "high-hand",
                    "High Hand",
                    1,
                    2_000,
                    prize=500 * MICROS,
                    qualifying=_HALF_HOURS,
                    increments=[{**_A_ROUND, "amount": MICROS}],
                )
            ],
            **_OWN_MONEY,
        ),
        "tiered": _jackpot(
            "tiered",
            "Poker Jackpot",
            [
                _prize(
                    "royal",
                    "Royal Flush",
                    1,
                    25_000,
                    qualifying=_hand("royal_flush"),
                    increments=_from_drop(5_000, 1_000),
                ),
                _prize(
                    "straight-flush",
                    "Straight Flush",
                    2,
                    5_000,
                    qualifying=_hand("straight_flush"),
                    increments=_from_drop(2_500),
                ),
                _prize(
                    "four-of-a-kind",
                    "Four of a Kind",
                    3,
                    500,
                    qualifying=_hand("four_of_a_kind"),
                    increments=_from_drop(1_500),
                ),
            ],
        ),
    }.items()
)


def template_of(code: str) -> Template | None:
    """The one of that code."""
    return next((each for each in TEMPLATES if each.code == code), None)
