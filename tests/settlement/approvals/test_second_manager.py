"""Above the house's amount two managers confirm: in the service and in the database."""

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from jackpot.models import Command
from jackpot.terms.money import MICROS
from settlement.audit.authorisation import without_actions
from settlement.claims import services as claims
from settlement.core.errors import OwnHand, SamePerson, SecondManagerNeeded, WrongState
from settlement.core.gaming_day import Days
from settlement.models import Claim, Payout, SecondManagerLimit
from settlement.payments.register import payout_register
from settlement.payments.slips import slip_of
from settlement.people.rights.permissions import Reauthenticated
from settlement.people.rights.staff_play import name
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.people.cast import ALL_YES, ClaimHouse
from tests.support.people.permissions.authorisation import action, is_rested_on, queue, refused
from tests.support.people.roles import acting_as, owner_without_guards
from tests.support.people.second_manager import limit
from tests.support.suite.kept_house import kept_house
from verifier.check import look

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
HELD = 1001 * MICROS  # one round of 0.50 on 1,000.00, rounded up


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    limit("1,000")
    house.hit_royal()
    claims.catch_up(house.system)
    with acting_as("web"):
        claims.answer_checklist(claim(), person("sione"), ALL_YES, {})
        claims.verify(claim(), person("sione"))
    assert house.hit(1).held == HELD
    return house


house = kept_house(build_house)


def claim() -> Claim:
    return Claim.objects.select_related("system__casino").get()


def approve(who: str, amount: int = HELD) -> None:
    with acting_as("web"):
        claims.approve(claim(), Reauthenticated(person(who)), amount)


def confirm(who: str, amount: int = HELD) -> None:
    with acting_as("web"):
        claims.confirm(claim(), Reauthenticated(person(who)), amount)


def test_one_approves_and_another_confirms(house: ClaimHouse) -> None:
    with pytest.raises(SecondManagerNeeded, match="two managers"):
        confirm("mere")
    with pytest.raises(WrongState, match="amount changed"):
        approve("mere", HELD - 1)
    approve("mere")
    house.post()
    assert house.hit(1).state == "held"  # an approval moves nothing
    with pytest.raises(WrongState, match="approved already"):
        approve("david")
    with pytest.raises(SamePerson, match="another manager must confirm"):
        confirm("mere")
    confirm("david")
    house.post()
    assert (house.hit(1).state, house.hit(1).confirmed) == ("confirmed", HELD)
    assert without_actions(house.system.pk, 0) == []
    assert look(connection.connection, settled=False).ok


def test_both_managers_stand_in_the_register_and_on_the_slip(house: ClaimHouse) -> None:
    approve("mere")
    house.post()
    confirm("david")
    house.post()
    with acting_as("web"):
        claims.pay(claim(), Reauthenticated(person("aroha")), 1, {"cash": HELD})
    house.post()
    claims.catch_up(house.system)
    (row,) = payout_register(house.system.casino, Days()).rows(10)
    names = [row[f"{did}_by"] for did in ("verified", "approved", "confirmed", "paid")]
    assert names == ["sione", "mere", "david", "aroha"]
    slip = slip_of(Payout.objects.get())
    assert [each.name for each in slip.people[1:]] == names


def test_the_verifier_approves_nothing(house: ClaimHouse) -> None:
    person("sione").groups.set(person("mere").groups.all())
    with pytest.raises(SamePerson, match="You verified this claim"):
        approve("sione")
    with (
        acting_as("web"),
        pytest.raises(IntegrityError, match="two_people"),
        transaction.atomic(),
    ):
        action(house, "sione", "approve")


def test_up_to_the_amount_one_is_enough(house: ClaimHouse) -> None:
    assert "above NZD 1,001.00" in limit("1001")
    with pytest.raises(WrongState, match="One manager is enough"):
        approve("mere")
    confirm("mere")


def test_the_newest_amount_counts_and_none_is_none(house: ClaimHouse) -> None:
    assert "One manager confirms any amount" in limit("none")
    confirm("mere")


def test_an_approval_by_a_player_does_not_count(house: ClaimHouse) -> None:
    approve("mere")
    name(claim(), person("mere"), person("tane"))
    with pytest.raises(SecondManagerNeeded):
        confirm("david")
    with pytest.raises(OwnHand):
        approve("mere")


def test_the_database_asks_for_the_second_manager(house: ClaimHouse) -> None:
    """By plain SQL as the running role, whatever the services say."""

    def confirmed(by: str = "david", amount: int = HELD) -> None:
        number = queue(house, "confirm_claim", "sione", by, amount=amount)
        action(house, by, "confirm", number)

    with acting_as("web"), refused("second_manager"):
        confirmed()
    with acting_as("web"):
        claims.approve(claim(), Reauthenticated(person("mere")), HELD)
    with acting_as("web"), refused("second_manager"):
        confirmed(amount=HELD + 1)
    with acting_as("web"), pytest.raises(IntegrityError, match="two_people"), transaction.atomic():
        confirmed("mere")
    with acting_as("web"), refused("permission"):
        confirmed("ines")  # no manager
    with (
        acting_as("web"),
        pytest.raises(Exception, match="permission denied"),
        transaction.atomic(),
    ):
        limit("none")


def test_a_supplement_is_held_against_all_that_the_claim_comes_to() -> None:
    house = ClaimHouse()
    for table in ("t3", "t7"):
        house.hit_royal(table)
    claims.catch_up(house.system)
    second = Claim.objects.get(number=2)
    with acting_as("web"):
        claims.answer_checklist(second, person("sione"), ALL_YES, {})
        claims.verify(second, person("sione"))
        claims.confirm(second, Reauthenticated(person("mere")), HELD)
        first = Claim.objects.get(number=1)
        claims.propose_rejection(
            first, person("mere"), reason="R11", evidence="Camera 4", affected=False
        )
        claims.second_rejection(first, Reauthenticated(person("david")))
    house.post()
    rest = house.hit(2).held - HELD
    assert 0 <= rest <= MICROS
    limit("1001")
    if rest:
        with acting_as("web"), pytest.raises(SecondManagerNeeded):
            claims.confirm(second, Reauthenticated(person("david")), rest)


def test_reconciliation_and_verifier_tell_of_one_manager_alone() -> None:
    house = ConfirmedHouse()
    limit("1")
    assert without_actions(house.system.pk, 0) == []  # set after the confirmation
    with owner_without_guards("settlement_secondmanagerlimit"):
        SecondManagerLimit.objects.update(at="2020-01-01T00:00Z")  # by a clock far behind
    assert without_actions(house.system.pk, 0) == []
    assert "large amount" not in str(look(connection.connection, settled=False).lines())
    is_rested_on("settlement_secondmanagerlimit", Command.objects.get(kind="confirm_claim").number)
    assert without_actions(house.system.pk, 0) == [
        f"entry {house.head.seq}: a large amount of hit 1 was confirmed by one manager alone"
    ]
    report = look(connection.connection, settled=False)
    assert "a large amount, confirmed by one manager alone" in str(report.lines())


_AHEAD = """
    INSERT INTO jackpot_command (system_id, number, kind, body, first, issued_at, key)
    SELECT id, 1000000, 'seal_records', '{}', 'console', now(), gen_random_uuid()
    FROM tables_jackpotsystem
"""


def test_no_command_ahead_of_all_takes_a_limit_from_those_that_come(house: ClaimHouse) -> None:
    """It would take in the new amount, so that no command of before its number rests on that."""
    limit("500")
    with acting_as("web"), refused("continuity"):
        connection.cursor().execute(_AHEAD)
    with owner_without_guards("jackpot_command"):
        connection.cursor().execute(_AHEAD)
    report = look(connection.connection, settled=False)
    newest = Command.objects.exclude(number=1_000_000).latest("number").number
    assert f"command {newest + 1} before it is missing" in str(report.lines())


def test_the_amount_is_decided_by_two_who_are_there(house: ClaimHouse) -> None:
    with pytest.raises(CommandError, match="two different people"):
        call_command("set_second_manager", "harbour", "5", "--first=mere", "--second=mere")
    with pytest.raises(CommandError, match="no casino"):
        call_command("set_second_manager", "salon", "5", "--first=mere", "--second=david")
    with pytest.raises(CommandError, match="not an amount"):
        call_command("set_second_manager", "harbour", "much", "--first=mere", "--second=david")
