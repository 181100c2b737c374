"""Jackpots with several tiers, and which prizes each hit may still win."""

from typing import Any

from jackpot.domain.payout.competing_claims import CompetingClaims
from jackpot.domain.payout.payout_bounds import bounds_of
from jackpot.terms.money import MICROS
from tests.support.play.books import Floor, royal_terms
from tests.support.proof.verified_books import Witnessed
from verifier.fold.claims.payout_bounds import bounds


def money(amount: float) -> int:
    return round(amount * 100) * MICROS // 100


def tier(code: str, rank: int, category: str, **qualifying: Any) -> dict[str, Any]:
    """Reset 20.00, payable unit 1.00, 1.00 a round."""
    (template,) = royal_terms(code=code, name=code.title(), rank=rank)["tiers"]
    weakest = {"category": category, "ranks": qualifying.pop("ranks", [])}
    return {
        **template,
        "reset": money(qualifying.pop("reset", 20)),
        "increments": [{"source": "per_round", "amount": money(1)}],
        "qualifying": {"weakest": weakest, "games": ["holdem"], **qualifying},
    }


def jackpot(code: str, *tiers: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {**royal_terms(), "code": code, "name": code.title(), "tiers": [*tiers], **changes}


class Room(Witnessed):
    """Tables 3 and 7 in play."""

    def __init__(self, *documents: dict[str, Any]) -> None:
        super().__init__(*documents)
        for table in ("t3", "t7"):
            self.open(table)
            self.rounds[table] = 0

    def play(self, rounds: int, table: str = "t7") -> None:
        for _ in range(rounds):
            self.press(table)

    def comes_to(self, number: int) -> tuple[int, int, tuple[int, ...]]:
        """Safe amount, the most, and whose decision makes the difference."""
        hit = self.books.hits[number]
        payout_bounds = bounds_of(self.books, hit)
        assert (payout_bounds.safe, payout_bounds.most) == bounds(
            self.witness, self.witness.hits[number]
        )
        return payout_bounds.safe, payout_bounds.most, payout_bounds.waits_for

    def before(self, number: int) -> list[int]:
        return before(self, number)


def before(floor: Floor, number: int) -> list[int]:
    """The open claims that may change what a claim comes to."""
    return [hit.number for hit in CompetingClaims(floor.books).before(floor.books.hits[number])]
