"""Above the house's amount an adjustment takes two managers beside its proposer: in the service, in
the database, by reconciliation and verifier. Many small ones on a gaming day are one large one."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from jackpot.models import Command, CommandQueue, Tier
from jackpot.terms.money import MICROS
from jackpot.writer import commands
from settlement.approvals import proposals
from settlement.audit.authorisation import without_actions
from settlement.core.errors import NotPermitted, SamePerson, SecondManagerNeeded, WrongState
from settlement.models import Proposal, ProposalApproval, ProposalDecision, SecondManagerLimit
from settlement.people.rights.permissions import Reauthenticated
from settlement.pools import adjustments
from tests.support.cases.confirmed_house import person
from tests.support.people.cast import ClaimHouse
from tests.support.people.permissions.authorisation import is_rested_on, refused
from tests.support.people.roles import acting_as, owner_without_guards
from tests.support.people.second_manager import limit
from tests.support.suite.kept_house import kept_house
from verifier.check import look

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    limit("100")
    return house


house = kept_house(build_house)


def proposed(amount: int = 101, by: str = "sione", **changes: Any) -> Proposal:
    """Units of the currency."""
    fields: dict[str, Any] = {"into": "pool", "source": "operator", "reason": "A02"}
    fields |= {"evidence": "Incident 17", "below_reset": "it ends", **changes}
    with acting_as("web"):
        return adjustments.propose(
            adjustments.PoolAdjustment(Tier.objects.get(), amount=amount * MICROS, **fields),
            person(by),
        )


def approve(proposal: Proposal, by: str) -> None:
    with acting_as("web"):
        adjustments.approve(proposal, Reauthenticated(person(by)))


def agree(proposal: Proposal, by: str) -> None:
    with acting_as("web"):
        adjustments.agree(proposal, Reauthenticated(person(by)))


def agreed(house: ClaimHouse, amount: int, by: str = "mere") -> None:
    agree(proposed(amount), by)
    house.post()


def test_one_approves_and_another_agrees(house: ClaimHouse) -> None:
    before, proposal = house.balance("royal:pool"), proposed()
    with pytest.raises(SecondManagerNeeded, match="two managers"):
        agree(proposal, "mere")
    with pytest.raises(NotPermitted):
        approve(proposal, "anahera")
    approve(proposal, "mere")
    house.post()
    assert house.balance("royal:pool") == before  # an approval moves nothing
    with pytest.raises(WrongState, match="approved already"):
        approve(proposal, "david")
    with pytest.raises(SamePerson, match="another manager must agree"):
        agree(proposal, "mere")
    agree(proposal, "david")
    house.post()
    assert house.balance("royal:pool") == before + 101 * MICROS
    assert without_actions(house.system.pk, 0) == []
    assert look(connection.connection, settled=False).ok


def test_who_proposed_it_is_none_of_the_two(house: ClaimHouse) -> None:
    proposal = proposed(by="mere")
    with pytest.raises(SamePerson, match="two other managers"):
        approve(proposal, "mere")
    with acting_as("web"), refused("two_people"):
        ProposalApproval.objects.create(proposal=proposal, person=person("mere"))
    with acting_as("web"), refused("two_people"):
        ProposalApproval.objects.create(proposal=proposal, person=person("sione"))  # no manager


def test_many_small_ones_of_a_day_are_a_large_one(house: ClaimHouse) -> None:
    """Up 60.00 and down 40.00 is 100.00 that moved; the next one takes two managers."""
    agreed(house, 60)
    agreed(house, -40)
    small = proposed(1)
    with pytest.raises(SecondManagerNeeded):
        agree(small, "mere")
    with owner_without_guards("jackpot_command"):
        Command.objects.update(issued_at=timezone.now() - timedelta(days=1))
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    with pytest.raises(WrongState, match="One manager is enough"):
        approve(small, "mere")
    agree(small, "mere")


@pytest.mark.parametrize("day_starts", ["00:00", "02:30", "06:00"])
@pytest.mark.parametrize("month", [4, 9])
def test_an_adjustment_is_of_its_gaming_day_where_clocks_change(
    house: ClaimHouse, month: int, day_starts: str
) -> None:
    """In Auckland clocks go back at 3:00 on 5 April 2026, and on at 2:00 on 27 September."""
    agreed(house, 60)
    changes = datetime(2026, month, 4 if month == 4 else 26, 14, tzinfo=UTC)
    instants = [changes + timedelta(minutes=15 * n) for n in range(-110, 110, 9)]
    instants += [changes + timedelta(minutes=15 * n) for n in range(-6, 24)]
    with owner_without_guards("jackpot_command"), connection.cursor() as cursor:
        cursor.execute(
            "UPDATE tables_casino SET timezone = 'Pacific/Auckland', day_starts = %s", [day_starts]
        )
        for issued_at in instants:
            Command.objects.filter(kind="adjust_pool").update(issued_at=issued_at)
            cursor.execute(
                "SELECT adjusted_on_this_day(s.id, 'royal', instant) > 0,"
                " gaming_day_of(s.casino_id, instant) = gaming_day_of(s.casino_id, %s)"
                " FROM tables_jackpotsystem s, unnest(%s::timestamptz[]) AS instant",
                [issued_at, instants],
            )
            rows = cursor.fetchall()
            assert [counts for counts, _ in rows] == [is_of_day for _, is_of_day in rows]
            assert {counts for counts, _ in rows} == {True, False}


def test_the_gaming_day_is_computed_once_whatever_was_adjusted_ever(house: ClaimHouse) -> None:
    """Whoever adjusts waits for it."""
    agreed(house, 20)
    agreed(house, 30)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_get_functiondef('gaming_day_of'::regproc)")
        (definition,) = cursor.fetchone()
        definition = definition.replace("SELECT local", "SELECT nextval('days')::int * 0 + local")
        cursor.execute(f"CREATE SEQUENCE days; {definition}")
        cursor.execute("SELECT adjusted_on_this_day(id, 'royal') FROM tables_jackpotsystem")
        assert cursor.fetchone() == (50 * MICROS,)
        cursor.execute("SELECT last_value FROM days")
        assert cursor.fetchone() == (1,)


def test_what_the_writer_refused_moved_nothing(house: ClaimHouse) -> None:
    """Of two proposals to take back the last 30.00 the second is refused, and does not count."""
    body: dict[str, Any] = {
        "tier": "royal",
        "source": "operator",
        "amount": -970 * MICROS,
        "reason": "A09",
    }
    house.decide("adjust_pool", **body, evidence="Letter 4", below_reset="it ends")
    first, second = proposed(-30), proposed(-30)
    agree(first, "mere")
    agree(second, "mere")
    house.post()
    assert house.balance("royal:pool") == 0
    agreed(house, 65)
    assert house.balance("royal:pool") == 65 * MICROS


def test_the_database_asks_for_the_second_manager(house: ClaimHouse) -> None:
    """By plain SQL as the running role, whatever the services say."""
    proposal = proposed()

    def decided(by: str) -> None:
        last = CommandQueue.objects.get(system=house.system).last_number + 1
        kind, body = "adjust_pool", proposal.body
        assert commands.queue(house.system, kind, body, first="sione", second=by) == last
        ProposalDecision.objects.create(
            proposal=proposal, agreed=True, command=last, person=person(by)
        )

    with acting_as("web"), refused("second_manager"):
        decided("mere")
    approve(proposal, "mere")
    with acting_as("web"), refused("second_manager"):
        decided("mere")
    with acting_as("web"), refused("permission"):
        decided("anahera")  # no manager
    with acting_as("web"), transaction.atomic():
        decided("david")
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    with pytest.raises(IntegrityError), transaction.atomic():
        ProposalApproval.objects.all().delete()


def test_reconciliation_and_verifier_tell_of_one_manager_alone(house: ClaimHouse) -> None:
    limit("none")
    agreed(house, 60)
    agreed(house, 60)
    with owner_without_guards("settlement_secondmanagerlimit"):
        SecondManagerLimit.objects.update(
            amount=100 * MICROS, at=timezone.now() + timedelta(days=1)
        )
    is_rested_on("settlement_secondmanagerlimit", 1)  # set before, by a clock a day ahead
    sentence = f"entry {house.head.seq}: a large adjustment"
    assert without_actions(house.system.pk, 0) == [f"{sentence} was agreed to by one manager alone"]
    lines = str(look(connection.connection, settled=False).lines())
    assert "a large adjustment, agreed to by one manager alone" in lines


def test_a_proposal_of_another_kind_is_not_approved(house: ClaimHouse) -> None:
    body = {"hit": 1, "reason": "R13", "evidence": "Camera 4"}
    proposal = proposals.propose(house.system, "reverse_claim", "1", body, person("sione"))
    with pytest.raises(WrongState, match="One manager is enough"):
        approve(proposal, "mere")
