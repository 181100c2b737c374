"""Where nobody is left to decide, two people give the decision to somebody from outside."""

import uuid
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.db import IntegrityError, connection, transaction

from jackpot.models import Entry
from jackpot.terms.money import MICROS
from jackpot.writer import commands
from settlement.approvals import proposals
from settlement.audit.authorisation import without_actions
from settlement.claims import services as claims
from settlement.claims.decisions import delegation
from settlement.core.errors import BadReason, NotPermitted, OwnHand, SamePerson, WrongState
from settlement.models import Action, Claim, Proposal, ProposalDecision, SecondManagerLimit
from settlement.people.rights import staff_play
from settlement.people.rights.permissions import Reauthenticated
from settlement.people.rights.roles import grant
from tests.support.cases.confirmed_house import person
from tests.support.people.cast import ALL_YES, ClaimHouse, as_
from tests.support.people.permissions.authorisation import refused
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house
from verifier.check import look

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
WHY = "Mere and David were dealt in; the house has no other manager"


def build_house() -> ClaimHouse:
    """Verified by sione; both managers were at the table."""
    house = ClaimHouse()
    house.hit_royal()
    claims.catch_up(house.system)
    with acting_as("web"):
        claims.answer_checklist(claim(), person("sione"), ALL_YES, {})
        claims.verify(claim(), person("sione"))
        for name in ("mere", "david"):
            staff_play.name(claim(), person(name), person(name))
    return house


house = kept_house(build_house)


def claim() -> Claim:
    return Claim.objects.select_related("system__casino").get()


def proposed(by: str = "anahera", to: str = "ines", capacity: str = "manager") -> Proposal:
    with acting_as("web"):
        return delegation.propose(
            claim(), person(by), person=person(to), capacity=capacity, reason=WHY
        )


def agreed(house: ClaimHouse, proposal: Proposal, by: str = "sione") -> None:
    with acting_as("web"):
        delegation.agree(proposal, Reauthenticated(person(by)))
    house.post()


def confirm(who: str, held: int) -> None:
    with acting_as("web"):
        claims.confirm(claim(), Reauthenticated(person(who)), held)


def test_compliance_confirms_where_every_manager_was_dealt_in(house: ClaimHouse) -> None:
    held = house.hit(1).held
    assert list(delegation.left(claim(), "confirm_claim")) == []
    with pytest.raises(NotPermitted):
        confirm("ines", held)
    agreed(house, proposal := proposed())
    assert proposal.body["left"] == []
    confirm("ines", held)
    house.post()
    assert house.hit(1).state == "confirmed"
    entry = Entry.objects.get(type="delegate_claim")
    assert (entry.hit, entry.outcome["delegate"]) == (1, "ines")
    assert without_actions(house.system.pk, 0) == []
    assert look(connection.connection, settled=False).findings == []


def test_a_proposal_alone_gives_nothing(house: ClaimHouse) -> None:
    proposal = proposed()
    with pytest.raises(NotPermitted):
        confirm("ines", house.hit(1).held)
    with acting_as("web"):
        proposals.withdraw(proposal, person("anahera"), "A manager came in")
    with pytest.raises(NotPermitted):
        confirm("ines", house.hit(1).held)


def test_it_is_for_one_claim_and_one_capacity(house: ClaimHouse) -> None:
    agreed(house, proposed())
    house.hit_royal("t7")
    claims.catch_up(house.system)
    other = Claim.objects.select_related("system").get(number=2)
    with acting_as("web"), pytest.raises(NotPermitted):
        claims.confirm(other, Reauthenticated(person("ines")), 1)
    with acting_as("web"), pytest.raises(NotPermitted):
        claims.verify(Claim.objects.get(number=1), person("ines"))


def test_compliance_agrees_to_a_rejection(house: ClaimHouse) -> None:
    agreed(house, proposed())
    with acting_as("web"):
        claims.propose_rejection(
            claim(), person("anahera"), reason="R04", evidence="Camera 4", affected=True
        )
        claims.second_rejection(claim(), Reauthenticated(person("ines")))
    house.post()
    assert house.hit(1).state == "rejected"


def test_a_manager_verifies_where_no_supervisor_is_left() -> None:
    house = ClaimHouse()
    house.hit_royal()
    claims.catch_up(house.system)
    with acting_as("web"):
        for name in ("sione", "anahera"):
            staff_play.name(claim(), person(name), person(name))
    agreed(house, proposed("mere", "david", "supervisor"), "ines")
    with acting_as("web"):
        claims.answer_checklist(claim(), person("david"), ALL_YES, {})
        claims.verify(claim(), person("david"))
        with pytest.raises(SamePerson):
            claims.confirm(claim(), Reauthenticated(person("david")), house.hit(1).held)


def test_who_may_not_be_asked_and_who_may_not_ask(house: ClaimHouse) -> None:
    with pytest.raises(WrongState, match="mere cannot be asked"):
        proposed(to="mere")  # was dealt in
    with pytest.raises(WrongState, match="anahera cannot be asked"):
        proposed("sione", to="anahera")  # a supervisor is nobody from outside
    with pytest.raises(SamePerson):
        proposed("ines", to="ines")
    with pytest.raises(OwnHand):
        proposed("mere")  # nobody chooses the judge of the own hand
    with pytest.raises(NotPermitted):
        proposed("aroha")
    with acting_as("web"), pytest.raises(BadReason):
        delegation.propose(
            claim(), person("sione"), person=person("ines"), capacity="manager", reason=" "
        )
    proposal = proposed()
    for who, error in (("anahera", SamePerson), ("ines", SamePerson), ("david", OwnHand)):
        with pytest.raises(error):
            agreed(house, proposal, who)


def test_who_is_left_stands_in_the_order(house: ClaimHouse) -> None:
    """Two people may delegate though a manager is left who cannot be reached: it is recorded."""
    hire_manager()
    assert [each.username for each in delegation.left(claim(), "confirm_claim")] == ["ruth"]
    agreed(house, proposal := proposed())
    assert proposal.body["left"] == ["ruth"]


def hire_manager() -> None:
    User.objects.create(username="ruth").groups.add(Group.objects.get(name="Casino manager"))


def test_of_two_managers_one_may_act_by_delegation() -> None:
    house = ClaimHouse()
    SecondManagerLimit.objects.create(
        casino=house.system.casino, amount=MICROS, first="mere", second="david"
    )
    house.hit_royal()
    claims.catch_up(house.system)
    held = house.hit(1).held
    with acting_as("web"):
        claims.answer_checklist(claim(), person("sione"), ALL_YES, {})
        claims.verify(claim(), person("sione"))
        staff_play.name(claim(), person("david"), person("david"))
        claims.approve(claim(), Reauthenticated(person("mere")), held)
    agreed(house, proposed())
    confirm("ines", held)
    house.post()
    assert house.hit(1).state == "confirmed"
    assert look(connection.connection, settled=False).findings == []


def body(**changed: Any) -> dict[str, Any]:
    fields = {"hit": 1, "person": "ines", "capacity": "manager", "reason": WHY, "left": []}
    return fields | changed


def forged(house: ClaimHouse, first: str, second: str, **changed: Any) -> None:
    """The command with its agreed proposal, as somebody with the web role's password writes it."""
    new_body = body(**changed)
    number = commands.queue(house.system, "delegate_claim", new_body, first=first, second=second)
    proposal = Proposal.objects.create(
        system=house.system,
        kind="delegate_claim",
        subject="1",
        body=new_body,
        person=person(first),
        key=uuid.uuid4(),
    )
    ProposalDecision.objects.create(
        proposal=proposal, agreed=True, command=number, person=person(second)
    )


@pytest.mark.parametrize(
    ("first", "second", "login"),
    [
        ("anahera", "sione", "mere"),  # was dealt in
        ("mere", "sione", "ines"),  # the proposer was
        ("anahera", "ines", "ines"),
        ("anahera", "sione", "aroha"),  # may take none
        ("anahera", "sione", "stranger"),
    ],
)
def test_the_database_refuses_it(house: ClaimHouse, first: str, second: str, login: str) -> None:
    with acting_as("web"), refused("own_hand"):
        forged(house, first, second, person=login)


def test_the_database_asks_for_the_proposal_and_for_two(house: ClaimHouse) -> None:
    with acting_as("web"), refused("actions: behind"):
        commands.queue(house.system, "delegate_claim", body(), first="anahera", second="sione")
    with acting_as("web"), pytest.raises(IntegrityError, match="two_people"), transaction.atomic():
        commands.queue(house.system, "delegate_claim", body(), first="anahera", second="anahera")


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"hit": 9}, "There is no hit 9"),
        ({"person": "mere"}, "You cannot delegate"),
        ({"capacity": "owner"}, "cannot be read"),
        ({"left": "ruth"}, "cannot be read"),
        ({"reason": ""}, "cannot be read"),
    ],
)
def test_the_fold_and_the_verifier_refuse_the_same(
    house: ClaimHouse, changed: dict[str, Any], why: str
) -> None:
    assert why in str(house.decide("delegate_claim", **body(**changed)).refused)
    assert look(connection.connection, settled=False).findings == []


def test_nothing_is_delegated_of_a_rejected_claim(house: ClaimHouse) -> None:
    rejected = {"reason": "R04", "evidence": "Camera", "affected": True}
    grant(person("sione"), "Casino manager")
    house.decide("reject_claim", "anahera", "sione", hit=1, with_actions=True, **rejected)
    answer = house.decide("delegate_claim", "anahera", "sione", **body())
    assert "rejected already" in str(answer.refused)
    with pytest.raises(WrongState, match="left to decide"):
        proposed()
    assert look(connection.connection, settled=False).findings == []


def test_by_the_api(house: ClaimHouse) -> None:
    fields = {"person": "ines", "capacity": "manager", "reason": WHY}
    address = "/api/claims/main-1/delegate/"
    assert as_("aroha").post(address, fields, format="json").status_code == 403
    answer = as_("anahera").post(address, {**fields, "person": "nobody-here"}, format="json")
    assert answer.status_code == 404
    answer = as_("anahera").post(address, fields, format="json")
    assert (answer.status_code, answer.json()["kind"]) == (201, "delegate_claim")
    number = answer.json()["proposal"]
    assert as_("tane").get(f"/api/proposals/{number}/").json()["decision"] == "open"
    assert not Action.objects.filter(kind="confirm").exists()
