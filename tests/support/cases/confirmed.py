"""A house with one claim: verified by sione, confirmed by mere, all of it due to seat 3."""

from typing import Any

from django.contrib.auth.models import User

from settlement.claims import services as claims
from settlement.models import Claim
from settlement.people.rights.permissions import Reauthenticated
from tests.support.people.cast import ALL_YES, ClaimHouse


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
