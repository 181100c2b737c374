"""Supervisors rule on rounds and requests; the database asks who stands behind it."""

import datetime as dt
import uuid
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone
from pytest_django import Settings

from jackpot.terms.money import MICROS
from jackpot.writer import commands
from settlement.approvals import proposals
from settlement.audit.authorisation import without_actions
from settlement.claims import services as claims
from settlement.core.errors import (
    BadReason,
    Declined,
    KeyUsed,
    NotPermitted,
    OwnHand,
    RuleBroken,
    SamePerson,
    WrongState,
)
from settlement.floor import incidents, missed_rounds, rulings
from settlement.models import Claim, Countersignature, Incident, Proposal, Ruling
from settlement.people.rights import staff_play
from settlement.people.rights.permissions import Reauthenticated
from tables.protocol import messages
from tests.support.cases.settlement_rulings import HALF, credit, person, rule, table
from tests.support.cases.terms.limits import alone_up_to
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]


def build_house() -> ClaimHouse:
    claim_house = ClaimHouse()
    claim_house.open("t3")
    claim_house.press("t3")
    claim_house.post()
    return claim_house


house = kept_house(build_house)


def test_a_request_is_decided_once(house: ClaimHouse) -> None:
    house.say("t3", messages.VoidRequested, round=1, reason="wrong_count", note="Six cards")
    house.post()
    (request,) = rulings.open_requests("void_requested")
    assert (request.round, request.note, request.table.code) == (1, "Six cards", "t3")
    with pytest.raises(WrongState, match="another round"):
        rule(round=2, request=request)
    rule(request=request)
    house.post()
    assert rulings.open_requests("void_requested") == []
    assert Ruling.objects.get().request_id == request.entry.event_id
    with pytest.raises(WrongState, match="just decided"), acting_as("web"):
        rulings.refuse(request, person("anahera"), "It was dealt right")
    assert without_actions(house.system.pk, 0) == []


def test_a_refusal_is_kept_and_moves_nothing(house: ClaimHouse) -> None:
    house.say("t3", messages.RoundsMissed, count=2)
    house.post()
    pool = house.balance("royal:pool")
    (request,) = rulings.open_requests("rounds_missed")
    with pytest.raises(BadReason, match="Enter why"):
        rulings.refuse(request, person("sione"), " ")
    with acting_as("web"):
        rulings.refuse(request, person("sione"), "The button was pressed")
    house.post()
    assert rulings.open_requests("rounds_missed") == []
    assert rulings.open_request_count("rounds_missed") == 0
    assert house.balance("royal:pool") == pool
    decided = rulings.request_of(request.entry.event_id or 0)
    assert decided is not None
    assert (decided.who, decided.ruling and decided.ruling.kind) == ("sione", "refuse")


def test_a_unit_in_test_mode_asks_for_nothing(house: ClaimHouse) -> None:
    house.say("t3", messages.VoidRequested, round=1, reason="wrong_count", test=True)
    house.post()
    assert rulings.open_requests("void_requested") == []


def test_what_a_ruling_needs(house: ClaimHouse) -> None:
    with pytest.raises(NotPermitted):
        rule(by="aroha")
    with pytest.raises(BadReason, match="one of the reasons"):
        rule(reason="double_press")
    with pytest.raises(BadReason, match="what you saw"):
        rule(note=" ")
    with pytest.raises(WrongState, match="Nothing was recorded"):
        rule(round=8)
    key = uuid.uuid4()
    assert rule(key=key).number == rule(key=key).number
    with pytest.raises(KeyUsed):
        rule("cancel_round", reason="no_deal", key=key)
    assert Ruling.objects.count() == 1


def test_the_writer_judges_once_more(house: ClaimHouse) -> None:
    rule("cancel_round", reason="no_deal")
    house.post()
    assert house.balance("royal:pool") == 1000 * MICROS
    answer = rule("cancel_round", reason="no_deal")
    house.post()
    assert "already" in (commands.answer(house.system, answer.number).refused or "")
    with pytest.raises(Declined, match="already"):
        rulings.answer_of(Ruling.objects.get(command=answer.number))


def test_nobody_rules_on_his_own_hand(house: ClaimHouse) -> None:
    house.call("t3")
    house.post()
    claims.catch_up(house.system)
    staff_play.name(Claim.objects.get(), person("sione"), person("mere"))
    with pytest.raises(OwnHand):
        rule()
    rule(by="anahera")


def test_missed_rounds_within_the_limit_are_countersigned(house: ClaimHouse) -> None:
    alone_up_to(5)
    pool = house.balance("royal:pool")
    assert missed_rounds.left_today(table()) == 5
    credit(count=3)
    house.post()
    assert house.balance("royal:pool") == pool + 3 * HALF
    assert missed_rounds.left_today(table()) == 2
    (waiting,) = missed_rounds.to_countersign()
    with pytest.raises(NotPermitted):
        missed_rounds.countersign(waiting, person("anahera"))
    with acting_as("web"):
        missed_rounds.countersign(waiting, person("mere"), "Seen")
    assert not missed_rounds.to_countersign().exists()
    with pytest.raises(WrongState, match="already"), acting_as("web"):
        missed_rounds.countersign(waiting, person("david"))
    # Above what is left today a second person must approve it first.
    proposal = credit(count=3)
    assert isinstance(proposal, Proposal)
    house.post()
    assert house.balance("royal:pool") == pool + 3 * HALF
    with pytest.raises(NotPermitted):
        proposals.agree(proposal, Reauthenticated(person("anahera")))
    with acting_as("web"):
        proposals.agree(proposal, Reauthenticated(person("mere")))
    house.post()
    assert house.balance("royal:pool") == pool + 6 * HALF
    assert not missed_rounds.to_countersign().exists()
    assert missed_rounds.left_today(table()) == 2
    assert without_actions(house.system.pk, 0) == []


def test_a_request_above_the_limit_waits_for_two(house: ClaimHouse) -> None:
    alone_up_to(1)
    house.say("t3", messages.RoundsMissed, count=2)
    house.post()
    (request,) = rulings.open_requests("rounds_missed")
    proposal = credit(request=request, entries=[request.entry.seq])
    assert rulings.open_requests("rounds_missed") == []
    assert rulings.open_request_count("rounds_missed") == 0
    proposals.withdraw(proposal, person("sione"), "It was one round")
    assert len(rulings.open_requests("rounds_missed")) == 1
    assert rulings.open_request_count("rounds_missed") == 1
    proposal = credit(request=request, entries=[request.entry.seq])
    with acting_as("web"):
        proposals.agree(proposal, Reauthenticated(person("mere")))
    assert rulings.open_requests("rounds_missed") == []
    assert rulings.open_request_count("rounds_missed") == 0


def test_nobody_countersigns_his_own(house: ClaimHouse) -> None:
    credit("mere")
    (waiting,) = missed_rounds.to_countersign()
    with pytest.raises(SamePerson, match="somebody else"):
        missed_rounds.countersign(waiting, person("mere"))
    refusal = pytest.raises(IntegrityError, match="two_people")
    with acting_as("web"), refusal, transaction.atomic():
        Countersignature.objects.create(ruling=waiting, person=person("mere"))


def test_a_form_sent_twice_credits_once(house: ClaimHouse) -> None:
    alone_up_to(3)
    key, pool = uuid.uuid4(), house.balance("royal:pool")
    credit(count=3, key=key)
    credit(count=3, key=key)
    house.post()
    assert house.balance("royal:pool") == pool + 3 * HALF


@pytest.mark.parametrize(
    ("fields", "match"),
    [
        ({"evidence": ""}, "Enter the evidence"),
        ({"count": 0}, "cannot be read"),
        ({"count": 2, "rounds": [4]}, "as many"),
        ({"count": 2, "figures": {"pot": 1}}, "one round"),
        ({"count": 1, "figures": {"pot": -1}}, "cannot be read"),
    ],
)
def test_missed_rounds_must_be_whole(house: ClaimHouse, fields: dict[str, Any], match: str) -> None:
    with pytest.raises(BadReason, match=match):
        credit(**fields)
    assert not Ruling.objects.exists()


def test_what_shows_missed_rounds(house: ClaimHouse, settings: Settings) -> None:
    assert missed_rounds.signals() == []
    house.rounds["t3"] = 4
    house.call("t3")
    house.rounds["t3"] = 5
    house.say("t3", messages.RoundCompleted, round=5, pot=100)
    settings.GAP_WAIT_S = 0.0
    house.event("t3", messages.RoundStarted, round=6)  # never sent
    house.rounds["t3"] = 6
    house.press("t3")
    house.post()
    signs = {(s.what, s.round, s.missing) for s in missed_rounds.signals()}
    assert signs == {("hand", 4, 0), ("completion", 5, 0), ("gap", None, 1)}
    (hand,) = [s for s in missed_rounds.signals() if s.what == "hand"]
    credit(count=2, rounds=[4, 5], entries=[hand.entry])
    house.post()
    assert {s.what for s in missed_rounds.signals()} == {"gap"}


def test_the_database_asks_for_the_ruling(house: ClaimHouse) -> None:
    body: dict[str, Any] = {"table": "t3", "round": 1, "reason": "wrong_count", "note": "seen"}
    more = {"table": "t3", "count": 2, "evidence": "camera"}
    for kind, values in (("void_round", body), ("cancel_round", body), ("missed_rounds", more)):
        refusal = pytest.raises(IntegrityError, match="stands no ruling")
        with acting_as("web"), refusal, transaction.atomic():
            commands.queue(house.system, kind, values, first="sione")
            with connection.cursor() as cursor:
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    number = house.decide("void_round", "sione", None, **body).number  # as the owner
    assert commands.answer(house.system, number).refused is None
    (sentence,) = without_actions(house.system.pk, 0)
    assert "void_round names sione" in sentence


@pytest.mark.parametrize("names", ["called_seq", "reported_seq", "round"])
def test_a_withdrawn_hand_goes_on_or_is_rejected(house: ClaimHouse, names: str) -> None:
    house.hit_royal()
    seqs = {"called_seq": house.seqs["t3"] - 1, "reported_seq": house.seqs["t3"], "round": 2}
    fields = {names: seqs[names]}
    for _ in range(2):
        house.say("t3", messages.HandWithdrawn, reason="Wrong seat", **fields)
    house.post()
    claims.catch_up(house.system)
    claim = Claim.objects.get()
    first, second = rulings.withdrawals_of(claim)
    with acting_as("web"):
        rulings.refuse(first, person("sione"), "The cards are on the layout")
        rulings.accept_withdrawal(claim, second, person("sione"), "No royal on camera 4")
    assert house.hit(1).state == "held"  # one person rejects nothing
    with acting_as("web"):
        claims.second_rejection(claim, Reauthenticated(person("mere")))
    house.post()
    assert house.hit(1).state == "rejected"
    assert [r.ruling is not None for r in rulings.withdrawals_of(claim)] == [True, True]
    action = claim.actions.get(kind="propose_rejection")
    assert action.body["reason"] == "R11"


def test_another_hand_is_not_withdrawn(house: ClaimHouse) -> None:
    house.hit_royal()
    house.say("t3", messages.HandWithdrawn, reason="Wrong table", round=1)
    house.post()
    claims.catch_up(house.system)
    assert rulings.withdrawals_of(Claim.objects.get()) == []


def test_an_incident_is_entered_and_resolved(house: ClaimHouse) -> None:
    fields: dict[str, Any] = {"kind": "button", "note": "It sticks", "happened_at": timezone.now()}
    with acting_as("web"):
        incident = incidents.report(
            house.system, person("tane"), incidents.IncidentReport(table=table(), **fields)
        )
        assert list(incidents.open_incidents()) == [incident]
        with pytest.raises(NotPermitted):
            incidents.resolve(incident, person("tane"), "Cleaned")
        with pytest.raises(BadReason, match="what was done"):
            incidents.resolve(incident, person("sione"), "")
        incidents.resolve(incident, person("sione"), "Cleaned")
        with pytest.raises(WrongState, match="already"):
            incidents.resolve(incident, person("mere"), "Again")
    assert not incidents.open_incidents().exists()
    assert Incident.objects.get().end.note == "Cleaned"


@pytest.mark.parametrize(
    ("fields", "match"),
    [
        ({"kind": "other"}, "what kind"),
        ({"note": " "}, "what happened"),
        ({"ahead": dt.timedelta(minutes=5)}, "in the future"),
    ],
)
def test_an_incident_must_be_whole(house: ClaimHouse, fields: dict[str, Any], match: str) -> None:
    at = timezone.now() + fields.pop("ahead", dt.timedelta())
    body = {"kind": "power", "note": "Dark", "happened_at": at, **fields}
    with pytest.raises(RuleBroken, match=match):
        incidents.report(house.system, person("sione"), incidents.IncidentReport(**body))
    assert not Incident.objects.exists()


@pytest.mark.parametrize("name", ["ruling", "countersignature", "incident", "incidentend"])
def test_none_of_it_is_ever_changed(house: ClaimHouse, name: str) -> None:
    credit()
    missed_rounds.countersign(missed_rounds.to_countersign().get(), person("mere"))
    incident = incidents.report(
        house.system,
        person("sione"),
        incidents.IncidentReport(kind="power", note="Dark", happened_at=timezone.now()),
    )
    incidents.resolve(incident, person("sione"), "Light")
    refusal = pytest.raises(IntegrityError, match="append-only")
    with refusal, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE settlement_{name} SET note = 'otherwise'")
