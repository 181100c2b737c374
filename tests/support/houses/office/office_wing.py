"""The wing, a system of the office's month: what its main floor and its annex have nothing of.

A round gives 0.50 of the operator to the royal flush, one whose pot is 40.00 another 0.40 of the
pot; quads pay 500.00 whatever their pool holds, which has 0.20 of a commission of 2.00. No prize
takes the drop of 1.00: it is to be returned.

Sunday 1st: two whole rounds; the royal flush is hit twice, for 1,003.00 (claim 1) and 1,001.00
(claim 2), quads once (claim 3). Claim 1 is rejected, so that claim 2 comes to 1,003.00, which are
paid, 200.00 of it withheld as tax. The rejection is reversed: the operator covers 2.00. Claim 1 is
paid by cheque, claim 3 in chips; 50.00 of the tax are remitted.
"""

from typing import Any

from jackpot.terms.money import MICROS
from settlement.claims.decisions import wrong_rejections
from settlement.jurisdiction.payments import PayeeStatement
from settlement.payments import remittances
from settlement.people.rights.permissions import Reauthenticated
from tests.support.cases.confirmed_house import person
from tests.support.houses.office.office_house import OfficeHouse, money
from tests.support.pages.page_ledger import Clock
from tests.support.play.books import royal_terms
from tests.support.play.house import House


def wing_terms() -> dict[str, Any]:
    (royal,) = royal_terms()["tiers"]
    royal["increments"].append({"source": "pot", "basis_points": 100})
    quads = {
        "code": "quads",
        "name": "Quads",
        "rank": 2,
        "reset": 200 * MICROS,
        "prize": 500 * MICROS,
        "payable_unit": MICROS,
        "increments": [{"source": "commission", "basis_points": 1_000}],
        "qualifying": {"weakest": {"category": "four_of_a_kind"}, "games": ["holdem"]},
    }
    return {**royal_terms(), "funding": "players", "tiers": [royal, quads], "evidence": {}}


class OfficeWing(OfficeHouse):
    """Its people are those of the month, who are there already."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        House.__init__(self, wing_terms(), tables=("w1", "w2"), code="wing")
        self.poster.give_up()

    def play_sunday(self) -> None:
        for table in ("w1", "w2"):
            self.open(table)
        self.play("w1", 2)
        self.hit_royal("w1")
        self.hit_royal("w2")
        self.hit_quads("w1")
        self.reject(1)
        self.confirm(2)
        abroad = PayeeStatement("foreign", reason="Asked for by the tax office")
        self.pay(2, abroad, cash="803", tax="200")
        self._reverse_rejection(1)
        self.confirm(1)
        self.pay(1, cash="3", equivalent="1000")
        self.confirm(3)
        self.pay(3, chips="500")
        remittances.remit(self.system, person("ines"), money("50"), "Transfer 81")
        self.post()

    def _reverse_rejection(self, number: int) -> None:
        proposal = wrong_rejections.propose(
            self.claim(number), person("sione"), reason="Typed as folded", evidence="camera 4"
        )
        wrong_rejections.agree(proposal, Reauthenticated(person("david")))
        self.post()
