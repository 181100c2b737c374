"""Decisions about rounds through the database: the rows are what the order says."""

import random
from typing import Any

import pytest
from django.db import connection

from settlement.audit.reconciliation import reconcile
from tables.protocol import messages
from tests.support.cases.terms.limits import alone_up_to
from tests.support.play.books import royal_terms
from tests.support.play.house import House
from verifier.check import look

TABLES = ("t3", "t7")
INCREMENTS = [
    {"source": "per_round", "amount": 500_000, "players_min": 3},
    {"source": "pot", "basis_points": 333},
    {"source": "commission", "basis_points": 1000, "into": "reserve"},
]


class Night:
    """Rounds in any order, with decisions on them before and after their events."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        terms = royal_terms(increments=INCREMENTS, share=7_500) | {"funding": "players"}
        self.house = House(terms, tables=TABLES)
        alone_up_to(1000)
        self.carried_out: set[str] = set()
        for table in TABLES:
            self.house.open(table)
            self.house.rounds[table] = 0

    def step(self) -> None:
        table = self.dice.choice(TABLES)
        number = max(1, self.house.rounds[table] - self.dice.randrange(6))
        match self.dice.randrange(9):
            case 0 | 1:
                self.house.press(table)
            case 2:
                seats = self.dice.choice([None, [1, 2], [1, 2, 3]])
                self.house.say(table, messages.RoundStarted, round=number, seats_dealt=seats)
            case 3:
                pot = self.dice.randrange(40_000)
                figures: dict[str, Any] = {"pot": pot, "commission": pot // 20}
                self.house.say(table, messages.RoundCompleted, round=number, **figures)
            case 4:
                self.house.say(table, messages.HandCalled, round=number, tier="royal", seats=[3])
            case 5:
                self.decide("void_round", table=table, round=number, reason="wrong_count")
            case 6:
                self.decide("cancel_round", table=table, round=number, reason="no_deal")
            case 7:
                self.house.rounds[table] += self.dice.randrange(2)
                number = self.house.rounds[table] or 1
                pots: list[dict[str, int]] = [{}, {"pot": 10**7}, {"commission": 10**6}]
                by_number: dict[str, Any] = {
                    "count": 1,
                    "rounds": [number],
                    **self.dice.choice(pots),
                }
                fields = self.dice.choice([by_number, {"count": 3, "players": 4}])
                self.decide("missed_rounds", table=table, evidence="camera 4", **fields)
            case 8:
                held = self.house.system.hits.filter(state="held").order_by("place")
                if hit := self.dice.choice([*held, None]):
                    self.house.decide(
                        "reject_claim",
                        with_actions=True,
                        hit=hit.number,
                        reason="R08",
                        evidence="",
                        affected=True,
                    )
        if self.dice.random() < 0.6:
            self.house.post()

    def decide(self, kind: str, **body: Any) -> None:
        if kind != "missed_rounds":
            body["note"] = "seen"
        if not self.house.decide(kind, "mere", None, with_actions=True, **body).refused:
            self.carried_out.add(kind)


@pytest.mark.django_db
@pytest.mark.parametrize("seed", [3, 4, 11])
def test_a_night_of_rulings_reconciles(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds reach behind what a checkpoint keeps; the plain verifier says the same."""
    monkeypatch.setattr("jackpot.audit.checkpoint.ROUNDS_KEPT", 1)
    night = Night(seed)
    for step in range(120):
        night.step()
        if step % 12 == 0:
            assert reconcile(night.house.system, whole=False).differences == [], f"seed {seed}"
    night.house.post()
    assert night.house.head.halted_at is None, f"seed {seed}: {night.house.head.halted_on}"
    since = reconcile(night.house.system, whole=False)
    whole = reconcile(night.house.system)
    assert since.differences == whole.differences == [], f"seed {seed}"
    assert bytes(since.books_digest or b"") == bytes(whole.books_digest or b"-"), f"seed {seed}"
    connection.ensure_connection()
    report = look(connection.connection, with_actions=False)
    assert report.ok, f"seed {seed}: {report.lines()}"
    assert night.carried_out == {"void_round", "cancel_round", "missed_rounds"}, f"seed {seed}"
