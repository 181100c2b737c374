"""Nobody decides on a hand they were dealt into: in the service and in the database."""

import datetime as dt
import uuid
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from jackpot.models import Command
from jackpot.writer import commands
from settlement.approvals import proposals
from settlement.audit.authorisation import without_actions
from settlement.claims import services as claims
from settlement.claims.decisions import reversals
from settlement.claims.status import hits
from settlement.core.errors import NotPermitted, OwnHand, WrongState
from settlement.models import (
    Action,
    CheckAnswer,
    Claim,
    ProposalDecision,
    Ruling,
    StaffPlay,
    StaffPlayEnd,
)
from settlement.payments import services as payments
from settlement.people.rights import staff_play
from settlement.people.rights.permissions import Reauthenticated
from tables.models import GamingTable, TableEvent
from tests.support.cases.confirmed_house import ConfirmedHouse, person
from tests.support.people.cast import ALL_YES, REASON, ClaimHouse
from tests.support.people.permissions.authorisation import action, is_rested_on, queue, refused
from tests.support.people.roles import acting_as, owner_without_guards
from tests.support.suite.kept_house import kept_house
from verifier.check import look

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
HOUR = dt.timedelta(hours=1)
MOMENT = dt.timedelta(microseconds=1)


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    house.hit_royal()
    claims.catch_up(house.system)
    return house


house = kept_house(build_house)


def table(code: str = "t3") -> GamingTable:
    return GamingTable.objects.get(code=code)


def claim() -> Claim:
    return Claim.objects.select_related("system").get()


def standing() -> str:
    hit: Any = hits().get(number=1)
    return str(hit.standing)


def sat(name: str, code: str = "t3", since: dt.timedelta = HOUR) -> StaffPlay:
    with acting_as("web"):
        who = person(name)
        return staff_play.sit_down(who, table(code), who, since=timezone.now() - since)


def seat(name: str, since: dt.datetime, until: dt.datetime) -> None:
    """A play as the database would have recorded it at that time."""
    with owner_without_guards("settlement_staffplay"):
        StaffPlay.objects.create(
            person=person(name),
            table=table(),
            since=since,
            until=until,
            said_by=person(name),
            at=until,
        )


def said_at(at: dt.datetime) -> None:
    """Every play as if it had been said then."""
    with owner_without_guards("settlement_staffplay"):
        StaffPlay.objects.update(at=at)


def sentences() -> list[str]:
    """What the verifier says of own hands."""
    lines = look(connection.connection, settled=False).lines()
    return [line for line in lines if "dealt in" in line]


def test_who_was_dealt_in_neither_verifies_nor_answers(house: ClaimHouse) -> None:
    sat("sione")
    with acting_as("web"):
        with pytest.raises(OwnHand, match="sione was dealt in"):
            claims.answer_checklist(claim(), person("sione"), ALL_YES, {})
        claims.answer_checklist(claim(), person("anahera"), ALL_YES, {})
        with pytest.raises(OwnHand, match="somebody else must decide"):
            claims.verify(claim(), person("sione"))
        claims.verify(claim(), person("anahera"))


def test_another_table_an_earlier_or_a_later_time_blocks_nothing(house: ClaimHouse) -> None:
    at = house.hit(1).at
    sat("sione", "t7")
    seat("sione", at - 48 * HOUR, at - 47 * HOUR)
    seat("sione", at + HOUR / 60, at + HOUR)
    assert not staff_play.is_dealt_in(claim(), person("sione"))
    seat("sione", at - HOUR, at)
    assert staff_play.is_dealt_in(claim(), person("sione"))


def test_what_arrives_late_counts_from_when_the_unit_recorded_it(house: ClaimHouse) -> None:
    """The unit was offline: who left before the events came in was dealt in all the same."""
    at = house.hit(1).at
    with owner_without_guards("tables_tableevent"):
        TableEvent.objects.update(recorded_at=at - 2 * HOUR)
    seat("sione", at - 3 * HOUR, at - HOUR)
    seat("mere", at - 4 * HOUR, at - 3 * HOUR)
    assert staff_play.is_dealt_in(claim(), person("sione"))
    assert not staff_play.is_dealt_in(claim(), person("mere"))
    with owner_without_guards("tables_tableevent"):  # a clock that is days off
        TableEvent.objects.update(recorded_at=at - 480 * HOUR)
    seat("david", at - 30 * HOUR, at - 25 * HOUR)
    assert not staff_play.is_dealt_in(claim(), person("david"))


def test_a_verification_by_somebody_who_is_named_later_does_not_count(house: ClaimHouse) -> None:
    with acting_as("web"):
        claims.answer_checklist(claim(), person("sione"), ALL_YES, {})
        claims.verify(claim(), person("sione"))
        assert standing() == "verified"
        staff_play.name(claim(), person("sione"), person("tane"), note="Camera 4")
        assert standing() == "reported"
        with pytest.raises(WrongState, match="not verified"):
            claims.confirm(claim(), Reauthenticated(person("mere")), house.hit(1).held)
        claims.verify(claim(), person("anahera"))
        with pytest.raises(WrongState, match="already recorded as dealt into this hand"):
            staff_play.name(claim(), person("sione"), person("tane"))
        claims.confirm(claim(), Reauthenticated(person("mere")), house.hit(1).held)
    house.post()
    assert house.hit(1).state == "confirmed"
    assert without_actions(house.system.pk, 0) == []


def test_neither_of_two_who_reject(house: ClaimHouse) -> None:
    with acting_as("web"):
        claims.propose_rejection(claim(), person("mere"), **REASON)
        staff_play.name(claim(), person("mere"), person("tane"))
        with pytest.raises(OwnHand, match="mere was dealt in"):
            claims.second_rejection(claim(), Reauthenticated(person("david")))
        staff_play.name(claim(), person("david"), person("tane"))
        with pytest.raises(OwnHand, match="david was dealt in"):
            claims.second_rejection(claim(), Reauthenticated(person("david")))


def test_neither_payment_nor_reversal_nor_forfeit() -> None:
    house = ConfirmedHouse()
    for name in ("aroha", "david"):
        staff_play.name(house.claim, person(name), person("tane"))
    fields: dict[str, Any] = {"reason": "R13", "evidence": "Camera 4", "recovered": {}}
    with acting_as("web"):
        with pytest.raises(OwnHand):
            claims.pay(house.claim, Reauthenticated(person("aroha")), 1, {"cash": house.amount})
        with pytest.raises(OwnHand):
            payments.withhold(house.claim, person("david"), 1, "No passport")
        with pytest.raises(OwnHand):
            payments.propose_forfeit(house.claim, person("david"), 1, "Law")
        with pytest.raises(OwnHand):
            reversals.propose(house.claim, person("david"), **fields)
        proposal = reversals.propose(house.claim, person("anahera"), **fields)
        with pytest.raises(OwnHand):
            reversals.agree(proposal, Reauthenticated(person("david")))
        proposals.withdraw(proposal, person("anahera"), "Wrong claim")
    assert house.state == "due"


@pytest.mark.parametrize("kind", ["verify", "amend", "pay", "withhold", "propose_rejection"])
def test_the_database_refuses_the_act(house: ClaimHouse, kind: str) -> None:
    staff_play.name(claim(), person("sione"), person("tane"))
    with (
        acting_as("web"),
        pytest.raises(IntegrityError, match="own_hand"),
        transaction.atomic(),
    ):
        Action.objects.create(
            claim=claim(), kind=kind, person=person("sione"), report_entry=1, key=uuid.uuid4()
        )


def test_the_database_refuses_the_answer_and_the_command(house: ClaimHouse) -> None:
    staff_play.name(claim(), person("sione"), person("tane"))
    with (
        acting_as("web"),
        pytest.raises(IntegrityError, match="own_hand"),
        transaction.atomic(),
    ):
        CheckAnswer.objects.create(
            claim=claim(), item="frozen", answer="yes", person=person("sione")
        )


def test_the_database_refuses_a_command_that_names_a_player(house: ClaimHouse) -> None:
    """The action is older than what was said of the person, or was somebody else's."""
    with acting_as("web"):
        action(house, "sione", "verify")
        staff_play.name(claim(), person("sione"), person("tane"))
    with acting_as("web"), refused("own_hand"):
        number = queue(house, "confirm_claim", "sione", "mere", amount=house.hit(1).held)
        action(house, "mere", "confirm", number)


def test_the_database_refuses_an_agreement_on_a_players_proposal() -> None:
    house = ConfirmedHouse()
    fields: dict[str, Any] = {"reason": "R13", "evidence": "Camera 4", "recovered": {}}
    with acting_as("web"):
        proposal = reversals.propose(house.claim, person("anahera"), **fields)
        staff_play.name(house.claim, person("anahera"), person("tane"))
    with acting_as("web"), refused("own_hand"):
        number = commands.queue(
            house.system, proposal.kind, proposal.body, first="anahera", second="david"
        )
        ProposalDecision.objects.create(
            proposal=proposal, agreed=True, command=number, person=person("david")
        )


def test_an_end_is_never_dated_back(house: ClaimHouse) -> None:
    play = sat("sione")
    at = house.hit(1).at
    with acting_as("web"):
        StaffPlayEnd.objects.create(play=play, said_by=person("sione"), at=at - HOUR)
    assert StaffPlayEnd.objects.get().at > at
    assert staff_play.is_dealt_in(claim(), person("sione"))


def test_who_ends_a_play(house: ClaimHouse) -> None:
    play = sat("sione")
    with acting_as("web"):
        with pytest.raises(WrongState, match="already"):
            staff_play.sit_down(person("sione"), table(), person("tane"))
        with pytest.raises(NotPermitted):
            staff_play.leave(play, person("anahera"))
        staff_play.leave(play, person("mere"))
        with pytest.raises(WrongState, match="recorded already"):
            staff_play.leave(play, person("sione"))
    assert not staff_play.playing().exists()


def test_reconciliation_and_verifier_tell_of_it() -> None:
    """The owner, who could take the guards off, is not asked by them: others find it. Clocks that
    were set say nothing: what the command rests on does."""
    house = ConfirmedHouse()
    command = Command.objects.get(kind="confirm_claim")
    staff_play.name(house.claim, person("mere"), person("tane"))
    said_at(command.issued_at - HOUR)
    assert without_actions(house.system.pk, 0) == sentences() == []  # said after the decision
    is_rested_on("settlement_staffplay", command.number)
    said_at(command.issued_at + HOUR / 1200)
    assert without_actions(house.system.pk, 0) == [
        f"entry {house.head.seq}: confirm_claim of hit 1 names mere, who was dealt in"
    ]
    (sentence,) = sentences()
    assert "mere was dealt in, and decided: confirm_claim" in sentence


def test_a_shift_is_over_for_guard_and_verifier_at_one_moment(house: ClaimHouse) -> None:
    """The guard comes some moments after the time that the command bears."""
    staff_play.name(claim(), person("mere"), person("tane"))
    with acting_as("web"):
        action(house, "sione", "verify")
    with owner_without_guards("settlement_staffplay"):
        StaffPlay.objects.update(at=timezone.now() - staff_play.SHIFT)
        with acting_as("web"), refused("own_hand"), connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")
            number = queue(house, "confirm_claim", "sione", "mere", amount=house.hit(1).held)
            action(house, "mere", "confirm", number)
            queued = Command.objects.get(number=number).issued_at
            with acting_as(None):
                StaffPlay.objects.update(at=queued - staff_play.SHIFT + MOMENT)
            assert not staff_play.is_dealt_in(claim(), person("mere"))


@pytest.mark.parametrize("change", ["shift", "word"])
@pytest.mark.parametrize("kind", ["enter_hand", "void_round", "missed_rounds"])
def test_what_clears_somebody_behind_the_command_comes_too_late(
    house: ClaimHouse, kind: str, change: str
) -> None:
    """The shift ends, or a colleague contradicts, between the command and what is asked of it."""
    sione = person("sione")
    with acting_as("web"):
        play = staff_play.sit_down(sione, table(), person("tane"), since=timezone.now() - HOUR)
    own = house.hit(1).round
    fields: dict[str, Any] = {
        "enter_hand": {"game": "holdem", "seats": [3], "seen": 1, "note": "x"},
        "void_round": {"round": own, "reason": "wrong_count", "note": "x"},
        "missed_rounds": {"rounds": [own, own + 1], "count": 2, "evidence": "x"},
    }[kind]
    with owner_without_guards("settlement_staffplay"):
        StaffPlay.objects.update(at=timezone.now() - staff_play.SHIFT + HOUR)
        with acting_as("web"), refused("own_hand"), connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")
            number = commands.queue(house.system, kind, {"table": "t3", **fields}, first="sione")
            queued = Command.objects.get(number=number).issued_at
            if change == "word":
                staff_play.give_word(play, person("anahera"), agrees=False, note="Camera 4")
            else:
                with acting_as(None):
                    StaffPlay.objects.update(at=queued - staff_play.SHIFT + MOMENT)
            assert not staff_play.playing().filter(staff_play.counting()).exists()
            Ruling.objects.create(
                system=house.system,
                table=table(),
                kind=kind,
                note="x",
                day=queued.date(),
                command=number,
                person=sione,
                key=uuid.uuid4(),
                **{name: fields[name] for name in ("round", "reason", "count") if name in fields},
            )
