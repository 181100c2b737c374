"""Terms of a high hand, hands from low to high, and an evening of the fold alone."""

import datetime as dt
from typing import Any

from jackpot.domain.payout.payout_bounds import bounds_of
from jackpot.domain.state.blocks import instant
from jackpot.domain.state.entries import FactEntry, Outcome
from jackpot.terms.money import MICROS
from tests.support.play.books import AT, Floor, fold, royal_terms

HALF_HOUR = dt.timedelta(minutes=30)


FLOOR = {"category": "full_house", "ranks": []}


HIGH = {"kind": "high_hand", "floor": FLOOR, "period_minutes": 30, "ties": "shared"}


HOUSE = ("Ah Ad", "As Kc Ks 7d 2c")  # aces full of kings


NINES = ("9h 9d", "9s 9c Ks 7d 2c")  # four nines


STEEL = ("8h 7h", "6h 5h 4h Ks 2c")  # straight flush, eight high


NOTHING = ("8h 7h", "6h 5h Kd Qs 2c")


def high_terms(**changes: Any) -> dict[str, Any]:
    return royal_terms(
        code="high",
        name="High Hand",
        qualifying={**HIGH, "games": ["holdem"], **changes.pop("requirements", {})},
        **{"reset": 100 * MICROS, **changes},
    )


class Evening(Floor):
    """Two tables; `end()` is the end of a period."""

    def __init__(self, *terms: dict[str, Any]) -> None:
        super().__init__(*terms or (high_terms(),))
        self.ends = AT.replace(minute=0)
        self.open("t3")
        self.open("t7")

    def play(self, rounds: int, table: str = "t3") -> None:
        for _ in range(rounds):
            self.press(table)

    def show(self, table: str, cards: tuple[str, str]) -> int:
        self.press(table)
        return self.report(table, *cards)["hit"]

    def end(self) -> Outcome:
        self.ends += HALF_HOUR
        body = {"tier": "high", "ends": instant(self.ends)}
        return fold(self.books, FactEntry(self.books.seq + 1, self.ends, "period_closed", body))

    def reject(self, hit: int) -> Outcome:
        return self.decide(
            "reject_claim", hit=hit, reason="R11", evidence="camera 1", affected=True
        )

    def confirm(self, hit: int) -> Outcome:
        amount = bounds_of(self.books, self.books.hits[hit]).due
        payees = [{"seat": 3, "amount": amount, "role": "winner"}]
        return self.decide("confirm_claim", hit=hit, amount=amount, payees=payees)

    def stands(self) -> list[tuple[int, str, float]]:
        return [(h.number, h.state, h.held / MICROS) for h in self.books.hits.values()]

    def in_pool(self) -> float:
        return self.pool("high") / MICROS


HANDS = (HOUSE, NINES, STEEL)  # from the lowest to the highest
