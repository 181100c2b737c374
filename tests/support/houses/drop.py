"""A house that takes drop at two tables on Friday; it is Saturday, and both can be counted."""

import datetime as dt

import pytest

from jackpot.terms.money import MICROS
from tables.models import GamingTable, JackpotSystem
from tables.protocol import messages
from tests.support.pages.page_ledger import Clock
from tests.support.people.cast import ClaimHouse
from tests.support.play.books import royal_terms

THURSDAY, FRIDAY = dt.date(2026, 10, 29), dt.date(2026, 10, 30)
SATURDAY = dt.date(2026, 10, 31)
UNIT = MICROS  # of the currency


class DropHouse(ClaimHouse):
    """On Friday table 3 takes 3.00, table 7 takes 1.00; on Saturday table 3 takes 1.00."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clock = Clock(monkeypatch)
        terms = royal_terms(increments=[{"source": "drop", "basis_points": 10_000}])
        steps = [{"pot_from": 20 * UNIT, "take": UNIT}]
        super().__init__(terms | {"funding": "players", "drop_steps": steps})
        casino = self.system.casino
        casino.timezone = "Pacific/Auckland"
        casino.save()
        for table in ("t3", "t7"):
            self.open(table)
        self.take("t3", 3)
        self.take("t7", 1)
        self.clock.on(days=1)
        self.take("t3", 1)
        self.system = JackpotSystem.objects.select_related("casino").get()

    def take(self, table: str, rounds: int) -> None:
        """So many rounds with a pot of 40.00, each with 1.00 for the jackpot."""
        for _ in range(rounds):
            self.press(table)
            self.say(
                table,
                messages.RoundCompleted,
                round=self.rounds[table],
                pot=4000,
                jackpot_drop=100,
            )
        self.post()

    def table(self, code: str) -> GamingTable:
        return GamingTable.objects.get(system=self.system, code=code)
