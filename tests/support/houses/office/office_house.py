"""A small casino whose people act through the services, for stories with figures by hand."""

from typing import Any

from jackpot.terms.money import MICROS
from jackpot.writer import commands
from settlement.approvals import proposals
from settlement.claims import services as claims
from settlement.jurisdiction.payments import NOTHING_STATED, PayeeStatement
from settlement.models import Claim, Payout
from settlement.payments.slips import print_slip
from settlement.people.rights.permissions import Reauthenticated
from tables.models import GamingTable
from tables.protocol import messages
from tests.support.cases.confirmed_house import person
from tests.support.pages.page_ledger import Clock
from tests.support.people.cast import ALL_YES, ClaimHouse

QUADS = ("9s 9h", "9d 9c Ts 2d 3c")


def money(text: str) -> int:
    """Micros of a decimal amount.

    >>> money("-1,003.70")
    -1003700000
    """
    sign = -1 if text.startswith("-") else 1
    units, _point, cents = text.removeprefix("-").replace(",", "").partition(".")
    return sign * (int(units) * MICROS + int(cents or 0) * MICROS // 100)


class OfficeHouse(ClaimHouse):
    """What people do, each after some minutes of the clock."""

    clock: Clock

    def play(self, table: str, count: int) -> None:
        """So many whole rounds, a minute each."""
        for _ in range(count):
            self.clock.on(minutes=1)
            self.press(table)
            figures = {"pot": 4000, "commission": 200, "jackpot_drop": 100}
            self.say(table, messages.RoundCompleted, round=self.rounds[table], **figures)
        self.post()

    def table(self, code: str) -> GamingTable:
        return GamingTable.objects.get(system=self.system, code=code)

    def claim(self, number: int) -> Claim:
        claims.catch_up(self.system)
        return Claim.objects.get(system=self.system, number=number)

    def hit_quads(self, table: str) -> None:
        self.press(table)
        self.call(table, tier="quads")
        self.report(table, QUADS)
        self.post()

    def reject(self, number: int) -> None:
        ground: dict[str, Any] = {"reason": "R04", "evidence": "camera 12", "affected": True}
        claims.propose_rejection(self.claim(number), person("anahera"), **ground)
        self.clock.on(minutes=5)
        claims.second_rejection(self.claim(number), Reauthenticated(person("mere")))
        self.post()

    def confirm(self, number: int) -> None:
        """Verified after ten minutes, confirmed after five more."""
        claim = self.claim(number)
        self.clock.on(minutes=10)
        claims.answer_checklist(claim, person("sione"), ALL_YES, {})
        claims.verify(claim, person("sione"))
        self.clock.on(minutes=5)
        claims.confirm(claim, Reauthenticated(person("mere")), self.hit(number).held)
        self.post()

    def pay(self, number: int, statement: PayeeStatement = NOTHING_STATED, **parts: str) -> None:
        """Handed over by aroha three minutes later; the slip is printed."""
        self.clock.on(minutes=3)
        micros = {method: money(text) for method, text in parts.items()}
        cashier = Reauthenticated(person("aroha"))
        claims.pay(self.claim(number), cashier, 1, micros, statement=statement)
        self.post()
        claims.catch_up(self.system)
        print_slip(Payout.objects.latest("pk"), person("aroha"))

    def agree(self, kind: str, first: str = "anahera", second: str = "mere", **body: Any) -> None:
        """One person proposes exactly this, another one agrees."""
        subject = str(body.get("hit") or body.get("tier") or body["terms"]["code"])
        proposal = proposals.propose(self.system, kind, subject, body, person(first))
        proposals.agree(proposal, Reauthenticated(person(second)))
        self.post()
        answer = commands.answer(self.system, proposal.decision.command or 0)
        assert not answer.refused, answer.refused
