"""A house at which the button is pressed more often than the terms allow."""

from jackpot.terms.money import MICROS
from tables.protocol import messages
from tests.support.people.cast import ClaimHouse
from tests.support.play.books import royal_terms

HALF = MICROS // 2


LIMIT = 6


class FastHouse(ClaimHouse):
    """Posted: six presses a minute, 0.50 a round from the operator, 1% of the pot."""

    def __init__(self) -> None:
        parts = [
            {"source": "per_round", "amount": HALF},
            {"source": "pot", "basis_points": 100},
        ]
        posted = royal_terms(increments=parts) | {"funding": "players", "presses_a_minute": LIMIT}
        super().__init__(posted)
        self.open("t3")
        self.post()
        self.start = self.balance("royal:pool")

    def presses(self, count: int) -> None:
        for _ in range(count):
            self.press("t3")
        self.post()

    def complete_all(self, *rounds: int) -> None:
        for number in rounds:
            self.say("t3", messages.RoundCompleted, round=number, pot=2000)
        self.post()

    @property
    def grown(self) -> int:
        return self.balance("royal:pool") - self.start
