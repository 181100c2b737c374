"""Payments that are withheld, unclaimed or forfeited: in the service and the database."""

import pytest
from pytest_django import Settings

from jackpot.writer import commands
from settlement.approvals import proposals
from settlement.audit.authorisation import without_actions
from settlement.claims import services as claims
from settlement.core.errors import BadReason, NotPermitted, SamePerson, WrongState
from settlement.payments import services as payments
from settlement.people.rights.permissions import Reauthenticated
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.people.permissions.authorisation import refused
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]


house = kept_house(ConfirmedHouse)


def test_withheld_is_not_paid_until_it_is_released(house: ConfirmedHouse) -> None:
    with acting_as("web"):
        payments.withhold(house.claim, person("aroha"), 1, "No passport yet")
    house.post()
    assert house.state == "withheld"
    with pytest.raises(WrongState, match="have it released first"):
        claims.pay(house.claim, Reauthenticated(person("aroha")), 1, {"cash": house.amount})
    with pytest.raises(WrongState, match="Only what is due"):
        payments.withhold(house.claim, person("aroha"), 1, "Once more")
    with acting_as("web"):
        payments.release(house.claim, person("mere"), 1, "The passport is here")
    house.post()
    assert house.state == "due"
    with pytest.raises(WrongState, match="neither withheld nor unclaimed"):
        payments.release(house.claim, person("mere"), 1, "Once more")
    claims.pay(house.claim, Reauthenticated(person("aroha")), 1, {"cash": house.amount})
    house.post()
    assert house.hit(1).state == "paid"
    assert without_actions(house.system.pk, 0) == []


def test_unclaimed_once_the_time_is_over_and_still_to_be_paid(
    house: ConfirmedHouse, settings: Settings
) -> None:
    with pytest.raises(WrongState, match="90 days from its confirmation are not over"):
        payments.book_unclaimed(house.claim, person("mere"), 1)
    settings.UNCLAIMED_AFTER_DAYS = 0
    with pytest.raises(NotPermitted):
        payments.book_unclaimed(house.claim, person("aroha"), 1)
    with acting_as("web"):
        payments.book_unclaimed(house.claim, person("mere"), 1)
    house.post()
    assert house.state == "unclaimed"
    assert house.balance("unclaimed") == house.amount
    claims.pay(house.claim, Reauthenticated(person("aroha")), 1, {"cash": house.amount})
    house.post()
    assert house.balance("unclaimed") == 0
    assert house.balance("paid_cash") == house.amount


def test_two_people_forfeit_it(house: ConfirmedHouse) -> None:
    pool = house.balance("royal:pool")
    with acting_as("web"):
        proposal = payments.propose_forfeit(house.claim, person("david"), 1, "Player barred by law")
    with pytest.raises(WrongState, match="proposed already"):
        payments.propose_forfeit(house.claim, person("aroha"), 1, "Player barred by law")
    with pytest.raises(SamePerson):
        payments.agree_forfeit(proposal, Reauthenticated(person("david")))
    with pytest.raises(NotPermitted):
        payments.agree_forfeit(proposal, Reauthenticated(person("aroha")))
    house.post()
    assert house.state == "due"
    with acting_as("web"):
        payments.agree_forfeit(proposal, Reauthenticated(person("mere")))
    house.post()
    assert house.state == "forfeited"
    assert house.balance("royal:pool") == pool + house.amount
    assert house.balance("payable") == 0
    with pytest.raises(WrongState, match="Nothing of this payment is left"):
        payments.withhold(house.claim, person("aroha"), 1, "Too late")
    assert without_actions(house.system.pk, 0) == []


def test_what_is_paid_meanwhile_is_not_forfeited(house: ConfirmedHouse) -> None:
    proposal = payments.propose_forfeit(house.claim, person("david"), 1, "Player barred by law")
    claims.pay(house.claim, Reauthenticated(person("aroha")), 1, {"cash": house.amount})
    house.post()
    with pytest.raises(WrongState, match="Nothing of this payment is left"):
        payments.agree_forfeit(proposal, Reauthenticated(person("mere")))
    proposals.withdraw(proposal, person("david"), "It was paid")


def test_who_may_and_why(house: ConfirmedHouse) -> None:
    with pytest.raises(NotPermitted):
        payments.withhold(house.claim, person("sione"), 1, "No passport")
    with pytest.raises(BadReason, match="Enter a reason"):
        payments.withhold(house.claim, person("aroha"), 1, " ")
    with pytest.raises(WrongState, match="Only a confirmed claim has payments"):
        payments.withhold(house.claim, person("aroha"), 2, "No passport")


@pytest.mark.parametrize("kind", ["withhold", "release", "unclaimed"])
def test_the_database_asks_for_the_act(house: ConfirmedHouse, kind: str) -> None:
    with acting_as("web"), refused("actions: behind"):
        commands.queue(house.system, kind, {"hit": 1, "line": 1}, first="mere")


def test_the_database_asks_for_two_people_who_forfeit(house: ConfirmedHouse) -> None:
    body = {"hit": 1, "line": 1, "reason": "x"}
    with acting_as("web"), refused("actions: behind"):
        commands.queue(house.system, "forfeit", body, first="mere", second="david")
