"""A house with one claim, verified by sione and confirmed by mere, all for seat 3; then paid."""

from typing import Any

from django.contrib.auth.models import User

from settlement.claims import services as claims
from settlement.models import Claim, Payout
from settlement.payments import slips
from settlement.people.rights.permissions import Reauthenticated
from tests.support.people.cast import ALL_YES, ClaimHouse
from tests.support.people.roles import acting_as


def person(name: str) -> Any:
    return User.objects.get(username=name)


class ConfirmedHouse(ClaimHouse):
    """The claim is the first hit's; `amount` in micros."""

    def __init__(self) -> None:
        super().__init__()
        self.hit_royal()
        claims.catch_up(self.system)
        self.claim = Claim.objects.get()
        claims.answer_checklist(self.claim, person("sione"), ALL_YES, {})
        claims.verify(self.claim, person("sione"))
        self.amount = self.hit(1).held
        claims.confirm(self.claim, Reauthenticated(person("mere")), self.amount)
        self.post()

    @property
    def state(self) -> str:
        """Of the claim's one payment."""
        return str(self.hit(1).payees[0]["state"])


class PaidHouse(ConfirmedHouse):
    """Paid by aroha in two parts."""

    def __init__(self) -> None:
        super().__init__()
        for parts in ({"cash": 600_000_000}, {"chips": 1_000_000, "cash": 400_000_000}):
            claims.pay(self.claim, Reauthenticated(person("aroha")), 1, parts)
            self.post()
        claims.catch_up(self.system)
        self.first, self.second = Payout.objects.select_related("claim__system__casino").order_by(
            "part"
        )

    def print(self, payout: Payout, by: str = "aroha") -> bytes:
        with acting_as("web"):
            return slips.print_slip(payout, person(by))[0]
