"""A house in which one person showed two documents on a gaming day."""

import datetime as dt
import uuid
from typing import Any

from settlement.evidence.identification import PlayerIdentity, identify
from settlement.jurisdiction.payments import PaymentRequirements, requirements
from settlement.models import Claim, Identification
from tests.support.cases.confirmed_house import person
from tests.support.houses.winners import UNIT, WinnersHouse
from tests.support.people.roles import acting_as

FORM_112 = "FinCEN Form 112"
BORN = dt.date(1990, 1, 1)


class TwoDocuments(WinnersHouse):
    """Ana Ruiz is paid 6,000.00 under a passport, then wins again and shows a licence."""

    def __init__(self) -> None:
        super().__init__(6_000)
        self.pay(self.win("Ana María Ruiz"), cash=6_000)
        self.second = self.win()

    def shows(self, claim: Claim, name: str = "RUIZ, Ana Maria", **changes: Any) -> None:
        shown_by: dict[str, Any] = {
            "born": BORN,
            "document": "driver_licence",
            "document_number": "7788",
        } | changes
        with acting_as("web"):
            identify(claim, person("aroha"), PlayerIdentity(3, name, **shown_by), key=uuid.uuid4())

    @property
    def numbers(self) -> tuple[int, ...]:
        """Of the passport and the licence."""
        return tuple(Identification.objects.order_by("pk").values_list("pk", flat=True))

    def needed(self, cash: int) -> PaymentRequirements:
        """Of a payment of so many cents to the player of the second claim."""
        hit = self.hit(self.second.number)
        (line,) = hit.payee_lines
        return requirements(self.second, hit, [(line, cash * UNIT // 100)])[line.line]


def warned(needs: PaymentRequirements) -> list[str]:
    return [each.text for each in needs.duties() if FORM_112 in each.text]
