"""A house under the rules of Nevada, in which one person wins again and again."""

import datetime as dt
import uuid
from typing import Any

from jackpot.terms.money import MICROS
from settlement.claims import services as claims
from settlement.evidence.identification import PlayerIdentity, identify
from settlement.jurisdiction.payments import PayeeStatement, PaymentRequirements, requirements
from settlement.models import Claim
from settlement.people.rights.permissions import Reauthenticated
from tables.models import Casino
from tests.support.cases.confirmed_house import person
from tests.support.people.cast import ALL_YES, ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms

UNIT = MICROS
RESIDENT, FOREIGN = PayeeStatement("resident"), PayeeStatement("foreign")


class WinnersHouse(ClaimHouse):
    """Each royal flush comes to `won` units of the currency, 0.50 of it by the round before it."""

    def __init__(self, won: int) -> None:
        super().__init__(royal_terms(reset=won * UNIT - UNIT // 2))
        Casino.objects.update(currency="USD")
        self.system.refresh_from_db()

    @property
    def casino(self) -> Casino:
        return Casino.objects.get()

    def win(self, name: str = "", number: str = "LA123456") -> Claim:
        """A claim that is confirmed; its player is identified where a name is given."""
        self.hit_royal()
        claims.catch_up(self.system)
        claim = Claim.objects.order_by("number").last()
        assert claim is not None
        claims.answer_checklist(claim, person("sione"), ALL_YES, {})
        claims.verify(claim, person("sione"))
        due = self.hit(claim.number).held
        claims.confirm(claim, Reauthenticated(person("mere")), due)
        self.post()
        if name:
            self.identify(claim, name, number)
        return claim

    def identify(self, claim: Claim, name: str, number: str = "LA123456") -> None:
        """Who sits at seat 3."""
        player = PlayerIdentity(3, name, dt.date(1990, 1, 1), "passport", number)
        with acting_as("web"):
            identify(claim, person("aroha"), player, key=uuid.uuid4())

    def needs(self, claim: Claim) -> PaymentRequirements:
        """What paying the rest of its one payee asks for."""
        hit = self.hit(claim.number)
        (line,) = hit.payee_lines
        claim.refresh_from_db()
        return requirements(claim, hit, [(line, line.rest)])[line.line]

    def pay(
        self, claim: Claim, statement: PayeeStatement = RESIDENT, line: int = 1, **parts: int
    ) -> Any:
        """`parts` in units of the currency."""
        amounts = {name: amount * UNIT for name, amount in parts.items()}
        with acting_as("web"):
            claims.pay(claim, Reauthenticated(person("aroha")), line, amounts, statement=statement)
        self.post()
        claims.catch_up(self.system)
