"""A rehearsal beside a real system, from press to paid and printed."""

import datetime as dt
from typing import Any

from django.utils import timezone

from settlement.audit.reconciliation import reconcile
from settlement.claims import services as claims
from settlement.evidence.identification import PlayerIdentity, identify
from settlement.models import Claim, Payout
from settlement.payments.slips import print_slip
from settlement.people.rights.permissions import Reauthenticated
from settlement.set_up.rehearsal_steps import rehearsals
from tables.models import DisplayReading, GamingTable, UnitPresence
from tests.support.cases.confirmed_house import person
from tests.support.people.cast import ALL_YES, ClaimHouse
from tests.support.play.books import royal_terms
from tests.support.play.house import House

CODE = "rehearsal-main"


class RehearsalHouse(ClaimHouse):
    """The twin of the house beside it, whose people and writer it has."""

    def __init__(self, beside: House, code: str = CODE) -> None:
        terms: dict[str, Any] = {"evidence": {}, **royal_terms(name="REHEARSAL Royal")}
        beside.poster.give_up()  # one writer of both; two would share systems as leases end
        House.__init__(self, terms, tables=("t3",), code=code)
        beside.poster = self.poster

    def claim(self) -> Claim:
        claims.catch_up(self.system)
        return Claim.objects.get(system=self.system, number=1)

    def take_to_the_end(self) -> Payout:
        """Pressed, reported, verified, confirmed, paid, printed and reconciled."""
        self.hit_royal()
        who = PlayerIdentity(3, "Somebody", dt.date(1990, 2, 3), "passport", "LA 123")
        identify(self.claim(), person("sione"), who)
        claims.answer_checklist(self.claim(), person("sione"), ALL_YES, {})
        claims.verify(self.claim(), person("sione"))
        amount = self.hit(1).held
        claims.confirm(self.claim(), Reauthenticated(person("mere")), amount)
        self.post()
        claims.pay(self.claim(), Reauthenticated(person("aroha")), 1, {"cash": amount})
        self.post()
        claims.catch_up(self.system)
        payout = Payout.objects.get(claim__system=self.system)
        print_slip(payout, person("aroha"))
        reconcile(self.system)
        return payout


def passed(house: ClaimHouse) -> RehearsalHouse:
    rehearsal = RehearsalHouse(house)
    rehearsal.take_to_the_end()
    table = GamingTable.objects.get(system=rehearsal.system, code="t3")
    now = timezone.now()
    UnitPresence.objects.create(
        table=table, online=False, boot=1, connection=1, last_seq=0, said_at=now, heard_at=now
    )
    DisplayReading.objects.create(
        table=table, display="d", said_at=now, received_at=now, system_seq=1, terms=1, shown={}
    )
    (row,) = rehearsals([house.system.casino])
    assert row.is_passed
    return rehearsal
