"""Corrections through the database: whatever happens, the rows are what the order says."""

import random
from typing import Any

import pytest
from django.db import connection

from jackpot.display import values as display
from jackpot.hits.payees import rest
from jackpot.queries.payout_bounds import bounds_of_claim
from jackpot.terms.money import MICROS
from settlement.audit.reconciliation import reconcile
from tables.protocol import messages
from tests.support.play.books import ROYAL, Floor, royal_terms
from tests.support.play.house import House
from verifier.check import look

BOARD = ["Qs", "Js", "Ts", "2d", "3c"]
HAND: dict[str, Any] = {
    "seat": 3,
    "hole": ["As", "Ks"],
    "exposed": "yes",
    "folded": False,
    "participating": True,
    "won_pot": True,
}


def two_tiers() -> dict[str, Any]:
    terms = royal_terms()
    quads = {
        **terms["tiers"][0],
        "code": "quads",
        "name": "Quads",
        "rank": 2,
        "qualifying": {**ROYAL, "weakest": {"category": "four_of_a_kind"}, "games": ["holdem"]},
    }
    return {**terms, "evidence": {}, "tiers": [*terms["tiers"], quads]}


def pay_whole(house: House, hit: Any) -> None:
    claim: dict[str, Any] = {"hit": hit.number, "with_actions": True}
    payees = [{"seat": 3, "amount": hit.held}]
    house.decide("confirm_claim", **claim, amount=hit.held, payees=payees)
    paid = house.decide("pay", "lucia", None, **claim, line=1, parts={"cash": hit.held})
    assert not paid.refused


class RandomEvening:
    """Any decision at any time, in a house with two tiers; some are refused, and that is fine."""

    def __init__(self, seed: int) -> None:
        self.dice, self.looks = random.Random(seed), random.Random(seed)
        self.house = House(two_tiers(), tables=TABLES)
        self.effects: set[str] = set()  # what took effect
        for table in TABLES:
            self.house.open(table)

    def step(self) -> None:
        what = self.dice.choice(STEPS)
        getattr(self, what)()
        if self.dice.random() < 0.7:
            self.house.post()
        if self.looks.random() < 0.2:
            display.refresh(self.house.system.pk)

    def hits(self, *states: str) -> list[Any]:
        return list(self.house.system.hits.filter(state__in=states).order_by("place"))

    def decide(self, kind: str, **body: Any) -> None:
        if not self.house.decide(kind, **body).refused:
            self.effects.add(kind)

    def press(self) -> str:
        table = self.dice.choice(TABLES)
        self.house.press(table)
        return table

    def call(self) -> None:
        self.house.call(self.press(), self.dice.choice(["royal", "quads", None]))

    def report(self) -> None:
        table, hole = self.press(), self.dice.choice([["As", "Ks"], ["Xx", "Ks"], ["Ah", "Kd"]])
        self.house.say(
            table,
            messages.HandReported,
            round=self.house.rounds[table],
            boards=[BOARD],
            hands=[messages.ReportedHand(**{**HAND, "hole": hole})],
        )

    def amend(self) -> None:
        if held := self.hits("held"):
            report = {"boards": [BOARD], "hands": [HAND]}
            self.decide("amend_hand", hit=self.dice.choice(held).number, report=report)

    def reject(self) -> None:
        if held := self.hits("held"):
            body: dict[str, Any] = {"reason": "R01", "evidence": "", "affected": True}
            number = self.dice.choice(held).number
            self.decide("reject_claim", with_actions=True, hit=number, **body)

    def confirm(self) -> None:
        """What is safe, or a supplement."""
        for hit in self.dice.sample(hits := self.hits("held", "confirmed"), len(hits)):
            coming = bounds_of_claim(self.house.system, hit.number)
            if coming is not None and coming.due > 0:
                self.effects |= {"safe"} if coming.waits_for else set()
                self.effects |= {"supplement"} if coming.confirmed else set()
                payees = [{"seat": 3, "amount": coming.due}]
                body: dict[str, Any] = {"hit": hit.number, "amount": coming.due, "payees": payees}
                self.decide("confirm_claim", with_actions=True, **body)
                return

    def handle(self) -> None:
        """Something is done with a line: it is paid in part or whole, withheld, forfeited ..."""
        if confirmed := self.hits("confirmed", "paid"):
            hit = self.dice.choice(confirmed)
            line = self.dice.choice(hit.payees)
            body: dict[str, Any] = {"hit": hit.number, "line": line["line"]}
            kind = self.dice.choice(["pay", "pay", "pay", "withhold", "release"])
            kind = self.dice.choice([kind, kind, "unclaimed", "forfeit"])
            if kind == "pay":
                body["parts"] = {"cash": rest(line) // self.dice.choice([1, 2])}
                self.decide("pay", first="lucia", second=None, with_actions=True, **body)
            else:
                body |= {} if kind == "unclaimed" else {"reason": "law"}
                second = "hana" if kind == "forfeit" else None
                self.decide(kind, first="ruth", second=second, with_actions=True, **body)

    def reverse(self) -> None:
        if self.dice.random() < 0.3 and (hits := self.hits("confirmed", "paid")):
            hit = self.dice.choice(hits).number
            body = {"reason": "R13", "evidence": "camera 4"}
            self.decide(
                "reverse_claim", first="ruth", second="hana", with_actions=True, hit=hit, **body
            )

    def adjust(self) -> None:
        self.decide(
            "adjust_pool",
            with_actions=True,
            tier=self.dice.choice(["royal", "quads"]),
            into=self.dice.choice(["pool", "reserve"]),
            amount=self.dice.choice([-900, -3, 5]) * MICROS,
            source=self.dice.choice(["operator", "pot"]),
            reason="A04",
            evidence="drop box 3",
            below_reset="it ends tonight",
        )

    def limit(self) -> None:
        terms = two_tiers()
        for tier in terms["tiers"]:
            tier["limit"] = self.dice.choice([None, 1000 * MICROS, 1001 * MICROS])
        self.decide("put_terms", terms=terms, force="a new season")


TABLES = ("t3", "t7", "t9")
STEPS = ["press", "call", "call", "report", "report", "amend", "reject"]
STEPS += ["confirm", "confirm", "handle", "handle", "reverse", "adjust", "limit"]


@pytest.mark.django_db
@pytest.mark.parametrize("seed", [8, 10, 14, 19])
def test_a_random_evening_reconciles(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hits open, close and are rejected over many batches; the replay begins again in each.

    A batch loads the hits from the earliest open one on: this is where a wrong start shows.
    """
    monkeypatch.setattr("jackpot.audit.checkpoint.ROUNDS_KEPT", 1)  # it rests on what else is kept
    evening = RandomEvening(seed)
    house = evening.house
    for _ in range(80):
        evening.step()
        if evening.looks.random() < 0.2:
            assert reconcile(house.system, whole=False).differences == [], f"seed {seed}"
    house.post()
    assert house.head.halted_at is None, f"seed {seed}: {house.head.halted_on}"
    since = reconcile(house.system, whole=False)
    whole = reconcile(house.system)
    assert since.differences == whole.differences == [], f"seed {seed}"
    assert (since.from_block > 0, whole.from_block) == (True, 0)
    # From checkpoint to checkpoint the fold comes to the same books as from the first entry.
    assert bytes(since.books_digest or b"") == bytes(whole.books_digest or b"-"), f"seed {seed}"
    connection.ensure_connection()
    report = look(connection.connection, with_actions=False)
    assert report.ok, f"seed {seed}: {report.lines()}"
    due = {"pay", "forfeit", "adjust_pool", "put_terms", "safe", "supplement"}
    assert due <= evening.effects, f"seed {seed}"


@pytest.mark.django_db
def test_a_decided_hit_keeps_its_amount_when_the_course_goes_on_behind_it() -> None:
    """A display message from before the hit before does not count later either (19.14(b))."""
    house = House({**royal_terms(), "evidence": {}})
    for table in ("t3", "t7"):
        house.open(table)
        for _ in range(5):
            house.press(table)
    house.post()
    display.refresh(house.system.pk)
    for table in ("t3", "t7"):
        house.call(table)
    house.post()
    for number in (1, 2):
        pay_whole(house, house.hit(number))
    assert house.hit(2).held == 1000 * MICROS
    house.press("t3")
    house.call("t3")
    house.post()
    hit = house.hit(2)
    assert (hit.state, hit.held) == ("paid", hit.confirmed) == ("paid", 1000 * MICROS)
    assert reconcile(house.system).differences == []


def test_an_amendment_never_lowers_what_was_confirmed_for_a_later_hand() -> None:
    """An earlier hand moves to a prize of which a later hand is confirmed: it acts here."""
    floor = Floor(two_tiers())
    floor.open("t3")
    floor.open("t7")
    floor.press("t3")
    floor.call("t3", "quads")
    for _ in range(3):
        floor.press("t7")
    later = floor.call("t7", "royal")
    assert later["held"] == 1002 * MICROS
    floor.decide(
        "confirm_claim", hit=2, amount=later["held"], payees=[{"seat": 3, "amount": later["held"]}]
    )
    for _ in range(10):
        floor.press("t7")
    floor.books.displayed, floor.books.displayed_seq = {"royal": 11_500 * MICROS}, 0
    report = {"boards": [BOARD], "hands": [HAND]}
    outcome = floor.decide("amend_hand", hit=1, report=report)
    assert outcome["tier"] == "royal"
    assert floor.held(2) == later["held"]
    assert floor.held(1) == 1005 * MICROS  # the pool as it stands now, not as it stood then
    early = floor.books.hits[1]
    assert (early.place, early.acts_at) == (5, floor.books.seq)  # its place stays evidence
    assert floor.pool("quads") > 1000 * MICROS  # what was held there went back
