"""A confirmed or paid claim is reversed by its own two people: in the service and the database."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from jackpot.writer import commands
from settlement.approvals import proposals
from settlement.audit.authorisation import without_actions
from settlement.claims import services as claims
from settlement.claims.decisions import reversals
from settlement.core.errors import BadReason, NotPermitted, PartsDoNotAddUp, SamePerson, WrongState
from settlement.core.gaming_day import Days
from settlement.models import Proposal, ProposalDecision
from settlement.payments.register import payout_register, totals
from settlement.people.rights.permissions import Reauthenticated
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.people.permissions.authorisation import refused
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]


class PaidHouse(ConfirmedHouse):
    """The claim is paid by aroha in cash."""

    def __init__(self) -> None:
        super().__init__()
        claims.pay(self.claim, Reauthenticated(person("aroha")), 1, {"cash": self.amount})
        self.post()
        claims.catch_up(self.system)

    def propose(self, by: str = "anahera", **changes: Any) -> Proposal:
        fields: dict[str, Any] = {"reason": "R13", "evidence": "Camera 4", "recovered": {}}
        return reversals.propose(self.claim, person(by), **{**fields, **changes})

    def agree(self, proposal: Proposal, by: str = "david") -> None:
        with acting_as("web"):
            reversals.agree(proposal, Reauthenticated(person(by)))


house = kept_house(PaidHouse)


def test_what_came_back_enters_the_pool_and_the_operator_bears_the_rest(house: PaidHouse) -> None:
    pool, operator = house.balance("royal:pool"), house.balance("operator")
    third = house.amount // 3
    with acting_as("web"):
        proposal = house.propose(recovered={"cash": third})
    house.post()
    assert house.hit(1).state == "paid"  # one person moves nothing
    house.agree(proposal)
    house.post()
    assert house.hit(1).state == "reversed"
    assert house.balance("royal:pool") == pool + house.amount
    assert house.balance("operator") == operator - (house.amount - third)
    assert house.balance("paid_cash") == house.amount - third
    assert without_actions(house.system.pk, 0) == []
    register = payout_register(house.system.casino, Days())
    sums = totals(register)
    assert (sums["payouts"], sums["reversals"]) == (1, 1)
    assert (sums["amount_micros"], sums["cash_micros"]) == (house.amount - third,) * 2
    line = next(row for row in register.rows(10) if row["what"] == "reversal")
    assert (line["proposed_by"], line["agreed_by"], line["paid_by"]) == ("anahera", "david", None)
    with pytest.raises(WrongState, match="Only a confirmed or paid"):
        house.propose()


@pytest.mark.parametrize("by", ["mere", "david", "aroha"])
def test_its_own_two_people(house: PaidHouse, by: str) -> None:
    if by == "aroha":
        with pytest.raises(NotPermitted):
            house.propose(by)
        person(by).groups.set(person("mere").groups.all())  # a cashier who became a manager
    if by != "david":
        with pytest.raises(SamePerson, match="confirmed or paid this claim"):
            house.propose(by)
    proposal = house.propose("david")
    with pytest.raises(SamePerson):
        house.agree(proposal, by)
    with (
        pytest.raises(IntegrityError, match="two_people"),
        acting_as("web"),
        transaction.atomic(),
    ):
        ProposalDecision.objects.create(
            proposal=proposal, agreed=True, command=9, person=person(by)
        )


def test_what_is_proposed_must_be_whole(house: PaidHouse) -> None:
    with pytest.raises(BadReason, match="R01 to R14"):
        house.propose(reason="A01")
    with pytest.raises(BadReason, match="evidence"):
        house.propose(evidence="")
    with pytest.raises(PartsDoNotAddUp, match="More chips"):
        house.propose(recovered={"chips": 1})
    proposal = house.propose()
    with pytest.raises(WrongState, match="proposed already"):
        house.propose("david")
    with acting_as("web"):
        proposals.withdraw(proposal, person("anahera"), "The footage shows another hand")
    house.propose("david")


def test_a_reversal_without_a_proposal_is_refused(house: PaidHouse) -> None:
    body = {"hit": 1, "reason": "R13", "evidence": "Camera 4"}
    with acting_as("web"), refused("actions: behind"):
        commands.queue(house.system, "reverse_claim", body, first="anahera", second="david")
