"""Entering a hand on the console: who may, and what the database asks for, whatever services do."""

import uuid
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from jackpot.audit.replay_check import check_replay
from jackpot.models import Entry, RoundState
from jackpot.writer import commands
from jackpot.writer.poster import Poster
from settlement.approvals import action_log
from settlement.approvals.action_log import Decision
from settlement.audit.authorisation import without_actions
from settlement.claims import services as claims
from settlement.claims.pairing import require_settled
from settlement.core.errors import (
    BadReason,
    BadReport,
    NotPermitted,
    OwnHand,
    SamePerson,
    WrongState,
)
from settlement.floor import entered_hands
from settlement.floor.rulings import recorded
from settlement.models import Action, Claim, Ruling
from settlement.people.rights import staff_play
from tables.models import GamingTable
from tables.protocol import messages
from tests.support.cases.confirmed_house import person
from tests.support.cases.settlement_entered_hands import HAND, REPORT
from tests.support.people.cast import ClaimHouse
from tests.support.people.permissions.authorisation import refused
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house
from verifier.check import look

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]


def build_house() -> ClaimHouse:
    claim_house = ClaimHouse()
    claim_house.open("t3")
    claim_house.press("t3")
    claim_house.post()
    return claim_house


house = kept_house(build_house, CLAIM_WAIT_S=0)


def enter(house: ClaimHouse, by: str = "sione", **changes: Any) -> commands.Answer:
    table = GamingTable.objects.select_related("system__casino").get(code="t3")
    body: dict[str, Any] = {
        "game": "holdem",
        "seats": [3],
        "tier": "royal",
        "note": "The unit is dark",
    }
    called: dict[str, Any] = {"newest": entered_hands.newest_claim(table)}
    called |= {name: changes.pop(name) for name in ("newest", "key") if name in changes}
    hand = entered_hands.EnteredHand(**body | changes)
    with acting_as("web"):
        answer = entered_hands.enter(table, person(by), hand, **called)
    house.post()
    return answer


def claim(house: ClaimHouse, number: int = 1) -> Claim:
    with acting_as("worker"):
        claims.catch_up(house.system)
    return Claim.objects.select_related("system__casino").get(number=number)


def test_cards_are_written_as_they_are_written_elsewhere(house: ClaimHouse) -> None:
    enter(house, report=REPORT)
    report: Any = house.hit(1).report
    assert (report["boards"][0][2], report["hands"][0]["hole"]) == ("Ts", ["As", "Ks"])


def test_the_same_form_twice_is_one_hand(house: ClaimHouse) -> None:
    key = uuid.uuid4()
    enter(house, key=key, newest=0)
    enter(house, key=key, newest=0)
    assert house.head.hit_number == Ruling.objects.count() == 1


def test_what_is_missing_is_said(house: ClaimHouse) -> None:
    for wrong, fields in ((BadReason, {"note": " "}), (BadReport, {"seats": []})):
        with pytest.raises(wrong):
            enter(house, **fields)
    with pytest.raises(BadReport):
        enter(house, round=-4)
    assert not Ruling.objects.exists()


@pytest.mark.parametrize("who", ["tane", "david", "aroha", "ines"])
def test_only_supervisors_enter_hands(house: ClaimHouse, who: str) -> None:
    with pytest.raises(NotPermitted):
        enter(house, by=who)


def test_whoever_plays_there_enters_no_hand(house: ClaimHouse) -> None:
    table = GamingTable.objects.get(code="t3")
    staff_play.sit_down(person("sione"), table, person("anahera"))
    with pytest.raises(OwnHand):
        enter(house)
    ruling = Ruling(kind="enter_hand", table=table, round=None, note="x")
    with pytest.raises(IntegrityError, match="own_hand"), acting_as("web"):
        _by_hand(house, ruling)  # past the service


def test_who_left_before_a_hand_was_entered_was_not_dealt_in(house: ClaimHouse) -> None:
    """Without a round it was played when it was entered, for guard, reconciliation and verifier."""
    sione = person("sione")
    with acting_as("web"):
        table = GamingTable.objects.get(code="t3")
        staff_play.leave(staff_play.sit_down(sione, table, person("anahera")), sione)
    enter(house)
    assert not staff_play.is_dealt_in(claim(house), sione)
    assert without_actions(house.system.pk, 0) == []
    assert [line for line in look(connection.connection).lines() if "dealt in" in line] == []


def test_a_round_that_was_credited_takes_the_game_of_its_hand(house: ClaimHouse) -> None:
    """Its row too, from which the books are loaded (found by seed 35169 of the simulator)."""
    house.decide("missed_rounds", table="t3", count=1, rounds=[77], evidence="Seen on footage")
    enter(house, round=77, game="omaha", tier=None)
    row = RoundState.objects.get(table__code="t3", round=77)
    assert (row.game, row.deck, row.hit) == ("omaha", 52, 1)
    assert check_replay(house.system).differences == []


def test_behind_the_command_stands_the_ruling_of_this_person(house: ClaimHouse) -> None:
    table = GamingTable.objects.get(code="t3")
    with pytest.raises(IntegrityError, match="no ruling"), acting_as("web"):
        _by_hand(house, None)
    other = Ruling(kind="enter_hand", table=table, round=7, note="x")
    with pytest.raises(IntegrityError, match="no ruling"), acting_as("web"):
        _by_hand(house, other)
    body = {"hit": 1, "note": "x"}
    enter(house)
    more: dict[str, Any]
    for kind, more in (("separate_hand", {}), ("name_round", {"table": "t3", "round": 2})):
        with acting_as("web"), refused("no action"):
            commands.queue(house.system, kind, body | more, first="sione")


def test_reconciliation_asks_for_the_ruling_again(house: ClaimHouse) -> None:
    enter(house)
    assert without_actions(house.system.pk, 0) == []
    table: dict[str, Any] = {"table": "t3", "game": "holdem", "seats": [4], "seen": 1, "note": "x"}
    house.decide("enter_hand", "sione", None, **table)  # as the owner
    (sentence,) = without_actions(house.system.pk, 0)
    assert "enter_hand of hit 2 names sione" in sentence


def test_the_recorder_checks_nothing_of_it(house: ClaimHouse) -> None:
    enter(house, report=REPORT)
    entered = claim(house)
    for kind in ("verify", "approve", "confirm", "pay"):
        with pytest.raises(IntegrityError, match="two_people"), transaction.atomic():
            Action.objects.create(
                claim=entered, kind=kind, person=person("sione"), key=uuid.uuid4()
            )


def test_a_pair_takes_the_right_and_an_act(house: ClaimHouse) -> None:
    enter(house)
    house.press("t3")
    house.call("t3")
    house.post()
    with pytest.raises(NotPermitted):
        entered_hands.separate(claim(house, 2), person("tane"), "x")
    with pytest.raises(BadReason):
        entered_hands.separate(claim(house, 2), person("anahera"), "")
    with pytest.raises(WrongState):
        entered_hands.separate(claim(house, 1), person("anahera"), "x")
    with acting_as("web"):
        entered_hands.name_round(claim(house, 1), person("anahera"), 2, "Camera 4")
    house.post()
    assert house.hit(2).state == "paired"
    assert Action.objects.get(kind="name_round").body == {"round": 2, "note": "Camera 4"}
    assert without_actions(house.system.pk, 0) == []
    assert Entry.objects.get(type="name_round").outcome["paired"] == 2


def started_anew(house: ClaimHouse) -> None:
    """Another writer, which knows what the database knows."""
    house.poster.give_up()
    house.poster = Poster("another")


def test_a_pair_is_undone_by_an_act_of_its_person(house: ClaimHouse) -> None:
    enter(house)
    house.press("t3")
    house.call("t3")
    house.post()
    with acting_as("web"):
        entered_hands.name_round(claim(house), person("anahera"), 2, "Camera 4")
    with pytest.raises(NotPermitted):
        entered_hands.unpair(claim(house), person("tane"), "x")
    with pytest.raises(BadReason):
        entered_hands.unpair(claim(house), person("anahera"), " ")
    house.post()
    started_anew(house)  # it finds both rounds of the hand
    with acting_as("web"), refused("no action"):
        commands.queue(house.system, "unpair_hand", {"hit": 1, "note": "x"}, first="sione")
    with acting_as("web"):
        entered_hands.unpair(claim(house), person("anahera"), "Seat 5, not 3")
    house.post()
    one, two = house.hit(1), house.hit(2)
    assert (one.round, one.pairing["waits"], two.round, two.state) == (-1, True, 2, "held")
    with pytest.raises(WrongState):
        entered_hands.unpair(claim(house), person("anahera"), "x")
    assert without_actions(house.system.pk, 0) == []
    house.post()
    report = look(connection.connection, settled=False)
    assert report.lines()[-1] == "all promises hold"
    assert check_replay(house.system).differences == []


def test_a_hand_is_put_off_its_round_twice(house: ClaimHouse) -> None:
    """Nobody knew its round; the one that was named is another hand's; so was the next."""
    enter(house)
    for round_ in (2, 3):
        with acting_as("web"):
            entered_hands.name_round(claim(house), person("anahera"), round_, "Camera 4")
        house.post()
        started_anew(house)
        house.press("t3")
        fields: dict[str, Any] = {"round": round_, "tier": "royal", "seats": [5]}
        house.say("t3", messages.HandCalled, **fields)
        house.post()
        assert (house.hit(1).round, house.head.hit_number) == (-1, round_)
    assert look(connection.connection, settled=False).lines()[-1] == "all promises hold"


def test_nobody_dealt_in_says_which_hand_it_is(house: ClaimHouse) -> None:
    enter(house)
    entered = claim(house)
    staff_play.name(entered, person("anahera"), person("david"))
    with pytest.raises(OwnHand):
        entered_hands.name_round(entered, person("anahera"), 2, "x")


def test_a_verified_claim_waits_for_what_its_unit_says_otherwise(house: ClaimHouse) -> None:
    enter(house, report=REPORT, round=1)
    hands = [messages.ReportedHand(**{**HAND, "hole": ["As", "9s"]})]
    house.say("t3", messages.HandReported, round=1, boards=[["Qs", "Js", "Ts"]], hands=hands)
    house.post()
    hit = house.hit(1)
    assert hit.pairing["differs"] is not None
    with pytest.raises(WrongState, match="differs"):
        require_settled(hit)


def test_somebody_else_than_the_recorder_is_told_so(house: ClaimHouse) -> None:
    enter(house, report=REPORT)
    entered = claim(house)
    with pytest.raises(SamePerson):
        action_log.record(
            entered, claims.hit_of(entered), person("sione"), Decision(Action.Kind.VERIFY, {}), None
        )


def _by_hand(house: ClaimHouse, ruling: Ruling | None) -> None:
    body = {"table": "t3", "game": "holdem", "seats": [3], "seen": 0, "note": "x"}
    with transaction.atomic():
        number = commands.queue(house.system, "enter_hand", body, first="sione")
        if ruling is not None:
            ruling.command = number
            recorded(ruling, person("sione"), None)
        _judge()


def _judge() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
