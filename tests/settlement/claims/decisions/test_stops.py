"""A dispute or a regulator's hold stops a claim: in the service, the fold and the database."""

import uuid
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from pytest_django import Settings

from jackpot.models import Entry
from jackpot.writer import commands
from settlement.approvals import proposals
from settlement.audit.authorisation import without_actions
from settlement.claims import services as claims
from settlement.claims.decisions import stops
from settlement.core.errors import BadReason, NotPermitted, SamePerson, Stopped, WrongState
from settlement.models import Action, Payout, Proposal
from settlement.payments import services as payments
from settlement.people.rights.permissions import Reauthenticated
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.people.cast import ALL_YES, ClaimHouse
from tests.support.people.permissions.authorisation import refused
from tests.support.people.roles import acting_as, owner_without_guards
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
OPENERS = {"dispute": "sione", "hold": "ines"}
ENDS = {"dispute": ("anahera", "david"), "hold": ("ines", "david")}


class StoppedHouse(ConfirmedHouse):
    """Everything by the role of the web process, as the pages do it."""

    def stop(
        self, kind: str, by: str | None = None, reason: str = "Seat 4 says it was folded"
    ) -> int:
        with acting_as("web"):
            stops.open_stop(self.claim, person(by or OPENERS[kind]), kind, reason)
        self.post()
        return int(self.hit(1).stops[-1]["entry"])

    def end(self, stop: int, kind: str) -> None:
        first, second = ENDS[kind]
        with acting_as("web"):
            proposal = stops.propose_end(self.claim, person(first), stop, "The footage is clear")
            stops.agree_end(proposal, Reauthenticated(person(second)))
        self.post()

    def pay(self) -> None:
        claims.pay(self.claim, Reauthenticated(person("aroha")), 1, {"cash": self.amount})


house = kept_house(StoppedHouse)


@pytest.mark.parametrize("kind", ["dispute", "hold"])
def test_nothing_is_paid_until_two_people_have_ended_it(
    house: StoppedHouse, kind: str, settings: Settings
) -> None:
    settings.UNCLAIMED_AFTER_DAYS = 0
    stop = house.stop(kind)
    assert house.hit(1).stops == [{"entry": stop, "kind": kind, "lifted": None}]
    for pay in (
        house.pay,
        lambda: payments.book_unclaimed(house.claim, person("mere"), 1),
        lambda: payments.propose_forfeit(house.claim, person("mere"), 1, "Nobody came"),
    ):
        with pytest.raises(Stopped, match="until two people have ended it"):
            pay()
    house.end(stop, kind)
    assert house.hit(1).stops[0]["lifted"] > stop
    house.pay()
    house.post()
    claims.catch_up(house.system)
    assert Payout.objects.get().amount == house.amount
    assert without_actions(house.system.pk, 0) == []


@pytest.mark.parametrize("kind", ["dispute", "hold"])
def test_it_is_not_confirmed_either(kind: str) -> None:
    house = ClaimHouse()
    house.hit_royal()
    claims.catch_up(house.system)
    claim = claims.Claim.objects.get()
    claims.answer_checklist(claim, person("sione"), ALL_YES, {})
    stops.open_stop(claim, person(OPENERS[kind]), kind, "A second deck was on the table")
    house.post()
    claims.verify(claim, person("sione"))  # it is looked into meanwhile
    with pytest.raises(Stopped):
        claims.confirm(claim, Reauthenticated(person("mere")), house.hit(1).held)
    with acting_as("web"), refused("stopped: confirm_claim"):
        body: dict[str, Any] = {
            "hit": 1,
            "report_entry": house.hit(1).report_entry,
            "amount": 1,
            "payees": [],
        }
        commands.queue(house.system, "confirm_claim", body, first="sione", second="mere")
    claims.propose_rejection(
        claim, person("sione"), reason="R04", evidence="Camera 4", affected=True
    )
    claims.second_rejection(claim, Reauthenticated(person("mere")))
    house.post()
    assert house.hit(1).state == "rejected"  # that is how a dispute may end
    assert house.hit(1).open_stops  # and it is still to be answered


@pytest.mark.parametrize("kind", ["pay", "unclaimed", "forfeit", "confirm_claim"])
def test_plain_sql_of_the_web_role_queues_no_payment(house: StoppedHouse, kind: str) -> None:
    house.stop("dispute")
    with acting_as("web"), refused(f"stopped: {kind} of a claim"), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO jackpot_command (system_id, number, kind, body, first, second, issued_at,"
            " key) VALUES (%s, (SELECT max(number) + 1 FROM jackpot_command), %s, %s, 'aroha',"
            " NULL, now(), %s)",
            [house.system.pk, kind, '{"hit": 1, "line": 1, "parts": {"cash": 1}}', uuid.uuid4()],
        )


@pytest.mark.parametrize("role", ["web", "worker"])
def test_plain_sql_registers_no_payout_inside_a_stop(house: StoppedHouse, role: str) -> None:
    stop = house.stop("hold")
    insert = (
        "INSERT INTO settlement_payout (claim_id, line, part, seat, entry_seq, at, cashier, amount,"
        " chips, cash, equivalent) VALUES (%s, 1, 1, 3, %s, now(), 'aroha', 5, 0, 5, 0)"
    )
    with (
        acting_as(role),
        pytest.raises(IntegrityError, match="inside a dispute or a hold"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(insert, [house.claim.pk, stop + 1])
    house.press("t3")
    house.end(stop, "hold")
    lifted = house.hit(1).stops[0]["lifted"]
    for place in (stop + 1, lifted - 1):
        with (
            acting_as(role),
            pytest.raises(IntegrityError, match="inside a dispute or a hold"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(insert, [house.claim.pk, place])
    with (  # behind the stop it is no more than a payment that never was
        acting_as(role),
        pytest.raises(IntegrityError, match="did not pay this part"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(insert, [house.claim.pk, lifted + 1])


def test_the_running_roles_cannot_take_a_stop_away(house: StoppedHouse) -> None:
    house.stop("dispute")
    for role in ("web", "worker", "reporting"):
        for statement in (
            "UPDATE jackpot_hit SET stops = '[]'",
            "DELETE FROM settlement_action WHERE kind = 'dispute'",
            "UPDATE settlement_action SET body = '{}'",
        ):
            with (
                acting_as(role),
                pytest.raises(Exception, match=r"permission denied|read-only"),
                transaction.atomic(),
                connection.cursor() as cursor,
            ):
                cursor.execute(statement)


def test_the_fold_refuses_a_payment_that_was_queued_behind_a_dispute(house: StoppedHouse) -> None:
    """The dispute is queued and not folded yet: the page cannot know it, the order does."""
    stops.open_stop(house.claim, person("sione"), "dispute", "Seat 4 says it was folded")
    house.pay()
    house.post()
    entry = Entry.objects.get(type="pay")
    assert "A player's dispute stops this claim" in entry.outcome["refused"]
    assert house.hit(1).state == "confirmed"


def test_several_stops_end_one_by_one(house: StoppedHouse) -> None:
    first, second = house.stop("dispute"), house.stop("hold")
    house.end(first, "dispute")
    with pytest.raises(Stopped, match="regulator's hold"):
        house.pay()
    with pytest.raises(WrongState, match="ended already"):
        stops.propose_end(house.claim, person("anahera"), first, "Once more")
    house.end(second, "hold")
    house.pay()


def test_who_may_open_and_who_may_end(house: StoppedHouse) -> None:
    with pytest.raises(NotPermitted):
        stops.open_stop(house.claim, person("mere"), "hold", "For compliance only")
    with pytest.raises(NotPermitted):
        stops.open_stop(house.claim, person("tane"), "dispute", "Surveillance only looks")
    with pytest.raises(BadReason, match="Enter what is disputed"):
        stops.open_stop(house.claim, person("sione"), "dispute", "  ")
    stop = house.stop("dispute")
    with pytest.raises(NotPermitted):
        stops.propose_end(house.claim, person("ines"), stop, "Dismissed")
    with pytest.raises(BadReason, match="what was found"):
        stops.propose_end(house.claim, person("david"), stop, "")
    proposal = stops.propose_end(house.claim, person("david"), stop, "The footage is clear")
    with pytest.raises(WrongState, match="proposed already"):
        stops.propose_end(house.claim, person("mere"), stop, "Me too")
    with pytest.raises(SamePerson):
        stops.agree_end(proposal, Reauthenticated(person("david")))
    with pytest.raises(NotPermitted):
        stops.agree_end(proposal, Reauthenticated(person("sione")))
    with acting_as("web"):
        proposals.withdraw(proposal, person("david"), "Another camera turned up")
    house.end(stop, "dispute")


def test_one_click_is_one_stop(house: StoppedHouse) -> None:
    key = uuid.uuid4()
    for _ in range(2):
        stops.open_stop(house.claim, person("sione"), "dispute", "Folded", key=key)
    house.post()
    assert len(house.hit(1).stops) == 1


OPENING: list[tuple[str, dict[str, Any]]] = [
    ("dispute", {"hit": 1, "reason": "x"}),
    ("hold_claim", {"hit": 1, "reason": "x"}),
]


@pytest.mark.parametrize(("kind", "body"), OPENING)
def test_a_stop_without_its_act_is_refused(
    house: StoppedHouse, kind: str, body: dict[str, Any]
) -> None:
    with acting_as("web"), refused("stands no action"):
        commands.queue(house.system, kind, body, first="ines")


@pytest.mark.parametrize("kind", ["resolve_dispute", "lift_hold"])
def test_an_end_without_its_proposal_is_refused(house: StoppedHouse, kind: str) -> None:
    body = {"hit": 1, "stop": 1, "finding": "x"}
    with acting_as("web"), refused("stands no proposal"):
        commands.queue(house.system, kind, body, first="ines", second="david")


def test_reconciliation_tells_of_a_stop_without_people(house: StoppedHouse) -> None:
    stop = house.stop("dispute")
    house.end(stop, "dispute")
    with owner_without_guards("settlement_action"):
        Action.objects.filter(kind="dispute").update(person=person("tane"))
    assert any(
        "dispute of hit 1 names sione" in each for each in without_actions(house.system.pk, 0)
    )
    assert Proposal.objects.get().body["finding"] == "The footage is clear"


def test_a_royal_hand_of_another_table_goes_on(house: StoppedHouse) -> None:
    """A stop is of one claim: the next one is confirmed and paid."""
    house.stop("hold")
    house.hit_royal("t7")
    claims.catch_up(house.system)
    claim = claims.Claim.objects.get(number=2)
    claims.answer_checklist(claim, person("sione"), ALL_YES, {})
    claims.verify(claim, person("sione"))
    claims.confirm(claim, Reauthenticated(person("mere")), house.hit(2).held)
    house.post()
    claims.pay(claim, Reauthenticated(person("aroha")), 1, {"chips": house.hit(2).held})
    house.post()
    assert house.hit(2).state == "paid"
