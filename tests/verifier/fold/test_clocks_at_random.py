"""Units that are cut off and come back, hands read and amended, decisions: in any order the console
and the verifier agree which hands are in question."""

import random
from typing import Any

import pytest
from django.db import connection

from jackpot.models import Entry, Hit
from jackpot.queries.payout_bounds import bounds_of_claim
from settlement.audit.reconciliation import reconcile
from tests.support.cases.claims.several_prizes import each_terms
from tests.support.cases.hands.clocked_hands import ClockHouse
from verifier.check import look

pytestmark = pytest.mark.django_db
TABLES = ("t3", "t7", "t8")
ROYAL, QUEEN_HIGH = ("As Ks", "Qs Js Ts 2d 3c"), ("9s 8s", "Qs Js Ts 2d 3c")
STEPS = 70


class Shift:
    """Whatever may happen, drawn by one generator."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.house = ClockHouse(each_terms(), tables=TABLES)
        self.house.warm_up(*TABLES)

    def step(self) -> None:
        table = self.dice.choice(TABLES)
        deeds = (self.hand, self.hand, self.line, self.line, self.decide, self.decide, self.settle)
        self.dice.choice(deeds)(table)
        if self.dice.random() < 0.7:
            self.house.post()

    def hand(self, table: str) -> None:
        if table not in self.house.waiting and self.dice.random() < 0.4:
            self.house.cut_off(table)
        if self.dice.random() < 0.6:
            self.house.press(table)
            self.house.call(table, self.dice.choice((None, "royal", "royal", "steel")))
        else:
            self.house.report(table, self.dice.choice((ROYAL, QUEEN_HIGH)))

    def line(self, table: str) -> None:
        if table in self.house.waiting:
            self.house.is_back(table)
        else:
            self.house.cut_off(table)

    def decide(self, _table: str) -> None:
        hit = self.any_of(Hit.objects.filter(state__in=("held", "confirmed")))
        if hit is None:
            return
        if self.dice.random() < 0.3:
            body: dict[str, Any] = {"reason": "R04", "evidence": "camera 4", "affected": True}
            self.house.decide("reject_claim", hit=hit.number, **body)
            return
        payout_bounds = bounds_of_claim(self.house.system, hit.number)
        due = payout_bounds.due if payout_bounds else 0
        payees = [{"seat": 3, "amount": due}]
        self.house.decide("confirm_claim", hit=hit.number, amount=due, payees=payees)

    def settle(self, _table: str) -> None:
        hit = self.any_of(Hit.objects.filter(stops__contains=[{"lifted": None}]))
        if hit is not None:
            stop = next(stop["entry"] for stop in hit.stops if stop["lifted"] is None)
            body: dict[str, Any] = {"hit": hit.number, "stop": stop, "finding": "camera 4"}
            assert not self.house.decide("settle_order", **body).refused

    def any_of(self, hits: Any) -> Hit | None:
        rows = list(hits.order_by("number"))
        return self.dice.choice(rows) if rows else None


@pytest.mark.parametrize("seed", [1, 2, None])
def test_console_and_verifier_agree(seed: int | None) -> None:
    shift_seed = random.SystemRandom().randrange(10**6) if seed is None else seed
    shift = Shift(shift_seed)
    for _ in range(STEPS):
        shift.step()
    for table in list(shift.house.waiting):
        shift.house.is_back(table)
    shift.house.post()
    differences = reconcile(shift.house.system, whole=True).differences
    assert not [each for each in differences if "names" not in each], (
        shift_seed
    )  # nobody acted here
    report = look(connection.connection, with_actions=False)
    assert report.ok, (f"seed {shift_seed}", report.lines())
    if seed is not None:
        assert Entry.objects.filter(outcome__has_key="in_question").exists()
        assert Entry.objects.filter(type="settle_order").exists()
