"""A rejection is reversed by its own two people: in the service, the database and the verifier."""

import uuid
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from jackpot.writer import commands
from settlement.approvals import proposals
from settlement.audit.authorisation import without_actions
from settlement.claims import services as claims
from settlement.claims.decisions import wrong_rejections
from settlement.claims.status import hits
from settlement.core.errors import BadReason, NotPermitted, SamePerson, WrongState
from settlement.models import Action, Claim, Proposal, ProposalDecision
from settlement.people.rights.permissions import Reauthenticated
from tests.support.cases.confirmed_house import person
from tests.support.people.cast import REASON, ClaimHouse
from tests.support.people.permissions.authorisation import refused
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]


class RejectedHouse(ClaimHouse):
    """The claim was rejected by sione and mere."""

    def __init__(self) -> None:
        super().__init__()
        self.hit_royal()
        claims.catch_up(self.system)
        self.claim = Claim.objects.get()
        self.held = self.hit(1).held
        self.reject()

    def reject(self, by: str = "sione", second: str = "mere") -> None:
        with acting_as("web"):
            claims.propose_rejection(self.claim, person(by), **REASON)
            claims.second_rejection(self.claim, Reauthenticated(person(second)))
        self.post()

    def propose(self, by: str = "anahera", **changes: Any) -> Proposal:
        fields = {"reason": "Typed as folded by a slip", "evidence": "Camera 4", **changes}
        with acting_as("web"):
            return wrong_rejections.propose(self.claim, person(by), **fields)

    def agree(self, proposal: Proposal, by: str = "david") -> None:
        with acting_as("web"):
            wrong_rejections.agree(proposal, Reauthenticated(person(by)))
        self.post()

    def correct(self) -> None:
        """The unit sends the report once more."""
        self.report("t3")
        self.post()


house = kept_house(RejectedHouse)


def test_the_claim_is_open_again(house: RejectedHouse) -> None:
    proposal = house.propose()
    house.post()
    assert house.hit(1).state == "rejected"  # one person moves nothing
    house.agree(proposal)
    assert (house.hit(1).state, house.hit(1).held) == ("held", house.held)
    assert without_actions(house.system.pk, 0) == []
    with pytest.raises(WrongState, match="rejected claim"):
        house.propose()


@pytest.mark.parametrize("by", ["sione", "mere"])
def test_not_by_those_who_rejected_it(house: RejectedHouse, by: str) -> None:
    with pytest.raises(SamePerson, match="to reject this claim"):
        house.propose(by)
    proposal = house.propose()
    if by == "mere":
        with pytest.raises(SamePerson, match="to reject this claim"):
            house.agree(proposal, by)
    with (
        pytest.raises(IntegrityError, match="two_people"),
        acting_as("web"),
        transaction.atomic(),
    ):
        ProposalDecision.objects.create(
            proposal=proposal, agreed=True, command=9, person=person(by)
        )


def test_not_alone_and_only_by_those_who_may(house: RejectedHouse) -> None:
    proposal = house.propose("david")
    with pytest.raises(SamePerson):
        house.agree(proposal, "david")
    with pytest.raises(NotPermitted):
        house.agree(proposal, "anahera")
    with pytest.raises(NotPermitted):
        house.propose("aroha")
    with pytest.raises(WrongState, match="proposed already"):
        house.propose("anahera")


def test_what_is_proposed_must_be_whole(house: RejectedHouse) -> None:
    with pytest.raises(BadReason, match="why the rejection was wrong"):
        house.propose(reason=" ")
    with pytest.raises(BadReason, match="evidence"):
        house.propose(evidence="")
    with pytest.raises(BadReason, match="Evidence is too long: at most 500 characters"):
        house.propose(evidence="x" * 501)


def test_without_a_proposal_the_database_refuses(house: RejectedHouse) -> None:
    entry = house.hit(1).report_entry
    body = {"hit": 1, "report_entry": entry, "reason": "typed wrong", "evidence": "Camera 4"}
    with acting_as("web"), refused("actions: behind"):
        commands.queue(house.system, "reverse_rejection", body, first="anahera", second="david")
    with pytest.raises(IntegrityError, match="command_takes_two_people"), transaction.atomic():
        commands.queue(house.system, "reverse_rejection", body, first="anahera")


def test_a_report_that_came_meanwhile_is_read_first(house: RejectedHouse) -> None:
    proposal = house.propose()
    house.correct()
    hit = house.hit(1)
    assert hit.corrected is not None
    assert hit.newest_report_entry == house.head.seq != hit.report_entry
    with pytest.raises(WrongState, match="corrected since"):
        house.agree(proposal)
    with acting_as("web"):
        proposals.withdraw(proposal, person("anahera"), "The report was corrected")
    house.agree(house.propose())
    back = house.hit(1)
    assert (back.report_entry, back.corrected) == (hit.newest_report_entry, None)


def test_rejected_again_it_takes_a_proposal_of_its_own(house: RejectedHouse) -> None:
    house.agree(house.propose())
    hit: Any = hits().get(number=1)
    assert not hit.rejection_proposed
    assert claims.open_proposal(house.claim, hit) is None
    with pytest.raises(WrongState, match="Nobody has proposed"):
        claims.second_rejection(house.claim, Reauthenticated(person("david")))
    before = Action.objects.get(kind="propose_rejection")
    body = {"hit": 1, "report_entry": hit.report_entry, **before.body}
    with acting_as("web"), refused("says something else"):
        number = commands.queue(house.system, "reject_claim", body, first="sione", second="david")
        Action.objects.create(
            claim=house.claim,
            kind="second_rejection",
            person=person("david"),
            report_entry=hit.report_entry,
            command=number,
            body={},
            key=uuid.uuid4(),
        )
    house.reject("anahera", "david")
    assert house.hit(1).state == "rejected"
    # Now nobody is left who did not reject it.
    with pytest.raises(SamePerson):
        house.propose("david")


def test_withdrawn_and_declined(house: RejectedHouse) -> None:
    proposal = house.propose()
    with acting_as("web"):
        proposals.withdraw(proposal, person("anahera"), "The footage shows a folded hand")
    with pytest.raises(WrongState, match="withdrawn already"):
        house.agree(proposal)
    assert house.hit(1).state == "rejected"
