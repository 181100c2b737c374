"""Adjusting a pool takes a closed reason, evidence and two people, in service and database."""

import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction

from jackpot.models import CommandQueue, Tier
from jackpot.terms.money import MICROS
from jackpot.writer import commands
from settlement.approvals import proposals
from settlement.audit.authorisation import without_actions
from settlement.core.errors import BadReason, KeyUsed, NotPermitted, SamePerson, WrongState
from settlement.models import Proposal, ProposalDecision
from settlement.people.rights.permissions import Reauthenticated
from settlement.pools import adjustments
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
FIELDS: dict[str, Any] = {
    "into": "pool",
    "source": "operator",
    "amount": 25 * MICROS,
    "reason": "A02",
    "evidence": "Incident 17",
}


house = kept_house(ClaimHouse)


def person(name: str) -> Any:
    return User.objects.get(username=name)


def proposed(by: str = "sione", key: uuid.UUID | None = None, **changes: Any) -> Proposal:
    adjustment = adjustments.PoolAdjustment(Tier.objects.get(), **{**FIELDS, **changes})
    return adjustments.propose(adjustment, person(by), key=key)


def agree(proposal: Proposal, by: str = "mere") -> None:
    with acting_as("web"):
        proposals.agree(proposal, Reauthenticated(person(by)))


def test_a_second_person_adjusts_it(house: ClaimHouse) -> None:
    before = house.balance("royal:pool")
    with acting_as("web"):
        proposal = proposed()
    house.post()
    assert house.balance("royal:pool") == before  # one person moves nothing
    agree(proposal)
    house.post()
    assert house.balance("royal:pool") == before + 25 * MICROS
    (row,) = adjustments.adjustments_of(Tier.objects.get(), 5)
    assert (row.state, row.who, row.second) == ("posted", "sione", "mere")
    assert (row.before, row.after) == (before, before + 25 * MICROS)
    assert without_actions(house.system.pk, 0) == []
    with pytest.raises(WrongState, match="agreed to already"):
        agree(proposal, "david")


@pytest.mark.parametrize(
    ("fields", "match"),
    [
        ({"reason": "A11"}, "A01 to A10"),
        ({"evidence": " "}, "Enter the evidence"),
        ({"amount": 0}, "other than zero"),
        ({"source": "reserve"}, "cannot be read"),
        ({"into": "overflow"}, "cannot be read"),
    ],
)
def test_what_is_proposed_must_be_whole(
    house: ClaimHouse, fields: dict[str, Any], match: str
) -> None:
    with pytest.raises(BadReason, match=match):
        proposed(**fields)
    assert not Proposal.objects.exists()


def test_who_may(house: ClaimHouse) -> None:
    with pytest.raises(NotPermitted):
        proposed("aroha")
    proposal = proposed("mere")
    with pytest.raises(SamePerson, match="somebody else must approve it"):
        agree(proposal, "mere")
    with pytest.raises(NotPermitted):
        agree(proposal, "sione")
    User.objects.filter(username="mere").update(is_active=False)
    with pytest.raises(SamePerson, match="who can log in"):
        agree(proposal, "david")


def test_withdrawn_with_a_note(house: ClaimHouse) -> None:
    proposal = proposed()
    with pytest.raises(BadReason, match="Enter why"):
        proposals.withdraw(proposal, person("sione"), " ")
    with acting_as("web"):
        proposals.withdraw(proposal, person("sione"), "The count was right")
    with pytest.raises(WrongState, match="withdrawn already"):
        agree(proposal)
    assert adjustments.adjustments_of(Tier.objects.get(), 5)[0].state == "withdrawn"
    assert not proposals.open_proposals().exists()


def test_a_form_sent_twice_is_one_proposal(house: ClaimHouse) -> None:
    key = uuid.uuid4()
    assert proposed(key=key) == proposed(key=key)
    with pytest.raises(KeyUsed):
        proposed(key=key, amount=1)


def refused(match: str) -> Any:
    return pytest.raises(IntegrityError, match=match)


def test_the_database_asks_for_the_agreement(house: ClaimHouse) -> None:
    proposal = proposed()

    def decide(name: str) -> None:
        ProposalDecision.objects.create(
            proposal=proposal, agreed=True, command=last, person=person(name)
        )

    def queue(second: str, **body: Any) -> int:
        new_body = {**proposal.body, **body}
        return commands.queue(house.system, "adjust_pool", new_body, first="sione", second=second)

    last = CommandQueue.objects.get(system=house.system).last_number + 1
    with acting_as("web"):
        with refused("two_people"), transaction.atomic():
            decide("sione")
        with refused("actions: behind"), transaction.atomic():
            assert queue("mere") == last
            at_the_end()
        with refused("actions: behind"), transaction.atomic():
            queue("mere", amount=26 * MICROS)
            decide("mere")
            at_the_end()
        with refused("actions: behind"), transaction.atomic():
            queue("david")
            decide("mere")
            at_the_end()
        queue("mere")
        decide("mere")
        at_the_end()


def test_reconciliation_tells_of_an_adjustment_that_nobody_proposed(house: ClaimHouse) -> None:
    body = {"tier": "royal", **FIELDS}
    answer = house.decide("adjust_pool", **body)
    assert without_actions(house.system.pk, 0) == [
        f"entry {answer.seq}: adjust_pool names mere and david, and no actions of theirs stand"
        " behind it"
    ]


def at_the_end() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
